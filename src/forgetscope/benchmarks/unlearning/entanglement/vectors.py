"""Texts as vectors without a model: hashed words, weighted by how rare they are among the texts."""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

Embed = Callable[[Sequence[str]], np.ndarray]
"""From texts to an array (texts, dimensions)."""

DIMENSIONS = 4096

_WORD = re.compile(r"\w{2,}")


def hashed_vectors(texts: Sequence[str]) -> np.ndarray:
    """TF-IDF over hashed words: (1 + log count) * log((1 + n) / (1 + texts with it)), so that what all texts have is 0.

    Args:
        texts: Any number; a word's weight depends on all of them.

    Returns:
        (texts, 4096), not normalised; a row of zeros for a text without a word of its own.
    """
    counts = [Counter(_WORD.findall(text.casefold())) for text in texts]
    spread = Counter(word for count in counts for word in count)
    vectors = np.zeros((len(texts), DIMENSIONS))
    for row, count in enumerate(counts):
        for word, times in count.items():
            rarity = math.log((1 + len(texts)) / (1 + spread[word]))
            vectors[row, _dimension(word)] += (1 + math.log(times)) * rarity
    return vectors


def _dimension(word: str) -> int:
    digest = hashlib.blake2b(word.encode(errors="replace"), digest_size=4).digest()
    return int.from_bytes(digest, "little") % DIMENSIONS
