"""The repaired reading of chains: which number of a reply answers which problem.

A chain is taken apart by its labels ("Problem 1", "second", "3)", "c."), of a repeated run the last that is answered
whole; without labels it is a list: as many numbers, lines, paragraphs or sentences as problems. Each part is read as a
reply to one problem.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from forgetscope.benchmarks.prospective.loads.reading.number_mentions import CORRECTS
from forgetscope.benchmarks.prospective.loads.reading.numbers import amounts, numerals
from forgetscope.benchmarks.prospective.loads.reading.passages import (
    BREAK,
    OF_ONESELF,
    SENTENCE_END,
    without_other_things,
)
from forgetscope.benchmarks.prospective.loads.reading.stated_number import (
    candidates,
    marked_values,
    points,
    read_number_in,
    stated_number,
)

Answers = tuple[float | None, ...]

ORDINALS = ("first", "second", "third", "fourth", "fifth")
CARDINALS = ("one", "two", "three", "four", "five")
_INDICES = {
    **{word: index for words in (ORDINALS, CARDINALS) for index, word in enumerate(words, start=1)},
    **{letter: index for index, letter in enumerate("abcde", start=1)},
    **{roman: index for index, roman in enumerate(("i", "ii", "iii", "iv", "v"), start=1)},
}
_RUNS_READ = 6
"""Of labels that run through more often only the last runs are looked at."""
FIRM = 30
"""From so many points on a passage without label is read as an answer."""
_INDEX = rf"(?P<index>[1-9](?![\d,.]*\d)(?:st|nd|rd|th)?|(?:{'|'.join((*CARDINALS, *ORDINALS))})\b)"
_NOUN = (
    r"(?:math(?:ematical)?\s+|word\s+)?(?:problem|question|answer|solution|exercise|calculation|aufgabe"
    r"|problema|problème|exercice)"
)
_LINE = r"^(?:[^\S\n]|[*#>\"'(\[+-])*"
_LABELS = tuple(
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        rf"\b{_NOUN}s?\s*(?:(?:to|for|of)\s+(?:the\s+)?{_NOUN}\s*)?[_#-]?\s*(?:no\.?\s*|number\s+)?#?{_INDEX}(?:['’]s)?",
        rf"\b(?P<index>{'|'.join(ORDINALS)}|[1-5](?:st|nd|rd|th)|last)\b(?:\s+(?:math\s+)?(?:problem|question|answer|one|is)\b)?",
        rf"{_LINE}A\s*\#?(?P<index>[1-9])\s*(?:[:.)=]|[-–—]\s)",
        rf"(?:{_LINE}(?:[PQA]|math|ans|\#)|\b[APQ]|(?<!\w)\#)\s*\#?(?P<index>[1-9])\s*(?:[:.)=]|[-–—]\s)",
        rf"{_LINE}(?P<index>[1-9])\s*(?:[.):\]]+(?!\d)|\s[-–—:]\s)",
        r"(?<![\w.$,])\(?(?P<index>[1-9])\s?(?:[):]|[./](?=\s))(?!\d)",
        r"(?:^|(?<=[,;]\s)|(?<=\d\s))(?P<index>[1-9])\s?(?:=|→|->)\s?(?=[\d$])",
        r"^(?P<index>[1-9]),(?=\S+$)",
        rf"(?:{_LINE}|(?<=[,;]\s))\(?(?P<index>[a-e])[.)](?=\s)",
        rf"{_LINE}\(?(?P<index>iii|ii|iv|i|v)[.)](?=\s)",
        rf"{_LINE}(?:section|part)\s+(?P<index>[1-9])\b",
    )
)
_NAMED = _LABELS[0]
_AFTER_LABEL = re.compile(
    r"^\s*(?:\([^()\n\d]{0,40}\))?\s*(?:answer)?\s*(?:=(?=\s)|[-–—→:.)]+(?=\s))?\s*(?:(?:is|was)\b)?", re.IGNORECASE
)
_LEADS_ON = re.compile(
    r"[\s,;]*(?:\b(?:and|but|while)\b)?\s*(?:\b(?:for|to|in|of|with|on)\b)?\s*(?:\bthe\b)?\s*$|(?<=[.!?;\n])[^.!?;\n\d]{1,40}$",
    re.IGNORECASE,
)
"""What stands before the next label: ", and the", "Moving on to"."""
_ALL_ALIKE = re.compile(
    r"\b(?:both|all(?:\s+(?:of\s+)?(?:the|them|three|four|five))*)\b[^.\n]{0,40}\b(?:same|problems?|questions?|answers?)\b",
    re.IGNORECASE,
)
_LIST_NUMBER = re.compile(r"^\s*[1-9][.)]\s+(?=\S)", re.MULTILINE)
_BARE_NUMBER = re.compile(r"[^\S\n]*[*:.)=→–—-]*[^\S\n]*([$€£]?-?[\d.,/½]*[\d½])\.(?=\s)")
_QUESTION = re.compile(r"(?:^|(?<=[.!?\n]))[^.!?\n]{0,400}\?(?=\s|$)")
_ANNOUNCED = re.compile(r"\b(?:answers|solutions|math\w*)\b[^\n:.\d]{0,60}?(?:\bare\b\s*:?|:)", re.IGNORECASE)
_LIST_MARK = re.compile(r"^\s*(?:[-*+•]|\d[.)])\s+")


@dataclass(frozen=True, slots=True)
class _Mark:
    start: int
    end: int
    index: int


def stated_chain(text: str, questions: Sequence[str]) -> Answers | None:
    """The answers a text gives to as many problems in order; None where it cannot be taken apart.

    Args:
        questions: The problems, an empty text for one that is not known.

    >>> stated_chain("1) 11, 2) 39, 3) 45", ("", "", ""))
    (11.0, 39.0, 45.0)
    """
    count = len(questions)
    own = without_other_things(text)
    if own != text and (reading := stated_chain(own, questions)) is not None and None not in reading:
        return reading
    if len(marked := marked_values(text)) == count:
        return tuple(marked)
    for announced in reversed(list(_ANNOUNCED.finditer(text))):
        region = text[announced.end() :]
        for reading in (*_labelled(region, questions), _listed(region, questions)):
            if reading is not None and None not in reading:
                return reading
    readings = []
    for reading in _labelled(text, questions):
        if None not in reading:
            return reading
        readings.append(reading)
    fullest = max(readings, key=lambda reading: count - reading.count(None), default=None)
    if fullest is None or fullest.count(None) > 1:
        return _listed(own, questions) or fullest or _all_alike(text, count)
    return fullest


def _all_alike(text: str, count: int) -> Answers | None:
    """One answer that is said to be that of all problems: "Both come out the same: 12"."""
    values = {amount.value for amount in amounts(text)}
    return tuple(values) * count if len(values) == 1 and _ALL_ALIKE.search(text) else None


def _labelled(text: str, questions: Sequence[str]) -> Iterator[Answers]:
    """Readings by each way of labelling, the surest first; of a repeated run of labels the last that is answered."""
    count = len(questions)
    for pattern in _LABELS:
        marks = [_Mark(match.start(), match.end(), _index(match["index"], count)) for match in pattern.finditer(text)]
        runs = _runs(marks, count, may_lack=pattern is _NAMED)
        if runs and (turned := _before_labels(text, runs[-1], count)) is not None:
            yield turned
            continue
        readings = [reading for run in runs[-_RUNS_READ:] if (reading := _read_run(text, run, questions)) is not None]
        if readings:
            answers, _, end = max(reversed(readings), key=lambda reading: (None not in reading[0], reading[1]))
            yield _corrected(text, answers, [mark for mark in marks if mark.start >= end])


def _index(label: str, count: int) -> int:
    lowered = label.lower()
    return count if lowered == "last" else int(lowered[0]) if lowered[0].isdigit() else _INDICES[lowered]


def _runs(marks: Sequence[_Mark], count: int, *, may_lack: bool) -> list[list[_Mark]]:
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
    if may_lack and marks and indices == sorted(set(indices)) and indices[-1] <= count:
        return [list(marks)]  # some were left out
    inside = [mark for mark in marks if mark.index <= count]
    if len(inside) == count == len({mark.index for mark in inside}):
        return [inside]
    longest = max([*begun, current], key=len)
    return [longest] if len(longest) >= 2 else []


def _read_run(text: str, run: Sequence[_Mark], questions: Sequence[str]) -> tuple[Answers, int, int] | None:
    """The answers after each label of a run, how surely the least sure is given, and where the last part ends."""
    answers: list[float | None] = [None] * len(questions)
    parts = [_without_begun_line(text[mark.end : following.start]) for mark, following in pairwise(run)]
    last, head = text[run[-1].end :], text[: run[-1].start].rpartition("\n")[2]
    if "\n" not in text[run[0].start : run[-1].start] and all(len(_sentences(part)) == 1 for part in parts):
        last = next((piece for piece in SENTENCE_END.split(last) if piece and numerals(piece)), last)
    parts.append(_last_part(last, parts, head, len(questions)))
    ranks = []
    for mark, part in zip(run, parts, strict=True):
        opening = _BARE_NUMBER.match(part)
        if opening and not CORRECTS.search(part) and (found := numerals(opening[1])):
            answers[mark.index - 1] = found[0].value
            ranks.append(3)
            continue
        own = _QUESTION.sub(" ", _AFTER_LABEL.sub("", part))
        own = own if part is parts[-1] else _LEADS_ON.sub("", own)
        reading = read_number_in(own, questions[mark.index - 1])
        answers[mark.index - 1] = reading.value
        ranks.append(round(reading.firmness / 20))
    return (
        (tuple(answers), min(ranks), run[-1].end + len(parts[-1]))
        if any(answer is not None for answer in answers)
        else None
    )


def _without_begun_line(part: str) -> str:
    """A part without the line in which the next label stands, where that begins without a number."""
    whole, line_end, begun = part.rpartition("\n")
    return part if not line_end or numerals(begun) else whole


def _last_part(part: str, earlier: Sequence[str], head: str, count: int) -> str:
    """The last problem's text without what follows it, which the earlier parts show: they are lines, or paragraphs.

    Args:
        head: What stands before the label in its line: the mark of a list.
    """
    lines = part.split("\n")
    if earlier and all("\n" not in other.strip() and numerals(other) for other in earlier) and numerals(lines[0]):
        return lines[0]
    bullet = re.match(r"[-*•]\s", head)
    for place, line in enumerate(lines[1:], start=1):
        repeats = len(_values(line)) == count and _is_list(line) and "=" not in line
        if repeats or (bullet and line.startswith(bullet[0])):
            part = "\n".join(lines[:place])
            break
    blocks = BREAK.split(part)
    kept_blocks = blocks[: 1 if numerals(blocks[0]) else 2]
    if earlier and all(not BREAK.search(other.strip()) for other in earlier) and numerals(blocks[0]):
        return blocks[0]
    for block in blocks[len(kept_blocks) :]:
        if read_number_in(block).firmness < FIRM:
            break
        kept_blocks.append(block)
    return "\n\n".join(kept_blocks)


def _corrected(text: str, answers: Answers, later: Sequence[_Mark]) -> Answers:
    """The answers with those that a later sentence puts right: "Wait, problem 2 is 12"."""
    found = list(answers)
    for mark, end in zip(later, [*(mark.start for mark in later[1:]), len(text)], strict=False):
        line = text[text.rfind("\n", 0, mark.start) + 1 : end]
        if mark.index <= len(found) and CORRECTS.search(line):
            found[mark.index - 1] = stated_number(text[mark.end : end].partition("\n\n")[0]) or found[mark.index - 1]
    return tuple(found)


def _before_labels(text: str, run: Sequence[_Mark], count: int) -> Answers | None:
    """Answers that stand before their labels: "11 for the first one, 39 for the second"."""
    if numerals(text[run[-1].end :].partition("\n\n")[0]):
        return None
    answers: list[float | None] = [None] * count
    start = 0
    for mark in run:
        found = numerals(text[start : mark.start].rpartition("\n")[2])
        if not found:
            return None
        answers[mark.index - 1] = found[-1].value
        start = mark.end
    return tuple(answers)


def _listed(text: str, questions: Sequence[str]) -> Answers | None:
    """Answers without labels: as many numbers, lines, paragraphs or sentences as problems."""
    count = len(questions)
    text = _NAMED.sub(" ", text)
    text = _LIST_NUMBER.sub("", text) if len(_LIST_NUMBER.findall(text)) >= 2 else text
    if all(questions) and (answers := _in_order(text, questions)) is not None:
        return answers
    pieces = [piece for piece in BREAK.split(text) if piece.strip()]
    ways: tuple[Callable[[str], list[str]], ...] = (
        lambda region: [_LIST_MARK.sub("", line) for line in region.split("\n") if numerals(line)],
        lambda region: [piece for piece in BREAK.split(region) if numerals(piece)],
        _sentences,
        lambda region: [item for item in re.split(r"[;,]\s+(?:and\s+)?|\s+and\s+(?=[A-Z])", region) if numerals(item)],
    )
    for region in (text, *pieces):
        lines = [line for line in region.split("\n") if line.strip()]
        for line in (*lines, *(SENTENCE_END.split(line)[0] or "" for line in lines)):
            values = _values(line)
            values = (
                values[1:] if len(values) == count + 1 and values[0] == count else values
            )  # "the three answers are"
            if len(values) == count and "=" not in line and (lines == [line] or _is_list(line)):
                return tuple(values)
        for way in ways:
            if len(parts := way(region)) == count:
                answers = tuple(map(stated_number, parts, questions))
                if None not in answers:
                    return answers
    worked = [piece for piece in pieces if read_number_in(piece).firmness >= FIRM]
    if len(worked) == count:
        return tuple(map(stated_number, worked, questions))
    return None


def _in_order(text: str, questions: Sequence[str]) -> Answers | None:
    """The numbers, one after the other, with the most points as answers to the problems; None where one has none."""
    reached: list[tuple[float, Answers] | None] = []
    for place, question in enumerate(questions):
        found, no_answer = candidates(text, question)
        before: tuple[float, Answers] | None = None if place else (0.0, ())
        now: list[tuple[float, Answers] | None] = []
        for number, mention in enumerate(found):
            worth = points(mention.cues) - points(no_answer)
            now.append((before[0] + worth, (*before[1], mention.value)) if before and worth >= 0 else None)
            last = reached[number] if place else None
            if last and (before is None or last[0] > before[0]):
                before = last
        reached = now
    return max((way for way in reached if way), default=(0.0, None))[1]


def _values(line: str) -> list[float]:
    """The numbers of a line, one that is said twice in a row once."""
    return [value for value, _ in groupby(amount.value for amount in amounts(line))]


def _is_list(line: str) -> bool:
    return len(re.findall(r"[,;/]|\band\b", line)) >= 2 or line.strip().startswith(("(", "["))


def _sentences(text: str) -> list[str]:
    found = (sentence for sentence in SENTENCE_END.split(text) if sentence and not OF_ONESELF.search(sentence))
    return [sentence for sentence in found if numerals(sentence)]
