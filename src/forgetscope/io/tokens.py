"""Token counts in the cl100k vocabulary, offline: the ruler for article lengths and reply lengths.

The prospective-memory paper draws CNN/DailyMail articles of 600 to 1000 cl100k tokens (Section 3); the ranks ship
inside the `bpe-openai` package, so that counting never needs the network.
"""

import re
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Protocol, cast

# The package refuses texts of a million characters and results above 200,000 tokens. A character is at most four
# bytes, hence four tokens: pieces of 50,000 characters stay inside both limits.
_PIECE_CHARACTERS = 50_000

# cl100k's pre-tokeniser never joins a letter or digit to the white space after it, so a cut there changes no count.
_SAFE_CUT = re.compile(r"(?<=[^\W_])(?=\s)")


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...

    def decode(self, tokens: list[int]) -> str: ...


@cache
def cl100k() -> _Encoding:
    """The cl100k encoding (`encode_ordinary`, `decode`), read once per process from the installed package."""
    with warnings.catch_warnings():
        # bpe-openai 0.1.4 reads its ranks on import, through a call that Python 3.11 and 3.12 deprecate.
        warnings.simplefilter("ignore", DeprecationWarning)
        import bpe_openai

        return cast(_Encoding, bpe_openai.get_encoding("cl100k_base"))


def count_cl100k(text: str) -> int:
    """Number of cl100k tokens in `text`; special tokens such as `<|endoftext|>` count as the plain text they are.

    Any length is accepted and counted exactly, but for unbroken stretches of more than 50,000 characters without
    a letter or digit before white space: there each forced cut can add a token or two. Lone surrogates are counted
    as the replacement character.

    >>> count_cl100k("2 + 2 = 4")
    7
    """
    return sum(len(cl100k().encode_ordinary(piece)) for piece in _pieces(text))


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > _PIECE_CHARACTERS:
        window_end = start + _PIECE_CHARACTERS
        # Looking at the last thousand characters is enough for prose and keeps the search linear.
        cuts = [match.start() for match in _SAFE_CUT.finditer(text, window_end - 1_000, window_end)]
        end = cuts[-1] if cuts else window_end
        yield text[start:end]
        start = end
    yield text[start:]
