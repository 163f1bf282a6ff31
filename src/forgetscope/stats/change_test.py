"""The test that belongs to a difference on the same items: is it zero, and how many of them differ at all?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from forgetscope.stats.estimate import Estimate
from forgetscope.stats.jackknife import normal_quantile
from forgetscope.stats.paired import McNemar, sign_flip_permutation


@dataclass(frozen=True, slots=True)
class ChangeTest:
    """A test of a difference.

    Attributes:
        p: Two-sided; None where nothing was tested.
        method: How it was made; empty where nothing was tested.
        changed: Items that differ between the two sides; None where the sides are not the same items.
    """

    p: float | None = None
    method: str = ""
    changed: int | None = None


UNTESTED = ChangeTest()


def change_test(differences: ArrayLike, item: ArrayLike, *, rng: np.random.Generator) -> ChangeTest:
    """Signs flipped over items: each item's differences added up, so that its runs count as one.

    Args:
        differences: Second side minus first, one a pair.
        item: The item of each.
        rng: The stream of this purpose.

    Example: differences 1, 0, 1 of items a, a, b: two of the four sign patterns of (1, 1) are as extreme, p = 0.5.
    """
    values, labels = np.asarray(differences, dtype=np.float64), np.asarray(item)
    if not len(values):
        return ChangeTest(None, "", 0)
    sums = np.bincount(np.unique(labels, return_inverse=True)[1], weights=values)
    p = sign_flip_permutation(sums, rng=rng)
    return ChangeTest(p, "sign flips over items, two-sided", int((np.abs(sums) > 1e-12).sum()))


def interval_test(estimate: Estimate) -> ChangeTest:
    """For a figure that no exchange of items tests (a rate against a product of rates): Student's t from its interval.

    Half the width of a 95% interval is taken as 1.96 standard errors, which were estimated from its clusters.
    """
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return UNTESTED
    error = (estimate.high - estimate.low) / (2 * normal_quantile(0.95))
    freedom = max(1, (estimate.clusters or estimate.n) - 1)
    p = float(2 * stdtr(freedom, -abs(estimate.value) / error)) if error else float(estimate.value == 0)
    return ChangeTest(p, "Student's t, from the width of the interval")


def changing_items(values: ArrayLike, item: ArrayLike) -> int:
    """Items whose outcomes are not all the same: those a trend can be seen in."""
    outcome, labels = np.asarray(values, dtype=np.float64), np.asarray(item)
    return sum(len(np.unique(outcome[labels == label])) > 1 for label in np.unique(labels))


def mcnemar_test(pairs: McNemar, n: int) -> ChangeTest:
    """McNemar's exact test as the test of its difference; nothing tested without a pair."""
    return ChangeTest(pairs.exact_p if n else None, "exact McNemar, two-sided", pairs.b + pairs.c)
