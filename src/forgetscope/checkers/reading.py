"""How a careful reader takes the words of a text: case, accents, markup, dashes and ways to write a number aside.

`plain` is the text as it was meant, `folded` its words in a row, `occurs` whether a wording stands among them.
"""

import html
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from forgetscope.checkers.base import straight_quotes

_HIDDEN = re.compile(r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufe0f]")
_BLANKS = re.compile(r"[^\S\n]")
_ESCAPED = re.compile(r"\\([*#_\[\]<>~`.!-])")
_SPANS = re.compile(r"</?(?:b|i|u|em|strong|p|h[1-6])>|<br ?/?>", re.IGNORECASE)
_LINE_IN_JSON = re.compile(r"\\[nrt]")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)(?![a-z])")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_TOKEN = re.compile(r"[^\W\d_]+\d\w*|\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)*|[%#]")
_NO_DECIMALS = re.compile(r"[.,]0+$")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')*_\]]*\s+|\n+")
_UNITS = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen"
)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_NUMBERS = {name: value for value, name in enumerate(_UNITS.split("|"))} | {
    name: 10 * place for place, name in enumerate(_TENS.split("|"), start=2)
}


def plain(text: str) -> str:
    """The text with straight quotation marks, simple blanks, and without hidden characters, escapes and HTML's tags."""
    text = _SPANS.sub("", html.unescape(_HIDDEN.sub("", text.replace("\r\n", "\n"))))
    return _ESCAPED.sub(r"\1", _BLANKS.sub(" ", straight_quotes(text)))


@lru_cache(maxsize=1024)
def folded(text: str) -> str:
    """The words and numbers of a text in lower case, one blank between them; numbers in digits and whole.

    >>> folded("The **fog-bell** rang at 06:45, thirty-one times: 1,200.00 each on the 2nd!")
    'the fog bell rang at 6:45 31 times 1200 each on the 2'
    """
    bare = unicodedata.normalize("NFKD", straight_quotes(_HIDDEN.sub("", _LINE_IN_JSON.sub(" ", text))))
    bare = "".join(mark for mark in bare if not unicodedata.combining(mark)).casefold()
    bare = _THOUSANDS.sub(lambda found: found[0].replace(",", ""), re.sub(r"[*`~]", "", bare))
    tokens = [_word(token) for token in _TOKEN.findall(_ORDINAL.sub("", bare))]
    return " ".join(_in_digits(tokens))


def _word(token: str) -> str:
    if not token[0].isdigit():
        return token.removesuffix("'s")
    return _NO_DECIMALS.sub("", token.removeprefix("0") if token[1:2].isdigit() and ":" in token else token)


def _in_digits(tokens: list[str]) -> Iterator[str]:
    """Number words as digits, `thirty one` as 31."""
    tens = 0
    for token in tokens:
        value = _NUMBERS.get(token)
        if tens and value is not None and 0 < value < 10:
            yield str(tens + value)
            tens = 0
            continue
        if tens:
            yield str(tens)
        tens = value if value is not None and value >= 20 else 0
        if not tens:
            yield token if value is None else str(value)
    if tens:
        yield str(tens)


def sentences(text: str) -> list[str]:
    """A text cut at line ends and after marks that end a sentence."""
    return [piece for piece in _SENTENCE_END.split(text) if piece.strip()]


@lru_cache(maxsize=2048)
def _pattern(wordings: str, inflected: bool) -> re.Pattern[str]:
    found = []
    for wording in wordings.split("|"):
        is_open = wording.endswith("*")
        *first, last = folded(wording).split()
        is_name = wording.split()[-1][:1].isupper()  # Barnabas is not Barnaba
        ends = [re.escape(last)] if is_name else _forms(last, inflected)
        end = re.escape(last) + "[^ ]*" if is_open else f"(?:{'|'.join(ends)})"
        found.append(" ".join([*map(re.escape, first), end]))
    return re.compile(r"(?<![^ ])(?:" + "|".join(found) + r")(?![^ ])")


def _forms(word: str, inflected: bool) -> list[str]:
    if not word.isalpha():
        return [re.escape(word)]
    forms = [word, word + "s", word + "es", word + "s'"]
    if word.endswith("y"):
        forms.append(word[:-1] + "ies")
    if inflected and len(word) > 3:
        ends = (("ies", "y"), ("es", ""), ("s", ""))
        forms += [word.removesuffix(end) + start for end, start in ends if word.endswith(end) and word[-2:] != "ss"]
    return [re.escape(form) for form in forms]


_TAKEN_BACK = re.compile(
    r"(?:(?:instead of|rather than|no longer|in place of|no (?:more )?(?:mention|need|talk)|left out"
    r"|leav(?:e|es|ing) out|omitting"
    r"|(?:i|i've|we|we've) (?:have )?(?:omitted|removed|dropped|skipped|replaced|excluded)"
    r"|(?:do|does|did|will|would) not (?:need|want|require|ask|include|mention|use)"
    r"|(?:don't|doesn't|didn't|won't|wouldn't) (?:need|want|require|ask|include|mention|use)"
    r"|(?:needn't|need not|don't bother|do not bother))(?: [^ ]+){0,4}"
    r"|(?:no|not|without)(?: (?:in|on|at|to|for|with|inside))?(?: (?:a|an|any|the|your|our|my|her|his))?) $"
)
_TAKEN_BACK_AFTER = re.compile(
    r" (?:[^ ]+ ){0,2}(?:has|have|is|are|was|were)(?: now)?(?: been)? (?:left out|omitted|removed|dropped|excluded"
    r"|not included|replaced)(?![^ ])"
)


def occurs(text: str, wordings: str, *, inflected: bool = True, unless_taken_back: bool = False) -> bool:
    """Whether one of the wordings stands in the text as words of its own.

    Args:
        text: The text.
        wordings: "mould|mold"; `numb*` is any word that begins so.
        inflected: Whether singular stands for plural and the other way round; otherwise only an added plural does.
        unless_taken_back: "instead of a surveyor", "the studio has been left out" and the like do not count.

    >>> occurs("All seasons.", "sea"), occurs("At **sea**!", "sea"), occurs("No sea.", "sea", unless_taken_back=True)
    (False, True, False)
    """
    wanted = _pattern(wordings, inflected)
    if not unless_taken_back:
        return wanted.search(folded(text)) is not None
    return any(
        not _TAKEN_BACK.search(said[: found.start()]) and not _TAKEN_BACK_AFTER.match(said, found.end())
        for said in map(folded, sentences(text))
        for found in wanted.finditer(said)
    )
