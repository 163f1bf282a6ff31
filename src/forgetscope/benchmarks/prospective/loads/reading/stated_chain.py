"""The repaired reading of chains: which number of a reply answers which problem.

A chain is taken apart by its labels ("Problem 1", "second", "3)", "c."), of a repeated run the last that is answered
whole; without labels it is a list: as many numbers, lines, paragraphs or sentences as problems. Each part is read as a
reply to one problem.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from forgetscope.benchmarks.prospective.loads.reading.numbers import numerals
from forgetscope.benchmarks.prospective.loads.reading.passages import BREAK, SENTENCE_END, without_other_things
from forgetscope.benchmarks.prospective.loads.reading.stated_number import CORRECTS, best_rank, stated_number
from forgetscope.benchmarks.prospective.loads.reading.statements import (
    BARE,
    CONCLUDED,
    boxed_values,
    candidates,
    hashed_values,
)

ORDINALS = ("first", "second", "third", "fourth", "fifth")
CARDINALS = ("one", "two", "three", "four", "five")
_RUNS_READ = 6
"""Of labels that run through more often only the last runs are looked at."""
_ROMAN = ("i", "ii", "iii", "iv", "v")
_INDEX = r"(?:(?P<digit>[1-9])(?![\d,.]*\d)(?:st|nd|rd|th)?|(?P<word>" + "|".join((*CARDINALS, *ORDINALS)) + r")\b)"
_NOUN = r"(?:math(?:ematical)?\s+|word\s+)?(?:problem|question|answer|solution|exercise|calculation)"
_NAMED = re.compile(
    rf"\b{_NOUN}s?\s*(?:(?:to|for|of)\s+(?:the\s+)?{_NOUN}\s*)?[_#-]?\s*(?:no\.?\s*|number\s+)?#?{_INDEX}(?:['’]s)?",
    re.IGNORECASE,
)
_ORDINAL_LABEL = re.compile(
    rf"\b(?P<word>{'|'.join(ORDINALS)}|1st|2nd|3rd|4th|5th)\b(?:\s+(?:math\s+)?(?:problem|question|answer|one|is)\b)?",
    re.IGNORECASE,
)
_LINE = r"^(?:[^\S\n]|[*#>\"'(\[+-])*"
_SHORT_LABEL = re.compile(
    rf"{_LINE}(?:[PQA]|math|#)\s*#?(?P<digit>[1-9])\s*[:.)]|\b[PQ](?P<inline>[1-9])\s*[:=]",
    re.IGNORECASE | re.MULTILINE,
)
_NUMERAL = re.compile(rf"{_LINE}(?P<digit>[1-9])\s*(?:[.):\]]+(?!\d)|\s[-–—:]\s)", re.MULTILINE)
_INLINE_NUMERAL = re.compile(r"(?<![\w.$,])\(?(?P<digit>[1-9])\s?(?:[):]|\.(?=\s))(?!\d)")
_SIGNED_NUMERAL = re.compile(r"(?:^|(?<=[,;]\s)|(?<=\d\s))(?P<digit>[1-9])\s?(?:=|→|->)\s?(?=[\d$])")
_LETTER = re.compile(rf"(?:{_LINE}|(?<=[,;]\s))\(?(?P<letter>[a-e])[.)](?=\s)", re.IGNORECASE | re.MULTILINE)
_ROMAN_LABEL = re.compile(rf"{_LINE}\(?(?P<roman>iii|ii|iv|i|v)[.)](?=\s)", re.IGNORECASE | re.MULTILINE)
_SECTION = re.compile(rf"{_LINE}section\s+(?P<digit>[1-9])\b", re.IGNORECASE | re.MULTILINE)
_CSV = re.compile(r"^(?P<digit>[1-9]),(?=\S+$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Mark:
    start: int
    end: int
    index: int


def stated_chain(text: str, count: int) -> tuple[float | None, ...] | None:
    """The answers a text gives to `count` problems in order; None where it cannot be taken apart.

    >>> stated_chain("1) 11, 2) 39, 3) 45", 3)
    (11.0, 39.0, 45.0)
    """
    own = without_other_things(text)
    if own != text and (reading := stated_chain(own, count)) is not None and None not in reading:
        return reading
    for announced in reversed(list(_ANNOUNCED.finditer(text))):
        region = text[announced.end() :]
        for reading in (*_labelled(region, count), _listed(region, count)):
            if reading is not None and None not in reading:
                return reading
    partial: tuple[float | None, ...] | None = None
    readings = _labelled(text, count)
    for reading in readings:
        if None not in reading:
            return reading
        if partial is None or sum(value is None for value in reading) < sum(value is None for value in partial):
            partial = reading
    listed = _listed(own, count)
    if listed is not None and (partial is None or sum(value is not None for value in partial) < count - 1):
        return listed
    return partial


def _marks(pattern: re.Pattern[str], text: str) -> list[_Mark]:
    found = []
    for match in pattern.finditer(text):
        groups = {name: value for name, value in match.groupdict().items() if value}
        if not groups:
            continue
        name, value = next(iter(groups.items()))
        lowered = value.lower()
        if name in ("digit", "inline") or lowered[0].isdigit():
            index = int(lowered[0])
        elif name == "letter":
            index = "abcde".index(lowered) + 1
        elif name == "roman":
            index = _ROMAN.index(lowered) + 1
        else:
            index = (CARDINALS if lowered in CARDINALS else ORDINALS).index(lowered) + 1
        found.append(_Mark(match.start(), match.end(), index))
    return found


def _labelled(text: str, count: int) -> Iterator[tuple[float | None, ...]]:
    """Readings by each way of labelling, the surest first; of a repeated run of labels the last that is answered."""
    for pattern in (
        _NAMED,
        _ORDINAL_LABEL,
        _SHORT_LABEL,
        _NUMERAL,
        _INLINE_NUMERAL,
        _SIGNED_NUMERAL,
        _CSV,
        _LETTER,
        _ROMAN_LABEL,
        _SECTION,
    ):
        marks = _marks(pattern, text)
        runs = _runs(marks, count, is_named=pattern is _NAMED)
        if pattern in (_NAMED, _ORDINAL_LABEL):
            turned = _before_labels(text, runs[-1]) if runs else None
            if turned is not None:
                yield turned
                continue
        readings = [reading for run in runs[-_RUNS_READ:] if (reading := _read_run(text, run, count)) is not None]
        if readings:
            yield max(reversed(readings), key=lambda reading: (None not in reading[0], reading[1]))[0]


def _runs(marks: Sequence[_Mark], count: int, *, is_named: bool = False) -> list[list[_Mark]]:
    """Runs 1, 2, ... of labels, whole ones or, where none is, what there is; or all labels once in any order."""
    whole: list[list[_Mark]] = []
    current: list[_Mark] = []
    begun: list[list[_Mark]] = []
    for mark in marks:
        if mark.index == len(current) + 1:
            current.append(mark)
        elif mark.index == 1:
            begun.append(current)
            current = [mark]
        if len(current) == count:
            whole.append(current)
            current = []
    if whole:
        return whole
    indices = [mark.index for mark in marks]
    if is_named and len(marks) >= 2 and indices == sorted(set(indices)) and indices[-1] <= count:
        return [list(marks)]  # one was left out
    inside = [mark for mark in marks if mark.index <= count]
    if len(inside) == count == len({mark.index for mark in inside}):
        return [inside]
    begun.append(current)
    longest = max(begun, key=len)
    return [longest] if len(longest) >= 2 else []


def _read_run(text: str, run: Sequence[_Mark], count: int) -> tuple[tuple[float | None, ...], int] | None:
    """The answers after each label of a run, and how surely the least sure of them is given."""
    answers: list[float | None] = [None] * count
    ranks = []
    ends = [*(mark.start for mark in run[1:]), len(text)]
    for position, (mark, end) in enumerate(zip(run, ends, strict=True)):
        part = text[mark.end : end]
        if position == len(run) - 1:
            part = _last_part(part, text[: mark.start].rpartition("\n")[2], count)
        opening = re.match(r"[^\S\n]*[*:.)=→–—-]*[^\S\n]*([$€£]?-?[\d.,/½]*[\d½])\.(?=\s)", part)
        if opening and not CORRECTS.search(part) and (found := numerals(opening[1])):
            answers[mark.index - 1] = found[0].value
            ranks.append(BARE // 20)
            continue
        part = re.sub(
            r"^\s*(?:\([^()\n\d]{0,40}\))?\s*(?:answer)?\s*(?:=(?=\s)|[-–—→:.)]+(?=\s))?\s*(?:(?:is|was)\b)?",
            "",
            part,
            flags=re.IGNORECASE,
        )
        answers[mark.index - 1] = _part_answer(part)
        ranks.append(best_rank(part) // 20)
    return (tuple(answers), min(ranks)) if any(answer is not None for answer in answers) else None


def _part_answer(part: str) -> float | None:
    """The answer to one problem of a chain, in its own part; a question restated there is none."""
    return stated_number(_QUESTION.sub(" ", part))


_QUESTION = re.compile(r"(?:^|(?<=[.!?\n]))[^.!?\n]{0,400}\?(?=\s|$)")


def _last_part(part: str, head: str, count: int) -> str:
    """The last problem's text without what follows it: a further item of its list, all answers again, other passages.

    Args:
        head: What stands before the label in its line: the mark of a list.
    """
    lines = part.split("\n")
    bullet = re.match(r"[-*•]\s", head)
    for place, line in enumerate(lines[1:], start=1):
        repeats = len(_values(line)) == count and _is_list(line) and "=" not in line
        if repeats or (bullet and line.startswith(bullet[0])):
            part = "\n".join(lines[:place])
            break
    blocks = BREAK.split(part)
    kept = blocks[:1]
    if not numerals(blocks[0]):
        kept = blocks[:2]
    for block in blocks[len(kept) :]:
        if best_rank(block) < CONCLUDED:
            break
        kept.append(block)
    return "\n\n".join(kept)


def _before_labels(text: str, run: Sequence[_Mark]) -> tuple[float | None, ...] | None:
    """Answers that stand before their labels: "11 for the first one, 39 for the second"."""
    if numerals(text[run[-1].end :].partition("\n")[0]):
        return None
    answers: list[float | None] = [None] * max(mark.index for mark in run)
    start = 0
    for mark in run:
        found = numerals(text[start : mark.start].rpartition("\n")[2])
        if not found:
            return None
        answers[mark.index - 1] = found[-1].value
        start = mark.end
    return tuple(answers)


_ANNOUNCED = re.compile(r"\b(?:answers|solutions|math\w*)\b[^\n:.\d]{0,60}?(?:\bare\b\s*:?|:)", re.IGNORECASE)
_LIST_MARK = re.compile(r"^\s*(?:[-*+•]|\d[.)])\s+")


def _listed(text: str, count: int) -> tuple[float | None, ...] | None:
    """Answers without labels: as many boxed ones, or as many numbers, lines, paragraphs or sentences as problems."""
    text = _NAMED.sub(" ", text)
    for marked in (boxed_values(text), hashed_values(text)):
        if len(marked) == count:
            return tuple(marked)
    pieces = [piece for piece in BREAK.split(text) if piece.strip()]
    worked = [piece for piece in pieces if best_rank(piece) >= CONCLUDED]
    if len(worked) == count:
        return tuple(stated_number(piece) for piece in worked)
    for region in (text, *pieces):
        lines = [line for line in region.split("\n") if line.strip()]
        for line in lines:
            values = _values(line)
            if len(values) == count + 1 and values[0] == count:  # "the three answers are ..."
                values = values[1:]
            if len(values) == count and "=" not in line and (len(lines) == 1 or _is_list(line)):
                return tuple(values)
            items = [item for item in re.split(r"[;,]\s+(?:and\s+)?", line) if numerals(item)]
            if "=" in line and len(items) == count:
                read = tuple(stated_number(item) for item in items)
                if None not in read:
                    return read
            first = SENTENCE_END.split(line)[0] if "=" not in line else ""
            values = _values(first or "")
            if len(values) == count + 1 and values[0] == count:
                values = values[1:]
            if len(values) == count and _is_list(first):
                return tuple(values)
        units = [_LIST_MARK.sub("", line) for line in lines if numerals(line)]
        for parts in (units, [piece for piece in BREAK.split(region) if numerals(piece)], _sentences(region)):
            if len(parts) == count:
                answers = tuple(stated_number(part) for part in parts)
                if None not in answers:
                    return answers
    return None


def _values(line: str) -> list[float]:
    return [numeral.value for numeral in candidates(line)]


def _is_list(line: str) -> bool:
    return len(re.findall(r"[,;/]|\band\b", line)) >= 2 or line.strip().startswith(("(", "["))


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in SENTENCE_END.split(text) if sentence and numerals(sentence)]
