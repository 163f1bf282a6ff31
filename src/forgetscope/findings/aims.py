"""Which figures are results, and which way is better of each: declared by a benchmark once, in `KnownBenchmark.aims`.

What no aim names is bookkeeping, a p-value, a bound, or a figure of which neither way is better by itself; it stays in
the report and in `figures.csv`, and no leaderboard ranks by it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from forgetscope.findings.figures import Profile

Better = Literal["higher", "lower"]


@dataclass(frozen=True)
class Aim:
    """Figures of these names are results.

    Attributes:
        better: Which way.
        names: Whole names.
        where: Factors that they need, each with the values it may have.
    """

    better: Better
    names: tuple[str, ...]
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def covers(self, name: str, factors: Mapping[str, object]) -> bool:
        """Whether a figure is one of them."""
        return name in self.names and all(str(factors.get(key)) in allowed for key, allowed in self.where.items())


EVERY_BENCHMARK = (
    Aim("lower", ("outcomes.share.refused", "outcomes.share.truncated", "outcomes.share.invalid_format")),
    Aim("higher", ("outcomes.completeness",)),
)


def better_of(
    name: str, factors: Mapping[str, object], aims: Iterable[Aim], profile: Profile | None = None
) -> Better | None:
    """Which way is better of a figure, as its aim says, else the line of the profile that shows it; None: no result."""
    for aim in aims:
        if aim.covers(name, factors):
            return aim.better
    for line in profile.lines if profile else ():
        if (line.figure.name, dict(line.figure.factors)) == (name, dict(factors)) and line.better:
            return line.better
    return None
