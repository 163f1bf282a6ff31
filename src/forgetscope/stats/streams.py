"""Random numbers: one named stream per purpose, all from the run's seed.

A stream depends on the seed and on its name only, so adding a purpose, or drawing more in one, changes no other.
"""

import hashlib

import numpy as np


def named_stream(seed: int, purpose: str) -> np.random.Generator:
    """The generator of one purpose, the same on every platform.

    The purpose enters as the words of its SHA-256 digest. Give each draw of items and each
    permutation test its own name, for example ``named_stream(42, "flips/compliance/natural/gsm8k_x1")``.

    Raises:
        ValueError: The seed is negative or the purpose is empty.
    """
    if seed < 0:
        raise ValueError(f"a seed is zero or positive, found {seed}")
    if not purpose:
        raise ValueError("a random stream needs a name")
    digest = hashlib.sha256(purpose.encode()).digest()
    words = [int.from_bytes(digest[start : start + 4], "little") for start in range(0, len(digest), 4)]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *words])))
