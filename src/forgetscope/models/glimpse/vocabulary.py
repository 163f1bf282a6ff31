"""The cut vocabulary: byte-pair tokens of SmolLM2, a short meaning for each, and an identity code.

Meaning and identity are kept apart on purpose. A token's *meaning* (the leading principal components of SmolLM2's own
embedding) lets the decoder read instructions in words it was never taught. Its *identity* is a random sign vector that
says nothing but which word this is; names of things are compared by it, with what a picture shows and with what a list
forbids. So a name that training left out is connected to nothing: erasure leaves no way round through similar words.

A cut of byte-pair merges tokenises every text the full vocabulary tokenises; rare words only fall into more pieces.
"""

import base64
import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forgetscope.models.glimpse.storage import load_tensors
from forgetscope.stats import named_stream

MEANING = 64
"""Numbers of a token's meaning."""
IDENTITY = 128
"""Numbers of a token's identity code."""

END = "<end>"
"""Ends a reply."""

_SPLIT = r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""


class Vocabulary:
    """Texts to tokens and back, tokens to meanings and identity codes.

    Args:
        tokens: The bytes of each token, in merge order; the first 256 are the single bytes.
        meanings: (tokens, `MEANING`).

    Attributes:
        codes: (tokens and end, `IDENTITY`), length one.
        words: For each token a number that tokens differing in case and leading space share.
    """

    def __init__(self, tokens: Sequence[bytes], meanings: NDArray[np.float32]) -> None:
        import tiktoken

        self.tokens = tuple(tokens)
        self.end = len(tokens)
        self._encoding = tiktoken.Encoding(
            name="glimpse",
            pat_str=_SPLIT,
            mergeable_ranks={token: rank for rank, token in enumerate(tokens)},
            special_tokens={END: self.end},
        )
        self.meanings = np.concatenate([meanings, np.zeros((1, MEANING), np.float32)])
        folded: dict[bytes, int] = {}
        self.words = np.array([folded.setdefault(_folded(token), len(folded)) for token in tokens] + [-1])
        self.codes = np.stack([_code(_folded(token)) for token in tokens] + [_code(END)])

    def __len__(self) -> int:
        return len(self.tokens) + 1

    def encode(self, text: str) -> list[int]:
        """Tokens of a text; what looks like a special token is read as plain text."""
        return self._encoding.encode(text, disallowed_special=())

    def decode(self, tokens: Sequence[int]) -> str:
        """Text of tokens, without the end token."""
        return b"".join(self.tokens[token] for token in tokens if token != self.end).decode("utf-8", "replace")

    def name_code(self, name: str) -> NDArray[np.float32]:
        """What a picture of `name` should look like to the decoder: the mean of its tokens' codes, length one."""
        mean = np.asarray(self.codes[self.encode(" " + name)].mean(axis=0), np.float32)
        return mean / np.float32(np.linalg.norm(mean))

    @classmethod
    def load(cls, path: Path) -> "Vocabulary":
        """Read the file `tools/glimpse/convert_vocabulary.py` writes."""
        tensors = load_tensors(path)
        ends = np.cumsum(tensors["token_lengths"].astype(np.int64))
        joined = tensors["token_bytes"].tobytes()
        tokens = [joined[end - length : end] for end, length in zip(ends, tensors["token_lengths"], strict=True)]
        meanings = tensors["meanings"].astype(np.float32) * tensors["meaning_scales"][:, None]
        return cls(tokens, meanings)


def _folded(token: bytes) -> bytes:
    """A token without the space before it and without case: " Dog", "dog" and "Dog" name the same thing."""
    return token.strip().lower() or token


@functools.cache
def _code(token: bytes | str) -> NDArray[np.float32]:
    name = base64.b16encode(token).decode() if isinstance(token, bytes) else token
    signs = named_stream(0, f"glimpse/identity/{name}").integers(0, 2, IDENTITY) * 2 - 1
    return np.asarray(signs / np.sqrt(IDENTITY), np.float32)
