"""What the run of a model of known behaviour must give: hits among rows, and the share they must be."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import polars as pl

from forgetscope.benchmarks.base import Check
from forgetscope.core.outcomes import Status
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.residue import Word
from forgetscope.stats import wilson
from forgetscope.stats.jackknife import LEAST_CLUSTERS

Measure = Callable[[pl.DataFrame], tuple[int, int]]
"""From a run's table to hits and the rows (or items, or concepts) they are among."""

UNDECIDED: Word = "undecided"

Kind = Literal["exactly", "at most", "above", "below", "undefined", "guessing"]


@dataclass(frozen=True)
class Expectation:
    """One figure of a reference model.

    Attributes:
        figure: What it is of.
        value: The share of hits, 0-1, `exactly` or `at most`; all of its Wilson 95% interval lies `above` or `below`.
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
            case "above" | "below":
                return f"95% interval {self.kind} {100 * self.value:.0f}%"
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
        if self.kind == "above":
            return interval.low is not None and interval.low > self.value
        if self.kind == "below":
            return interval.high is not None and interval.high < self.value
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


@dataclass(frozen=True)
class ExpectedResidue:
    """A residue of a reference model, known from how it is made.

    Attributes:
        figure: What it is of.
        factors: By which the residues are found that must all be so.
        value: What the means of the arms must give, and the interval must hold where there are items enough for one.
            `kept`: scored as when told, so about 1, for guessing may differ by condition. `lost`: never scored, so 0
            less what comes by chance. None: there is none.
        word: What it is called, where it is the same with any number of items that an interval can be had of.
    """

    figure: str
    factors: Mapping[str, Cell]
    value: float | Literal["kept", "lost"] | None
    word: Word | Literal[""] = ""

    @property
    def expected(self) -> str:
        """What must be, in words."""
        match self.value:
            case None:
                number = ""
            case "kept":
                number = "1, scored as when told"
            case "lost":
                number = "0, less what comes by chance"
            case value:
                number = f"{value:g}"
        return ", ".join(filter(None, (number, self.word)))

    def holds(self, index: FigureIndex, found: Figure) -> bool:
        """Whether a residue is what it must be."""
        is_small = 0 < found.n < LEAST_CLUSTERS
        if self.word and found.verdict != (UNDECIDED if is_small else self.word):
            return False
        if self.value is None:
            return found.value is None
        told, deleted, never_told, never = (
            index.value(f"arm.{name}", **found.factors) for name in ("told", "deleted", "never_told", "never")
        )
        if told is None or deleted is None or never_told is None or never is None or told <= never_told:
            return False
        match self.value:
            case "kept":
                return deleted == told and _holds(found, 1.0)
            case "lost":
                return deleted == 0
            case number:
                return abs((deleted - never) - number * (told - never_told)) < 1e-9 and _holds(found, number)


def _holds(found: Figure, value: float) -> bool:
    """Whether the interval holds a value, where there is one."""
    return found.low is None or found.high is None or found.low <= value <= found.high


FEW_ITEMS = 20
"""Of a run of fewer, a residue may have no item."""


def check_residues(
    model: str, expected: Iterable[ExpectedResidue], figures: Iterable[Figure], items: int
) -> list[Check]:
    """What the residues of a reference model must be and what was found.

    One without items is left out where the run has few `items`; in a larger run, or where there is none at all, it
    fails.
    """
    index, checks = FigureIndex(figures), []
    every = index.named("residue")
    for one in expected:
        residues = [entry for entry in every if one.factors.items() <= entry.factors.items()]
        if (
            every
            and items < FEW_ITEMS
            and not any(entry.n or entry.verdict.startswith("not measurable") for entry in residues)
        ):
            continue
        holds = bool(residues) and all(one.holds(index, entry) for entry in residues)
        said = "; ".join(map(_residue_in_words, residues)) or "no residue"
        checks.append(Check(model, one.figure, one.expected, said, holds))
    return checks


def _residue_in_words(found: Figure) -> str:
    if found.value is None:
        return f"{found.verdict}, {found.n} items"
    ends = "" if found.low is None or found.high is None else f" [{found.low:.2f}, {found.high:.2f}]"
    return f"{found.value:.2f}{ends}, {found.verdict}, {found.n} items"
