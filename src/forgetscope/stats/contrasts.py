"""Is there a trend over ordered conditions, and do two groups of items differ in how much they drop?"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from forgetscope.stats.estimate import Estimate
from forgetscope.stats.intervals import ratio_of_sums
from forgetscope.stats.jackknife import estimate_from_sums
from forgetscope.stats.sums import FloatArray, IntArray, cluster_index, divide, scored, sums_by_cluster

_TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Tested:
    """An estimate with the p-value of the hypothesis that it is zero; None where that cannot be tested."""

    estimate: Estimate
    p_value: float | None


def trend_over_levels(
    values: ArrayLike,
    cluster: ArrayLike,
    level_score: ArrayLike,
    *,
    rng: np.random.Generator,
    permutations: int = 10_000,
    level: float = 0.95,
) -> Tested:
    """Slope of the outcome over ordered conditions, within items; positive = rises with the score.

    The slope is the change of the outcome per unit of `level_score` (chain length 0, 1, 3, 5; number of stacked
    constraints), least squares on the item's mean at each level after removing the item's own mean. Cochran and
    Armitage's test is not used: it takes all samples as independent, while here the same items return under every
    condition, and harder conditions may hold only some of the items (30 of 90 at three problems). Looking within
    items takes both away. Outcomes lie between 0 and 1; interval: that of a difference as large as a slope can be.
    p-value: the levels of an item are permuted (exchangeable within the item if the condition does not matter),
    two-sided, (1 + as extreme) / (1 + permutations).

    `n` is the number of item-level means; items seen at one level only carry no information and are left out.

    Example: item A 1, 0 and item B 1, 1 at scores 0, 1: ((-1) + 0) / 2 = -0.5 per unit.
    """
    outcome, score = scored(values), scored(level_score)
    index, clusters = cluster_index(cluster, len(outcome))
    of_level, levels = cluster_index(score, len(outcome))
    cell = index * max(levels, 1) + of_level
    counts = sums_by_cluster(np.ones_like(outcome), cell, clusters * levels).reshape(clusters, levels)
    means = divide(sums_by_cluster(outcome, cell, clusters * levels).reshape(clusters, levels), counts)
    scores = np.unique(score)
    rows: list[tuple[FloatArray, FloatArray]] = []
    for row in means:
        seen = np.isfinite(row)
        if seen.sum() > 1:
            rows.append((scores[seen] - scores[seen].mean(), row[seen]))
    products = np.array([float(x @ y) for x, y in rows])
    squares = np.array([float(x @ x) for x, _ in rows])
    steepest = sum(float(np.abs(x).sum() / 2) for x, _ in rows) / float(squares.sum()) if rows else 1.0
    found = ratio_of_sums(products, squares, np.arange(len(rows)), kind="difference", reach=steepest, level=level)
    estimate = replace(
        found, n=sum(len(y) for _, y in rows), method=f"within-item slope, {found.method}", clusters=len(rows)
    )
    if len(rows) < 2:
        return Tested(estimate, None)
    permuted = np.zeros(permutations)
    for x, y in rows:
        permuted += rng.permuted(np.tile(y, (permutations, 1)), axis=1) @ x
    extreme = int((np.abs(permuted) >= abs(float(products.sum())) - _TIE).sum())
    return Tested(estimate, (1 + extreme) / (1 + permutations))


def contrast_of_groups(
    item_drops: ArrayLike,
    in_first: ArrayLike,
    *,
    rng: np.random.Generator,
    permutations: int = 10_000,
    level: float = 0.95,
) -> Tested:
    """Mean drop of the first group's items minus mean drop of the second's; positive = the first drops more.

    For "terminal constraints forget more than avoidance constraints". One drop per item (mean over its runs),
    and whether it belongs to the first group. Interval: items left out within each group. p-value: group labels
    permuted over the items of both groups, two-sided, (1 + as extreme) / (1 + permutations). Types are held fixed
    and items are the units: the answer holds for these types, not for all types one could think of. Whole types
    cannot be permuted usefully: three types against one give four arrangements, so no p-value below 0.25.

    Example: drops 1, 0 against 0, 0 give 0.5 - 0 = 0.5.
    """
    drops = scored(item_drops)
    first = np.asarray(in_first, dtype=bool)
    if first.shape != drops.shape:
        raise ValueError(f"one group label per item is expected: {len(drops)} drops, labels of shape {first.shape}")
    strata: IntArray = np.where(first, 0, 1).astype(np.int64)
    ones = np.ones_like(drops)
    sums = np.column_stack([drops * first, ones * first, drops * ~first, ones * ~first])
    estimate = estimate_from_sums(
        lambda t: divide(t[:, 0], t[:, 1]) - divide(t[:, 2], t[:, 3]),
        sums,
        n=len(drops),
        kind="difference",
        strata=strata,
        level=level,
    )
    if estimate.value is None or min(first.sum(), (~first).sum()) < 2:
        return Tested(estimate, None)
    shuffled = rng.permuted(np.tile(drops, (permutations, 1)), axis=1)
    size = int(first.sum())
    differences = shuffled[:, :size].mean(axis=1) - shuffled[:, size:].mean(axis=1)
    extreme = int((np.abs(differences) >= abs(estimate.value) - _TIE).sum())
    return Tested(estimate, (1 + extreme) / (1 + permutations))
