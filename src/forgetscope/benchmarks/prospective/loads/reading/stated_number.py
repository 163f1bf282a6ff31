"""Which number of a text is its answer to one problem.

What is boxed or follows `####` is. Otherwise every number of the text has points for what speaks for and against it
(`number_mentions`, `number_cues`), and so has that the text gives no answer; the most points win, but what is labelled
as something else never over what is labelled as the problem's.
"""

import re
from dataclasses import dataclass

from forgetscope.benchmarks.prospective.loads.reading.asked import asked, stems
from forgetscope.benchmarks.prospective.loads.reading.number_cues import POINTS
from forgetscope.benchmarks.prospective.loads.reading.number_mentions import (
    NumberMention,
    before_next_problem,
    mentions,
)
from forgetscope.benchmarks.prospective.loads.reading.numbers import Numeral, numerals
from forgetscope.benchmarks.prospective.loads.reading.passages import Topic, cues_of_no_answer, sentences

_MARK = re.compile(r"\\boxed\s*\{|####|<(?:final_?\s?)?(?:answer|ans|result)(?:\s?\d|\s[^<>\n]{1,30})?>", re.IGNORECASE)
_ANSWER_LINE = re.compile(r"^\s*A:\s*(\$?-?[\d,.]+)\s*$(?!.*^\s*B:)", re.MULTILINE | re.DOTALL)
_SPEAKS_FOR = frozenset(
    {
        "announced",
        "answer label",
        "equals",
        "made",
        "so",
        "gives",
        "arrow",
        "bare",
        "total of",
        "is",
        "acts",
        "maths label",
        "left",
        "in total",
    }
)
_ANNOUNCES = frozenset({"announced", "answer label", "maths label", "final"})
_FITS = frozenset({"unit asked", "closest", "bare", "announced", "equals"})
_OPTION_LINE = re.compile(r"^\W*([A-E])[).:]\s+(.*\d.*)$", re.MULTILINE)
_CHOSEN_LETTER = re.compile(
    r"\b(?:answer|choice|option)(?:\s+is)?\s*:?\s*\(?([A-E])\)?[^\w\n]*$|\b([A-E])\)?\s+is\s+(?:the\s+)?(?:correct|right)\b",
    re.MULTILINE,
)
_MAY_BE = r"(?:(?:it\s+)?(?:could|might|may)\s+(?:also\s+)?be|maybe|perhaps)"
_OR = re.compile(rf"\s*(?:[^\W\d]+\s?)?(?:\bor\s+(?:{_MAY_BE}\s+)?|[,;]\s+{_MAY_BE}\s+)[$€£]?", re.IGNORECASE)
_AND_OR_TO = re.compile(r"\s*(?:[^\W\d]+\s+)?(?:and|to|-|–)\s*[$€£]?", re.IGNORECASE)
_RANGE_BEFORE = re.compile(r"\b(?:between|somewhere|anywhere|anything|ranges?)\b[^.]{0,20}$", re.IGNORECASE)
_UNDECIDED = re.compile(
    r"(?:n['’]t|\bnot|\bnever)\s+(?:\w+\s+)?(?:tell|say|decide|choose|know|make\s+up)\b[^.]{0,30}\b(?:which|between|what)\b"
    r"|\bone\s+of\s+(?:those|these|the)\s+two\b|\beither\s+is\s+possible\b",
    re.IGNORECASE,
)
_SEVERAL_BEFORE = re.compile(r"\banswers\b[^.]*\bare\s*[$€£]?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NumberReading:
    """The answer of a text and how firmly it is given: its points above those for no answer."""

    value: float | None
    firmness: float


_TELLS_A_PROBLEM = 3
"""Words that it shares with a problem make a text its telling: "30 eggs" is an answer."""
MARKED = 100.0
"""How firm a marked answer is."""


def stated_number(text: str, question: str = "") -> float | None:
    """The answer a text gives to one problem; None where it gives none, or several.

    >>> stated_number("3 boxes at $4: 3 * 4 = 12, so she gets 12 dollars. The shop opened in 1987.")
    12.0
    >>> stated_number("She gets 12 dollars. Wait, that is one box too few. She gets 16.")
    16.0
    """
    return read_number_in(text, question).value


def read_number_in(text: str, question: str = "") -> NumberReading:
    """The answer a text gives to one problem and how firmly."""
    before = before_next_problem(text, asked(question))
    if before != text and (reading := read_number_in(before, question)).value is not None:
        return reading
    if marked := marked_values(text):
        return NumberReading(marked[-1], MARKED)
    if (chosen := _chosen_option(text)) is not None:
        return NumberReading(chosen, MARKED)
    found, no_answer = candidates(text, question)
    if not found:
        return NumberReading(None, 0.0)
    best = max(found, key=lambda mention: points(mention.cues))
    inside = [mention for mention in found if mention.sentence.topic is Topic.LOAD]
    if best.sentence.topic is Topic.OTHER and any(points(mention.cues) > points(no_answer) for mention in inside):
        best = max(inside, key=lambda mention: points(mention.cues))
    firmness = points(best.cues) - points(no_answer)
    again = [mention for mention in found if mention.value == best.value] if _UNDECIDED.search(text) else [best]
    is_open = firmness < 0 or any(_is_one_of_two(mention, found) for mention in again)
    return NumberReading(None if is_open else best.value, firmness)


def candidates(text: str, question: str = "") -> tuple[list[NumberMention], set[str]]:
    """The numbers of a text with their cues, and the cues that it gives no answer to the question."""
    said = sentences(text)
    found = mentions(said, asked(question))
    none = {"gives no answer", *cues_of_no_answer(text, said)}
    if found and all(mention.sentence.topic is Topic.OTHER for mention in found):
        none.add("is all of something else")
    if question and found and all("given" in mention.cues for mention in found):
        none.add("all numbers given")
        problem, told = asked(question), text[:2_000]
        if problem and problem.is_told_in(told) and len(problem.all_words & set(stems(told))) >= _TELLS_A_PROBLEM:
            none.add("tells the problem alone")
    if question and not any("not given" in mention.cues and mention.cues & _FITS for mention in found):
        none.add("nothing new fits")
    if question and not any(mention.cues & _FITS for mention in found):
        none.add("nothing fits")
    if not any(mention.cues & _SPEAKS_FOR for mention in found):
        none.add("concludes nothing")
    if none & {"is cut off", "is cut off at work"} and not any(mention.cues & _ANNOUNCES for mention in found):
        none.add("is cut off before it concludes")
    return found, none


def points(cues: set[str]) -> float:
    """What cues add up to."""
    return sum(POINTS.get(cue, 0) for cue in cues)


def marked_values(text: str) -> list[float]:
    """The numbers in boxes, answer tags, after `####` or, as in GSM8K's solutions, in a line `A: N`, in order."""
    following = (re.sub(r"^[^\w\\$.-]*(?=\S)", "", text[mark.end() : mark.end() + 50]) for mark in _MARK.finditer(text))
    pieces = [piece.partition("\n")[0] for piece in following] or _ANSWER_LINE.findall(text)
    return [found[0].value for piece in pieces if (found := numerals(piece))]


def _chosen_option(text: str) -> float | None:
    """The first number of the option that the text chooses by its letter among those it lists: "B) 18 ... so B"."""
    letter = _CHOSEN_LETTER.search(text)
    lines = {found[1].upper(): found[2] for found in _OPTION_LINE.finditer(text)}
    found = numerals(lines.get((letter[1] or letter[2]).upper(), "")) if letter and len(lines) >= 2 else []
    return found[0].value if found else None


def _is_one_of_two(best: NumberMention, found: list[NumberMention]) -> bool:
    """Whether the text offers another number beside this one and does not choose: "20 or 24"."""
    text, amount = best.sentence.text, best.amount
    for other in found:
        if other.place != best.place or other.value == best.value:
            continue
        first, second = sorted((amount, other.amount), key=lambda numeral: numeral.start)
        before, between = text[: first.start], text[first.end : second.start]
        if (_OR.fullmatch(between) and not _in_another_unit(text, first, second)) or (
            _AND_OR_TO.fullmatch(between) and (_RANGE_BEFORE.search(before) or _SEVERAL_BEFORE.search(before))
        ):
            return not best.cues & {"again later", "seen"} or _UNDECIDED.search(text) is not None
    return False


def _in_another_unit(text: str, first: Numeral, second: Numeral) -> bool:
    """Whether two numbers are one amount in two units: "66 laps or 26.4 km"."""
    units = [re.match(r"\s*([^\W\d]+)?", text[numeral.end :]) for numeral in (first, second)]
    names = [unit[1].lower() for unit in units if unit and unit[1]]
    return len(names) == 2 and "or" not in names and names[0] != names[1]
