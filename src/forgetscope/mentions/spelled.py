"""Words that are spelled out or thinly hidden, as the word they spell: "C-O-L-E-M-A-K", "L a r k", "V3tiver"."""

import re

_SPELLED = re.compile(r"(?<![\w-])[^\W\d_](?:([-.·•*_/]|,? )[^\W\d_])(?:\1[^\W_])+(?![^\W_])(?!-\w)")


def joined(text: str) -> str:
    """The text with every run of three single letters or more, parted by one and the same sign, as a word.

    >>> joined("It is C-O-L-E-M-A-K, and t.a.m.a.r.i.n.d too.")
    'It is COLEMAK, and tamarind too.'
    """
    return _SPELLED.sub(lambda found: re.sub(r"[\W_]", "", found[0]), text)
