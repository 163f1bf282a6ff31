"""Rates, means, differences and ratios with their intervals (protocols: outcome accounting).

Simple rates get Wilson's interval. Whatever has repeats, is averaged over groups or is a difference is a function of
sums over clusters (items), and gets its interval from there (`stats.jackknife`).
"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from forgetscope.stats.estimate import Estimate
from forgetscope.stats.jackknife import LEAST_CLUSTERS, Kind, PlainSpread, estimate_from_sums, wilson_ends
from forgetscope.stats.sums import FloatArray, IntArray, cluster_index, divide, scored, sums_by_cluster


def wilson(successes: int, n: int, *, level: float = 0.95) -> Estimate:
    """Wilson's score interval of a simple rate.

    Denominator: the n scored samples, taken as independent. n = 0 leaves the value undefined, n below six the interval.

    Example: 8 of 10 gives 0.8 [0.490, 0.943]; 10 of 10 gives 1.0 [10 / (10 + 1.96**2), 1] = [0.722, 1].

    Raises:
        ValueError: Not 0 <= successes <= n.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes must lie between 0 and n, found {successes} of {n}")
    if n == 0:
        return Estimate(None, None, None, 0, "", "no scored samples")
    if n < LEAST_CLUSTERS:
        return Estimate(successes / n, None, None, n, "", f"fewer than {LEAST_CLUSTERS} samples")
    low, high = wilson_ends(successes / n, n, level)
    return Estimate(successes / n, low, high, n, f"Wilson, {level:.0%}")


def clustered_mean(
    values: ArrayLike, cluster: ArrayLike, *, kind: Kind = "proportion", reach: float = 1.0, level: float = 0.95
) -> Estimate:
    """Mean over all samples, clusters (items) with all their runs being the units.

    Denominator: the scored samples, so an item with more runs weighs more. Direction: as the values'.

    Args:
        values: One outcome per scored sample, 0/1 or real.
        cluster: The cluster (item id) of each sample.
        kind: What the mean may be.
        reach: Its largest size, where that is not 1.
        level: Coverage aimed at.

    Example: items A (1, 1, 0) and B (0) give 2 of 4 = 0.5.
    """
    outcome = scored(values)
    return ratio_of_sums(outcome, np.ones_like(outcome), cluster, kind=kind, reach=reach, level=level)


def ratio_of_sums(
    numerator: ArrayLike,
    denominator: ArrayLike,
    cluster: ArrayLike,
    *,
    kind: Kind = "proportion",
    reach: float = 1.0,
    level: float = 0.95,
) -> Estimate:
    """Sum of numerators over sum of denominators, such as a conditional rate P(B | A).

    For P(B | A) the denominator is 1 where A holds and the numerator 1 where both hold. `n` is the sum of the
    denominators where that is a whole number, else the number of samples. Clusters without a denominator say nothing.

    Example: A holds on items 1, 2, 3 and B on 1, 2 of them gives 2/3.
    """
    above, below = scored(numerator), scored(denominator)
    if above.shape != below.shape:
        raise ValueError(f"as many numerators as denominators are expected, found {len(above)} and {len(below)}")
    index, clusters = cluster_index(cluster, len(above))
    sums = np.column_stack([sums_by_cluster(above, index, clusters), sums_by_cluster(below, index, clusters)])
    total = float(below.sum())
    n = int(total) if total.is_integer() else len(below)
    estimate = estimate_from_sums(
        lambda t: divide(t[:, 0], t[:, 1]), sums[sums[:, 1] != 0], n=n, kind=kind, reach=reach, level=level
    )
    return replace(estimate, undefined="zero denominator") if len(above) and not n else estimate


def difference_of_means(
    first: ArrayLike,
    first_cluster: ArrayLike,
    second: ArrayLike,
    second_cluster: ArrayLike,
    *,
    kind: Kind = "difference",
    level: float = 0.95,
) -> Estimate:
    """Mean of the first minus mean of the second over all their samples; positive = the first is higher.

    The two may share clusters (the same items under two conditions) wholly, partly or not at all; a shared cluster
    is left out with its samples on both sides. This is the paper's delta (baseline - condition) with honest clusters;
    for the difference on matched items see `paired_difference`. `n` counts the samples of both sides.

    Example: first 1, 1, 0 on items A, B, C and second 0 on A give 2/3 - 0 = 0.667 (paired on A alone: 1).
    """
    a, b = scored(first), scored(second)
    both = np.concatenate([np.asarray(first_cluster).astype(str), np.asarray(second_cluster).astype(str)])
    index, clusters = cluster_index(both, len(a) + len(b))
    on_a, on_b = index[: len(a)], index[len(a) :]
    sums = np.column_stack(
        [
            sums_by_cluster(column, where, clusters)
            for column, where in ((a, on_a), (np.ones_like(a), on_a), (b, on_b), (np.ones_like(b), on_b))
        ]
    )
    return estimate_from_sums(
        lambda t: divide(t[:, 0], t[:, 1]) - divide(t[:, 2], t[:, 3]), sums, n=len(a) + len(b), kind=kind, level=level
    )


def matched_item_means(
    first: ArrayLike, first_cluster: ArrayLike, second: ArrayLike, second_cluster: ArrayLike
) -> tuple[list[str], FloatArray, FloatArray]:
    """Per item that occurs on both sides: its label (sorted), its mean on the first and on the second side.

    Items missing on one side are left out; the caller reports how many.
    """
    a, b = scored(first), scored(second)
    both = np.concatenate([np.asarray(first_cluster).astype(str), np.asarray(second_cluster).astype(str)])
    index, clusters = cluster_index(both, len(a) + len(b))
    on_a, on_b = index[: len(a)], index[len(a) :]
    means_a = divide(sums_by_cluster(a, on_a, clusters), sums_by_cluster(np.ones_like(a), on_a, clusters))
    means_b = divide(sums_by_cluster(b, on_b, clusters), sums_by_cluster(np.ones_like(b), on_b, clusters))
    matched = np.isfinite(means_a) & np.isfinite(means_b)
    labels = [str(label) for label in np.unique(both)[matched]]
    return labels, means_a[matched], means_b[matched]


def paired_difference(
    first: ArrayLike,
    first_cluster: ArrayLike,
    second: ArrayLike,
    second_cluster: ArrayLike,
    *,
    kind: Kind = "difference",
    level: float = 0.95,
) -> Estimate:
    """Mean over matched items of (item's mean on the first - item's mean on the second); positive = first higher.

    Denominator: items with at least one scored sample on both sides, each weighing the same however many runs it
    has. `n` and `clusters` are the matched items.

    Example: item A 1 against runs (1, 0, 0), item B 1 against (1, 1, 1), item C on one side only:
    ((1 - 1/3) + (1 - 1)) / 2 = 0.333, n = 2.
    """
    labels, means_a, means_b = matched_item_means(first, first_cluster, second, second_cluster)
    estimate = clustered_mean(means_a - means_b, np.arange(len(labels)), kind=kind, level=level)
    return replace(estimate, undefined="no matched items") if not labels else estimate


def macro_average(
    values: ArrayLike,
    cluster: ArrayLike,
    group: ArrayLike,
    *,
    nested: bool = True,
    kind: Kind = "proportion",
    level: float = 0.95,
) -> Estimate:
    """Unweighted mean of the groups' means (types, concepts, conditions), groups held fixed.

    With `nested` each cluster lies in one group (items in types), and the others of its group stand in for one left
    out. Without, clusters run through several groups (the same items under several conditions) and are left out whole.

    Example: group X with outcomes 1, 1, 1, 0 and group Y with 0, 1 give (0.75 + 0.5) / 2 = 0.625.

    Raises:
        ValueError: `nested`, and a cluster occurs in two groups.
    """
    outcome = scored(values)
    index, clusters = cluster_index(cluster, len(outcome))
    of_group, groups = cluster_index(group, len(outcome))
    cell = index * max(groups, 1) + of_group
    above = sums_by_cluster(outcome, cell, clusters * groups).reshape(clusters, groups)
    below = sums_by_cluster(np.ones_like(outcome), cell, clusters * groups).reshape(clusters, groups)
    if nested and clusters and ((below > 0).sum(axis=1) > 1).any():
        raise ValueError("a cluster occurs in several groups: pass nested=False to leave it out of all of them")
    strata = below.argmax(axis=1) if nested and clusters else None
    return mean_of_ratios(above, below, n=len(outcome), kind=kind, strata=strata, level=level)


def mean_of_ratios(
    above: FloatArray, below: FloatArray, *, n: int, strata: IntArray | None, kind: Kind, level: float = 0.95
) -> Estimate:
    """Unweighted mean over groups of (sum of numerators over sum of denominators), groups held fixed.

    Args:
        above, below: Numerators and denominators by cluster and group: (clusters, groups).
        n: Scored samples, passed on.
        strata: The group of each cluster; None where clusters run through several groups.
        kind: What the mean may be.
        level: Coverage aimed at.
    """
    groups = above.shape[1]
    shares, held = divide(above.sum(axis=0), below.sum(axis=0)), (below != 0).sum(axis=0).astype(np.float64)
    is_average = kind == "proportion" and bool(held.all()) and groups > 1
    return estimate_from_sums(
        lambda t: divide(t[:, :groups], t[:, groups:]).mean(axis=1),
        np.hstack([above, below]),
        n=n,
        kind=kind,
        strata=strata,
        level=level,
        plain=PlainSpread.of_groups(shares, held, nested=strata is not None) if is_average else None,
    )
