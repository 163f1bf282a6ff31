"""Two runs over the same units: the difference of a figure, its interval and its test, with both sides drawn together.

The figure may be a mean, a ratio of sums (a conditional rate) or the mean over groups of either. The test exchanges
the two runs within a cluster, which they could be if it made no difference which of them answered.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from forgetscope.stats.contrasts import Tested
from forgetscope.stats.estimate import Estimate
from forgetscope.stats.jackknife import SumStatistic, estimate_from_sums
from forgetscope.stats.paired import EXACT_UP_TO
from forgetscope.stats.sums import FloatArray, IntArray, cluster_index, divide, scored, sums_by_cluster

_TIE = 1e-9
_BATCH = 500
"""Exchanges computed at once: bounds the memory of a test over thousands of clusters."""


@dataclass(frozen=True, slots=True)
class MatchedSide:
    """One run's share in matched units: its figure is the sum of `above` over the sum of `below`, one entry a unit."""

    above: ArrayLike
    below: ArrayLike


@dataclass(frozen=True, slots=True)
class Matched(Tested):
    """The difference of a figure between two runs, with the figure of each on the same units.

    Attributes:
        first, second: The figure of each run; None where its denominator is zero.
    """

    first: float | None
    second: float | None


def matched_difference(
    first: MatchedSide,
    second: MatchedSide,
    cluster: ArrayLike,
    *,
    group: ArrayLike | None = None,
    rng: np.random.Generator,
    permutations: int = 10_000,
    level: float = 0.95,
) -> Matched:
    """Second minus first on matched units; positive = the second run has the higher figure.

    With `group` the figure is the unweighted mean over groups; where every cluster lies in one group, the others of its
    group stand in for one left out. Interval: as of a difference (`stats.jackknife`), whole clusters with both runs'
    units. p-value: the runs exchanged within clusters, two-sided; all exchanges where there are at most 2**14, else
    (1 + as extreme) / (1 + permutations).

    `n` counts the units. An undefined side leaves everything undefined.

    Example: first right on 1 of 3 units, second on 2 of 3, differing on one unit: 0.333, p = 1.

    Raises:
        ValueError: The sides have different numbers of units.
    """
    columns = [scored(values) for values in (first.above, first.below, second.above, second.below)]
    units = len(columns[0])
    if any(len(column) != units for column in columns):
        raise ValueError("both runs have one entry for each matched unit")
    index, clusters = cluster_index(cluster, units)
    of_group, groups = cluster_index(np.zeros(units) if group is None else group, units)
    cell = index * max(groups, 1) + of_group
    parts = [sums_by_cluster(column, cell, clusters * groups).reshape(clusters, groups) for column in columns]
    sums = np.hstack(parts)

    def figures(totals: FloatArray) -> tuple[FloatArray, FloatArray]:
        one, two, three, four = np.split(totals, 4, axis=1)
        return divide(one, two).mean(axis=1), divide(three, four).mean(axis=1)

    def difference(totals: FloatArray) -> FloatArray:
        ahead = figures(totals)
        return ahead[1] - ahead[0]

    if not units:
        return Matched(Estimate(None, None, None, 0, "", "no matched units"), None, None, None)
    values = [_finite(side) for side in figures(sums.sum(axis=0, keepdims=True))]
    strata = _strata(parts, groups)
    estimate = estimate_from_sums(difference, sums, n=units, kind="difference", strata=strata, level=level)
    moving = np.flatnonzero(np.any(sums[:, : 2 * groups] != sums[:, 2 * groups :], axis=1))
    p = None if estimate.value is None else _exchanged(difference, sums, moving, estimate.value, rng, permutations)
    return Matched(estimate, p, values[0], values[1])


def _strata(parts: list[FloatArray], groups: int) -> IntArray | None:
    """The group of each cluster where each lies in one and each group has two or more; None otherwise."""
    inside = np.any(np.stack(parts) != 0, axis=0)
    if groups < 2 or (inside.sum(axis=1) != 1).any() or (inside.sum(axis=0) < 2).any():
        return None
    strata: IntArray = inside.argmax(axis=1).astype(np.int64)
    return strata


def _exchanged(
    difference: SumStatistic,
    sums: FloatArray,
    moving: IntArray,
    observed: float,
    rng: np.random.Generator,
    permutations: int,
) -> float:
    """The share of exchanges of the two runs within clusters that differ at least as much; only `moving` matter."""
    if len(moving) == 0:
        return 1.0
    half = sums.shape[1] // 2
    exchanged = np.hstack([sums[moving, half:], sums[moving, :half]]) - sums[moving]
    total = sums.sum(axis=0)
    is_exact = 2 ** len(moving) <= EXACT_UP_TO
    trials = 2 ** len(moving) if is_exact else permutations
    extreme = 0
    for start in range(0, trials, _BATCH):
        rows = min(_BATCH, trials - start)
        if is_exact:
            pattern = np.arange(start, start + rows)[:, None] >> np.arange(len(moving)) & 1
        else:
            pattern = rng.integers(0, 2, size=(rows, len(moving)), dtype=np.int8)
        found = difference(total + pattern.astype(np.float64) @ exchanged)
        extreme += int((~(np.abs(found) < abs(observed) - _TIE)).sum())  # undefined counts as extreme
    return extreme / trials if is_exact else (1 + extreme) / (1 + trials)


def _finite(values: FloatArray) -> float | None:
    return float(values[0]) if np.isfinite(values[0]) else None
