"""The repaired reading of word problems: which number of a reply is its answer.

Every number of the reply is a candidate, with a rank by how it is given: boxed or after `####`; after "the answer is";
alone where the problem is labelled; the result of a calculation; after "so", "in total", "left"; after a verb. The
highest rank wins, and in it the last calculation but the first plain statement. Dates, times, ordinals, list numbers,
word counts and what is denied ("not 7") are no candidates. Two answers between which a reply does not decide are none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from forgetscope.benchmarks.prospective.loads.numbers import Numeral, numerals
from forgetscope.benchmarks.prospective.loads.replies import fenced_json, json_leaves, without_echo, without_postscript

BOXED, EXPLICIT, BARE, CALCULATED, CONCLUDED, LEFT, STATED, PLAIN = 110, 100, 64, 60, 60, 50, 20, 5
"""Ranks of a candidate, by how it is given."""
LABELLED = 30
"""Added where the text is labelled as the problem's, taken off where it is labelled as something else."""

_ANSWER_WORD = r"(?:answers?|solutions?|results?|ans|respuesta|réponse|antwort|risposta)"
_EXPLICIT = re.compile(
    rf"\b{_ANSWER_WORD}\b[^.\n:=]{{0,60}}?(?:\b(?:is|are|was|be|equals?|comes\sto|es|est|ist)\b|[:=→—–]|\s-\s)\s*:?",
    re.IGNORECASE,
)
_APPOSED = re.compile(rf"\b{_ANSWER_WORD}\b\s*[,(]?\s*(?=[$\d])", re.IGNORECASE)
_ANSWER_LINE = re.compile(r"^\s*A\s*:\s*", re.IGNORECASE)
_MATH_LABEL = re.compile(
    r"\b(?:math\w*|arithmetic|calculation|word\s+problem|problem|solution|answer|question)s?\b"
    r"[^:=\n]{0,40}(?::|$|\bis\b|=)",
    re.IGNORECASE,
)
_OTHER_LABEL = re.compile(
    r"^\W*(?:(?:for|as\s+for|regarding|about)\s+(?:the|your)\s+)?(?:\w+\s+){0,3}?"
    r"(?:story|poem|haiku|essay|letter|blog|itinerary|title|resume|résumé|limerick|song|e-?mail|fun\s+fact|tips?|list"
    r"|recipe|riddle|joke|speech|word\s+count|summary|day\s+\d+|p\.?\s?(?:p\.?\s?)?s\b\.?|dear)\b[^:\n]{0,40}(?::|$|,)",
    re.IGNORECASE,
)
_CUE = re.compile(
    r"\b(?:so|therefore|thus|hence|consequently|in\s+conclusion|which\s+(?:makes|gives)|that['’]?s|thats|that\s+(?:is|makes)"
    r"|mak(?:es?|ing)|leav(?:es|ing)|gives?|giving|comes?\s+to|equals?|for\s+a\s+total\s+of)\b",
    re.IGNORECASE,
)
_CONCLUSION = re.compile(
    r"^\W*(?:so|therefore|thus|hence|consequently|in\s+conclusion|in\s+total|altogether|that['’]?s|that\s+(?:is|makes)|this\s+(?:gives|makes))\b",
    re.IGNORECASE,
)
_PREMISE = re.compile(r"^\W*(?:each|every|there\s+(?:are|were|is)|first|if|given|since|we\s+know|let)\b", re.IGNORECASE)
_TOTAL = re.compile(
    r"\b(?:total|altogether|overall|in\s+all|left|remain\w*|final\w*|sum|profit|income|revenue)\b", re.IGNORECASE
)
_NAMED_TOTAL = re.compile(rf"{_TOTAL.pattern}[^:=.]{{0,30}}[:=]\s*[$€£]?\s*$", re.IGNORECASE)
_SUBJECT = re.compile(r"^\s*(?:[^\W\d]+\s+){0,2}(?:is|are)\s+(?:what|the|how|my|our)\b", re.IGNORECASE)
_LEFT_OVER = re.compile(r"^\s*(?:[^\W\d]+\s+){0,3}?(?:are\s+|is\s+|were\s+|was\s+)?(?:left|remain\w*)\b", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:gets?|makes?|made|earns?|has|have|had|saves?|needs?|pays?|costs?|spends?|spent|receives?|sells?|sold|bought"
    r"|takes?|took|is|are|was|were|will|would|owes?|ate|eats?|drives?|does|did|uses?|used|travels?|walks?|runs?|did|can"
    r"|it['’]s|weighs?|collects?|collected|baked?|reads?|contains?|think)\b",
    re.IGNORECASE,
)
_UNIT = re.compile(r"^\s*(?:dollars?|bucks?|cents?|euros?|pounds?|usd|%|percent)\b", re.IGNORECASE)
_OPERATOR = re.compile(
    r"[\d)}½](?:/?\s?[^\W\d]+){0,3}\s*(?:[-+−*×·÷/x]|\\times|\\cdot|\\div|times|plus|minus|multiplied\s+by|divided\s+by|at)\s*\(?\s*[$€£]?\s*(?=[\d(.])"
    r"|\w\s(?:times|plus|minus|multiplied\s+by|divided\s+by)\s\w",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"[=≈→]|->|\b(?:is|are|equals?|makes?|leaves?|gives?|which\s+means|that['’]?s|thats)\b", re.IGNORECASE
)
_CHECK = re.compile(r"\b(?:check|verify|verification|proof)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"(?:\bnot|n['’]t(?:\s+be)?|\brather\s+than|\binstead\s+of|\bno\s+longer|\bnever|\bunlike)\s+(?:[$€£]|\bthe\s|\ba\s|exactly\s|just\s)?\s*$",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:either|could\s+be|might\s+be|may\s+be|maybe|perhaps|possibly|between|somewhere|unsure|not\s+sure)\b",
    re.IGNORECASE,
)
_OR = re.compile(r"^\s*(?:dollars?\s+|\w+\s+)?or\s+(?:maybe\s+|perhaps\s+)?[$€£]?\s*$", re.IGNORECASE)
_MONTH = (
    r"(?:(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
)
_NOISE_BEFORE = re.compile(
    rf"(?:\b(?:{_MONTH}|(?:word|letter|character|line|sentence)\s+count\s*:|words|sentences|lines|letters|characters|words\s+here"
    r"|day|step|chapter|page|section|part|response|paragraph|verse|stanza|tip|season|episode|version|agent|area|room"
    r"|top|phone(?:\s+number)?(?:\s+is)?|call(?:\s+me)?(?:\s+at)?|at\s+age|aged|#)\s*[:#]?\s*|\bp\.\s?)$",
    re.IGNORECASE,
)
_YEAR_BEFORE = re.compile(
    rf"\b(?:in|since|from|until|by|of|year|around|is|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?,?)\s+(?:the\s+year\s+)?$",
    re.IGNORECASE,
)
_NOISE_AFTER = re.compile(
    rf"^\s*(?:a\.?m\b|p\.?m\b|o['’]clock|:\d\d|-\d{{3,4}}\b|years?\s+(?:old|ago)|(?:of\s+)?{_MONTH}(?:\s|,|$)"
    r"|/7\b|\s*(?:words|lines|sentences|characters|letters)\s*\)|(?:[A-Z]\w+\s+)?(?:st|street|ave|avenue|road|rd|lane)\b)",
    re.IGNORECASE,
)
_STEP = re.compile(
    r"^\s*(?:[-*+>#|]\s*)*(?:(?:step|part|section|response|paragraph)\s*\d{1,2}\b\s*(?:\([^)\n]{0,30}\))?\s*[.:)-]?"
    r"|[(\[]?\d{1,2}\s*[.):](?=\s))\s*(?=\S)",
    re.IGNORECASE,
)
_STEP_NAME = re.compile(r"^\W*step\b|^\W*\d{1,2}\s*[.):]\s*[$€£]?\d+\s+[^\W\d]", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<=[.!?;])[\"'”’)\]]*\s+|\n")
_BREAK = re.compile(r"\n[^\S\n]*+\n|\n[^\S\n]*+(?:\*{3,}|-{3,}|_{3,})[^\S\n]*+\n|\n(?=SECTION\s+\d)")
_EMPHASIS = re.compile(r"(?<![\d\s)])\*+|\*+(?![\d\s($*])|\*\*+|__+|`+")
_CALCULATION_MARK = re.compile(r"<<[^<>\n]*=[^<>\n]*>>")
_TITLE = re.compile(r"<<[^<>\n]*>>")
THINKING = re.compile(r"<think>.*?</think>", re.DOTALL)
_BOXED = re.compile(r"\\boxed\s*\{")
_BLANKS = re.compile(r"\s{3,}")
_FENCE_MARK = re.compile(r"^\s*```\w*\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Candidate:
    rank: int
    value: float | None
    """None where two answers are given and none is chosen."""
    wins_ties: bool


def stated_numbers(reply: str, prompt: str, count: int) -> tuple[float | None, ...]:
    """The answer a reply gives to each of `count` problems; None where it gives none."""
    reply = THINKING.sub(" ", reply)
    found = fenced_json(reply)
    if found is not None:
        answers = _in_json(found, count)
        if answers is not None:
            return answers
        reply = "\n".join(f"{'.'.join(path)}: {leaf}" for path, leaf in json_leaves(found))
    text = plain(without_echo(reply, prompt))
    own = without_postscript(text)
    for version in dict.fromkeys((own, text, plain(reply))):
        if count == 1:
            answer = stated_number(version)
            if answer is not None or _is_undecided(version):
                return (answer,)
        else:
            answers = stated_chain(version, count)
            if answers is not None:
                return answers
    return (None,) * count


def plain(text: str) -> str:
    """The text without marks of emphasis, calculator marks and titles, tables as lines of `name: value`."""
    text = text.replace("\u20e3", ".").replace("\ufe0f", "").replace("\u2212", "-").replace("\\$", "$")
    text = _BLANKS.sub(lambda run: "\n\n" if "\n" in run[0] else "  ", text)
    text = _FENCE_MARK.sub("", _CALCULATION_MARK.sub("", text))
    text = _TITLE.sub(" ", text) if _TITLE.sub("", text).strip() else text.replace("<<", "").replace(">>", "")
    text = _EMPHASIS.sub("", text)
    if "|" in text:
        text = "\n".join(_row(line) if line.lstrip().startswith("|") else line for line in text.split("\n"))
    return text


def _row(line: str) -> str:
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if all(re.fullmatch(r":?-+:?|", cell) for cell in cells):
        return ""
    return f"{cells[0]}: {cells[-1]}" if len(cells) > 1 else cells[0]


def stated_number(text: str) -> float | None:
    """The answer a text gives to one problem; None where it gives none, or several.

    >>> stated_number("3 boxes at $4: 3 * 4 = 12, so she gets 12 dollars. The shop opened in 1987.")
    12.0
    """
    best = _best(text)
    return best.value if best else None


def _is_undecided(text: str) -> bool:
    best = _best(text)
    return best is not None and best.value is None


def _best(text: str) -> _Candidate | None:
    best: _Candidate | None = None
    for candidate in _candidates(text):
        if (
            best is None
            or candidate.rank > best.rank
            or (candidate.rank == best.rank and candidate.wins_ties and best.wins_ties)
        ):
            best = candidate
    return best


def _candidates(text: str) -> Iterator[_Candidate]:
    is_first = True
    has_list = re.search(r"^\s*1\s*[.):]", text, re.MULTILINE) is not None
    for block in _BREAK.split(text):
        label = 0
        for line in block.split("\n"):
            if not line.strip():
                continue
            if _OTHER_LABEL.match(line):
                label = -LABELLED
            elif _MATH_LABEL.search(line[:120]) and not _EXPLICIT.search(line):
                label = LABELLED
            inner = 0
            unmarked = _STEP.sub("", line) if has_list or not re.match(r"\s*\d\d", line) else line
            is_step = unmarked != line
            for sentence in SENTENCE_END.split(unmarked if has_list or numerals(unmarked) else line):
                if not sentence or not sentence.strip():
                    continue
                if _OTHER_LABEL.match(sentence):
                    inner = -LABELLED
                elif _MATH_LABEL.search(sentence[:120]):
                    inner = LABELLED
                yield from _of_sentence(
                    sentence, inner or label, is_first=is_first and not (is_step and _STEP_NAME.search(line))
                )
                is_first = False


def _of_sentence(sentence: str, label: int, *, is_first: bool) -> Iterator[_Candidate]:
    for match in _BOXED.finditer(sentence):
        boxed = numerals(sentence[match.end() :])
        if boxed:
            yield _Candidate(BOXED, boxed[0].value, wins_ties=True)
    if "####" in sentence:
        marked = numerals(sentence.rpartition("####")[2])
        if marked:
            yield _Candidate(BOXED, marked[0].value, wins_ties=True)
    found = [numeral for numeral in numerals(sentence) if not _is_noise(sentence, numeral)]
    if not found:
        return
    if _is_hedged(sentence, found):
        rank = EXPLICIT if _EXPLICIT.search(sentence) else STATED
        yield _Candidate(rank, None, wins_ties=True)
        return
    explicit = _given_as_answer(sentence, found)
    if explicit is not None:
        yield _Candidate(EXPLICIT + min(label, 0), explicit.value, wins_ties=True)
        return
    penalty = -40 if _CHECK.search(sentence) else 0
    calculated = _calculated(sentence, found)
    if calculated is not None:
        yield _Candidate(CALCULATED + label + penalty, calculated.value, wins_ties=True)
        return
    chosen = _in_clause(sentence, found)
    rank, wins_ties = PLAIN, False
    if len(found) == 1 and _is_bare(sentence, chosen):
        rank = BARE if is_first or label > 0 else STATED + 3
    elif _NAMED_TOTAL.search(sentence[: chosen.start]) or _CONCLUSION.match(sentence):
        rank, wins_ties = CONCLUDED, True
    elif _TOTAL.search(sentence):
        rank, wins_ties = LEFT, True
    elif _VERB.search(sentence) or is_first:
        rank = STATED - 8 * (_PREMISE.match(sentence) is not None)
    if _has_unit(sentence, chosen):
        rank += 6
    yield _Candidate(rank + label + penalty, chosen.value, wins_ties)


def _is_noise(sentence: str, numeral: Numeral) -> bool:
    before, after = sentence[max(0, numeral.start - 30) : numeral.start], sentence[numeral.end : numeral.end + 40]
    if re.search(r"=\s*[$€£]?\s*$", before):
        return False
    if numeral.is_ordinal or _DENIED.search(before) or _NOISE_AFTER.match(after) or _NOISE_BEFORE.search(before):
        return True
    if sentence[max(0, numeral.start - 4) : numeral.start].rstrip("-")[-3:].isdigit() and before.endswith("-"):
        return True
    is_year = 1000 <= numeral.value <= 2100 and numeral.end - numeral.start == 4 and not _has_unit(sentence, numeral)
    return is_year and _YEAR_BEFORE.search(before) is not None and not _EXPLICIT.search(sentence)


def _has_unit(sentence: str, numeral: Numeral) -> bool:
    return (
        sentence[max(0, numeral.start - 2) : numeral.start + 1].strip()[-1:] in ("$", "€", "£")
        or sentence[numeral.start : numeral.start + 1] == "$"
        or _UNIT.match(sentence[numeral.end : numeral.end + 20]) is not None
    )


def _is_hedged(sentence: str, found: Sequence[Numeral]) -> bool:
    """Whether two numbers are offered and none is chosen."""
    for first, second in pairwise(found):
        if first.value == second.value:
            continue
        between = sentence[first.end : second.start]
        before = sentence[: first.start]
        if _OR.match(between) and (_HEDGE.search(before) or _EXPLICIT.search(before) or len(found) == 2):
            return True
        if re.fullmatch(r"\s*(?:\w+\s+)?(?:and|to|-|–)\s*", between) and re.search(
            r"\b(?:between|somewhere|anywhere)\b[^.]{0,20}$", before, re.IGNORECASE
        ):
            return True
    return False


def _given_as_answer(sentence: str, found: Sequence[Numeral]) -> Numeral | None:
    """The number after "the answer is"; where a calculation begins there, its result."""
    marks = [match.end() for match in _EXPLICIT.finditer(sentence)] or [
        match.end() for match in _APPOSED.finditer(sentence)
    ]
    if line := _ANSWER_LINE.match(sentence):
        marks.append(line.end())
    for mark in reversed(marks):
        after = [numeral for numeral in found if numeral.start >= mark - 1]
        if not after:
            continue
        operator = _OPERATOR.search(sentence, after[0].start)
        if len(after) > 1 and operator is not None and operator.start() < after[0].end:
            return _calculated(sentence, after) or after[0]
        return after[0]
    return None


def _calculated(sentence: str, found: Sequence[Numeral]) -> Numeral | None:
    """The result of the sentence's last calculation."""
    if any(sign in sentence for sign in "=≈→"):
        at = max(sentence.rfind(sign) for sign in "=≈→")
        right = [numeral for numeral in found if numeral.start > at]
        left = [numeral for numeral in found if numeral.end <= at]
        if right and (_OPERATOR.search(sentence[:at]) or not left):
            return right[0]
        if right and left:
            return None if len(right) > 1 else right[0]
    operator = _OPERATOR.search(sentence)
    if operator is None:
        return None
    result = None
    for match in _RESULT.finditer(sentence, operator.end()):
        after = [numeral for numeral in found if numeral.start >= match.end()]
        if after and (result is None or re.search(r"\d\s+\w+\s*$", sentence[: match.start()])):
            result = after[0]
    return result


def _in_clause(sentence: str, found: Sequence[Numeral]) -> Numeral:
    """The number a sentence without calculation is about."""
    for numeral in found:
        if _LEFT_OVER.match(sentence[numeral.end : numeral.end + 40]):
            return numeral
    if not sentence[: found[0].start].strip(" $\"'(") and _SUBJECT.match(sentence[found[0].end : found[0].end + 60]):
        return found[0]
    after_total = re.search(
        r"\b(?:total|sum)\b(?:\s+(?:of|is|cost|comes\s+to))*\s*[:=]?\s*$",
        sentence[: found[-1].start].rstrip("$ "),
        re.I,
    )
    if after_total:
        return found[-1]
    colon = sentence.rfind(":")
    announced = [numeral for numeral in found if numeral.start > colon > found[0].end]
    if len(announced) == 1 and _is_bare(sentence[colon + 1 :], _moved(announced[0], -colon - 1)):
        return announced[0]
    for pattern, last in ((_CUE, True), (_VERB, False)):
        matches = list(pattern.finditer(sentence))
        for match in reversed(matches) if last else matches:
            after = [numeral for numeral in found if numeral.start >= match.end()]
            if after:
                return after[0]
    return found[0]


def _moved(numeral: Numeral, by: int) -> Numeral:
    return Numeral(numeral.value, numeral.start + by, numeral.end + by)


def _is_bare(sentence: str, numeral: Numeral) -> bool:
    """Whether hardly more than the number stands there: "12 dollars.", "Math: $12"."""
    before, after = sentence[: numeral.start], sentence[numeral.end :]
    if re.search(r"\w", _LABEL_BEFORE.sub("", before)):
        return False
    if re.match(r"[^:.]{1,40}:\s*\S*\d", after):
        return False
    return len(re.findall(r"\w+", after.partition("(")[0])) <= (2 if _UNIT.match(after) or after.strip() else 0)


_LABEL_BEFORE = re.compile(r"^.*\b(?:math\w*|problem|question|solution|answer|part\s\d)\b[^:]{0,40}:", re.IGNORECASE)


# Several problems


_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_CARDINALS = ("one", "two", "three", "four", "five")
_RUNS_READ = 6
"""Of labels that run through more often only the last runs are looked at."""
_ROMAN = ("i", "ii", "iii", "iv", "v")
_INDEX = r"(?:(?P<digit>[1-9])(?![\d,.]*\d)(?:st|nd|rd|th)?|(?P<word>" + "|".join((*_CARDINALS, *_ORDINALS)) + r")\b)"
_NOUN = r"(?:math(?:ematical)?\s+|word\s+)?(?:problem|question|answer|solution|exercise|calculation)"
_NAMED = re.compile(
    rf"\b{_NOUN}s?\s*(?:(?:to|for|of)\s+(?:the\s+)?{_NOUN}\s*)?[_#-]?\s*(?:no\.?\s*|number\s+)?#?{_INDEX}(?:['’]s)?",
    re.IGNORECASE,
)
_ORDINAL_LABEL = re.compile(
    rf"\b(?P<word>{'|'.join(_ORDINALS)}|1st|2nd|3rd|4th|5th)\b(?:\s+(?:math\s+)?(?:problem|question|answer|one|is)\b)?",
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
    listed = _listed(text, count)
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
            index = (_CARDINALS if lowered in _CARDINALS else _ORDINALS).index(lowered) + 1
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
        runs = _runs(marks, count)
        if pattern in (_NAMED, _ORDINAL_LABEL):
            turned = _before_labels(text, runs[-1]) if runs else None
            if turned is not None:
                yield turned
                continue
        readings = [reading for run in runs[-_RUNS_READ:] if (reading := _read_run(text, run, count)) is not None]
        if readings:
            yield max(reversed(readings), key=lambda reading: (None not in reading[0], reading[1]))[0]


def _runs(marks: Sequence[_Mark], count: int) -> list[list[_Mark]]:
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
            part = _last_part(part)
        opening = re.match(r"[^\S\n]*[*:.)=→–—-]*[^\S\n]*([$€£]?-?[\d.,/½]*[\d½])\.(?=\s)", part)
        if opening and (found := numerals(opening[1])):
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
        ranks.append(_best_rank(part) // 20)
    return (tuple(answers), min(ranks)) if any(answer is not None for answer in answers) else None


def _part_answer(part: str) -> float | None:
    """The answer to one problem of a chain, in its own part; a question restated there is none."""
    return stated_number(_QUESTION.sub(" ", part))


_QUESTION = re.compile(r"(?:^|(?<=[.!?\n]))[^.!?\n]{0,400}\?(?=\s|$)")


def _last_part(part: str) -> str:
    """The last problem's text without what follows it: a postscript, other lists, sections about something else."""
    blocks = _BREAK.split(part)
    kept = blocks[:1]
    if not numerals(blocks[0]):
        kept = blocks[:2]
    for block in blocks[len(kept) :]:
        if _best_rank(block) < CALCULATED:
            break
        kept.append(block)
    return "\n\n".join(kept)


def _best_rank(text: str) -> int:
    best = _best(text)
    return best.rank if best else 0


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


_ANNOUNCED = re.compile(r"\b(?:answers|solutions|math\w*)\b[^\n:.]{0,60}?(?:\bare\b\s*:?|:)", re.IGNORECASE)
_LIST_MARK = re.compile(r"^\s*(?:[-*+•]|\d[.)])\s+")


def _listed(text: str, count: int) -> tuple[float | None, ...] | None:
    """Answers without labels: as many boxed ones, or as many numbers, lines, paragraphs or sentences as problems."""
    text = _NAMED.sub(" ", text)
    boxed = [
        found[0].value for match in _BOXED.finditer(text) if (found := numerals(text[match.end() : match.end() + 40]))
    ]
    if len(boxed) == count:
        return tuple(boxed)
    hashes = [found[0].value for piece in text.split("####")[1:] if (found := numerals(piece))]
    if len(hashes) == count:
        return tuple(hashes)
    pieces = [piece for piece in _BREAK.split(text) if piece.strip()]
    worked = [piece for piece in pieces if _best_rank(piece) >= CALCULATED]
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
            if len(values) == count and _is_list(first):
                return tuple(values)
        units = [_LIST_MARK.sub("", line) for line in lines if numerals(line)]
        for parts in (units, [piece for piece in _BREAK.split(region) if numerals(piece)], _sentences(region)):
            if len(parts) == count:
                answers = tuple(stated_number(part) for part in parts)
                if None not in answers:
                    return answers
    return None


def _values(line: str) -> list[float]:
    return [numeral.value for numeral in numerals(line) if not _is_noise(line, numeral)]


def _is_list(line: str) -> bool:
    return len(re.findall(r"[,;/]|\band\b", line)) >= 2 or line.strip().startswith(("(", "["))


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in SENTENCE_END.split(text) if sentence and numerals(sentence)]


# JSON


_MATH_KEY = re.compile(r"math|problem|arithmetic|calculation", re.IGNORECASE)
_ANSWER_KEY = re.compile(r"answer|solution|result|total|final|\bans\b|value", re.IGNORECASE)
_INDEX_KEY = re.compile(r"(?:^|.*[^\d])([1-9])$")


def _in_json(value: object, count: int) -> tuple[float | None, ...] | None:
    if count > 1:
        return _chain_in_json(value, count)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (float(value),)
    ranked: list[tuple[int, float]] = []
    for path, leaf in json_leaves(value):
        number = _leaf_number(leaf)
        if number is None or not path:
            continue
        whole = ".".join(path)
        rank = (
            2 * bool(_ANSWER_KEY.search(path[-1])) + 2 * bool(_MATH_KEY.search(whole)) + bool(_ANSWER_KEY.search(whole))
        )
        ranked.append((rank, number))
    best = max((rank for rank, _ in ranked), default=0)
    return (next(number for rank, number in reversed(ranked) if rank == best),) if best else None


def _leaf_number(leaf: object) -> float | None:
    if isinstance(leaf, int | float):
        try:
            return float(leaf)
        except OverflowError:
            return None
    return stated_number(plain(str(leaf)))


def _chain_in_json(value: object, count: int) -> tuple[float | None, ...] | None:
    best: tuple[int, tuple[float | None, ...]] | None = None
    for rank, answers in _chains_in(value, count, 0):
        given = sum(answer is not None for answer in answers)
        if given >= 2 and (best is None or (given, rank) > (best[0] // 10, best[0] % 10)):
            best = (given * 10 + rank, answers)
    return best[1] if best else None


def _chains_in(value: object, count: int, rank: int) -> Iterator[tuple[int, tuple[float | None, ...]]]:
    match value:
        case dict():
            indexed: dict[int, object] = {}
            for key, inner in value.items():
                name = str(key).strip().lower()
                found = _INDEX_KEY.match(name)
                word = next(
                    (
                        place
                        for place, words in enumerate(zip(_CARDINALS, _ORDINALS, strict=True), start=1)
                        if any(re.search(rf"(?<![a-z]){w}(?![a-z])", name) for w in words)
                    ),
                    None,
                )
                index = int(found[1]) if found else word
                if index is not None and index <= count:
                    indexed.setdefault(index, inner)
            if len(indexed) >= 2:
                yield (
                    rank + 1,
                    tuple(_value_number(indexed[index]) if index in indexed else None for index in range(1, count + 1)),
                )
            elif rank >= 3 and len(value) == count:
                yield rank, tuple(_value_number(inner) for inner in value.values())
            for key, inner in value.items():
                named = bool(_ANSWER_KEY.search(str(key)) or _MATH_KEY.search(str(key)))
                yield from _chains_in(inner, count, 3 if named else rank)
        case list():
            if len(value) == count:
                yield rank, tuple(_value_number(inner) for inner in value)
            for inner in value:
                yield from _chains_in(inner, count, rank)
        case str():
            answers = stated_chain(plain(value), count)
            if answers is not None:
                yield rank, answers


def _value_number(value: object) -> float | None:
    if isinstance(value, dict):
        without_label = {
            key: inner
            for key, inner in value.items()
            if str(key).lower() not in ("id", "problem", "number", "question")
        }
        answers = _in_json(without_label, 1)
        if answers is None:
            numbers = [number for _, leaf in json_leaves(without_label) if (number := _leaf_number(leaf)) is not None]
            return numbers[-1] if numbers else None
        return answers[0]
    return None if isinstance(value, list | bool) or value is None else _leaf_number(value)
