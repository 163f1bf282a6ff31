"""Numbers as models write them: digits, fractions, words, with what stands beside them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from forgetscope.benchmarks.prospective.loads.reading.number_cues import MONTH

_UNITS = {
    word: value
    for value, word in enumerate(
        re.findall(
            r"\S+",
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
            "sixteen seventeen eighteen nineteen ",
        )
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate(re.findall(r"\S+", "twenty thirty forty fifty sixty seventy eighty ninety "), start=2)
}
_LARGE = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_DOZEN = re.compile(r"\s(?:an?\s)?dozen\b", re.IGNORECASE)
_A_DOZEN = re.compile(r"(?<![\w-])(?<!half )an?\sdozen\b", re.IGNORECASE)
_AND_CENTS = re.compile(r"\s?(?:dollars?|euros?|pounds?)?\s+and\s+", re.IGNORECASE)
_AND_A_HALF = re.compile(r"\ban?\s[^\W\d]+\sand\sa\shalf\b", re.IGNORECASE)
_BELOW_ZERO = re.compile(r"\s[^\W\d]+\sbelow\szero\b", re.IGNORECASE)
_CENTS = re.compile(r"\s?cents?\b", re.IGNORECASE)
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅕": 0.2, "⅛": 0.125}
_PARTS = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
}
_PARTS |= {f"{part}s": below for part, below in _PARTS.items() if below > 2}

_DIGITS = re.compile(
    r"(?<![\w.])(?P<sign>-?)\$?(?P<whole>\d{1,3}(?:(?:,|\{,\}|\\,|[   \u2009])\d{3})+(?!\d)|\d+)?"
    r"(?P<decimals>\.\d+)?(?:(?<=\d)\s?(?P<vulgar>[½¼¾⅓⅔⅕⅛])|(?<=\d)(?P<over>/\d+)(?![\d/]|\s*=)"
    r"|(?<=\d)(?P<half>\sand\sa\shalf|\shalves)\b|(?<=\d)\s(?P<mixed>\d+/\d+)(?![\d/]|\s*=))?(?P<thousand>(?<=\d)[kK](?!\w)|(?<=\d)\s(?:hundred|thousand|million|billion)\b)?"
    r"(?P<power>(?<=\d)[²³])?"
    r"(?P<ordinal>(?<=\d)(?:st|nd|rd|th)\b)?",
    re.IGNORECASE,
)
_LONE_FRACTION = re.compile("[" + "".join(_FRACTIONS) + "]")
_LATEX_FRACTION = re.compile(r"(?P<whole>\d*)\s*\\[cdt]?frac\s*\{?(?P<above>\d+)\}?\s*\{?(?P<below>\d+)\}?")
_NUMBER_WORD = "|".join([*_UNITS, *_TENS, "hundred", *_LARGE])
_WORDS = re.compile(
    rf"(?<![\w-])(?:(?:an?\s(?=hundred|thousand|million|billion))?(?:{_NUMBER_WORD})\b(?:(?:-|,?\s{{1,2}}(?:and\s)?)(?:{_NUMBER_WORD})\b){{0,12}}|an?(?=\shalf\b)|half)"
    rf"(?P<part>(?:\sand\s(?:an?|one))?[\s-](?:{'|'.join(_PARTS)})\b)?",
    re.IGNORECASE,
)
_PRONOUN_BEFORE = re.compile(
    r"\b(?:first|second|third|fourth|fifth|last|next|this|that|each|every|which|the|no|any|another|other|correct|right)\s$"
    r"|(?:n['’]t|\bnot|\bnever)\s(?:[^\W\d]+\s)?$",
    re.IGNORECASE,
)
_MINUS_WORD = re.compile(
    r"(?:^|[:=.(*]\s*|\b(?:is|was|be|of|to|at|are)\s+|['’]s\s+)(?:minus|negative)\s\$?$", re.IGNORECASE
)
_PRONOUN_AFTER = re.compile(
    r"\s(?:of|day|morning|night|can|could|might|may|would|needs?|thinks?|must|should|another|who|whose|[^\W\d]{3,}[^\W\dsu]s)\b",
    re.IGNORECASE,
)
_CHINESE_UNITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"两": 2}
_CHINESE_TENS = {"十": 10, "百": 100, "千": 1_000}
_CHINESE = re.compile(rf"(?<!第)(?!一(?![十百千万]))[{''.join([*_CHINESE_UNITS, *_CHINESE_TENS])}万]+(?=[^\s年月日]|$)")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text: its value, where it stands, and whether it is an ordinal ("80th")."""

    value: float
    start: int
    end: int
    is_ordinal: bool = False


def numerals(text: str) -> list[Numeral]:
    """The numbers of a text, in order.

    >>> [found.value for found in numerals("Two and a half of $1,200, or 3/4; minus -5 and twenty-one")]
    [2.5, 1200.0, 0.75, -5.0, 21.0]
    """
    found: list[Numeral] = []
    wholes = [
        Numeral(value, match.start(), match.end())
        for pattern, value in ((_A_DOZEN, 12.0), (_AND_A_HALF, 1.5))
        for match in pattern.finditer(text)
    ]
    for numeral in sorted(
        [*_latex(text), *_in_digits(text), *_in_words(text), *_in_chinese(text), *wholes], key=lambda entry: entry.start
    ):
        if not found or numeral.start >= found[-1].end:
            is_minus = _MINUS_WORD.search(text[max(0, numeral.start - 20) : numeral.start]) is not None
            found.append(replace(numeral, value=-numeral.value) if is_minus else numeral)
            if below := _BELOW_ZERO.match(text, numeral.end):
                found[-1] = replace(found[-1], value=-found[-1].value, end=below.end())
            elif (dozen := _DOZEN.match(text, numeral.end)) and not text[numeral.start].isdigit():
                found[-1] = replace(found[-1], value=12 * found[-1].value, end=dozen.end())
            elif len(found) > 1 and _AND_CENTS.fullmatch(text, found[-2].end, numeral.start) and numeral.value < 100:
                cents = _CENTS.match(text, numeral.end)
                whole, part = found[-2:]
                found[-2:] = (
                    [replace(whole, value=whole.value + part.value / 100, end=cents.end())] if cents else [whole, part]
                )
    return found


def _latex(text: str) -> Iterator[Numeral]:
    for match in _LATEX_FRACTION.finditer(text) if "frac" in text else ():
        if int(match["below"]):
            value = int(match["whole"] or 0) + int(match["above"]) / int(match["below"])
            yield Numeral(value, match.start(), match.end())


def _in_chinese(text: str) -> Iterator[Numeral]:
    for match in _CHINESE.finditer(text) if not text.isascii() else ():
        total = group = unit = 0
        for character in match[0]:
            if character == "万":
                total, group, unit = total + (group + unit) * 10_000, 0, 0
            elif character in _CHINESE_TENS:
                group, unit = group + (unit or 1) * _CHINESE_TENS[character], 0
            else:
                unit = _CHINESE_UNITS[character]
        yield Numeral(float(total + group + unit), match.start(), match.end())


def _in_digits(text: str) -> Iterator[Numeral]:
    for match in _DIGITS.finditer(text):
        if match["whole"] is None and match["decimals"] is None:
            continue
        whole = re.sub(r"\D", "", match["whole"] or "")
        if len(whole) > 300:
            continue
        value = float((whole or "0") + (match["decimals"] or ""))
        value += _FRACTIONS.get(match["vulgar"] or "", 0.0)
        if match["half"]:
            value = value / 2 if match["half"].endswith("halves") else value + 0.5
        if match["over"]:
            below = float(match["over"][1:][:300])
            value = value / below if below else value
        if match["mixed"]:
            above, _, below_text = match["mixed"].partition("/")
            value += float(above[:300]) / float(below_text[:300]) if float(below_text[:300]) else 0.0
        if match["thousand"]:
            value *= {**_LARGE, "hundred": 100}.get(match["thousand"].strip().lower(), 1_000)
        if match["power"] and value < 1e6:
            value **= "²³".index(match["power"]) + 2
        yield Numeral(
            -value if match["sign"] and _is_sign(text, match.start()) else value,
            match.start(),
            match.end(),
            match["ordinal"] is not None,
        )
    for match in _LONE_FRACTION.finditer(text):
        yield Numeral(_FRACTIONS[match[0]], match.start(), match.end())


def _is_sign(text: str, start: int) -> bool:
    """Whether a hyphen before digits is a minus: no letter touches it, and no number stands before it."""
    before = text[max(0, start - 3) : start]
    return not before or not (
        before[-1].isalnum() or before.rstrip(" ")[-1:].isdigit() or before.rstrip(" ")[-1:] in (")", "]", "}", "%")
    )


def _in_words(text: str) -> Iterator[Numeral]:
    for match in _WORDS.finditer(text):
        yield from _spelled(text, match)


def _spelled(text: str, match: re.Match[str]) -> Iterator[Numeral]:
    """The numbers of a run of number words: a new one begins where the words no longer make one."""
    total = current = 0.0
    start: int | None = None
    last, end = "", match.start()
    stop = match.start("part") if match["part"] else match.end()
    for word in re.finditer(r"[a-z]+|,", text[match.start() : stop].lower()):
        name, at = word[0], match.start() + word.start()
        if name in (",", "and", "a", "an", "half"):
            if name == ",":
                last = last + "," if last in _LARGE else ","
            continue
        fits = start is not None and _goes_on(last, name)
        if not fits:
            if start is not None:
                yield from _unless_pronoun(text, Numeral(total + current, start, end))
            total, current, start = 0.0, 0.0, at
        if name in _LARGE:
            total, current = total + (current or 1) * _LARGE[name], 0.0
        elif name == "hundred":
            current = (current or 1) * 100
        else:
            current += _UNITS.get(name, _TENS.get(name, 0))
        last, end = name, at + len(name)
    part = re.split(r"[\s-]", match["part"])[-1].lower() if match["part"] else ""
    if start is None:  # "a half", "half"
        yield Numeral(0.5, match.start(), match.end())
    elif part and " and " in match["part"].lower():
        yield Numeral(total + current + 1 / _PARTS[part], start, match.end())
    elif part and total + current < 10:
        yield Numeral((total + current) / _PARTS[part], start, match.end())
    else:
        yield from _unless_pronoun(text, Numeral(total + current, start, end))


def _goes_on(last: str, name: str) -> bool:
    if name in _LARGE or name == "hundred":
        return not last.endswith(",") and last != name
    if last.rstrip(",") in _LARGE:
        return True
    if last == "hundred":
        return True
    return last in _TENS and name in _UNITS and 0 < _UNITS[name] < 10


def _unless_pronoun(text: str, numeral: Numeral) -> Iterator[Numeral]:
    if numeral.value == 1 and text[numeral.start : numeral.end].lower() == "one":
        before, after = text[max(0, numeral.start - 20) : numeral.start], text[numeral.end : numeral.end + 20]
        if _PRONOUN_BEFORE.search(before) or _PRONOUN_AFTER.match(after):
            return
    yield numeral


_NOTHING = re.compile(
    r"\bno\s+[^\W\d]+(?:\s[^\W\d]+)?\s+(?:(?:is|are)\s+)?(?:left|remain\w*)\b|(?:^\W*|(?<=:)\s*)(?:none|nothing)\b(?=\W*$|\s*[.,;:!(–—-]|\s+(?:at\s+all|is|are|remains?)\b)"
    r"|\b(?:nothing|none)\b(?=(?:\s+(?:is|are|will\s+be))?\s+left|\s+remains?|\s*[.!]?\s*$)",
    re.IGNORECASE,
)
_NO_AMOUNT_BEFORE = re.compile(
    rf"\b{MONTH}\.?\s*$|\b{MONTH}\.?\s\d{{1,2}}(?:st|nd|rd|th)?,?\s$|\d:$|\d-$|\bp\.\s?$|[^\W\d]\^$|\#\s?$"
    r"|\b(?:task|problem|question|section|step|paragraph|chapter|verse|exercise)\s$",
    re.IGNORECASE,
)
_NO_AMOUNT_AFTER = re.compile(
    rf"^[a-f]\b|^\s*(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}\b|^:(?!00)\d\d|^-\d{{3,4}}\b|^/7\b"
    r"|^(?-i:(?:\s[A-Z][a-z]+){1,2}\s(?:Road|Street|Avenue|Lane|Drive|Boulevard|Rd|St|Ave))\b",
    re.IGNORECASE,
)
_INDEX_BEFORE = re.compile(
    r"\b(?:answer|problem|question|task|part|option|solution|math|placeholder|bullet|section|step|[qa])\s?#?$",
    re.IGNORECASE,
)
_INDEX_AFTER = re.compile(r"^\s?[:.)\]=](?!\d).*\d", re.DOTALL)


def amounts(text: str) -> list[Numeral]:
    """The numbers of a sentence that can be amounts: no dates, labels, places in an order; 0 for "nothing"."""
    found = [numeral for numeral in numerals(text) if not _is_label_or_date(text, numeral)]
    found = found[_counted_off(found) :]
    nothing = [Numeral(0.0, match.start(), match.end()) for match in _NOTHING.finditer(text)]
    return sorted([*nothing, *found], key=lambda numeral: numeral.start) if nothing else found


def _is_label_or_date(text: str, numeral: Numeral) -> bool:
    before, after = text[max(0, numeral.start - 20) : numeral.start], text[numeral.end : numeral.end + 80]
    is_date = _NO_AMOUNT_BEFORE.search(before) or _NO_AMOUNT_AFTER.match(after)
    is_index = _INDEX_BEFORE.search(before) and _INDEX_AFTER.match(after)
    is_difference = re.match(r"(?:-\d+)?\s*=", after) is not None
    return numeral.is_ordinal or (is_date is not None and not is_difference) or is_index is not None


def _counted_off(found: Sequence[Numeral]) -> int:
    """How many numbers at the beginning belong to a counting "one, two, three"."""
    counted = 0
    for place, numeral in enumerate(found, start=1):
        if numeral.value != place or (place > 1 and numeral.start - found[place - 2].end > 6):
            break
        counted = place
    return counted if counted >= 3 else 0
