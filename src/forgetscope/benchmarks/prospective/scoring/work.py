"""Was the load done right? The paper's scorers and repaired ones, side by side (paper, appendix B.3).

The paper reads an answer from anywhere in the reply: the last number, the first lone letter, an alias inside any
word. A reply that also carries a formatted original task trips these rules for reasons that have nothing to do
with arithmetic or knowledge. The repaired scorers look for the answer where it is given. Both verdicts are kept:
the part of a published effect that is a parser artefact is a finding.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from nltk.stem.porter import PorterStemmer
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenize import tokenize

from forgetscope.benchmarks.prospective.data.conditions import Load
from forgetscope.benchmarks.prospective.data.items import LoadContent
from forgetscope.benchmarks.prospective.prompts import CHOICE_LETTERS

ENGAGED_ABOVE = 0.10
"""ROUGE-L F1 above which a summary counts as engaged with the article (paper, appendix B.3)."""


@dataclass(frozen=True)
class TaskVerdict:
    """What the two scorers say of one reply.

    Attributes:
        paper: Pass or fail as the paper's parser reads the reply.
        repaired: Pass or fail of ours; None when it finds no answer to read.
        paper_score, repaired_score: The graded value, 0-1: ROUGE-L F1 of a summary, otherwise 0 or 1.
        parts: For chains, the repaired verdict of each problem; None where it was not answered.
        found: The answers the repaired scorer read, for a person.
    """

    paper: bool
    repaired: bool | None
    paper_score: float
    repaired_score: float | None
    parts: tuple[bool | None, ...]
    found: tuple[str, ...]


def score_task(content: LoadContent, reply: str, *, prompt: str) -> TaskVerdict:
    """Both verdicts on a reply; `prompt` is removed where the reply echoes it (repaired scorers only)."""
    return _SCORERS[content.load](content, reply, prompt)


_LINE_START = r"^(?:[^\S\n]|[*#>\"'_-])*+"
"""Blanks and marks before a label. Within the line, and possessive: a reply may be a megabyte of line ends."""

# Numbers: GSM8K, alone and in chains

_NUMBER = r"-?\$?\d[\d,]*(?:\.\d+)?"
_LAST_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_EXPLICIT_ANSWER = re.compile(
    rf"(?:####\s*+|\\boxed\{{\s*+|^[^\S\n]*+A:\s*+|\banswer\b\s*+(?:is|:|=|would be)?\s*+\**+\s*+(?:is\s*+)?)"
    rf"\$?({_NUMBER})",
    re.IGNORECASE | re.MULTILINE,
)
_NAMED_LABEL = re.compile(
    _LINE_START + r"(?:problem|question|answer|solution|answer\s+to\s+problem|solution\s+to\s+problem)\s*+#?\s*+(\d)\b",
    re.IGNORECASE | re.MULTILINE,
)
_NUMERAL_LABEL = re.compile(_LINE_START + r"\(?(\d)\s*+[.):](?!\d)", re.MULTILINE)


def read_number(text: str) -> float:
    """A number as written, without currency sign, thousands separators or a trailing stop."""
    return float(text.replace("$", "").replace(",", "").rstrip("."))


def last_number(text: str) -> str | None:
    """The paper's rule: the last number anywhere."""
    found = _LAST_NUMBER.findall(text)
    return found[-1] if found else None


def stated_number(text: str) -> str | None:
    """Ours: the last number given as the answer, else the last of the last paragraph that calculates, else the last."""
    explicit = _EXPLICIT_ANSWER.findall(text)
    if explicit:
        return str(explicit[-1])
    calculating = [paragraph for paragraph in text.split("\n\n") if "=" in paragraph and last_number(paragraph)]
    return last_number(calculating[-1] if calculating else text)


def split_problems(text: str, count: int) -> list[str] | None:
    """The text of each of `count` problems, by label ("Problem 2") or number ("2."); None when not laid out so.

    Where the labels run through more than once (the problems restated, then answered) the last run counts.
    """
    for label in (_NAMED_LABEL, _NUMERAL_LABEL):
        runs = _complete_runs([(*match.span(), int(match.group(1))) for match in label.finditer(text)], count)
        if runs:
            labels = [*runs[-1], (len(text), len(text))]
            return [text[end:start] for (_, end), (start, _) in pairwise(labels)]
    return None


def _complete_runs(marks: Sequence[tuple[int, int, int]], count: int) -> list[list[tuple[int, int]]]:
    """Start and end of each label of every run 1, 2, ... count, in order of the text."""
    runs: list[list[tuple[int, int]]] = []
    current: list[tuple[int, int]] = []
    for start, end, number in marks:
        if number == len(current) + 1:
            current.append((start, end))
        elif number == 1:
            current = [(start, end)]
        if len(current) == count:
            runs.append(current)
            current = []
    return runs


def _score_numbers(content: LoadContent, reply: str, prompt: str) -> TaskVerdict:
    golds = [read_number(gold[0]) for gold in content.golds]
    last = last_number(reply)
    paper = last is not None and _equal(last, golds[-1])
    text = without_json(reply)
    own = without_postscript(without_echo(text, prompt))
    parts = [own] if len(golds) == 1 else split_problems(own, len(golds)) or split_problems(text, len(golds))
    if parts is None:
        return TaskVerdict(paper, None, float(paper), None, (None,) * len(golds), ())
    answers = [stated_number(part) for part in parts]
    verdicts = tuple(
        None if answer is None else _equal(answer, gold) for answer, gold in zip(answers, golds, strict=True)
    )
    repaired = None if all(verdict is None for verdict in verdicts) else all(verdict is True for verdict in verdicts)
    return TaskVerdict(
        paper,
        repaired,
        float(paper),
        None if repaired is None else float(repaired),
        verdicts,
        tuple(answer or "" for answer in answers),
    )


def _equal(answer: str, gold: float) -> bool:
    return abs(read_number(answer) - gold) < 1e-6


# Letters: MMLU

_PAPER_ANSWER_IS = re.compile(r"[Tt]he answer is:?\s*\**\(?([A-D])\b")
_LONE_CAPITAL = re.compile(r"\b([A-D])\b")
_ANY_CAPITAL = re.compile(r"[A-D]")
_NOT_AN_ARTICLE = r"(?!['’]\w)(?!(?<=[aA])\s+(?!because\b|since\b|as\b|which\b|for\b|and\b)\w)"
_EXPLICIT_LETTER = re.compile(
    r"\b(?:answer|choice|option|letter)\b[^\S\n]*(?:(?:is|would be|should be|must be)\b[^\S\n]*:?|[:=])"
    rf"[\s*_\"'(\[]*(?:(?:option|choice|letter)\s+)?\(?([a-d])\b{_NOT_AN_ARTICLE}"
    r"|\b(?:option|choice|letter)\s+[*_\"'(\[]*((?-i:[A-D])\b|[a-d](?=[)\]]))",
    re.IGNORECASE,
)
_MARKED_LETTER = re.compile(
    r"(?:^|\n)(?:[^\S\n]|[*_>\"'(\[-])*+([a-d])[)\].:*](?:\s|$|\*)|\*\*\(?([a-d])\)?[.:)]?\*\*", re.IGNORECASE
)
_LETTER_ALONE = re.compile(r"(?:^|\n)(?:[^\S\n]|[*_\"'(\[])*+([a-d])(?:[^\S\n]|[*_\"')\].!])*+(?=\n|$)", re.IGNORECASE)
_LONE_LETTER = re.compile(rf"\b([A-D])\b{_NOT_AN_ARTICLE}")


def paper_letter(reply: str) -> str | None:
    """The paper's rule: "the answer is X", else the first lone capital A-D, else the first A-D anywhere."""
    for pattern in (_PAPER_ANSWER_IS, _LONE_CAPITAL):
        match = pattern.search(reply)
        if match:
            return match.group(1)
    match = _ANY_CAPITAL.search(reply)
    return match.group(0) if match else None


def stated_letter(reply: str, choices: Sequence[str]) -> str | None:
    """Ours: the last explicit answer, in either case; else the one letter or option the reply gives; else None."""
    explicit = _EXPLICIT_LETTER.findall(reply)
    if explicit:
        return "".join(explicit[-1]).upper()
    for pattern in (_LETTER_ALONE, _MARKED_LETTER):
        found = {"".join(match).upper() for match in pattern.findall(reply)}
        if len(found) == 1:
            return found.pop()
    lone = set(_LONE_LETTER.findall(reply))
    if len(lone) == 1:
        return str(lone.pop())
    named = [letter for letter, choice in zip(CHOICE_LETTERS, choices, strict=True) if contains_phrase(reply, choice)]
    return named[0] if len(named) == 1 else None


def _score_letter(content: LoadContent, reply: str, prompt: str) -> TaskVerdict:
    gold = content.golds[0][0]
    paper = paper_letter(reply) == gold
    own = without_echo(without_json(reply), prompt)
    letter = stated_letter(own, content.choices)
    repaired = None if letter is None else letter == gold
    return TaskVerdict(
        paper,
        repaired,
        float(paper),
        None if repaired is None else float(repaired),
        (repaired,),
        () if letter is None else (letter,),
    )


# Names: TriviaQA


def contains_phrase(text: str, phrase: str) -> bool:
    """Whether the phrase occurs with word boundaries on both sides, whatever the case and spacing."""
    words = phrase.casefold().split()
    if not words:
        return False
    pattern = r"(?<!\w)" + r"\s+".join(re.escape(word) for word in words) + r"(?!\w)"
    return re.search(pattern, text.casefold()) is not None


def _score_alias(content: LoadContent, reply: str, prompt: str) -> TaskVerdict:
    aliases = content.golds[0]
    lowered = reply.lower()
    paper = any(alias.lower() in lowered for alias in aliases)
    own = without_echo(without_json(reply), prompt)
    found = next((alias for alias in aliases if contains_phrase(own, alias)), None)
    repaired = found is not None if own.strip() else None
    return TaskVerdict(
        paper,
        repaired,
        float(paper),
        None if repaired is None else float(repaired),
        (repaired,),
        () if found is None else (found,),
    )


# Summaries: CNN/DailyMail

_SUMMARY_LABEL = re.compile(
    _LINE_START
    + r"(?:[\w' ]{0,40}\b)?(?:summary|summari[sz]ation|summari[sz]ed?|article|news)\b[^\n]{0,60}:?[*_]*[^\S\n]*$"
    rf"|{_LINE_START}(?:[\w' ]{{0,30}}\b)?summary[^\S\n]*+[*_]*:",
    re.IGNORECASE | re.MULTILINE,
)


class _StemmedWords:
    """`rouge-score`'s own words and Porter stems, each word stemmed once: a reference meets many replies."""

    def __init__(self) -> None:
        self.stem = lru_cache(maxsize=65_536)(PorterStemmer().stem)

    def tokenize(self, text: str) -> list[str]:
        """The stems of a text; what `RougeScorer(use_stemmer=True)` compares."""
        return list(tokenize(text, self))


@cache
def _rouge() -> RougeScorer:
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


# What is not the model's answer

_POSTSCRIPT = re.compile(r"\n[^\S\n]*+\**+P\.?[^\S\n]?(?:P\.?[^\S\n]?)?S\b.*", re.IGNORECASE | re.DOTALL)
ECHO_WORDS = 8
"""A run of prompt lines in the reply counts as an echo when a line has at least this many words."""


def without_echo(reply: str, prompt: str) -> str:
    """The reply without lines of the prompt it repeats word for word (in any case), as repeat_prompt asks.

    Option lines ("A. Paris") are removed too when at least two of them are repeated.
    """
    lines = {line.strip().casefold() for line in prompt.splitlines() if line.strip()}
    long_lines = {line for line in lines if len(line.split()) >= ECHO_WORDS}
    options = {line for line in lines if re.match(r"[a-d]\. ", line)}
    kept = reply.splitlines()
    repeated = sum(line.strip().casefold() in options for line in kept)
    echoed = long_lines | options if repeated >= 2 else long_lines
    kept = [line for line in kept if line.strip().casefold() not in echoed]
    text = "\n".join(kept)
    whole = prompt.strip()
    return text if not whole else text.replace(whole, " ")


_FENCE = "```"


def without_json(reply: str) -> str:
    """The text inside a reply that is one JSON value, a line for each key; any other reply as it is.

    >>> without_json('{"answer": "B", "steps": ["one", 2]}')
    'answer: B\\nsteps:\\none\\n2'
    """
    text = reply.strip()
    if text.startswith(_FENCE) and text.endswith(_FENCE) and len(text) >= 2 * len(_FENCE):
        text = text[len(_FENCE) : -len(_FENCE)]
        text = (text[4:] if text[:4].lower() == "json" else text).strip()
    if not text.startswith(("{", "[")):
        return reply
    try:
        return "\n".join(_leaves(json.loads(text)))
    except (ValueError, RecursionError):  # no JSON, a number of thousands of digits, nested too deeply
        return reply


def _leaves(value: object) -> Iterator[str]:
    match value:
        case dict():
            for key, inner in value.items():
                text = "\n".join(_leaves(inner))
                yield f"{key}:\n{text}" if "\n" in text else f"{key}: {text}"
        case list():
            for inner in value:
                yield from _leaves(inner)
        case _:
            yield str(value)


def without_postscript(reply: str) -> str:
    """The reply up to a postscript, whose numbers are no answer."""
    return _POSTSCRIPT.sub("", reply)


_SCORERS: dict[Load, Callable[[LoadContent, str, str], TaskVerdict]] = {
    Load.TRIVIAQA: _score_alias,
    Load.MMLU: _score_letter,
    Load.GSM8K_X1: _score_numbers,
    Load.GSM8K_X3: _score_numbers,
    Load.GSM8K_X5: _score_numbers,
    Load.CNN_DAILYMAIL: _score_summary,
}
