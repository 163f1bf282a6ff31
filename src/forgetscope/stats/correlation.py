"""Pearson's correlation with Fisher's interval."""

import numpy as np
from numpy.typing import ArrayLike

from forgetscope.stats.estimate import Estimate
from forgetscope.stats.sums import scored

_FLAT = 1e-12


def pearson(first: ArrayLike, second: ArrayLike, *, level: float = 0.95) -> Estimate:
    """Pearson's r of two measures of the same units (models, runs), with the interval of Fisher's z.

    The interval takes the units as drawn independently from one population; models of one family are not. Fewer than
    three units, or a measure that is the same for all, leave r undefined; fewer than four, or all units on one line,
    the interval.

    Example: 1, 2, 3, 4 against 1, 3, 2, 4 gives r = 0.8 and tanh(atanh(0.8) +- 1.96 / sqrt(1)) = [-0.70, 0.996].

    Raises:
        ValueError: the measures are of different numbers of units.
    """
    x, y = scored(first), scored(second)
    if x.shape != y.shape:
        raise ValueError(f"both measures are of the same units, found {len(x)} and {len(y)}")
    method = f"Pearson, Fisher's z, {level:.0%}"
    if len(x) < 3:
        return Estimate(None, None, None, len(x), method, "fewer than three units")
    for name, values in (("first", x), ("second", y)):
        if np.ptp(values) <= _FLAT * max(1.0, float(np.abs(values).max())):
            return Estimate(None, None, None, len(x), method, f"the {name} measure is the same for all units")
    from scipy.stats import pearsonr  # late: the import takes half a second of CPU

    found = pearsonr(x, y)
    r = float(np.clip(found.statistic, -1.0, 1.0))
    if len(x) < 4:
        return Estimate(r, None, None, len(x), method, "fewer than four units")
    if 1 - abs(r) <= _FLAT:
        return Estimate(r, None, None, len(x), method, "all units lie on one line")
    interval = found.confidence_interval(level)
    return Estimate(r, float(interval.low), float(interval.high), len(x), method)
