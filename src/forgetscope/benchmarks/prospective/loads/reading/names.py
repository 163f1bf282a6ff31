"""Names in a text: the accepted ones, by their words, whatever their case, accents, hyphens, articles or plural s."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from forgetscope.benchmarks.prospective.loads.reading.name_spellings import in_one_writing
from forgetscope.mentions.spelled import is_slip

_FLAT = re.compile(r"\b([A-Ga-g])[ -]?♭|\b([A-G])[ -]flat\b")
_TOKEN = re.compile(rf"{_FLAT.pattern}|[^\W_]+(?:[.](?=[^\W_][.]))?|[♭♯#+%°&€£$]+")
_DIGITS = {
    word: str(number)
    for number, word in enumerate(
        re.findall(r"\S+", "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"),
        start=2,
    )
}
"""Numbers in words are read as in digits; "one" is not, which is a pronoun as often."""
FILLER = frozenset(
    re.findall(
        r"\S+",
        "the a an of in on at to for and or is was are were be been by with from as that which who whom whose "
        "what when where how did do does has have had it its this these those first most name called known "
        "into us u s ",
    )
)


_PASTS = dict(
    re.findall(
        r"(\w+) (\w+)",
        "sank sink, sunk sink, wrote write, written write, won win, sang sing, sung sing, song sing, built build, "
        "fell fall, fallen fall, fought fight, drew draw, held hold, died death, dead death, began begin, made make, "
        "flew fly, flown fly, took take, born birth, founded found, spoke speak, spoken speak, known know, saw see, "
        "lay lie, lies lie, lying lie, stood stand, broke break, broken break, grew grow, grown grow, ran run",
    )
)
"""Words that say the same."""


def stems_of(text: str) -> set[str]:
    """The beginnings of a text's words, without those of any sentence."""
    words = (_PASTS.get(word, word) for word, _, _ in words_of(text) if word not in FILLER)
    return {re.sub(r"(?<=\w{3})(?:ing|ed|ers?|ors?|ies|es|s|e|y)$", "", word)[:5] for word in words}


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """Where an accepted name stands in a text."""

    start: int
    end: int
    alias: str


def _fold(text: str) -> str:
    """The text in lower case without accents, as long as it was where every letter stays one letter."""
    folded = []
    for letter in text:
        bare = "".join(
            part for part in unicodedata.normalize("NFKD", letter.lower()) if not unicodedata.combining(part)
        )
        folded.append(bare if len(bare) == 1 else letter)
    return "".join(folded)


def words_of(text: str) -> list[tuple[str, int, int]]:
    """The words of a text, folded, with their places; a note that is flat ("B♭", "B flat") as "Bb"."""
    found = (
        (_fold(f"{match[1] or match[2]}b" if match[1] or match[2] else match[0]), match.start(), match.end())
        for match in _TOKEN.finditer(text)
    )
    return [(_DIGITS.get(word, word), start, end) for word, start, end in found]


def names_of(aliases: Sequence[str]) -> dict[tuple[str, ...], str]:
    """The aliases by their words, articles left out."""
    names: dict[tuple[str, ...], str] = {}
    for alias in aliases:
        words = [word for word, _, _ in words_of(in_one_writing(alias))]
        while len(words) > 1 and words[0] in ("the", "a", "an"):
            words = words[1:]
        if words:
            names.setdefault(tuple(words), alias)
    return names


def is_capital_name(alias: str, mention: str) -> bool:
    """Whether a name that has capitals stands in small letters: "a bolt", "was shining"."""
    return alias[:1].isupper() and mention == mention.lower() and any(map(str.isalpha, mention))


def is_letters(alias: str) -> bool:
    """Whether a name is an abbreviation of two or three capitals: "US", "OH"."""
    return len(alias) <= 3 and alias.isalpha() and alias.isupper()


def is_one_case(text: str) -> bool:
    """Whether a text is in capitals or in small letters throughout, so that capitals say nothing."""
    letters = [letter for letter in text if letter.isalpha()]
    return sum(map(str.isupper, letters)) > 0.7 * len(letters) or not any(map(str.isupper, letters))


def stands_in(tokens: tuple[str, ...], question: str) -> bool:
    """Whether a name says no more than the question: it stands there, or most of what its words say does."""
    asked = [word for word, _, _ in words_of(in_one_writing(question))]
    for place in range(len(asked) - len(tokens) + 1):
        if all(map(_same, asked[place : place + len(tokens)], tokens)):
            return True
    own = [word for word in tokens if word not in FILLER or word == "first"]
    known = sum(word in asked for word in own)
    return len(own) >= 2 and known / len(own) > 0.6


def _same(word: str, wanted: str) -> bool:
    if word == wanted:
        return True
    longer, shorter = (word, wanted) if len(word) > len(wanted) else (wanted, word)
    return len(shorter) > 3 and longer in (shorter + "s", shorter + "es") and not shorter[-1].isdigit()


def _alike(word: str, wanted: str, least: int) -> bool:
    """Whether a word is another, or the other with one letter wrong: "Hitchock", "Kilimandjaro"."""
    shorter = min(len(word), len(wanted))
    return _same(word, wanted) or (shorter >= least + (len(word) == len(wanted)) and is_slip(word, wanted))


def whole_name(text: str, names: dict[tuple[str, ...], str]) -> str | None:
    """The name that a text consists of."""
    words = [word for word, _, _ in words_of(text)]
    while len(words) > 1 and words[0] in ("the", "a", "an"):
        words = words[1:]
    for tokens, alias in names.items():
        if len(tokens) == len(words) and all(map(_same, words, tokens)):
            return alias
    return None


def _is_name(words: Sequence[str], tokens: Sequence[str], alias: str) -> bool:
    """Whether words are those of a name, or the same parted elsewhere: "chick-peas", "Tinkerbell"."""
    if len(words) != len(tokens):
        joined = "".join(tokens)
        return len(joined) >= _LEAST_JOINED and _same("".join(words), joined)
    least = _LEAST[len(tokens) > 1]
    pairs = zip(words, tokens, strict=True)
    return all(_alike(word, wanted, least) if alias[:1].isupper() else _same(word, wanted) for word, wanted in pairs)


_STOP = re.compile(r"(?:\w{4}[.]|[!?;])\s")
"""Between sentences, where no name goes on."""


_LEAST = (5, 4)
"""Letters of a name, and of a word of a longer one, that may have one letter too many or too few."""
_LEAST_JOINED = 6
"""Letters of a name that may be written as one word or as two."""


def mentions_of(text: str, names: dict[tuple[str, ...], str]) -> list[NamedPlace]:
    """Where names stand, the longest where they overlap; "OH" is not "oh" in a text that has both cases."""
    words = words_of(text)
    has_cases = not is_one_case(text)
    by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for tokens, alias in names.items():
        by_first.setdefault(tokens[0][:3], []).append((tokens, alias))
    found: list[NamedPlace] = []
    place = 0
    while place < len(words):
        best: tuple[int, str] | None = None
        for tokens, alias in by_first.get(words[place][0][:3], ()):
            for length in range(max(1, len(tokens) - 1), len(tokens) + 2):
                run = words[place : place + length]
                if (
                    len(run) == length > (best[0] if best else 0)
                    and _is_name([word for word, _, _ in run], tokens, alias)
                    and not _STOP.search(text[run[0][1] : run[-1][2]])
                    and not (has_cases and is_letters(alias) and text[run[0][1] : run[-1][2]] != alias)
                ):
                    best = (length, alias)
        if best is None:
            place += 1
            continue
        found.append(NamedPlace(words[place][1], words[place + best[0] - 1][2], best[1]))
        place += best[0]
    return found
