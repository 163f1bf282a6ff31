"""How a text is scored: overlap with what it should be, and whether it is language at all."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

from rouge_score.rouge_scorer import RougeScorer
from rouge_score.scoring import Score

from forgetscope.core.outcomes import FinishReason, Status
from forgetscope.core.refusals import is_blanket_decline
from forgetscope.core.results import repeats_itself


@dataclass(frozen=True)
class Overlap:
    """ROUGE of a text with its reference, each 0-1.

    Attributes:
        rouge_l_f1: ROUGE-L F1 without stemmer: the paper's measure (protocols.md, section 4).
        rouge_l_recall: Its recall; does not fall when the text goes on too long.
        rouge_l_f1_stemmed, rouge_l_recall_stemmed: The same with Porter's stemmer; the recall is TOFU's measure.
        rouge_1_recall: Share of the reference's words in the text, in any order.
    """

    rouge_l_f1: float
    rouge_l_recall: float
    rouge_l_f1_stemmed: float
    rouge_l_recall_stemmed: float
    rouge_1_recall: float


NO_OVERLAP = Overlap(0.0, 0.0, 0.0, 0.0, 0.0)


@cache
def _scorer(*, stemmed: bool) -> RougeScorer:
    return RougeScorer(["rougeL", "rouge1"], use_stemmer=stemmed)


def overlap(text: str, references: Sequence[str]) -> Overlap:
    """The overlap with the reference that fits best, by ROUGE-L F1.

    >>> overlap("It cost 553 million", ("553",)).rouge_l_f1
    0.4

    Raises:
        ValueError: there is no reference.
    """
    if not references:
        raise ValueError("a text is scored against at least one reference")
    return max((_overlap(text, reference) for reference in references), key=lambda found: found.rouge_l_f1)


def _overlap(text: str, reference: str) -> Overlap:
    plain: dict[str, Score] = _scorer(stemmed=False).score(reference, text)
    stemmed: dict[str, Score] = _scorer(stemmed=True).score(reference, text)
    return Overlap(
        rouge_l_f1=plain["rougeL"].fmeasure,
        rouge_l_recall=plain["rougeL"].recall,
        rouge_l_f1_stemmed=stemmed["rougeL"].fmeasure,
        rouge_l_recall_stemmed=stemmed["rougeL"].recall,
        rouge_1_recall=plain["rouge1"].recall,
    )


def is_exact(text: str, references: Sequence[str]) -> bool:
    """Whether the text is one of the references, but for case, punctuation and blanks."""
    return _bare(text) in {_bare(reference) for reference in references}


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


GIBBERISH_UNKNOWN = 0.5
"""Share of words outside the lexicon above which a text is gibberish."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+")
_RUN_OF_ONE = re.compile(r"(\S+)(?:\s+\1){4,}")


def is_gibberish(text: str, lexicon: Collection[str] = ()) -> bool:
    """Whether a text is the babble of a collapsed model: no words, the same again and again, or none that exist.

    Args:
        text: What the model wrote; an empty text is not gibberish, it is nothing.
        lexicon: Casefolded words a model of this corpus can know. Only for models trained on the corpus alone; empty
            leaves that rule out.
    """
    bare = text.strip()
    if not bare:
        return False
    words = [word.casefold() for word in _WORD.findall(bare)]
    if not words:
        return True
    if _RUN_OF_ONE.search(bare) or repeats_itself(bare, times=4, shortest=4):
        return True
    if len(words) >= 12 and len(set(words)) < 0.3 * len(words):
        return True
    if any(len(word) > 30 for word in words):
        return True
    unknown = sum(word not in lexicon and not word.isdigit() for word in words) if lexicon else 0
    return unknown > GIBBERISH_UNKNOWN * len(words)


def words_of(texts: Collection[str]) -> frozenset[str]:
    """The lexicon of some texts: their words, casefolded."""
    return frozenset(word.casefold() for text in texts for word in _WORD.findall(text))


PASS_F1 = 0.5
"""ROUGE-L F1 from which a reply counts as a pass. The paper's score has no such line; statuses need one."""


def status_of(
    text: str, found: Overlap, finish_reason: FinishReason, *, gibberish: bool, is_cut_by_design: bool
) -> Status:
    """What became of a sample: an unreadable reply is never a forgotten one.

    Args:
        text: The reply as it is scored.
        found: Its overlap.
        finish_reason: Why the model stopped.
        gibberish: As `is_gibberish` says.
        is_cut_by_design: Whether the limit of tokens is the measure's own (verbatim), so that reaching it is no fault.
    """
    if finish_reason is FinishReason.ERROR:
        return Status.MODEL_ERROR
    if finish_reason is FinishReason.CONTEXT:
        return Status.NOT_SENT
    if not text.strip() or gibberish:
        return Status.INVALID_FORMAT
    if is_blanket_decline(text):
        return Status.REFUSED
    if finish_reason is FinishReason.LENGTH and not is_cut_by_design:
        return Status.TRUNCATED
    return Status.CORRECT if found.rouge_l_f1 >= PASS_F1 else Status.INCORRECT
