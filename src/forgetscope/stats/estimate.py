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
        resamples_dropped: Bootstrap resamples left out because a denominator was zero in them.
        clusters: Independent units that were resampled; 0 where the samples themselves are the units.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    undefined: str = ""
    resamples_dropped: int = 0
    clusters: int = 0

    def __post_init__(self) -> None:
        if (self.low is None) != (self.high is None):
            raise ValueError("an interval has two ends or none")
        if self.value is None and self.low is not None:
            raise ValueError("an interval needs a value")
        if (self.low is None) != bool(self.undefined):
            raise ValueError("`undefined` says why there is no interval, and is empty where there is one")
