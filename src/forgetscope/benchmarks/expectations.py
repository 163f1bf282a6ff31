"""What the run of a model of known behaviour must give: hits among rows, and the share they must be."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import polars as pl

from forgetscope.benchmarks.base import Check
from forgetscope.core.outcomes import Status
from forgetscope.stats import wilson

Measure = Callable[[pl.DataFrame], tuple[int, int]]
"""From a run's table to hits and the rows (or items, or concepts) they are among."""

Kind = Literal["exactly", "at most", "undefined", "guessing"]


@dataclass(frozen=True)
class Expectation:
    """One figure of a reference model.

    Attributes:
        figure: What it is of.
        value: The share of hits, 0-1, `exactly` or `at most`.
        kind: `undefined` where there must be no rows to take a share of; `guessing` where an interval of the share
            must hold chance.
    """

    figure: str
    measure: Measure
    value: float = 1.0
    kind: Kind = "exactly"

    @property
    def expected(self) -> str:
        """What must be, in words."""
        match self.kind:
            case "exactly":
                return f"{100 * self.value:.0f}%"
            case "at most":
                return f"at most {100 * self.value:.0f}%"
            case "undefined" | "guessing":
                return self.kind

    def holds(self, hits: int, total: int, chance: float | None = None) -> bool:
        """Whether the share is what it must be; where there are no rows, only `undefined` holds.

        Args:
            hits: Among `total`.
            total: Rows.
            chance: Of a guess, 0-1; Wilson's 95% interval must hold it.
        """
        if self.kind == "undefined" or total == 0:
            return self.kind == "undefined" and total == 0
        if self.kind == "exactly":
            return hits == round(self.value * total)
        if self.kind == "at most":
            return hits <= self.value * total
        interval = wilson(hits, total)
        if chance is None or interval.low is None or interval.high is None:
            return False
        return interval.low <= chance <= interval.high


def share(rows: pl.Expr, hits: pl.Expr) -> Measure:
    """Hits among some rows of the table."""

    def measure(table: pl.DataFrame) -> tuple[int, int]:
        chosen = table.filter(rows)
        return chosen.filter(hits).height, chosen.height

    return measure


def ended_as(status: Status, rows: pl.Expr, column: str = "status") -> Measure:
    """Rows that ended with a status, among some rows."""
    return share(rows, pl.col(column) == status.value)


def check_all(
    model: str, expectations: Iterable[Expectation], table: pl.DataFrame, chance: float | None = None
) -> list[Check]:
    """What must be and what was found, for each expectation of a model."""
    checks = []
    for one in expectations:
        hits, total = one.measure(table)
        checks.append(Check(model, one.figure, one.expected, f"{hits} of {total}", one.holds(hits, total, chance)))
    return checks
