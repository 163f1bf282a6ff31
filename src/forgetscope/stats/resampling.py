"""The cluster bootstrap: whole clusters are drawn with all their samples, by weights instead of by copying.

A statistic that is a function of sums (a mean, a difference of means, a macro-average, a slope) needs per cluster
only its sums. A resample is then a row of integer weights, and all resamples are one matrix product:
``weights (resamples, clusters) @ sums (clusters, columns)``.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from forgetscope.stats.estimate import Estimate

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
SumStatistic = Callable[[FloatArray], FloatArray]
"""From sums (resamples, columns) to values (resamples,); a zero denominator gives nan or infinity."""

COLLAPSE_ABOVE = 60
"""Clusters above which clusters with equal sums are drawn together: thousands of load items would fill memory."""

NO_SPREAD = "all resamples give the same value"
_SPREAD_BELOW = 1e-12


def scored(values: ArrayLike) -> FloatArray:
    """The values as floats, refusing nan: what could not be scored is left out by the caller, never marked by nan.

    Raises:
        ValueError: A value is nan or infinite, or the array has more than one axis.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"one value per sample is expected, found an array of shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("values must be finite: leave unscored samples out before computing a statistic")
    return array


def cluster_index(labels: ArrayLike, expected: int) -> tuple[IntArray, int]:
    """For each sample the number of its cluster (0, 1, ... in sorted order of the labels), and how many there are.

    Raises:
        ValueError: There is not one label per value.
    """
    array = np.asarray(labels)
    if array.shape != (expected,):
        raise ValueError(f"one label per value is expected: {expected} values, labels of shape {array.shape}")
    if expected == 0:
        return np.zeros(0, dtype=np.int64), 0
    distinct, index = np.unique(array, return_inverse=True)
    return index.astype(np.int64), len(distinct)


def sums_by_cluster(values: FloatArray, index: IntArray, clusters: int) -> FloatArray:
    """The sum of the values in each cluster, shape (clusters,)."""
    return np.bincount(index, weights=values, minlength=clusters)[:clusters].astype(np.float64)


def divide(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Elementwise quotient; nan where the denominator is zero, without a warning."""
    quotient = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient


def bootstrap_weights(clusters: int, draws: int, resamples: int, seed: np.random.Generator) -> FloatArray:
    """How often each cluster occurs in each resample, shape (resamples, clusters); every row sums to `draws`."""
    drawn = seed.integers(0, clusters, size=(resamples, draws))
    flat = drawn + np.arange(resamples)[:, None] * clusters
    return np.bincount(flat.ravel(), minlength=resamples * clusters).reshape(resamples, clusters).astype(np.float64)


def resampled_sums(sums: FloatArray, draws: int, resamples: int, seed: np.random.Generator) -> FloatArray:
    """The sums over `draws` clusters drawn with replacement, once a resample: shape (resamples, columns).

    With many clusters: those with the same sums cannot be told apart in a total, so it is enough to draw how many
    of each distinct row there are (multinomial). The same distribution, without a weight for every cluster.
    """
    if len(sums) <= COLLAPSE_ABOVE:
        return bootstrap_weights(len(sums), draws, resamples, seed) @ sums
    distinct, counts = np.unique(sums, axis=0, return_counts=True)
    weights = seed.multinomial(draws, counts / counts.sum(), size=resamples)
    return weights.astype(np.float64) @ distinct


def cluster_bootstrap(
    statistic: SumStatistic,
    sums: FloatArray,
    *,
    n: int,
    seed: np.random.Generator,
    resamples: int = 10_000,
    level: float = 0.95,
    strata: IntArray | None = None,
) -> Estimate:
    """Percentile interval of a statistic of sums, resampling clusters with all their samples.

    Args:
        statistic: From sums (rows, columns) to one value a row; see `SumStatistic`.
        sums: One row per cluster, one column per sum the statistic needs.
        n: Scored samples behind the value, passed on.
        seed: The generator of this purpose (`named_stream`); it is advanced.
        resamples: How many.
        level: Coverage aimed at, between 0 and 1.
        strata: The stratum of each cluster where the design fixes how many clusters a stratum has. Each stratum of
            m clusters is then resampled with m - 1 draws: the naive m draws understate the variance of a stratum's
            mean by (m - 1) / m, a sixth where a type has six items (the rescaling of Rao and Wu, 1988). Use it only
            with statistics that do not change when a stratum's sums are scaled, such as means of means.

    Resamples in which the statistic is not finite are dropped and counted. Undefined, with the reason: fewer than
    two clusters (in any stratum), a value with a zero denominator, no spread at all (`NO_SPREAD`; a zero-width
    interval is never returned), or more than half of the resamples dropped.
    """
    method = f"cluster bootstrap, {resamples} resamples, percentile, {level:.0%}"
    clusters = len(sums)
    if clusters == 0:
        return Estimate(None, None, None, n, method, "no scored samples")
    value = float(statistic(sums.sum(axis=0, keepdims=True))[0])
    if not np.isfinite(value):
        return Estimate(None, None, None, n, method, "zero denominator", clusters=clusters)
    if clusters < 2:
        return Estimate(value, None, None, n, method, "fewer than two clusters", clusters=clusters)
    if strata is None:
        totals = resampled_sums(sums, clusters, resamples, seed)
    else:
        sizes = np.bincount(strata)
        if (sizes == 1).any():
            return Estimate(value, None, None, n, method, "a group has fewer than two clusters", clusters=clusters)
        totals = np.zeros((resamples, sums.shape[1]))
        for stratum in np.flatnonzero(sizes):
            members = sums[strata == stratum]
            totals += resampled_sums(members, len(members) - 1, resamples, seed)
    return percentile_estimate(value, statistic(totals), n=n, method=method, level=level, clusters=clusters)


def percentile_estimate(
    value: float, resampled: FloatArray, *, n: int, method: str, level: float = 0.95, clusters: int = 0
) -> Estimate:
    """A value with the percentile interval of its resampled values; those that are not finite are dropped and counted.

    Undefined, with the reason: more than half of them dropped, or no spread at all (`NO_SPREAD`).
    """
    resamples = len(resampled)
    usable = resampled[np.isfinite(resampled)]
    dropped = resamples - len(usable)
    if dropped * 2 > resamples:
        reason = f"a denominator was zero in {dropped} of {resamples} resamples"
        return Estimate(value, None, None, n, method, reason, dropped, clusters)
    if usable.max() - usable.min() <= _SPREAD_BELOW:
        return Estimate(value, None, None, n, method, NO_SPREAD, dropped, clusters)
    tail = (1 - level) / 2
    low, high = np.quantile(usable, [tail, 1 - tail])
    return Estimate(value, float(low), float(high), n, method, "", dropped, clusters)
