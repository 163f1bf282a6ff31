"""Options that a reply writes otherwise: "the covelant bond", "Addam Smyth", "sun flower", "fall" for autumn."""

import re
from collections.abc import Sequence

from forgetscope.mentions.marks import MARK, TEXT
from forgetscope.mentions.same_wording import folded

_SHORTEST, _FEW = (6, 3), 4
"""Letters of a word that may be misspelled, in a long reply and in one of fewer words than so many."""
_ARTICLE = re.compile(r"^(?:an?|the)\s+")
_LETTERS = re.compile(r"[^\W\d_][^\d_+*/=^<>()-]+")
_WORD = re.compile(r"(?<![^\W_])(?<![^\W_]-)[^\W\d_]+(?!-?[^\W_])")


def with_slips(text: str, options: Sequence[str]) -> str:
    """The text with options that are misspelled, parted or called otherwise replaced, where it can be only one of them.

    >>> with_slips("It is the covelant bond.", ("Ionic", "Covalent"))[10:] == chr(TEXT + 1) + " bond."
    True
    """
    wanted = [_ARTICLE.sub("", folded(option)).split() for option in options]
    said = list(_WORD.finditer(text))
    own = [folded(word[0]) for word in said]
    places: dict[tuple[int, int], set[int]] = {}
    for option, words in enumerate(wanted):
        shortest = _SHORTEST[len(own) < _FEW] if len(words) == 1 else _SHORTEST[1]
        if not words or not _LETTERS.fullmatch(options[option]):
            continue
        for place, first in enumerate(said):
            for length in {len(words), 2 if len(words) == 1 else 1}:
                told, stop = own[place : place + length], said[min(place + length, len(said)) - 1].end()
                between = text[first.start() : stop]
                is_one = len(told) == length and re.search(MARK, between) is None
                if is_one and _is_meant(told, words, between, shortest) and not _is_part(text, first.start()):
                    places.setdefault((first.start(), stop), set()).add(option)
    for (start, end), meant in sorted(places.items(), reverse=True):
        if len(meant) == 1:
            text = text[:start] + chr(TEXT + min(meant)) + text[end:]
    return text


def _is_meant(told: Sequence[str], words: Sequence[str], between: str, shortest: int) -> bool:
    if len(told) != len(words):
        return "".join(told) == "".join(words) and len(between) <= len("".join(told)) + 1 and between.count(" ") < 2
    return all(
        one == word
        or _are_one_thing(one, word)
        or (len(word) >= shortest and one[:1] == word[:1] and _are_close(one, word))
        for one, word in zip(told, words, strict=True)
    )


def _is_part(text: str, start: int) -> bool:
    """Whether a word is part of the name of something else: a hot dog."""
    return _NOT_AFTER.search(text, max(0, start - 12), start) is not None


_NOT_AFTER = re.compile(r"\b(?:hot|teddy|upper|lower)\s$", re.IGNORECASE)
_SAME = """
    autumn fall / bicycle bike / motorcycle motorbike / rabbit bunny / sofa couch / airplane aeroplane plane
    car automobile / dog puppy / cat kitten / bus coach / truck lorry / television tv / telephone phone / trousers pants
    cookie biscuit / elevator lift / soccer football / sneakers trainers / hippopotamus hippo / rhinoceros rhino
    refrigerator fridge
"""
_SAME_THING = [frozenset(words.split()) for words in re.split("[/\n]", _SAME) if words.strip()]


def _are_one_thing(one: str, other: str) -> bool:
    return any({one, other} <= words for words in _SAME_THING) or (
        other.endswith("y") and len(other) > 4 and re.fullmatch(rf"{_bare(other)}(?:ing|s)?", one) is not None
    )


def _bare(adjective: str) -> str:
    """The noun of an adjective in -y: snow, fog, sun."""
    noun = adjective.removesuffix("y")
    return noun[:-1] if noun[-1] == noun[-2] else noun


def _are_close(one: str, other: str) -> bool:
    """Whether a letter is too many, missing, wrong or swapped with the next; of long words, two."""
    allowed = 1 if len(other) < 8 else 2
    return abs(len(one) - len(other)) <= allowed and _distance(one, other) <= allowed


def _distance(one: str, other: str) -> int:
    """Letters to add, drop, replace or swap with the next to make one word of the other."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        before, above, row = row, before, [at]
        for place, wanted in enumerate(other, 1):
            best = min(before[place] + 1, row[place - 1] + 1, before[place - 1] + (letter != wanted))
            if at > 1 and place > 1 and letter == other[place - 2] and one[at - 2] == wanted:
                best = min(best, above[place - 2] + 1)
            row.append(best)
    return row[-1]
