"""Which number of a text is its answer to one problem.

Each sentence states a number with a rank (`statements`). What is marked or announced as the answer wins, then what
stands alone, then the last conclusion, then the first plain statement; within a text that is labelled as the problem's
before text that is not, and that before a poem, tips or a postscript. What follows a correction ("Wait, ...") takes the
place of what stands before. A conclusion in a later passage counts only if it goes on with the numbers of the earlier
ones. Two answers between which a text does not decide are none.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from forgetscope.benchmarks.prospective.loads.reading.numbers import numerals
from forgetscope.benchmarks.prospective.loads.reading.passages import Sentence, Topic, sentences
from forgetscope.benchmarks.prospective.loads.reading.statements import (
    ANNOUNCED,
    BARE,
    CONCLUDED,
    MADE,
    MENTIONED,
    REMAINING,
    STATED,
    UNLIKELY,
    StatedNumber,
    statement,
)

CORRECTS = re.compile(
    r"(?:^|(?<=[.!?]))\W*(?:(?:no|oh|hmm|but)\W+)?(?:wait|actually|correction|oops|hold\s+on|scratch\s+that|on\s+second\s+thought|i\s+made\s+an?\s+\w+|(?:just\s+)?kidding"
    r"|let\s+me\s+(?:re\w*|correct))\b|\bmore\s+precisely\b",
    re.IGNORECASE,
)
_NUMBERS_KEPT = 12
"""How many numbers back a number may be made of."""


def stated_number(text: str) -> float | None:
    """The answer a text gives to one problem; None where it gives none, or several.

    >>> stated_number("3 boxes at $4: 3 * 4 = 12, so she gets 12 dollars. The shop opened in 1987.")
    12.0
    >>> stated_number("She gets 12 dollars. Wait, that is one box too few. She gets 16.")
    16.0
    """
    best = best_statement(text)
    return best.value if best else None


def best_rank(text: str) -> int:
    """How the answer of a text is given; 0 where it has none."""
    best = best_statement(text)
    return best.rank if best else 0


def best_statement(text: str) -> StatedNumber | None:
    """The statement of a text that is its answer; its value is None where the text does not decide."""
    best: StatedNumber | None = None
    for candidate in _statements(sentences(text)):
        if candidate.rank < 0:
            continue
        if (
            best is None
            or candidate.rank > best.rank
            or (candidate.rank == best.rank and candidate.is_last and best.is_last)
            or (best.value is None and best.rank <= candidate.rank)
        ):
            best = candidate
    return best


def is_undecided_between(text: str, best: StatedNumber, wanted: float) -> bool:
    """Whether a text concludes another number too, and nothing in it says which of the two is its answer.

    So it is where the reading rests on a rule of thumb (the last conclusion, what stands alone): nothing marks or
    announces its number, which was not calculated from the other one. A reader who knows the right answer then takes
    the one that is right.
    """
    if best.rank >= ANNOUNCED or best.value is None or (best.goes_on and best.rank >= REMAINING):
        return False
    return any(said.value == wanted and said.rank >= MADE and said.goes_on for said in _statements(sentences(text)))


def _statements(reply: Sequence[Sentence]) -> list[StatedNumber]:
    found: list[StatedNumber] = []
    known: list[float] = []
    corrected = passage = earlier = highest = 0
    for sentence in reply:
        if sentence.passage != passage:
            passage, earlier = sentence.passage, highest
        if CORRECTS.search(sentence.text) and sentence.topic >= Topic.OPEN:
            corrected = len(found)
        said = statement(sentence, known[-_NUMBERS_KEPT:])
        if said is not None:
            if said.rank == MADE and said.value is not None and said.value >= UNLIKELY and highest >= REMAINING:
                said = replace(said, rank=CONCLUDED)  # it goes on with the working
            found.append(_in_context(sentence, said, earlier))
            if said.value is not None:
                highest = max(highest, found[-1].rank)
        known.extend(numeral.value for numeral in numerals(sentence.text))
    after = found[corrected:]
    return after if any(said.rank >= MENTIONED and said.value is not None for said in after) else found


def _in_context(sentence: Sentence, said: StatedNumber, earlier: int) -> StatedNumber:
    """The statement, no more than a mention where it explains an earlier one or concludes something else.

    Args:
        earlier: The highest rank in the passages before.
    """
    explains = sentence.explains and earlier >= STATED and said.rank < ANNOUNCED
    is_new = sentence.topic <= Topic.OPEN and REMAINING <= said.rank < BARE and not said.goes_on
    return replace(said, rank=MENTIONED) if explains or (is_new and earlier >= REMAINING) else said
