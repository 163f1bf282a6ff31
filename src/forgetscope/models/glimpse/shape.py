"""The decoder's measures and fixed parts, the same for training and for use."""

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CLUE_GAIN = 4.0
"""Brings the likeness of a word and a visual token (a cosine, 0.3 for a good match) to the size of the other inputs."""

SHOWN, HOW = 0, 1
"""The two visual tokens: what is shown, and how (its colour, shape, size, where it lives)."""

NEARNESS = 0.5
"""How fast the two heads that look about lose sight, per token."""


@dataclass(frozen=True)
class DecoderShape:
    """How large the decoder is.

    Attributes:
        width: Numbers per token inside.
        heads: Attention heads: the first looks back, the second ahead, the others match content.
        layers: Blocks.
        inner: Width of a block's two-layer network.
        views: Visual tokens before the text: what is shown, and how it is shown.
    """

    width: int = 96
    heads: int = 4
    layers: int = 3
    inner: int = 192
    views: int = 2


@functools.lru_cache(maxsize=64)
def head_biases(heads: int, length: int) -> NDArray[np.float32]:
    """What is added to the attention of each head, (1, heads, length, length).

    The first head sees tokens at and before its own, the second at and after, both the less the further; the content
    heads see all but themselves: a word is most like itself, and that would hide its likeness to any other.
    """
    offset = np.arange(length)[None, :] - np.arange(length)[:, None]
    distance = -NEARNESS * np.abs(offset).astype(np.float32)
    back, ahead = np.where(offset <= 0, distance, -1e9), np.where(offset >= 0, distance, -1e9)
    others = np.where(offset == 0, np.float32(-1e9), np.float32(0))
    return np.stack([back, ahead, *[others] * (heads - 2)])[None].astype(np.float32)


def echoes(words: NDArray[np.int64], mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Whether each word stands elsewhere in the text before it, and after it: (batch, length, 2) of 0 and 1.

    Args:
        words: (batch, length), equal numbers for equal words whatever their case.
        mask: (batch, length), true where there is a token.
    """
    same = (words[:, :, None] == words[:, None, :]) & mask[:, :, None] & mask[:, None, :]
    length = words.shape[1]
    earlier = np.tri(length, k=-1, dtype=np.bool_)
    return np.stack([(same & earlier).any(axis=2), (same & earlier.T).any(axis=2)], axis=2).astype(np.float32)
