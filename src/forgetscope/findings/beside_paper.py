"""A run beside what its paper prints: printed tables as data, with the figure of ours that each value is of.

A benchmark says which tables (`PrintedTable`) and what keeps a run and the paper apart (caveats, one sentence each);
the section is made here. The same tables give the figures a comparison of runs is set beside (`PrintedTable.figures`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import polars as pl

from forgetscope.findings.figures import Cell, Chart, Column, Finding, Interval, Section, Table, Unit
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.tables import Factors, Shown, label, table

PUBLISHED_SLUG = "published"
"""The section in which a benchmark's own results set a run beside its paper."""

THIS_RUN = "this run"

Ours = tuple[str, Factors]
"""The name and factors of a figure of ours."""

_UNITS: Mapping[str, Unit] = {"percent": "proportion", "points": "points"}
"""Of printed rates and differences; other numbers have no interval of ours to lie in."""


@dataclass(frozen=True)
class PrintedFigure:
    """A figure as a paper prints it, with the name and factors of ours that is of the same thing.

    Attributes:
        value: A proportion, 0-1; a difference of proportions where ours is one.
        source: The table: `Table 1`.
    """

    name: str
    factors: Factors
    model: str
    value: float
    source: str
    unit: Unit = "proportion"


@dataclass(frozen=True)
class PrintedTable:
    """A printed table, and the figure of ours beside each of its values.

    Attributes:
        title, slug, note: Of the table on the page.
        frame: A row for each printed row and model, as `published_table` has it; `model` says whose it is.
        rows: Columns of the frame that tell its rows apart; none where models are all it has.
        values: Columns of the frame with the printed values, with their headings; percent and points 0-100, a
            number or p-value as it is and without an interval.
        ours: From a row's cells to the figures beside it, one for each of `values`.
        bounds: Of a value, the columns with the ends of its printed interval.
        labels: Columns of the page that say which row it is.
        is_by_model: Whether the models are the rows, below each printed row, and the values the columns.
        run_only: Leave out printed rows of which the run has no figure.
        folded: Whether it is shown on demand.
    """

    title: str
    slug: str
    frame: pl.DataFrame
    values: tuple[Column, ...]
    ours: Callable[[Factors], Sequence[Ours]]
    rows: tuple[str, ...] = ()
    labels: tuple[Shown, ...] = ()
    bounds: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    note: str = ""
    is_by_model: bool = False
    run_only: bool = False
    folded: bool = False

    @property
    def models(self) -> tuple[str, ...]:
        """Whose figures are printed, in order."""
        return tuple(self.frame["model"].unique(maintain_order=True))

    def printed_rows(self) -> tuple[Factors, ...]:
        """The cells that tell each printed row apart."""
        return tuple(self.frame.select(self.rows).unique(maintain_order=True).iter_rows(named=True)) or ({},)

    @cached_property
    def printed(self) -> Mapping[tuple[tuple[Cell, ...], Cell, str], float | str]:
        """The printed values by row, model and column; proportions where they are printed as percentages.

        A p-value is text as printed: `<.001`.
        """
        return {
            (self._place(row), row["model"], column.key): row[column.key] / 100
            if column.kind in _UNITS
            else row[column.key]
            for row in self.frame.iter_rows(named=True)
            for column in self.values
            if row[column.key] is not None
        }

    @cached_property
    def intervals(self) -> Mapping[tuple[tuple[Cell, ...], Cell, str], tuple[float, float]]:
        """The ends of the printed intervals by row, model and column, where the paper prints any."""
        return {
            (self._place(row), row["model"], key): (row[low] / 100, row[high] / 100)
            for row in self.frame.iter_rows(named=True)
            for key, (low, high) in self.bounds.items()
            if row[low] is not None
        }

    def beside(self, index: FigureIndex) -> Table | None:
        """The table with the run in it; None where the run has no figure of it."""
        return self.with_runs({THIS_RUN: index})

    def with_runs(self, runs: Mapping[str, FigureIndex]) -> Table | None:
        """The table with runs before the paper's models, each by its name; None where none has a figure of it."""

        def is_known(row: Factors, whose: str) -> bool:
            return any(self._cell(runs, row, column, whose) is not None for column in self.values)

        known = [row for row in self.printed_rows() if any(is_known(row, name) for name in runs)]
        if not known:
            return None
        everyone = (*runs, *self.models)
        if self.is_by_model:
            rows = [{**row, "model": name} for row in known for name in everyone if is_known(row, name)]
            columns = [*self.labels, label("Model", "model"), *(self._shown(runs, column) for column in self.values)]
        else:
            rows = [dict(row) for row in (known if self.run_only else self.printed_rows())]
            columns = [*self.labels, *(self._shown(runs, one, name) for one in self.values for name in everyone)]
        empty = FigureIndex(())
        return table(empty, self.title, rows, columns, note=self.note, slug=self.slug, folded=self.folded)

    def figures(self, source: str) -> Iterator[PrintedFigure]:
        """Every printed rate and difference; a figure of ours that two printed rows are of is given once."""
        seen = set()
        for row in self.printed_rows():
            for (name, factors), column in zip(self.ours(row), self.values, strict=True):
                for model in self.models if column.kind in _UNITS else ():
                    key = (name, frozenset(factors.items()), model)
                    found = self.printed.get((self._place(row), model, column.key))
                    if isinstance(found, float) and key not in seen:
                        seen.add(key)
                        yield PrintedFigure(name, factors, model, found, source, _UNITS[column.kind])

    def _place(self, row: Factors) -> tuple[Cell, ...]:
        return tuple(row[key] for key in self.rows)

    def _cell(self, runs: Mapping[str, FigureIndex], row: Factors, column: Column, whose: str) -> Cell | Interval:
        """What a run has, or a model of the paper, in a row and column."""
        if whose not in runs:
            place = (self._place(row), whose, column.key)
            value, ends = self.printed.get(place), self.intervals.get(place)
            return Interval(value, *ends) if ends and isinstance(value, float) else value
        name, factors = self.ours(row)[self.values.index(column)]
        index = runs[whose]
        return index.interval(name, **factors) if column.kind in _UNITS else index.value(name, **factors)

    def _shown(self, runs: Mapping[str, FigureIndex], column: Column, model: str = "") -> Shown:
        """A column of one model's values, or of those of each row's own model."""
        both = ", ".join(part for part in (column.label, model) if part)
        heading = "This run" if both == THIS_RUN else both
        return Shown(
            Column("", heading, column.kind, column.help),
            lambda _, row: self._cell(runs, row, column, model or str(row["model"])),
        )


def beside_paper_section(
    index: FigureIndex, caveats: Iterable[str], blocks: Iterable[PrintedTable | Table | Chart], *, about: str = ""
) -> Section:
    """Caveats first, then each printed table that the run has a figure of, with the run in it.

    Args:
        index: The run's figures.
        caveats: Why they and the paper's are not of the same thing: sentences without capital and full stop.
        blocks: Printed tables; other tables and charts stay as they are.
        about: What else is to be known of the paper's figures: one sentence.
    """
    said = [Finding(f"{text[0].upper()}{text[1:]}.", "warning") for text in caveats]
    filled = [block.beside(index) if isinstance(block, PrintedTable) else block for block in blocks]
    intro = (
        "The paper's figures are as printed and not corrected; the audit page lists where they disagree with "
        "themselves. The run's intervals are ours."
    )
    return Section(
        "Beside the paper",
        (*said, *(block for block in filled if block is not None)),
        intro=f"{intro} {about}".strip(),
        slug=PUBLISHED_SLUG,
    )


OVER_MODELS_SLUG = "over-models"
"""The section in which several runs stand in their paper's tables together."""


def tables_over_models(tables: Iterable[PrintedTable], runs: Mapping[str, FigureIndex]) -> tuple[Table, ...]:
    """Each printed table that a run has a figure of, with all runs in it; titles are of the paper's tables alone."""
    filled = (one.with_runs(runs) for one in tables)
    return tuple(
        replace(one, title=one.title.replace(" beside this run", ""), folded=False) for one in filled if one is not None
    )


def with_model(runs: Mapping[str, FigureIndex]) -> FigureIndex:
    """The figures of all runs, each with its model among its factors."""
    return FigureIndex(
        replace(entry, factors={**entry.factors, "model": name}) for name, index in runs.items() for entry in index
    )


def over_models_section(blocks: Sequence[Table | Chart]) -> Section:
    """The paper's tables with one's own models first, and its figures of one's own models."""
    return Section(
        "The paper's tables, with these models",
        tuple(blocks),
        intro="Runs stand before the paper's models. Printed figures are not corrected; intervals are of the runs.",
        slug=OVER_MODELS_SLUG,
    )
