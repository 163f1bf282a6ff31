"""Mentions as characters: each mention of an option is one character of its own, so that rules are about sentences."""

from collections.abc import Iterable
from enum import Enum

INDEX, TEXT, BOTH = 0xA000, 0xA100, 0xA200
"""An option by its label, by its words, by both: the character of option k is so many above (Yi, letters to `re`)."""
HINT = 0xA300
"""And by some of its words: 16 for each step of how much they say, and the option."""
_SETS = 0xA380
NO_OPTION = "\ua3ff"
"""A label that is no option's, or one that contradicts the words beside it."""
SEVERAL = "[\ua380-\ua3fe]"
"""Several options side by side, none of them chosen ("0 or 1"): a character for each set of the first seven."""
MARK = "[\ua000-\ua3ff]"
LABEL, WORDS = "[\ua000-\ua0ff]", "[\ua100-\ua1ff]"
IN_MARK = MARK[1:-1]
"""Within a class: any mark."""


def several(options: Iterable[int]) -> str:
    """The character of several options side by side."""
    which = sum(1 << option for option in set(options))
    return chr(_SETS + (which if which < 0x7F else 0))


def options_of(mark: str) -> frozenset[int]:
    """The options a character stands for: one, several, or none."""
    option, which = option_of(mark), ord(mark) - _SETS
    return (
        frozenset({option})
        if option is not None
        else frozenset(at for at in range(7) if which >> at & 1 and 0 < which < 0x7F)
    )


def option_of(mark: str) -> int | None:
    """The option a character stands for; None for no option, and for several."""
    if ord(mark) >= _SETS:
        return None
    return (ord(mark) - HINT) & 0xF if ord(mark) >= HINT else (ord(mark) - INDEX) & 0xFF


def kind_of(mark: str) -> str:
    """What a mention is made of: an option's `label`, its `words`, `both`, a `hint`; or `no option`, `several`."""
    if ord(mark) >= _SETS:
        return "no option" if mark == NO_OPTION else "several"
    kinds = {INDEX: "label", TEXT: "words", BOTH: "both", HINT: "hint"}
    return kinds[ord(mark) & ~0xFF]


def hint(option: int, words: int, *, is_most: bool) -> str:
    """The character of a hint at an option: how many of its words, up to 4, and whether little else is said."""
    return chr(HINT + 64 * is_most + 16 * (min(words, 4) - 1) + option)


def strength_of(mark: str) -> tuple[int, bool]:
    """Of a hint how many of the option's words it has, and whether its clause says little else."""
    return ((ord(mark) - HINT) >> 4) % 4 + 1, ord(mark) - HINT >= 64


def is_worded(mark: str) -> bool:
    """Whether a mention is by an option's words, alone or beside its label."""
    return TEXT <= ord(mark) < BOTH + 0x100


class Labels(Enum):
    """What options are labelled with; the value is a pattern for one label."""

    DIGITS = r"\d"
    LETTERS = r"[a-d]"
