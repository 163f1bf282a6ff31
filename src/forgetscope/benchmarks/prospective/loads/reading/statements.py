"""Which number a sentence states, and how: as the answer, as a conclusion, plainly, or by the way.

A conclusion is the result of a calculation, what follows "so" or "in total", what is "left", or a number that the
numbers before it make by one operation. What is denied, dates, times, ordinals, list numbers and word counts are no
candidates.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from forgetscope.benchmarks.prospective.loads.reading.numbers import Numeral, numerals
from forgetscope.benchmarks.prospective.loads.reading.passages import OF_ONESELF, Sentence

MARKED, ANNOUNCED, BARE, CONCLUDED, REMAINING, LEADING, MADE, STATED, MENTIONED = 110, 100, 64, 60, 50, 48, 45, 20, 5
"""How a number is given, as ranks: boxed; as "the answer"; alone; as a conclusion; as what is left; in the sentence
that opens the reply; as what numbers before it make; plainly; by the way."""
UNLIKELY = 30
"""From here on, a number that others make by one operation is hardly so by chance."""
LABELLED = 30
"""Added where the text is labelled as the problem's, taken off where it is labelled as something else."""

ANSWER_WORD = (
    r"(?:answers?|solutions?|results?|ans|respuesta|réponse|antwort|risposta"
    r"|correct\s+(?:\w+\s)?(?:number|amount|total|value|figure|one|option|choice)|right\s+one)"
)
_ANNOUNCES = re.compile(
    rf"\b{ANSWER_WORD}\b[^.\n:=]{{0,60}}?(?:\b(?:is|are|was|be|equals?|comes\s+to|es|est|ist|lautet)\b|[:=→—–]|\s-+>?\s)\s*:?",
    re.IGNORECASE,
)
_APPOSED = re.compile(rf"\b{ANSWER_WORD}\b\s*[,(]?\s*(?=[$\d])", re.IGNORECASE)
_ANSWER_LINE = re.compile(r"^\s*A\s*:\s*", re.IGNORECASE)
_CUE = re.compile(
    r"\b(?:so|therefore|thus|hence|consequently|in\s+conclusion|which\s+(?:makes|gives)|that['’]?s|thats|(?<=[,;:–—-]\s)that\s+(?:is|makes)"
    r"|makes?|(?<=,\s)(?:making|giving)|leav(?:es|ing)(?!\s+(?:at|for)\b)|gives?|comes?\s+(?:out\s+)?(?:to|at)|equals?|means?|(?:doubled|tripled|halved|up|down|falls?|fell|rises?|rose|grows?|drops?|brings?\s+\w+)\s+to|for\s+a\s+total\s+of)\b",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"^\W*(?:so|therefore|thus|hence|consequently|finally|in\s+(?:conclusion|total|all|the\s+end)|altogether|that['’]?s|that\s+(?:is|makes)|this\s+(?:gives|makes)"
    r"|divided|dividing|multiplied|multiplying|split|adding|subtracting)\b",
    re.IGNORECASE,
)
_PREMISE = re.compile(r"^\W*(?:each|every|there\s+(?:are|were|is)|first|if|given|since|we\s+know|let)\b", re.IGNORECASE)
_PREMISE_INSIDE = re.compile(
    r"\b(?:has|have|had|there|starts?|started|begins?|began|per|each|every|apiece|buys?|bought|days?|a\s+(?:day|week|month|year|hour|minute))\b",
    re.IGNORECASE,
)
_BY_THE_WAY = re.compile(
    r"^\s*\(|^\W*(?:if|suppose|assuming|that\s+would|(?:that|this|it)(?:['’]s|\s+is)\s+(?:about|roughly|approximately|around|almost"
    r"|nearly|over|equivalent|the\s+same|or)|easy\s+as)\b",
    re.IGNORECASE,
)
_TOTAL_WORD = r"(?:total|altogether|overall|in\s+all|left|remain\w*|final\w*|sum|profit|income|revenue)"
_TOTAL = re.compile(rf"\b{_TOTAL_WORD}\b", re.IGNORECASE)
_NAMED_TOTAL = re.compile(
    rf"(?:\b{_TOTAL_WORD}\b|^\W*(?:\w+\s+)?(?:per|each)\b)[^:=.]{{0,30}}[:=]\s*[$€£]?\s*$", re.IGNORECASE
)
_TOTAL_BEFORE = re.compile(
    r"\b(?:total|sum)\b(?:\s+(?:of|is|cost|comes\s+(?:out\s+)?(?:to|at)))*\s*[:=]?\s*$", re.IGNORECASE
)
_TOTAL_AFTER = re.compile(r"^\s*(?:[^\W\d]+\s+){0,2}(?:in\s+(?:all|total)|altogether|total)\b", re.IGNORECASE)
_IS_SUBJECT = re.compile(r"^\s*(?:[^\W\d]+\s+){0,2}(?:is|are)\s+(?:what|the|how|my|our)\b", re.IGNORECASE)
_LEFT_OVER = re.compile(r"^\s*(?:[^\W\d]+\s+){0,3}?(?:are\s+|is\s+|were\s+|was\s+)?(?:left|remain\w*)\b", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:gets?|makes?|made|earns?|has|have|had|saves?|needs?|pays?|costs?|spends?|spent|receives?|sells?|sold|bought"
    r"|takes?|took|is|are|was|were|will|would|owes?|ate|eats?|drives|drove|averag(?:es?|ed)|does|did|uses?|used|travels?|walks?|runs?|can"
    r"|it['’]s|weighs?|collects?|collected|baked?|reads?|contains?|think|brings?|holds?|buys?|gave|gains?|lost|ends?)\b",
    re.IGNORECASE,
)
_NEW_CLAUSE = re.compile(r"[,;(]|\b(?:out\s+of|because|since|after|when|where|who|which|that)\b", re.IGNORECASE)
_MONEY_AFTER = re.compile(r"^\s*(?:dollars?|bucks?|cents?|euros?|pounds?|usd|%|percent)\b", re.IGNORECASE)
_OPERATION = (
    r"\s*(?:[-+−*×·÷/x]|\\times|\\cdot|\\div|times|plus|minus|multiplied\s+by|divided\s+by|at|mal)\s*\(?\s*[$€£]?\s*"
)
_OPERATOR = re.compile(
    rf"[\d)}}½%](?:/?\s?[^\W\d]+){{0,3}}{_OPERATION}(?=[\d(.])"
    r"|\w\s(?:times|plus|minus|multiplied\s+by|divided\s+by)\s\w",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"[=≈→]|->|\b(?:is|are|equals?|makes?|leaves?|gives?|which\s+means|that['’]?s|thats|ergibt)\b", re.IGNORECASE
)
_REASON = re.compile(r"\b(?:because|since)\b", re.IGNORECASE)
_UNFINISHED = re.compile(r"[+*/×÷x-]\s*[$€£]?[\d.,]+\s*=\s*\??\W*$")
_CHECKS = re.compile(r"\b(?:check|verify|verification|proof)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"(?:\bnot|n['’]t(?:\s+be)?|\brather\s+than|\binstead\s+of|\bno\s+longer|\bnever|\bunlike)\s+(?:[$€£]|\bthe\s|\ba\s|exactly\s|just\s)?\s*$",
    re.IGNORECASE,
)
_HEDGES = re.compile(
    r"\b(?:either|could\s+be|might\s+be|may\s+be|maybe|perhaps|possibly|between|somewhere|unsure|not\s+sure)\b",
    re.IGNORECASE,
)
_OR = re.compile(r"^\s*(?:dollars?\s+|\w+\s+)?or\s+(?:maybe\s+|perhaps\s+)?[$€£]?\s*$", re.IGNORECASE)
_SEVERAL_ANSWERS = re.compile(r"\banswers\b[^.]*\bare\s*[$€£]?$", re.IGNORECASE)
_MONTH = (
    r"(?:(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
)
_NOISE_BEFORE = re.compile(
    rf"(?:\b(?:{_MONTH}|(?:word|letter|character|line|sentence)\s+count\s*:|words|sentences|lines|letters|characters|words\s+here"
    r"|day|step|chapter|page|section|part|response|paragraph|verse|stanza|tip|season|episode|version|agent|area|room"
    r"|top|phone(?:\s+number)?(?:\s+is)?|call(?:\s+me)?(?:\s+at)?|at\s+age|aged|#)\s*[:#]?\s*|\bp\.\s?|\b(?:question|problem)\s#?)$",
    re.IGNORECASE,
)
_YEAR_BEFORE = re.compile(
    rf"\b(?:in|since|from|until|by|of|year|around|is|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?,?)\s+(?:the\s+year\s+)?$",
    re.IGNORECASE,
)
_NOISE_AFTER = re.compile(
    rf"^[abcdef]\b|^\s*(?:a\.?m\b|p\.?m\b|o['’]clock|:\d\d|-\d{{3,4}}\b|-[^\W\d]|years?\s+ago|(?:answers|solutions|sections|paragraphs|placeholders|tips|facts|responses)\b|(?:of\s+)?{_MONTH}(?:\s|,|$)"
    r"|/7\b|\s*(?:words|lines|sentences|characters|letters)\s*\)|(?:[A-Z]\w+\s+)?(?:st|street|ave|avenue|road|rd|lane)\b)",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\((?=[^()]*[^\W\d]{3})[^()]*\)")
_TAKEN_BACK = re.compile(
    r"(?:[,;–—?]|\.\.\.|-\s)\s*(?:hmm,?\s*)?(?:no|wait|sorry|i\s+mean|make\s+that|or\s+rather)\b\s*[:,]", re.IGNORECASE
)
_SAME_AMOUNT = re.compile(
    r"\s?([^\W\d]+)\s*[,(]?\s*(?:that\s+is|i\.e\.|(?P<or>or)|=|which\s+(?:is|equals)|equal\s+to)[,:]?\s*(?:about\s+)?",
    re.IGNORECASE,
)
_UNITS = (  # of one dimension each
    re.compile(r"(?:second|minute|min|hour|day|week|month|year)s?", re.IGNORECASE),
    re.compile(r"(?:(?:centi|milli|kilo)?met(?:er|re)|mile|yard)s?|inch(?:es)?|feet|foot|k?m|cm|mm", re.IGNORECASE),
    re.compile(r"(?:(?:kilo)?gram(?:me)?|pound|ounce|(?:milli)?lit(?:er|re)|cup)s?|k?g|m?l|oz|lbs?", re.IGNORECASE),
    re.compile(r"(?:dollar|cent|euro)s?", re.IGNORECASE),
)
_BOXED = re.compile(r"\\boxed\s*\{")
_LABEL_BEFORE = re.compile(r"^.*\b(?:math\w*|problem|question|solution|answer|part\s\d)\b[^:]{0,40}:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """A number that a sentence states.

    Attributes:
        rank: How it is given.
        value: None where two are offered and none is chosen.
        is_last: Whether a later statement of this rank takes its place; of plain ones the first holds.
        goes_on: Whether it is calculated, or follows from the numbers before it.
    """

    rank: int
    value: float | None
    is_last: bool = True
    goes_on: bool = True


def candidates(sentence: str) -> list[Numeral]:
    """The numbers of a sentence that can be an answer: no asides, nothing taken back, nothing told in another unit."""
    found = [numeral for numeral in numerals(sentence) if not _is_noise(sentence, numeral)]
    outside = _ASIDE.sub(lambda aside: " " * len(aside[0]), sentence)
    kept = [numeral for numeral in found if outside[numeral.start].strip()] or found
    if corrections := list(_TAKEN_BACK.finditer(sentence)):
        kept = [numeral for numeral in kept if numeral.start >= corrections[-1].end()] or kept
    operator = _OPERATOR.search(sentence)
    for first, second in pairwise(kept):
        if operator is not None and operator.end() <= first.start:
            break
        again = _SAME_AMOUNT.fullmatch(sentence[first.end : second.start])
        unit = re.match(r"\s?([^\W\d]+)", sentence[second.end : second.end + 20])
        if again and unit and again[1].lower() != unit[1].lower() and (again["or"] or _are_alike(again[1], unit[1])):
            return [numeral for numeral in kept if numeral != second]
    return kept


def _are_alike(*words: str) -> bool:
    """Whether words are units of one dimension."""
    return any(all(map(units.fullmatch, words)) for units in _UNITS)


def boxed_values(text: str) -> list[float]:
    """The numbers in boxes, in order."""
    inside = (numerals(text[match.end() : match.end() + 40]) for match in _BOXED.finditer(text))
    return [found[0].value for found in inside if found]


def hashed_values(text: str) -> list[float]:
    """The numbers after `####`, in order."""
    return [found[0].value for piece in text.split("####")[1:] if (found := numerals(piece))]


def statement(sentence: Sentence, before: Sequence[float]) -> StatedNumber | None:
    """What a sentence states, given the numbers before it in its passage; None where it has no number."""
    text = sentence.text
    if marked := hashed_values(text) or boxed_values(text):
        return StatedNumber(MARKED, marked[-1])
    found = [] if _UNFINISHED.search(text) else candidates(text)
    if not found:
        return None
    if _is_hedged(text, found):
        return StatedNumber(ANNOUNCED if _ANNOUNCES.search(text) else STATED, None)
    if (announced := _announced(text, found)) is not None:
        return StatedNumber(ANNOUNCED + LABELLED * min(sentence.topic, 0), announced.value)
    if sentence.retells:
        return StatedNumber(MENTIONED - LABELLED, found[0].value, is_last=False)
    added = LABELLED * sentence.topic - 40 * (_CHECKS.search(text) is not None)
    if (calculated := _calculated(text, found)) is not None:
        return StatedNumber(CONCLUDED + added, calculated.value)
    chosen, rank = _stated(sentence, found, before)
    goes_on = chosen.value in before or _made(found, before) == chosen or _CONCLUDES.match(text) is not None
    return StatedNumber(rank + added, chosen.value, MADE <= rank < BARE, goes_on)


def _stated(sentence: Sentence, found: Sequence[Numeral], before: Sequence[float]) -> tuple[Numeral, int]:
    """The number that a sentence without calculation is about, and how it is given."""
    text = sentence.text
    chosen, rank = _in_clause(text, found)
    if len(found) == 1 and _is_bare(text, chosen):
        is_short = len(re.findall(r"\w+", text[chosen.end :])) <= 1
        alone = REMAINING if _TOTAL.search(text) else STATED + 3 * is_short
        return chosen, BARE if sentence.opens or sentence.topic > 0 else alone
    if OF_ONESELF.search(text) or _BY_THE_WAY.match(text):
        return chosen, MENTIONED
    if (whole := _product(found)) is not None and chosen.end <= whole.start:
        return whole, CONCLUDED
    if _OPERATOR.search(text) and len(found) > 1:
        return chosen, MENTIONED
    if rank == CONCLUDED or _NAMED_TOTAL.search(text[: chosen.start]) or _CONCLUDES.match(text):
        return chosen, CONCLUDED
    made = _made(found, before)
    if _TOTAL.search(text):
        return chosen, CONCLUDED if made == chosen else REMAINING
    if made is not None:
        return made, MADE
    is_premise = _PREMISE.match(text) is not None
    if sentence.opens and len(found) == 1 and _VERB.search(text) and not (is_premise or _PREMISE_INSIDE.search(text)):
        return chosen, LEADING
    if _VERB.search(text) or sentence.opens:
        return chosen, STATED - 8 * is_premise
    return chosen, MENTIONED


def _product(found: Sequence[Numeral]) -> Numeral | None:
    """The number of a sentence, not its first, that all its others make when multiplied."""
    for numeral in found[1:]:
        others = [other.value for other in found if other != numeral]
        if len(others) >= 2 and numeral.value == math.prod(others):
            return numeral
    return None


def _made(found: Sequence[Numeral], before: Sequence[float]) -> Numeral | None:
    """The last number of a sentence that numbers before it make; a difference or quotient of earlier sentences only."""
    known = list(before)
    turned = [abs(first - second) for first, second in combinations(known, 2)]
    turned += [high / low for low, high in combinations(sorted(known), 2) if low > 1]
    made = None
    for numeral in found:
        value = numeral.value
        if value > 2 and value not in known:
            sums = (sum(known[-count:]) for count in range(2, 7) if count <= len(known))
            pairs = (
                result
                for first, second in combinations(known, 2)
                if 0 < min(first, second) != 1 != max(first, second)
                for result in (first * second, first + second)
            )
            if any(abs(result - value) < 1e-6 for result in (*sums, *pairs, *turned)):
                made = numeral
        known.append(value)
    return made


def _is_noise(sentence: str, numeral: Numeral) -> bool:
    before, after = sentence[max(0, numeral.start - 30) : numeral.start], sentence[numeral.end : numeral.end + 40]
    if re.search(r"=\s*[$€£]?\s*$", before):
        return False
    if numeral.is_ordinal or _DENIED.search(before) or _NOISE_AFTER.match(after) or _NOISE_BEFORE.search(before):
        return True
    if sentence[max(0, numeral.start - 4) : numeral.start].rstrip("-")[-3:].isdigit() and before.endswith("-"):
        return True
    is_year = 1000 <= numeral.value <= 2100 and numeral.end - numeral.start == 4 and not _has_money(sentence, numeral)
    return is_year and _YEAR_BEFORE.search(before) is not None and not _ANNOUNCES.search(sentence)


def _has_money(sentence: str, numeral: Numeral) -> bool:
    return (
        sentence[max(0, numeral.start - 2) : numeral.start + 1].strip()[-1:] in ("$", "€", "£")
        or sentence[numeral.start : numeral.start + 1] == "$"
        or _MONEY_AFTER.match(sentence[numeral.end : numeral.end + 20]) is not None
    )


def _is_hedged(sentence: str, found: Sequence[Numeral]) -> bool:
    """Whether two numbers are offered and none is chosen."""
    for first, second in pairwise(found):
        if first.value == second.value:
            continue
        between = sentence[first.end : second.start]
        before = sentence[: first.start]
        if re.fullmatch(r"\s*and\s*[$€£]?", between) and _SEVERAL_ANSWERS.search(before):
            return True
        if _OR.match(between) and (_HEDGES.search(before) or _ANNOUNCES.search(before) or len(found) == 2):
            return True
        if re.fullmatch(r"\s*(?:\w+\s+)?(?:and|to|-|–)\s*", between) and re.search(
            r"\b(?:between|somewhere|anywhere)\b[^.]{0,20}$", before, re.IGNORECASE
        ):
            return True
    return False


def _announced(sentence: str, found: Sequence[Numeral]) -> Numeral | None:
    """The number after "the answer is"; where a calculation begins there, its result."""
    marks = [match.end() for match in _ANNOUNCES.finditer(sentence)] or [
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
    if _TOTAL_AFTER.match(sentence[found[0].end :]) and ":" in sentence[found[0].end :]:
        return found[0]
    reason = _REASON.search(sentence)
    claimed = [numeral for numeral in found if reason and numeral.end <= reason.start()]
    if len(claimed) == 1 and any(numeral.value == claimed[0].value for numeral in found if numeral != claimed[0]):
        return claimed[0]
    if any(sign in sentence for sign in "=≈→"):
        at = max(sentence.rfind(sign) for sign in "=≈→")
        right = [numeral for numeral in found if numeral.start > at]
        left = [numeral for numeral in found if numeral.end <= at]
        if right and (_OPERATOR.search(sentence[:at]) or not left):
            return next((entry for entry in right[1:] if _TOTAL_BEFORE.search(sentence[: entry.start])), right[0])
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
    return result or _worked_out(sentence, found)


def _worked_out(sentence: str, found: Sequence[Numeral]) -> Numeral | None:
    """The number of a sentence that its last calculation of two numbers makes, wherever it stands."""
    for first, second in reversed(list(pairwise(found))):
        between = sentence[first.end : second.start]
        if not re.fullmatch(rf"(?:\s?[^\W\d]+){{0,3}}{_OPERATION}", between, re.IGNORECASE):
            continue
        made = {first.value + second.value, first.value - second.value, first.value * second.value}
        if second.value:
            made.add(first.value / second.value)
        for numeral in reversed(found):
            if numeral not in (first, second) and any(abs(value - numeral.value) < 1e-6 for value in made):
                return numeral
    return None


def _in_clause(sentence: str, found: Sequence[Numeral]) -> tuple[Numeral, int]:
    """The number a sentence without calculation is about, and whether the sentence concludes or states it."""
    cued = max((cue.end() for cue in _CUE.finditer(sentence) if cue.end() <= found[-1].start), default=0)
    for numeral in found:
        after = sentence[numeral.end : numeral.end + 60]
        if numeral.end < cued:
            continue
        if _IS_SUBJECT.match(after) and numeral in (found[0], found[-1]):
            return numeral, CONCLUDED
        if _LEFT_OVER.match(after) or _TOTAL_AFTER.match(after):
            return numeral, STATED
    if _TOTAL_BEFORE.search(sentence[: found[-1].start].rstrip("$ ")):
        return found[-1], STATED
    colon = sentence.rfind(":")
    announced = [numeral for numeral in found if numeral.start > colon > found[0].end]
    if len(announced) == 1 and _is_bare(sentence[colon + 1 :], _moved(announced[0], -colon - 1)):
        return announced[0], STATED
    concludes = _CONCLUDES.match(sentence) is not None
    for cue in reversed(list(_CUE.finditer(sentence))):
        for numeral in found:
            if numeral.start >= cue.end() and not (concludes and cue[0].lower().startswith("mean")):
                return numeral, CONCLUDED if cue.start() > 0 else STATED
    for verb in _VERB.finditer(sentence):
        for numeral in found:
            if numeral.start >= verb.end() and not _NEW_CLAUSE.search(sentence[verb.end() : numeral.start]):
                return numeral, STATED
    return found[0], STATED


def _moved(numeral: Numeral, by: int) -> Numeral:
    return Numeral(numeral.value, numeral.start + by, numeral.end + by)


def _is_bare(sentence: str, numeral: Numeral) -> bool:
    """Whether hardly more than the number stands there: "12 dollars.", "Math: $12"."""
    before, after = sentence[: numeral.start], sentence[numeral.end :]
    if re.search(r"\w", _LABEL_BEFORE.sub("", before)):
        return False
    if re.match(r"[^:.]{1,40}:\s*\S*\d", after):
        return False
    return len(re.findall(r"\w+", after.partition("(")[0])) <= (2 if _MONEY_AFTER.match(after) or after.strip() else 0)
