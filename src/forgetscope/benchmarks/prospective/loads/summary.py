"""News articles to summarise (CNN/DailyMail)."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from pydantic import Field

from forgetscope.benchmarks.prospective.loads.load import (
    EMBEDDED,
    LoadContent,
    LoadItem,
    LoadTask,
    Pool,
    TaskVerdict,
)
from forgetscope.benchmarks.prospective.loads.reading.replies import LINE_START, without_echo, without_json
from forgetscope.io.hub import HubSet
from forgetscope.io.tokens import count_cl100k

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer

ENGAGED_ABOVE = 0.10
"""ROUGE-L F1 above which a summary counts as engaged with the article (paper, appendix B.3)."""


class Article(LoadItem):
    """A news article with reference highlights, as CNN/DailyMail's rows."""

    id: str
    article: str = Field(min_length=1)
    highlights: str = Field(min_length=1)

    @property
    def golds(self) -> tuple[str, ...]:
        """The reference highlights."""
        return (self.highlights,)

    def key(self, index: int) -> str:
        """The published id."""
        del index
        return self.id


def _wording(articles: Sequence[Article]) -> str:
    return f"Summarize this news article in a few sentences.\n\n{articles[0].article.strip()}"


_SUMMARY_LABEL = re.compile(
    LINE_START
    + r"(?:[\w' ]{0,40}\b)?(?:summary|summari[sz]ation|summari[sz]ed?|article|news)\b[^\n]{0,60}:?[*_]*[^\S\n]*$"
    rf"|{LINE_START}(?:[\w' ]{{0,30}}\b)?summary[^\S\n]*+[*_]*:",
    re.IGNORECASE | re.MULTILINE,
)


class _StemmedWords:
    """`rouge-score`'s own words and Porter stems, each word stemmed once: a reference meets many replies."""

    def __init__(self) -> None:
        from nltk.stem.porter import PorterStemmer

        self.stem = lru_cache(maxsize=65_536)(PorterStemmer().stem)

    def tokenize(self, text: str) -> list[str]:
        """The stems of a text; what `RougeScorer(use_stemmer=True)` compares."""
        from rouge_score.tokenize import tokenize

        return list(tokenize(text, self))


@cache
def _rouge() -> "RougeScorer":
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rougeL"], tokenizer=_StemmedWords())


def rouge_l(reference: str, text: str) -> float:
    """ROUGE-L F1 with the Porter stemmer, 0-1 (the `rouge-score` library, as the paper)."""
    return float(_rouge().score(reference, text)["rougeL"].fmeasure)


def summary_part(reply: str) -> str:
    """The text after the last heading or label that announces a summary; the whole reply where there is none."""
    marks = [match for match in _SUMMARY_LABEL.finditer(reply) if reply[match.end() :].strip()]
    return reply[marks[-1].end() :] if marks else reply


def _score_summary(content: LoadContent, reply: str, prompt: str) -> TaskVerdict:
    highlights = content.golds[0][0]
    score = rouge_l(highlights, reply)
    own = summary_part(without_echo(without_json(reply), prompt))
    own_score = None if not own.strip() else score if own == reply else rouge_l(highlights, own)
    repaired = None if own_score is None else own_score > ENGAGED_ABOVE
    return TaskVerdict(score > ENGAGED_ABOVE, repaired, score, own_score, (repaired,), ())


def _answers(content: LoadContent, right: bool) -> Sequence[str]:
    if not right:
        return ("Zzz.",)
    sentences = [line.strip().rstrip(".").strip() for line in content.golds[0][0].splitlines() if line.strip()]
    whole = ". ".join(sentences) + "."
    return (whole, *(f"{sentence}." for sentence in sentences), whole.replace(",", ""))


CNN_DAILYMAIL = LoadTask(
    "cnn_dailymail",
    "CNN/DailyMail",
    Pool(
        "cnn_dailymail",
        Article,
        EMBEDDED / "news.jsonl",
        HubSet(
            "abisee/cnn_dailymail",
            "3.0.0",
            "test",
            "96df5e686bee6baa90b8bee7c28b81fa3fa6223d",
            "Apache-2.0 (scripts); the articles are their publishers'",
        ),
        tokens=lambda article: count_cl100k(article.article),
        sizes=(600, 1000),
    ),
    _wording,
    _score_summary,
    _answers,
    one_item_in=2,
)
"""Articles of 600 to 1000 cl100k tokens (paper, section 4.3 and appendix A.3)."""
