"""A table as a specification: its columns say which figure they show and how, its rows which figures are meant.

A row is a mapping of factors. A column adds factors of its own and looks the figure up in the index:

    table(
        index,
        "Compliance by load",
        rows=[{"load": load} for load in loads],
        columns=[
            label("Load", "load", load_name),
            rate("Natural", "compliance.strict.paper", condition="natural"),
            p_value("p", "delta.p", condition="natural"),
            count("Replies", "compliance.strict.paper", condition="natural"),
        ],
        slug="compliance",
    )

A table of anything else than figures is a `listing` of records, whose columns are `given`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from forgetscope.findings.figures import Cell, Column, Figure, Interval, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import percent

Factors = Mapping[str, Cell]
RowT = TypeVar("RowT")
Kind = Literal["text", "integer", "number", "percent", "points", "size", "p"]
Names = str | tuple[str, ...]
"""A figure's name; of several, the first that has a value is shown, else the first that was computed."""


@dataclass(frozen=True)
class Shown:
    """A column of a specification: its heading, and what it shows of a row.

    Attributes:
        column: Heading, kind and help; its key is the heading.
        cell: From the index and a row's factors to the cell; None where the figure was not computed.
        is_label: Whether it says which row it is, and is no figure.
        is_optional: Whether the column is left out where no row has anything in it.
    """

    column: Column
    cell: Callable[[FigureIndex, Factors], Cell | Interval]
    is_label: bool = False
    is_optional: bool = False


@dataclass(frozen=True)
class MetricTable:
    """A table that a metric declares beside its figures; the report adds it under "Further measures".

    Attributes:
        rows: The name of a figure: a row for every one of this name, by its factors.
    """

    title: str
    rows: str
    columns: tuple[Shown, ...]
    note: str = ""
    slug: str = ""

    def of(self, index: FigureIndex) -> Table:
        """The table filled in."""
        rows = [entry.factors for entry in index.named(self.rows)]
        return table(index, self.title, rows, self.columns, note=self.note, slug=self.slug or self.rows)


def further_section(index: FigureIndex, tables: Iterable[MetricTable]) -> Section | None:
    """The tables that metrics declare, those of which this run has a figure; None without any."""
    filled = tuple(found for spec in tables if (found := spec.of(index)).rows)
    return Section("Further measures", filled, slug="further") if filled else None


def table(
    index: FigureIndex,
    title: str,
    rows: Iterable[Factors],
    columns: Sequence[Shown],
    *,
    note: str = "",
    slug: str = "",
    folded: bool = False,
    computed_only: bool = False,
) -> Table:
    """The specification filled in: a cell for every row and column, by the heading of the column.

    Args:
        index: The figures.
        title: Of the table.
        rows: The factors each row's figures have in common.
        columns: In their order; one heading may stand over two of them.
        note: Below the table.
        slug: Its address on the page.
        folded: Whether it is shown on demand.
        computed_only: Leave out rows whose first figure was not computed.
    """
    chosen = list(rows)
    if computed_only:
        leading = next(shown for shown in columns if not shown.is_label)
        chosen = [row for row in chosen if leading.cell(index, row) is not None]
    filled = [(shown.column, shown.is_optional, [shown.cell(index, row) for row in chosen]) for shown in columns]
    return _laid_out(title, filled, note=note, slug=slug, folded=folded)


@dataclass(frozen=True)
class Given(Generic[RowT]):
    """A column of a table of records: what it shows of each."""

    column: Column
    cell: Callable[[RowT], Cell | Interval]
    is_optional: bool = False


def given(
    heading: str,
    of: Callable[[RowT], Cell | Interval],
    kind: Kind = "text",
    about: str = "",
    *,
    is_optional: bool = False,
) -> Given[RowT]:
    """A column of records; an optional one is left out where no row has anything in it."""
    return Given(Column("", heading, kind, about), of, is_optional)


def listing(
    title: str,
    rows: Iterable[RowT],
    columns: Sequence[Given[RowT]],
    *,
    note: str = "",
    slug: str = "",
    folded: bool = False,
) -> Table:
    """A table of records instead of figures: a row each."""
    chosen = list(rows)
    filled = [(one.column, one.is_optional, [one.cell(row) for row in chosen]) for one in columns]
    return _laid_out(title, filled, note=note, slug=slug, folded=folded)


def _laid_out(
    title: str, filled: Sequence[tuple[Column, bool, list[Cell | Interval]]], *, note: str, slug: str, folded: bool
) -> Table:
    """The table of these columns, by heading; optional ones only where a row has something in them."""
    seen: Counter[str] = Counter()
    heads: list[Column] = []
    cells: list[list[Cell | Interval]] = []
    for column, is_optional, entries in filled:
        if is_optional and not any(entries):
            continue
        seen[column.label] += 1
        times = seen[column.label]
        heads.append(replace(column, key=column.label if times == 1 else f"{column.label} ({times})"))
        cells.append(entries)
    keys = [head.key for head in heads]
    rows = tuple(dict(zip(keys, entries, strict=True)) for entries in zip(*cells, strict=True))
    return Table(title, tuple(heads), rows, note=note, slug=slug, folded=folded)


def label(
    heading: str,
    of: str | Callable[[Factors], Cell | Interval],
    names: Callable[[str], str] | None = None,
    about: str = "",
    kind: Kind = "text",
) -> Shown:
    """What a row is: one of its factors, in the words of `names`, or whatever `of` makes of the row."""
    if callable(of):
        return Shown(Column("", heading, kind, about), lambda _, row: of(row), is_label=True)

    def named(_: FigureIndex, row: Factors) -> Cell:
        return row.get(of) if names is None else names(str(row[of]))

    return Shown(Column("", heading, kind, about), named, is_label=True)


def rate(heading: str, figure: Names, about: str = "", /, **factors: Cell) -> Shown:
    """A proportion with its interval and note, in percent."""
    return _of(heading, "percent", about, figure, factors, Interval.of)


def change(heading: str, figure: Names, about: str = "", /, **factors: Cell) -> Shown:
    """A difference of proportions with its interval and note, in points with a sign."""
    return _of(heading, "points", about, figure, factors, Interval.of)


def number(heading: str, figure: Names, about: str = "", /, **factors: Cell) -> Shown:
    """Any other figure with its interval and note."""
    return _of(heading, "number", about, figure, factors, Interval.of)


def p_value(heading: str, figure: Names, about: str = "", /, **factors: Cell) -> Shown:
    """A p-value."""
    return value(heading, figure, "p", about, **factors)


def value(heading: str, figure: Names, kind: Kind = "number", about: str = "", /, **factors: Cell) -> Shown:
    """A figure's bare value, such as an effect size; whole where the column is of integers."""

    def bare(entry: Figure) -> Cell:
        return round(entry.value) if kind == "integer" and entry.value is not None else entry.value

    return _of(heading, kind, about, figure, factors, bare)


def tally(heading: str, figure: Names, about: str = "", /, **factors: Cell) -> Shown:
    """A figure that counts something, as a whole number; 0 where it was not computed."""
    return _of(heading, "integer", about, figure, factors, lambda entry: int(entry.value or 0), absent=0)


def count(heading: str, figure: Names, about: str = "", /, **factors: Cell) -> Shown:
    """Over how many units a figure is (`n`)."""
    return _of(heading, "integer", about, figure, factors, lambda entry: entry.n)


def left_out(heading: str, figure: Names, about: str = "", /, **factors: Cell) -> Shown:
    """How many units could not enter a figure (`excluded`)."""
    return _of(heading, "integer", about, figure, factors, lambda entry: entry.excluded)


def remark(heading: str, figure: Names, about: str = "", /, **factors: Cell) -> Shown:
    """A figure's note as a cell of its own."""
    return _of(heading, "text", about, figure, factors, lambda entry: entry.note, absent="")


def bounds(heading: str, figure: str, about: str = "", /, *, undefined: str = "undefined", **factors: Cell) -> Shown:
    """The lowest and highest a figure could be (`NAME.lowest`, `NAME.highest`); `undefined` where one has no value."""

    def words(index: FigureIndex, row: Factors) -> Cell:
        ends = [index.get(f"{figure}.{end}", **{**row, **factors}) for end in ("lowest", "highest")]
        known = [percent(entry.value) for entry in ends if entry is not None and entry.value is not None]
        return " to ".join(known) if len(known) == len(ends) else undefined if any(ends) else None

    return Shown(Column("", heading, "text", about), words)


def either(first: Shown, second: Shown) -> Shown:
    """The first column; where it has nothing, what the second shows."""

    def cell(index: FigureIndex, row: Factors) -> Cell | Interval:
        found = first.cell(index, row)
        return second.cell(index, row) if found is None else found

    return replace(first, cell=cell)


def optional(shown: Shown) -> Shown:
    """The column, left out of the table where no row has anything in it."""
    return replace(shown, is_optional=True)


def defined(shown: Shown) -> Shown:
    """The column, empty where its figure has no value; the heading's help then says why."""

    def cell(index: FigureIndex, row: Factors) -> Cell | Interval:
        found = shown.cell(index, row)
        return None if isinstance(found, Interval) and found.value is None else found

    return replace(shown, cell=cell)


def _of(
    heading: str,
    kind: Kind,
    about: str,
    figure: Names,
    factors: Factors,
    read: Callable[[Figure], Cell | Interval],
    absent: Cell = None,
) -> Shown:
    names = (figure,) if isinstance(figure, str) else figure

    def cell(index: FigureIndex, row: Factors) -> Cell | Interval:
        found = index.first(names, **{**row, **factors})
        return absent if found is None else read(found)

    return Shown(Column("", heading, kind, about), cell)
