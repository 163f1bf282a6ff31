"""From sums over clusters to a figure with its interval: the delete-one jackknife, then a score interval.

A figure that is a function of sums (a mean, a conditional rate, a macro-average, a difference of any of them) needs per
cluster (item) only its sums. Leaving out one cluster at a time says how the figure varies, whatever its form and
however many runs a cluster holds (Efron and Stein 1981; within strata Rust and Rao 1996). What the interval is made
from that depends on what the figure may be:

- a **proportion** gets Wilson's score interval with the effective number of samples, the number of independent samples
  that would vary as much (Kish 1965; Korn and Graubard 1998; compared by Dean and Pagano 2015);
- a **difference** of proportions gets the adjusted interval for paired proportions: one cluster more that is right
  before and not after, one more the other way round (Bonett and Price 2012), here for clusters of any size;
- anything **else** (tokens, changes of ROUGE-L) gets Student's t corrected for skewness (Hall 1992).

`benchmarks/interval_coverage.py` shows how often each holds the truth. Nothing is drawn at random.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import numpy as np
from scipy.special import ndtri, stdtrit

from forgetscope.stats.estimate import Estimate
from forgetscope.stats.sums import FloatArray, IntArray

SumStatistic = Callable[[FloatArray], FloatArray]
"""From sums (rows, columns) to values (rows,); a zero denominator gives nan or infinity."""

Kind = Literal["proportion", "difference", "unbounded"]
"""What a figure may be: between 0 and 1, between -1 and 1, or anything."""

LEAST_CLUSTERS = 6
"""Below this no interval is given: no method at hand holds what it promises."""

ALIKE = "all items are alike"
"""Why there is no interval where no item changes the figure by being left out, and nothing bounds it."""

PRIOR_CLUSTERS = 0.15
"""Clusters' worth of the spread of plain yes-or-no outcomes that an estimated spread of a proportion is mixed with, so
that a few clusters that happen to agree do not make a narrow interval. The least with which rates, scores from 0 to 1
and rates of several runs reach 90% at every point of `benchmarks/interval_coverage.py` from ten items."""

_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True)
class PlainSpread:
    """How a proportion would vary if its clusters were plain yes-or-no outcomes.

    Attributes:
        variance: Of the proportion.
        room: How far it, or the groups it is the average of, lie from 0 and 1: 1 in the middle, 0 at the ends.
    """

    variance: float
    room: float

    @classmethod
    def of_share(cls, share: float, clusters: int) -> "PlainSpread":
        """Of a single share of so many clusters."""
        return cls(share * (1 - share) / clusters, 4 * share * (1 - share))

    @classmethod
    def of_groups(cls, shares: FloatArray, clusters: FloatArray, *, nested: bool) -> "PlainSpread":
        """Of the mean of several groups' shares, one more outcome of either kind counted in each group.

        Args:
            shares: (groups,).
            clusters: How many each share is of: (groups,).
            nested: Whether each cluster lies in one group; otherwise its outcomes in all of them are taken as one.
        """
        shrunk = (shares * clusters + 1) / (clusters + 2)
        inside = shrunk * (1 - shrunk)
        weight = 1 / (clusters * len(shares)) if nested else 1 / clusters
        whole = cls.of_share(float(shares.mean()), int(clusters.sum() if nested else clusters.max()))
        variance = min(whole.variance, float((inside * weight).mean()))
        return cls(variance, float((4 * shares * (1 - shares)).mean()))


@dataclass(frozen=True, slots=True)
class LeftOutSpread:
    """A figure and how it varies with the clusters it is made of.

    Attributes:
        value: The figure.
        variance: The jackknife's estimate of its variance.
        freedom: Degrees of freedom of that estimate: one less than there are clusters; over strata Satterthwaite's
            (1946), fewer where one stratum varies most.
        pseudo: The pseudo-value of each cluster, what it would be worth alone: (clusters,).
    """

    value: float
    variance: float
    freedom: float
    pseudo: FloatArray


def jackknife(statistic: SumStatistic, sums: FloatArray, strata: IntArray | None = None) -> LeftOutSpread:
    """The figure of all clusters, and how it changes where each is left out; not finite where one is indispensable.

    Args:
        statistic: From sums to figures.
        sums: (clusters, columns), two clusters or more, in each stratum too.
        strata: The stratum of each cluster where the design fixes how many a stratum has (items of a type): the others
            of the stratum then stand in for the one left out.

    Example: the mean of 0, 1, 1, 1 is 0.75 with variance 0.0625, as s**2 / n; pseudo-values are the values.
    """
    total = sums.sum(axis=0, keepdims=True)
    value = float(statistic(total)[0])
    clusters = len(sums)
    if strata is None:
        without = statistic(total - sums)
        away = without - without.mean()
        variance = float((away**2).sum()) * (clusters - 1) / clusters
        return LeftOutSpread(value, variance, clusters - 1, value - (clusters - 1) * away)
    variance, per_degree, pseudo = 0.0, 0.0, np.empty(clusters)
    for stratum in np.unique(strata):
        members = np.flatnonzero(strata == stratum)
        size, own = len(members), sums[members].sum(axis=0, keepdims=True)
        without = statistic(total - own + (own - sums[members]) * (size / (size - 1)))
        away = without - without.mean()
        part = float((away**2).sum()) * (size - 1) / size
        variance, per_degree = variance + part, per_degree + part**2 / (size - 1)
        pseudo[members] = value - away * (clusters * (size - 1) / size)
    freedom = variance**2 / per_degree if per_degree > 0 else float(clusters - len(np.unique(strata)))
    return LeftOutSpread(value, variance, freedom, pseudo)


def estimate_from_sums(
    statistic: SumStatistic,
    sums: FloatArray,
    *,
    n: int,
    kind: Kind,
    strata: IntArray | None = None,
    level: float = 0.95,
    reach: float = 1.0,
    plain: PlainSpread | None = None,
) -> Estimate:
    """A figure of sums with its interval, whole clusters being the units.

    Clusters that have nothing in any sum say nothing and are left out. Undefined, with the reason: a value with a zero
    denominator; fewer than six clusters; a stratum of one; a figure that has no value without one of its clusters; one
    that is unbounded and the same without any.

    Args:
        statistic: From sums (rows, columns) to one figure a row.
        sums: (clusters, columns).
        n: Scored samples behind the figure, passed on.
        kind: What the figure may be.
        strata: See `jackknife`.
        level: Coverage aimed at, between 0 and 1.
        reach: The largest size of the figure, where that is not 1.
        plain: Of a proportion that is an average over groups; otherwise that of the proportion itself.
    """
    telling = np.any(sums != 0, axis=1)
    sums, strata = sums[telling], None if strata is None else strata[telling]
    clusters = len(sums)
    value, reason = value_of_sums(statistic, sums, strata)
    if value is None or reason:
        return Estimate(value, None, None, n, "", reason, clusters=clusters)
    spread = jackknife(statistic, sums, strata)
    if not np.isfinite(spread.variance):
        reason = "it hangs on a single item"
    elif kind == "unbounded" and spread.variance <= _NO_SPREAD:
        reason = ALIKE
    if reason:
        return Estimate(value, None, None, n, "", reason, clusters=clusters)
    scaled = replace(
        spread, value=spread.value / reach, variance=spread.variance / reach**2, pseudo=spread.pseudo / reach
    )
    if kind == "proportion":
        low, high, method = _proportion(scaled, level, plain)
    else:
        low, high, method = _difference(scaled, level) if kind == "difference" else _unbounded(scaled, level)
    return Estimate(value, low * reach, high * reach, n, f"{method}, {level:.0%}", clusters=clusters)


def value_of_sums(statistic: SumStatistic, sums: FloatArray, strata: IntArray | None) -> tuple[float | None, str]:
    """The figure of all clusters, and why it or its interval is missing; the reason is empty where neither is."""
    if not len(sums):
        return None, "no scored samples"
    value = float(statistic(sums.sum(axis=0, keepdims=True))[0])
    if not np.isfinite(value):
        return None, "zero denominator"
    if len(sums) < LEAST_CLUSTERS:
        return value, f"fewer than {LEAST_CLUSTERS} items"
    if strata is not None and (np.unique(strata, return_counts=True)[1] == 1).any():
        return value, "a group has fewer than two items"
    return value, ""


@cache
def normal_quantile(level: float) -> float:
    """How many standard errors an interval of this level reaches to each side: 1.96 for 0.95."""
    return float(-ndtri((1 - level) / 2))


@cache
def t_quantile(level: float, freedom: float) -> float:
    """The same of Student's t, whose standard error is estimated with this many degrees of freedom."""
    return float(-stdtrit(freedom, (1 - level) / 2))


def wilson_ends(share: float, n: float, level: float) -> tuple[float, float]:
    """Wilson's score interval of a share of n samples; neither need be a whole number."""
    z = normal_quantile(level)
    shrunk = n / (n + z**2)
    centre = share * shrunk + 0.5 * (1 - shrunk)
    half = shrunk * z * float(np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)))
    low = 0.0 if share == 0 else max(0.0, centre - half)
    high = 1.0 if share == 1 else min(1.0, centre + half)
    return low, high


def _proportion(spread: LeftOutSpread, level: float, plain: PlainSpread | None) -> tuple[float, float, str]:
    """Wilson's interval with the effective number of samples.

    The variance is mixed with that of plain yes-or-no outcomes, the more so the closer the figure is to 0 or 1, where
    the few clusters that differ say little of how much they do. Where all agree, the clusters are the effective number.
    """
    clusters = len(spread.pseudo)
    share = min(1.0, max(0.0, spread.value))
    plain = plain or PlainSpread.of_share(share, clusters)
    weight = spread.freedom * plain.room**2
    mixed = (weight * spread.variance + PRIOR_CLUSTERS * plain.variance) / (weight + PRIOR_CLUSTERS)
    effective = clusters if mixed <= _NO_SPREAD else share * (1 - share) / mixed
    low, high = wilson_ends(share, effective, level)
    return low, high, "Wilson, effective sample size by jackknife"


def _difference(spread: LeftOutSpread, level: float) -> tuple[float, float, str]:
    """The adjusted interval for paired proportions with two more clusters, one each way.

    With one run a cluster that is Bonett and Price's interval. With several the two are as large as the changes that
    were seen, half an unseen change of 1 counted in.
    """
    clusters = len(spread.pseudo)
    changed = spread.pseudo[np.abs(spread.pseudo) > 1e-9]
    size = min(1.0, (float((changed**2).sum()) + 0.5) / (len(changed) + 0.5))
    more = clusters + 2
    centre = spread.value * clusters / more
    squares = clusters * (clusters - 1) * spread.variance + clusters * spread.value**2 + 2 * size
    half = normal_quantile(level) * float(np.sqrt(max(0.0, squares / more - centre**2) / more))
    return max(-1.0, centre - half), min(1.0, centre + half), "adjusted paired interval by jackknife"


def _unbounded(spread: LeftOutSpread, level: float) -> tuple[float, float, str]:
    """Student's t, its skewness corrected by Hall's transformation; nothing to correct where all agree.

    The skewness of few outcomes is understated, so it is scaled as that of a sample (G1 of Joanes and Gill 1998).
    """
    quantile = t_quantile(level, spread.freedom)
    error = float(np.sqrt(spread.variance))
    away = spread.pseudo - spread.pseudo.mean()
    squares = float((away**2).sum())
    skew = float((away**3).sum()) / squares**1.5 if squares > _NO_SPREAD else 0.0
    skew *= float(np.sqrt(spread.freedom * (spread.freedom + 1))) / max(1.0, spread.freedom - 1)

    def corrected(t: float) -> float:
        return t if abs(skew) < 1e-6 else 3 / skew * float(np.cbrt(1 + skew * (t - skew / 6)) - 1)

    low, high = spread.value - error * corrected(quantile), spread.value - error * corrected(-quantile)
    return low, high, "t interval corrected for skewness, jackknife"
