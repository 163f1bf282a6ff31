"""Runs beside the figures a paper prints: where each printed figure lies from the run's interval.

Printed figures come without the replies behind them, so nothing is paired and no test is made: it is said whether the
printed value lies inside the interval of the run's own figure, below it or above it. A value inside is compatible with
the run's sampling error alone; other data, prompts, decoding and judges are said beside it and are not in the interval.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from forgetscope.findings.beside_paper import PrintedFigure
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import FigureIndex

Place = Literal["inside", "below", "above", "no interval"]


@dataclass(frozen=True)
class BesidePaper:
    """One printed figure beside the same figure of each run; None where a run does not have it."""

    printed: PrintedFigure
    runs: tuple[Figure | None, ...]

    def place(self, run: int) -> Place | None:
        """Where the printed value lies from the run's interval; None where the run has no such figure."""
        found = self.runs[run]
        if found is None or found.value is None:
            return None
        if found.low is None or found.high is None:
            return "no interval"
        if self.printed.value < found.low:
            return "below"
        return "above" if self.printed.value > found.high else "inside"


@dataclass(frozen=True)
class PaperRow:
    """All models' printed values of one figure of one table."""

    name: str
    factors: Mapping[str, Cell]
    source: str
    models: tuple[BesidePaper, ...]


def beside_paper(printed: Sequence[PrintedFigure], indexes: Sequence[FigureIndex]) -> tuple[PaperRow, ...]:
    """Every printed figure that some run has, gathered by figure; in the order they are printed."""
    rows: dict[tuple[str, str, frozenset[tuple[str, Cell]]], list[BesidePaper]] = {}
    for entry in printed:
        runs = tuple(index.get(entry.name, **entry.factors) for index in indexes)
        if any(found is not None and found.value is not None for found in runs):
            key = (entry.source, entry.name, frozenset(entry.factors.items()))
            rows.setdefault(key, []).append(BesidePaper(entry, runs))
    return tuple(
        PaperRow(entries[0].printed.name, entries[0].printed.factors, entries[0].printed.source, tuple(entries))
        for entries in rows.values()
    )
