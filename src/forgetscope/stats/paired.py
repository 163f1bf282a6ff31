"""Tests and effect sizes for the same items under two conditions, and Holm's correction over a table of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc

from forgetscope.stats.sums import scored

EXACT_UP_TO = 2**14
"""Sign patterns (or splits) up to which a permutation test enumerates instead of drawing."""
_TIE = 1e-9


@dataclass(frozen=True, slots=True)
class McNemar:
    """McNemar's test of one 2 x 2 table of pairs.

    Attributes:
        b: Pairs that hold under the first condition only.
        c: Pairs that hold under the second condition only.
        exact_p: Two-sided exact binomial p-value: b against b + c fair coins.
        corrected_p: From the continuity-corrected statistic on one degree of freedom (what the paper prints).
        statistic: max(0, abs(b - c) - 1)**2 / (b + c); 0 where b + c = 0.
    """

    b: int
    c: int
    exact_p: float
    corrected_p: float
    statistic: float


def mcnemar(both: int, only_a: int, only_b: int, neither: int) -> McNemar:
    """McNemar's test on matched binary outcomes, exact and continuity-corrected; two-sided.

    Counts are pairs (one per item; with several runs per item the pairs are not independent, see
    `sign_flip_permutation`). Only the discordant pairs enter; with none of them both p-values are 1. The correction
    never turns b = c into a difference: the corrected distance is at least 0.

    Example: 1 against 7 discordant pairs: exact 2 * (1 + 8) / 256 = 0.0703; statistic (6 - 1)**2 / 8 = 3.125,
    corrected p 0.0771.

    Raises:
        ValueError: A count is negative.
    """
    if min(both, only_a, only_b, neither) < 0:
        raise ValueError(f"counts are zero or positive, found {(both, only_a, only_b, neither)}")
    discordant = only_a + only_b
    if discordant == 0:
        return McNemar(0, 0, 1.0, 1.0, 0.0)
    from scipy.stats import binomtest  # late: the import takes half a second of CPU

    exact = float(binomtest(only_a, discordant, 0.5).pvalue)
    statistic = max(0, abs(only_a - only_b) - 1) ** 2 / discordant
    return McNemar(only_a, only_b, exact, float(chdtrc(1, statistic)), statistic)


def sign_flip_permutation(
    item_differences: ArrayLike, *, rng: np.random.Generator, permutations: int = 10_000
) -> float | None:
    """Two-sided p-value that the mean of paired item differences is zero, by flipping their signs.

    One difference per item (the mean over its runs), so runs of one item are not mistaken for independent pairs.
    Under the null hypothesis the two conditions could be exchanged within an item. Zero differences change nothing.
    With at most 2**14 patterns all are enumerated and the p-value is exact; beyond that, (1 + as extreme) /
    (1 + permutations). None where there is no item; 1 where all differences are zero.

    Example: differences 1, 1, 1: of 8 patterns two reach a sum of 3 in size, so p = 0.25.
    """
    differences = scored(item_differences)
    if len(differences) == 0:
        return None
    moving = differences[differences != 0]
    if len(moving) == 0:
        return 1.0
    observed = abs(float(moving.sum())) - _TIE
    if 2 ** len(moving) <= EXACT_UP_TO:
        patterns = np.arange(2 ** len(moving))[:, None] >> np.arange(len(moving)) & 1
        return float((np.abs((1 - 2 * patterns) @ moving) >= observed).mean())
    signs = rng.integers(0, 2, size=(permutations, len(moving)), dtype=np.int8)
    extreme = int((np.abs((1.0 - 2.0 * signs) @ moving) >= observed).sum())
    return (1 + extreme) / (1 + permutations)


def cohens_h(first: float, second: float) -> float:
    """Cohen's effect size of two proportions (0-1): 2 asin(sqrt(first)) - 2 asin(sqrt(second)); signed.

    Example: 0.5 against 0.25 gives pi/2 - pi/3 = 0.524.

    Raises:
        ValueError: A proportion lies outside 0-1 (a percentage, for instance).
    """
    if not (0 <= first <= 1 and 0 <= second <= 1):
        raise ValueError(f"proportions lie between 0 and 1, found {first} and {second}")
    return float(2 * (np.arcsin(np.sqrt(first)) - np.arcsin(np.sqrt(second))))


def size_of_h(h: float) -> str:
    """Cohen's word for the size of h, as the paper uses it: 0.2 small, 0.5 medium, 0.8 large, below negligible."""
    for threshold, word in ((0.8, "large"), (0.5, "medium"), (0.2, "small")):
        if abs(h) >= threshold:
            return word
    return "negligible"


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down adjusted p-values of one family, in the order given; undefined members stay undefined.

    The family is the defined members: an undefined comparison made no claim, so it costs nothing. Equal to
    statsmodels' `multipletests` (tested), which collects garbage at every call: two thirds of the time of a small
    comparison.

    Source: Holm (1979). Example: 0.01, 0.04, 0.03 become 0.03, 0.06, 0.06.
    """
    defined = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, place) in enumerate(defined):
        highest = max(highest, min(1.0, p * (len(defined) - rank)))
        adjusted[place] = highest
    return adjusted
