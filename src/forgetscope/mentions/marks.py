"""Mentions as characters: each mention of an option is one character of its own, so that rules are about sentences."""

from enum import Enum

INDEX, TEXT, BOTH = 0xA000, 0xA100, 0xA200
"""An option by its label, by its words, by both: the character of option k is so many above (Yi, letters to `re`)."""
NO_OPTION = "\ua3ff"
"""A label that is no option's, or one that contradicts the words beside it."""
SEVERAL = "\ua3fe"
"""Several options side by side, none of them chosen: "0 or 1"."""
MARK = "[\ua000-\ua3ff]"
LABEL, WORDS = "[\ua000-\ua0ff]", "[\ua100-\ua1ff]"
IN_MARK = MARK[1:-1]
"""Within a class: any mark."""


def option_of(mark: str) -> int | None:
    """The option a character stands for; None for no option, and for several."""
    return None if mark in (NO_OPTION, SEVERAL) else (ord(mark) - INDEX) & 0xFF


def is_worded(mark: str) -> bool:
    """Whether a mention is by an option's words, alone or beside its label."""
    return TEXT <= ord(mark) < BOTH + 0x100


class Labels(Enum):
    """What options are labelled with; the value is a pattern for one label."""

    DIGITS = r"\d"
    LETTERS = r"[a-d]"
