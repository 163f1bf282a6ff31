"""One figure with its interval, as every statistic of forgetscope returns it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value, its interval, and why either is missing.

    Attributes:
        value: The figure, or None where its denominator is zero.
        low: Lower end of the interval; None exactly where `high` is None.
        high: Upper end of the interval.
        n: Scored samples behind the value (matched items for a paired difference).
        method: How the interval was made, in words a reader of a report understands.
        undefined: Why the value or the interval is None; empty where both exist.
        draws_dropped: Draws left out because a denominator was zero in them.
        clusters: Independent units; 0 where the samples themselves are the units.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    undefined: str = ""
    draws_dropped: int = 0
    clusters: int = 0

    def __post_init__(self) -> None:
        if (self.low is None) != (self.high is None):
            raise ValueError("an interval has two ends or none")
        if self.value is None and self.low is not None:
            raise ValueError("an interval needs a value")
        if (self.low is None) != bool(self.undefined):
            raise ValueError("`undefined` says why there is no interval, and is empty where there is one")


def smaller(one: Estimate, other: Estimate) -> Estimate:
    """The smaller of two figures: its ends are the smaller of both lower and of both upper ends.

    It lies above zero where both do, the test of Berger (1982), which needs no correction: the truth is missed from
    above only where both intervals miss theirs or the other figure is far off, from below where either does. Together
    that is at most 5% of cases, whether the two are alike or far apart. Undefined where either is.
    """
    if one.value is None or other.value is None:
        return one if one.value is None else other
    value, n, clusters = min(one.value, other.value), min(one.n, other.n), min(one.clusters, other.clusters)
    method = f"the smaller ends of two intervals ({one.method})"
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Estimate(value, None, None, n, method, one.undefined or other.undefined, clusters=clusters)
    low, high = min(one.low, other.low), min(one.high, other.high)
    return Estimate(value, low, high, n, method, clusters=clusters)
