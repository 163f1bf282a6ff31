"""Rates, means, differences and ratios with their intervals (protocols: outcome accounting).

Simple rates get Wilson's interval. Whatever has repeats, is averaged over groups or is a difference gets the cluster
bootstrap. Where every cluster agrees, so that no resample can differ, Wilson's interval with n = clusters stands in.
"""

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from forgetscope.stats.estimate import Estimate
from forgetscope.stats.resampling import (
    NO_SPREAD,
    FloatArray,
    cluster_bootstrap,
    cluster_index,
    divide,
    scored,
    sums_by_cluster,
)


@cache
def _normal_quantile(level: float) -> float:
    """How many standard errors an interval of this level reaches to each side: 1.96 for 0.95."""
    return float(stats.norm.isf((1 - level) / 2))


def _wilson_ends(share: float, n: int, level: float) -> tuple[float, float]:
    """Wilson's score interval of a share of n units; the share may lie between multiples of 1/n."""
    z = _normal_quantile(level)
    shrunk = n / (n + z**2)
    centre = share * shrunk + 0.5 * (1 - shrunk)
    half = shrunk * z * float(np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)))
    low = 0.0 if share == 0 else max(0.0, centre - half)
    high = 1.0 if share == 1 else min(1.0, centre + half)
    return low, high


def wilson(successes: int, n: int, *, level: float = 0.95) -> Estimate:
    """Wilson's score interval of a simple rate.

    Denominator: the n scored samples, taken as independent. n = 0 leaves the value undefined, n = 1 the interval.

    Example: 8 of 10 gives 0.8 [0.490, 0.943]; 10 of 10 gives 1.0 [10 / (10 + 1.96**2), 1] = [0.722, 1].

    Raises:
        ValueError: Not 0 <= successes <= n.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes must lie between 0 and n, found {successes} of {n}")
    method = f"Wilson, {level:.0%}"
    if n == 0:
        return Estimate(None, None, None, 0, method, "no scored samples")
    if n == 1:
        return Estimate(float(successes), None, None, 1, method, "fewer than two samples")
    low, high = _wilson_ends(successes / n, n, level)
    return Estimate(successes / n, low, high, n, method)


def where_clusters_agree(
    estimate: Estimate, *, bounds: tuple[float, float] | None, units: int, level: float
) -> Estimate:
    """Put Wilson's interval where the bootstrap had no spread.

    On outcomes between 0 and 1 this is Wilson's interval of the value with n = `units`. On another range (a
    difference lies between -1 and 1) Wilson's upper bound for "0 of n units differ" is the share of units that may
    differ, each by as much as the range allows; at the ends of the range both are the same thing.
    """
    if estimate.undefined != NO_SPREAD or estimate.value is None:
        return estimate
    if bounds is None:
        return replace(estimate, undefined="all clusters agree and the outcome has no known range")
    lowest, highest = bounds
    value = estimate.value
    if bounds == (0.0, 1.0):
        low, high = _wilson_ends(min(1.0, max(0.0, value)), units, level)
    else:
        may_differ = _wilson_ends(0.0, units, level)[1]
        low, high = value - may_differ * (value - lowest), value + may_differ * (highest - value)
    return replace(
        estimate, low=low, high=high, method=f"Wilson, n = {units} agreeing clusters, {level:.0%}", undefined=""
    )


def clustered_mean(
    values: ArrayLike,
    cluster: ArrayLike,
    *,
    seed: np.random.Generator,
    resamples: int = 10_000,
    level: float = 0.95,
    bounds: tuple[float, float] | None = (0.0, 1.0),
) -> Estimate:
    """Mean over all samples, with clusters (items) resampled together with all their runs.

    Denominator: the scored samples, so an item with more runs weighs more. Direction: as the values'.

    Args:
        values: One outcome per scored sample, 0/1 or real.
        cluster: The cluster (item id) of each sample.
        seed: The stream of this purpose.
        resamples: Bootstrap resamples.
        level: Coverage aimed at.
        bounds: Range of an outcome, for the case that all clusters agree; None where there is none (tokens).

    Example: items A (1, 1, 0) and B (0) give 2 of 4 = 0.5, and a resample is AA (4/6), AB (2/4) or BB (0/2).
    """
    outcome = scored(values)
    return ratio_of_sums(
        outcome, np.ones_like(outcome), cluster, seed=seed, resamples=resamples, level=level, bounds=bounds
    )


def ratio_of_sums(
    numerator: ArrayLike,
    denominator: ArrayLike,
    cluster: ArrayLike,
    *,
    seed: np.random.Generator,
    resamples: int = 10_000,
    level: float = 0.95,
    bounds: tuple[float, float] | None = (0.0, 1.0),
) -> Estimate:
    """Sum of numerators over sum of denominators, clusters resampled, such as a conditional rate P(B | A).

    For P(B | A) the denominator is 1 where A holds and the numerator 1 where both hold. `n` is the sum of the
    denominators where that is a whole number, else the number of samples. Resamples whose denominator is zero are
    dropped and counted. Fewer than two clusters with a denominator leave the interval undefined.

    Example: A holds on items 1, 2, 3 and B on 1, 2 of them gives 2/3; resamples with none of 1, 2, 3 are dropped.
    """
    above, below = scored(numerator), scored(denominator)
    if above.shape != below.shape:
        raise ValueError(f"as many numerators as denominators are expected, found {len(above)} and {len(below)}")
    index, clusters = cluster_index(cluster, len(above))
    sums = np.column_stack([sums_by_cluster(above, index, clusters), sums_by_cluster(below, index, clusters)])
    total = float(below.sum())
    n = int(total) if total.is_integer() else len(below)
    units = int((sums[:, 1] != 0).sum())
    estimate = cluster_bootstrap(
        lambda t: divide(t[:, 0], t[:, 1]), sums, n=n, seed=seed, resamples=resamples, level=level
    )
    if estimate.value is not None and units < 2:
        reason = "fewer than two clusters with a denominator" if clusters > 1 else "fewer than two clusters"
        return replace(estimate, low=None, high=None, undefined=reason)
    return where_clusters_agree(estimate, bounds=bounds, units=units, level=level)


def difference_of_means(
    first: ArrayLike,
    first_cluster: ArrayLike,
    second: ArrayLike,
    second_cluster: ArrayLike,
    *,
    seed: np.random.Generator,
    resamples: int = 10_000,
    level: float = 0.95,
    bounds: tuple[float, float] | None = (-1.0, 1.0),
) -> Estimate:
    """Mean of the first minus mean of the second over all their samples; positive = the first is higher.

    The two may share clusters (the same items under two conditions) wholly, partly or not at all; a shared cluster
    is drawn with its samples on both sides. This is the paper's delta (baseline - condition) with honest clusters;
    for the difference on matched items see `paired_difference`. `n` counts the samples of both sides.

    Args:
        first: Outcomes of the first condition.
        first_cluster: Their clusters.
        second: Outcomes of the second condition.
        second_cluster: Their clusters.
        seed: The stream of this purpose.
        resamples: Bootstrap resamples.
        level: Coverage aimed at.
        bounds: Range of the difference, for the case that all resamples agree.

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
    estimate = cluster_bootstrap(
        lambda t: divide(t[:, 0], t[:, 1]) - divide(t[:, 2], t[:, 3]),
        sums,
        n=len(a) + len(b),
        seed=seed,
        resamples=resamples,
        level=level,
    )
    return where_clusters_agree(estimate, bounds=bounds, units=clusters, level=level)


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
    seed: np.random.Generator,
    resamples: int = 10_000,
    level: float = 0.95,
    bounds: tuple[float, float] | None = (-1.0, 1.0),
) -> Estimate:
    """Mean over matched items of (item's mean on the first - item's mean on the second); positive = first higher.

    Denominator: items with at least one scored sample on both sides, each weighing the same however many runs it
    has. `n` and `clusters` are the matched items. Items are resampled.

    Example: item A 1 against runs (1, 0, 0), item B 1 against (1, 1, 1), item C on one side only:
    ((1 - 1/3) + (1 - 1)) / 2 = 0.333, n = 2.
    """
    labels, means_a, means_b = matched_item_means(first, first_cluster, second, second_cluster)
    differences = means_a - means_b
    index = np.arange(len(labels))
    estimate = clustered_mean(differences, index, seed=seed, resamples=resamples, level=level, bounds=bounds)
    return replace(estimate, undefined="no matched items") if not labels else estimate


def macro_average(
    values: ArrayLike,
    cluster: ArrayLike,
    group: ArrayLike,
    *,
    seed: np.random.Generator,
    nested: bool = True,
    resamples: int = 10_000,
    level: float = 0.95,
    bounds: tuple[float, float] | None = (0.0, 1.0),
) -> Estimate:
    """Unweighted mean of the groups' means (types, concepts, conditions), groups held fixed.

    With `nested` each cluster lies in one group (items in types) and is resampled within it, as the design drew it
    (see `cluster_bootstrap`, strata): no group can vanish from a resample. Without, clusters run through several
    groups (the same items under several conditions) and are resampled whole; resamples in which a group lost all
    its samples are dropped and counted, because an average with an undefined member is undefined.

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
        raise ValueError("a cluster occurs in several groups: pass nested=False to resample it through all of them")
    estimate = cluster_bootstrap(
        lambda t: divide(t[:, :groups], t[:, groups:]).mean(axis=1),
        np.hstack([above, below]),
        n=len(outcome),
        seed=seed,
        resamples=resamples,
        level=level,
        strata=below.argmax(axis=1) if nested and clusters else None,
    )
    means = divide(above.sum(axis=0), below.sum(axis=0))
    if estimate.undefined == NO_SPREAD and not np.allclose(means, means[0]):
        return replace(estimate, undefined="no spread within any group, and the groups differ")
    return where_clusters_agree(estimate, bounds=bounds, units=clusters, level=level)
