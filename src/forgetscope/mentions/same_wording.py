"""What is the same wording: what a person would call the same.

Case, spacing, markup, punctuation, accents, hidden characters, currency signs, thousands separators, the dots of
abbreviations and a trailing possessive make no difference. Numbers stay whole: "3" is not found in "3.5", nor "1" in
"1,200".
"""

import re
import unicodedata
from functools import lru_cache

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ′`´", "'"))
_HIDDEN = re.compile(r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e01ef]")
_LATIN_ACCENTS = re.compile(r"[\u0300-\u036f]")
_SEPARATOR = r"[,'\u00a0\u2009\u202f]"
_THOUSANDS = re.compile(rf"(?<![\d.,])\d{{1,3}}({_SEPARATOR})\d{{3}}(?:\1\d{{3}})*(?!\d|{_SEPARATOR}\d)")
_DOTTED = re.compile(r"(?<![^\W_])(?:[^\W\d_]\.){2,}")
_UNIT = re.compile(r"(?<=\d)(?=(?:am|pm|km|kg|mg|ml|cm|mm|g|m|h|l|lbs?|oz|ft|mph|min|hrs?|gb|mb)\b)")
_MARKS = "".join(chr(code) for code in range(0x370, 0x3100) if unicodedata.category(chr(code)) in ("Mn", "Mc"))
"""Vowel signs and the like of the scripts that have them: parts of words that `\\w` leaves out."""
_LETTER = rf"(?:[^\W_]|[{_MARKS}])"
_TOKEN = re.compile(
    r"(?<![\d.])\d+\.\d+(?!\.?\d)"  # a decimal number; dates and versions have more points and are taken apart
    r"|\d{1,2}:\d{2}(?!\d)"
    rf"|{_LETTER}+(?:'{_LETTER}+)*"
    r"|[%&+#@/=]"
)
_EMPTY_DECIMALS = re.compile(r"^(\d+)\.0+$")


@lru_cache(maxsize=2048)
def folded(text: str) -> str:
    """A text as wordings are compared: its words and numbers in lower case, one blank between them.

    >>> folded("It was **The 14th\\n of MARCH**, in Lisbon’s “Café São-Bento”, for €1,200.00!")
    'it was the 14th of march in lisbon cafe sao bento for 1200'
    """
    whole = _THOUSANDS.sub(lambda found: re.sub(r"\D", "", found.group()), text.translate(_APOSTROPHES))
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", whole).translate(_APOSTROPHES))
    plain = _HIDDEN.sub("", unicodedata.normalize("NFC", _LATIN_ACCENTS.sub("", plain))).casefold()
    plain = _DOTTED.sub(lambda found: found.group().replace(".", ""), plain)
    return " ".join(map(_word, _TOKEN.findall(_UNIT.sub(" ", plain))))


def _word(token: str) -> str:
    """A token without a possessive's ending, or decimals that are all noughts."""
    return _EMPTY_DECIMALS.sub(r"\1", token.removesuffix("'s"))


def mentions(text: str, wording: str) -> bool:
    """Whether `wording` stands in `text` as words of its own; a wording without a word stands nowhere.

    >>> mentions("Born in Lisbon's old town.", "lisbon"), mentions("a Lisbonite", "lisbon")
    (True, False)
    """
    wanted = folded(wording)
    return bool(wanted) and f" {wanted} " in f" {folded(text)} "
