"""Whether a number of a reply is made of others that it gives: a sum, a difference, a product, a quotient."""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import combinations

_FACTORS = {
    2.0: re.compile(r"\b(?:twice|doubl\w+|half|halv\w+)\b", re.IGNORECASE),
    3.0: re.compile(r"\b(?:thrice|tripl\w+|(?:a|one)[\s-]third)\b", re.IGNORECASE),
    4.0: re.compile(r"\b(?:(?:a|one)[\s-]quarter|quadrupl\w+)\b", re.IGNORECASE),
    12.0: re.compile(r"\bdozen", re.IGNORECASE),
}
"""Numbers that words stand for in a calculation."""
_MEMORY, _MEMORY_OF_SMALL = 12, 5
"""How many numbers back a number, and one under 20, may be made of."""


def factors_in(text: str) -> list[float]:
    """The numbers that words of a sentence stand for in a calculation."""
    return [factor for factor, pattern in _FACTORS.items() if pattern.search(text)]


def recent(known: Sequence[float], value: float) -> Sequence[float]:
    """The numbers said last of which a number may be made."""
    return known[-_MEMORY:] if value >= 20 else known[-_MEMORY_OF_SMALL:]


def is_all_of(value: float, others: Sequence[float]) -> bool:
    """Whether two or more others, all of them, make the value."""
    return len(others) >= 2 and any(_equal(value, made) for made in _of_all(others))


def _of_all(values: Sequence[float]) -> Iterator[float]:
    yield from (sum(values), math.prod(values), values[0] - sum(values[1:]))
    if len(values) == 2 and values[1]:
        yield values[0] / values[1]
    if len(values) == 4:
        yield values[0] * values[1] + values[2] * values[3]


def made_of(value: float, numbers: Sequence[float], in_order: Sequence[float]) -> Sequence[float]:
    """The two numbers that make the value by one operation, or the first three to six in order that add up to it."""
    sums = (in_order[:count] for count in range(3, 7) if count <= len(in_order))
    ways = (*(pair for pair in combinations(numbers, 2) if _makes(pair, value)),)
    return [one for pair in ways for one in pair] or next((some for some in sums if _equal(value, sum(some))), ())


def _makes(pair: tuple[float, float], value: float) -> bool:
    low, high = sorted(pair)
    return low > 0 and any(_equal(value, made) for made in (low + high, high - low, low * high, high / low))


def _equal(value: float, made: float) -> bool:
    """Whether a value is what was made, rounded to the value's decimals if it has some."""
    decimals = len(f"{value:.6f}".rstrip("0").partition(".")[2])
    return abs(value - made) < (0.5 * 10**-decimals + 1e-9 if 0 < decimals < 6 else 1e-6)
