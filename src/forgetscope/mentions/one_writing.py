"""Names in one writing, whichever they were written in: dates, spelled years, the numbers of kings.

A date is "20 July 1969", a year in digits. Where day and month of a date in digits could be either, the accepted names
say which.
"""

import re
from collections.abc import Collection

from forgetscope.mentions.quantities import ORDINALS, SMALL

_MONTHS = re.findall(r"\S+", "January February March April May June July August September October November December")
_MONTH = r"(?P<month>" + "|".join(rf"{month[:3]}(?:{month[3:]}|t?\b\.?)" for month in _MONTHS) + ")"
_YEAR = r"(?:,?\s+(?P<year>\d{4})\b)?"
_ORDINAL = rf"(?:(?P<tens>twenty|thirty)[\s-])?(?P<ordinal>{'|'.join(ORDINALS)})"
_DAY = r"(?<![\d.,/-])(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_IN_WORDS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:the\s+)?{_DAY}(?:\s+(?:day\s+)?of)?\s+{_MONTH}{_YEAR}",
        rf"\b(?:the\s+)?{_ORDINAL}(?:\s+day)?\s+of\s+{_MONTH}{_YEAR}",
        rf"\b{_MONTH}(?:\s+the)?\s+(?:{_DAY}|{_ORDINAL})(?![\d:]|\s?%|\s[a-z]{{3,}}s\b){_YEAR}",
    )
)
_IN_DIGITS = re.compile(
    r"(?<![\d/.-])(?:(?P<year>\d{4})([/.-])(?P<month>\d{1,2})\2(?P<day>\d{1,2})"
    r"|(?P<first>\d{1,2})([/.-])(?P<second>\d{1,2})\6(?P<last>\d{4}))(?![/.-]?\d)"
)
_TEENS = "|".join(word for word, number in SMALL.items() if 10 <= number <= 20)
_TENS = "|".join(word for word, number in SMALL.items() if 20 <= number <= 90)
_DIGIT = "|".join(word for word, number in SMALL.items() if 0 < number < 10)
_SPELLED_YEAR = re.compile(
    rf"\b({_TEENS})[\s-](?:hundred\s+(?:and\s+)?)?(?:({_TENS})(?:[\s-]({_DIGIT}))?|(?:oh|o)[\s-]({_DIGIT})|({_TEENS}))\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    rf"(?i:(?<=[a-z]\s)the\s+(?:(\d{{1,2}})(?:st|nd|rd|th)|{_ORDINAL}))\b(?=[^\w\s]|\s(?:of|was|is|had|and|who|died)\b|\s*$)"
)


def in_one_writing(text: str, dates: Collection[str] = ()) -> str:
    """The text with its dates, years and numbers of kings in one writing.

    Args:
        text: A reply or an accepted name.
        dates: Accepted names in that writing, for dates whose day and month could be either.

    >>> in_one_writing("Henry the Eighth died on January 28th, 1547, not 30/01/1547.")
    'Henry VIII died on 28 January 1547, not 30 January 1547.'
    """
    text = _SPELLED_YEAR.sub(_year_in_digits, text)
    for pattern in _IN_WORDS:
        text = pattern.sub(_date_in_words, text)
    text = _IN_DIGITS.sub(lambda found: _date_in_digits(found, dates), text)
    return _NUMBERED.sub(lambda found: _roman(int(found[1] or _ordinal(found))), text)


def _ordinal(found: re.Match[str]) -> int:
    return SMALL.get((found["tens"] or "zero").lower(), 0) + ORDINALS[found["ordinal"].lower()]


def _roman(number: int) -> str:
    return "X" * (number // 10) + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[number % 10]


def _year_in_digits(found: re.Match[str]) -> str:
    century, tens, digit, after_zero, teens = (SMALL[word.lower()] if word else 0 for word in found.groups())
    return str(100 * century + tens + digit + after_zero + teens)


def _date(day: int, month: int, year: str | None) -> str:
    return f"{day} {_MONTHS[month - 1]}" + (f" {year}" if year else "")


def _date_in_words(found: re.Match[str]) -> str:
    groups = found.groupdict()
    day = int(groups["day"]) if groups.get("day") else _ordinal(found)
    month = next(place for place, name in enumerate(_MONTHS, 1) if name[:3].lower() == found["month"][:3].lower())
    return _date(day, month, found["year"]) if 0 < day < 32 else found[0]


def _date_in_digits(found: re.Match[str], dates: Collection[str]) -> str:
    if found["year"]:
        readings = [(int(found["day"]), int(found["month"]), found["year"])]
    else:
        first, second = int(found["first"]), int(found["second"])
        readings = [(first, second, found["last"]), (second, first, found["last"])]
    told = [_date(*reading) for reading in readings if 0 < reading[0] < 32 and 0 < reading[1] < 13]
    return next(
        (date for date in told if date in dates or date.rpartition(" ")[0] in dates), told[0] if told else found[0]
    )
