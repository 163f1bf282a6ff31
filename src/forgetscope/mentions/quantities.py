"""Numbers and dates as people write them: whether a text tells one, whole or in part.

*Whole* is the same number or date in any writing: "18,400", "18.4k", "eighteen thousand four hundred"; "27 January",
"1/27", "the twenty-seventh of January". *In part* is what comes near it or is a piece of it: "about 18,000", "late
January", "the 27th". A number inside another one ("39" in "1939", "0.39", "39/40") is neither.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from forgetscope.mentions.same_wording import folded


@dataclass(frozen=True)
class Told:
    """How a text tells a quantity: whole or in part, and by which words."""

    is_whole: bool
    wording: str


def _words(words: str) -> list[str]:
    return words.split()


_MONTHS = _words("january february march april may june july august september october november december")
_UNITS = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")
SMALL = {
    **{word: number for number, word in enumerate(_UNITS)},
    **{word: 10 * number for number, word in enumerate(_TENS, start=2)},
    "oh": 0,
}
_LARGE = {"hundred": 100, "thousand": 1000, "grand": 1000, "million": 1_000_000}
_FIRST = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12, "twentieth": 20}
ORDINALS = {**{f"{word}th": number for word, number in SMALL.items()}, **_FIRST, "thirtieth": 30}

_DIGITS = re.compile(
    r"(?<![\w.,:/])(?<!\d-)(?<!')(\d{1,3}(?:([ ,.'\u00a0\u2009\u202f])\d{3})(?:\2\d{3})*(?!\d)|\d+)(?:[.,](\d{1,2}))?"
    r"(?!\d|[.,:/-]\d|\d*(?:st|nd|rd|th)\b)\s?(k\b|thousand\b|grand\b)?",
    re.IGNORECASE,
)
_SPACED = re.compile(r"(?<![\w.,:/-])\d{1,2}(?:[ -]\d{1,2}){1,5}(?![\w/:]|[.,-]\d)")
_SHORT_YEAR = re.compile(r"(?<!\w)'(\d\d)\b")
_ROUGHLY = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx|nearly|almost|close to|near|some|circa|ca|over|under|above"
    r"|below|more than|less than|just (?:over|under|above|below|short of)|shy of|short of|region of|ballpark|between"
    r"|up to"
    r"|order of|or so)\b|~|≈)[\s~£$€*]*(?:\d+ and )?$",
    re.IGNORECASE,
)
_OR_SO = re.compile(
    r"^\s*(?:-?ish\b|or (?:so|thereabouts)|give or take|and a (?:bit|half|little)|-something)", re.IGNORECASE
)
_NO_DIGIT = re.compile(r"\D")
_NEAR = 0.05
"""A number about which it is said that it is rough tells another one within this share of it."""


def quantity_told(text: str, value: str) -> Told | None:
    """How a text tells a number or date; None where `value` is neither, or the text does not tell it.

    >>> quantity_told("You were saving about $18,000.", "18,400")
    Told(is_whole=False, wording='18,000')
    >>> quantity_told("It's on the 27th of January.", "27 January").is_whole
    True
    """
    date = _date_of(value)
    if date is not None:
        return _date_told(text, *date)
    if not is_number(value):
        return None
    return _number_told(text, int(_NO_DIGIT.sub("", value)), is_label=value.isdigit() and len(value) >= 4)


def is_number(wording: str) -> bool:
    """Whether a wording is a number and nothing else; such a one is read as a number, not as words."""
    return re.fullmatch(r"[£$€]?\d[\d,. ]*", wording) is not None


def _number_told(text: str, value: int, *, is_label: bool) -> Told | None:
    """A label (a year, a code) is told whole or by its neighbours; of other numbers, what is within a share of them."""
    numbers = [*_in_digits(text), *_in_words(text)]
    for number, wording, _ in numbers:
        if number == value:
            return Told(is_whole=True, wording=wording)
    reach = 2 if is_label else _NEAR * value
    for number, wording, is_rough in numbers:
        rounded = not is_label and value >= 1000 and number in (round(value, -3), round(value, -2))
        if abs(number - value) <= reach and (is_rough or rounded):
            return Told(is_whole=False, wording=wording)
    return None


def _in_digits(text: str) -> Iterator[tuple[float, str, bool]]:
    """Numbers in digits, the words they were found by, and whether the text says that they are rough."""
    for found in _DIGITS.finditer(text):
        whole, separator, decimals, thousands = found.groups()
        scale = 1000 if thousands else 1
        rough = bool(
            _ROUGHLY.search(text[max(0, found.start() - 40) : found.start()])
            or _OR_SO.match(text[found.end() : found.end() + 40])
        )
        yield scale * float(f"{_NO_DIGIT.sub('', whole)}.{decimals or 0}"), found.group().strip(), rough
        if separator in (".", ",") and thousands:
            yield scale * float(whole.replace(",", ".")), found.group().strip(), rough
    for found in _SPACED.finditer(text):
        yield float(_NO_DIGIT.sub("", found.group())), found.group(), False
    for found in _SHORT_YEAR.finditer(text.replace("’", "'")):
        for century in (1900, 2000):
            yield float(century + int(found.group(1))), found.group(), False


def _in_words(text: str) -> Iterator[tuple[float, str, bool]]:
    words = folded(text).split()
    start = 0
    while start < len(words):
        end = start
        while end < len(words) and (
            words[end] in SMALL
            or words[end] in _LARGE
            or words[end] in ("double", "point")
            or (words[end] == "and" and start < end < len(words) - 1 and words[end + 1] in SMALL)
        ):
            end += 1
        run = words[start:end]
        if any(word in SMALL for word in run):
            before, after = " ".join(words[max(0, start - 4) : start]), " ".join(words[end : end + 4])
            rough = bool(_ROUGHLY.search(before) or _OR_SO.match(after))
            for number in (_cardinal(run), _digit_by_digit(run)):
                yield number, " ".join(run), rough
        start = max(end, start + 1)


def _cardinal(words: list[str]) -> float:
    """Number words as a sum: "eighteen thousand four hundred"."""
    total, part, decimal = 0.0, 0.0, 0.0
    for word in words:
        if word == "point":
            decimal = 0.1
        elif word == "hundred":
            part = max(part, 1) * 100
        elif word in _LARGE:
            total, part = total + max(part, 1) * _LARGE[word], 0.0
        elif word in SMALL:
            part += SMALL[word] * (decimal or 1)
    return total + part


def _digit_by_digit(words: list[str]) -> float:
    """Number words one after the other, as years and codes are read: "nineteen sixty-four", "double seven one nine";
    -1 where they are no such thing."""
    if any(word in _LARGE or word in ("point", "and") for word in words):
        return -1
    digits = ""
    for place, word in enumerate(words):
        if word == "double":
            continue
        number, before = SMALL[word], words[place - 1] if place else ""
        if before in _TENS and 0 < number < 10:
            digits = f"{digits[:-1]}{number}"
        else:
            digits += str(number) * (2 if before == "double" else 1)
    return float(digits) if digits else -1


def _date_of(value: str) -> tuple[int, int] | None:
    found = re.fullmatch(rf"(\d{{1,2}}) ({'|'.join(_MONTHS)})", value.casefold())
    return (int(found.group(1)), _MONTHS.index(found.group(2)) + 1) if found else None


def _date_told(text: str, day: int, month: int) -> Told | None:
    said = _ORDINAL_WORDS.sub(lambda found: f" {_ordinal(found.group())}th", f" {folded(text)}")
    name = rf"(?:{_MONTHS[month - 1]}|{_MONTHS[month - 1][:3]})"
    this_day = rf"0?{day}(?:st|nd|rd|th)?"
    in_words = re.search(rf"\b{this_day}(?: of)? {name}\b|\b{name}(?: the)? {this_day}(?!\w)", said)
    in_digits = re.search(
        rf"(?<![\d/.-])(?:0?{day}([/.-])0?{month}|0?{month}([/.-])0?{day})(?:[/.-](?:\d\d)?\d\d)?(?![\d/-])"
        rf"|\b\d{{4}}-0?{month}-0?{day}\b",
        text,
    )
    whole = in_words or in_digits
    if whole:
        return Told(is_whole=True, wording=whole.group())
    part = "late|last|end|final" if day > 20 else "mid|middle|halfway" if day > 10 else "early|beginning|start|first"
    days = "|".join(f"{near}(?:st|nd|rd|th)?" for near in range(max(1, day - 3), day + 4))
    found = re.search(
        rf"\b(?:{part})(?: \w+){{0,4}} {name}\b|\b{name} (?:{part})\b|\b(?:in|during|sometime in) {name}\b(?! \d)"
        rf"|\b(?:around|about|near|roughly|before|after) (?:the )?(?:{days})(?: of)? {name}\b"
        rf"|\b(?:around|about|near|roughly|before|after) {name} (?:the )?(?:{days})(?!\w)"
        rf"|\bthe {day}(?:st|nd|rd|th)\b(?! (?:of )?(?:{'|'.join(_MONTHS)})\b)",
        said,
    )
    return Told(is_whole=False, wording=found.group()) if found else None


_ORDINAL_WORDS = re.compile(rf" (?:(?:{'|'.join(_TENS)}) )?(?:{'|'.join(ORDINALS)})\b")


def _ordinal(words: str) -> int:
    *tens, last = words.split()
    return sum(SMALL[word] for word in tens) + ORDINALS[last]
