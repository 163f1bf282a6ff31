"""Tables as the page writes them: cells as text, sort keys, and intervals that stand under each other."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from forgetscope.findings.figures import Cell, Chart, Column, Interval, Table
from forgetscope.report.wording import (
    ABSENT,
    column_unit,
    finite,
    kind_of,
    unit_words,
    visible,
    write_cell,
    write_number,
)

FIGURE_SPACE = "\N{FIGURE SPACE}"
"""As wide as a digit: pads the ends of intervals so that they align."""


@dataclass(frozen=True)
class CellView:
    """A cell: the number or text, its interval beside it, and what it sorts by (empty sorts last).

    Attributes:
        is_padding: The interval only keeps the width of the column's others and is not shown.
        mark: Letter of the footnote that says what `note` says; empty without one.
    """

    text: str
    interval: str = ""
    is_padding: bool = False
    note: str = ""
    mark: str = ""
    sort: str = ""

    @property
    def is_long(self) -> bool:
        """Whether the text needs a column of its own width rather than one line."""
        return len(self.text) > LONGEST_TEXT

    def width(self, *, stacked: bool) -> int:
        """Characters it takes, with the interval beside the number or under it."""
        text = min(len(self.text), LONGEST_TEXT) + len(self.mark)
        return max(text, len(self.interval)) if stacked else text + bool(self.interval) + len(self.interval)


@dataclass(frozen=True)
class HeadView:
    """A column's heading."""

    label: str
    unit: str
    help: str
    is_number: bool

    @property
    def width(self) -> int:
        """Characters it is wide at least: it may break between words."""
        return max(map(len, f"{self.label} {self.unit and f'({self.unit})'}".split()), default=0)


@dataclass(frozen=True)
class TablePart:
    """As many columns of a table as stand side by side; a further part begins with the same labels."""

    heads: tuple[HeadView, ...]
    rows: tuple[tuple[CellView, ...], ...]


WIDEST = 108
"""Characters of a row that fit beside the contents on a screen of 1,280 pixels."""
GAP = 2
"""Characters between two columns."""
LONGEST_TEXT = 28
"""Characters of a text in one line; a longer one is broken."""


@dataclass(frozen=True)
class TableView:
    """A table, ready to be written."""

    title: str
    heads: tuple[HeadView, ...]
    rows: tuple[tuple[CellView, ...], ...]
    note: str = ""
    footnotes: tuple[tuple[str, str], ...] = ()

    @property
    def is_stacked(self) -> bool:
        """Whether intervals stand under their numbers: beside them the table would be too wide."""
        return sum(self._widths(stacked=False)) > WIDEST

    @property
    def parts(self) -> tuple[TablePart, ...]:
        """The table; one that is too wide for a screen in parts of about as many columns."""
        labels = next((place for place, head in enumerate(self.heads) if head.is_number), len(self.heads))
        widths = self._widths(stacked=True)
        others = list(range(labels, len(self.heads)))
        for count in range(1, len(others) + 1):
            size = -(-len(others) // count)
            chosen = [[*range(labels), *others[at : at + size]] for at in range(0, len(others), size)]
            if size == 1 or all(sum(widths[place] for place in places) <= WIDEST for places in chosen):
                return tuple(map(self._part, chosen))
        return (TablePart(self.heads, self.rows),)

    def _part(self, places: list[int]) -> TablePart:
        rows = tuple(tuple(row[place] for place in places) for row in self.rows)
        return TablePart(tuple(self.heads[place] for place in places), rows)

    def _widths(self, *, stacked: bool) -> list[int]:
        """Characters every column takes."""
        return [
            GAP + max([head.width, *(row[place].width(stacked=stacked) for row in self.rows)])
            for place, head in enumerate(self.heads)
        ]

    @property
    def helps(self) -> tuple[HeadView, ...]:
        """Headings that need a word of explanation below the table."""
        return tuple(head for head in self.heads if head.help)


def view_table(table: Table) -> TableView:
    """A benchmark's table as text. A row without a column's key has an empty cell there."""
    columns = [_view_column(column, table.rows) for column in table.columns]
    heads = tuple(
        HeadView(column.label, column_unit(column), column.help, column.kind != "text") for column in table.columns
    )
    return _footnoted(table.title, heads, columns, table.note)


def chart_table(chart: Chart) -> TableView:
    """The numbers a chart draws, as its text alternative: a category a row, a series a column."""
    if chart.kind == "forest":
        return _forest_table(chart)
    kind = kind_of(chart.unit)
    unit = unit_words(chart.unit)
    columns = [[CellView(visible(name), sort=visible(name)) for name in chart.categories]]
    heads = [HeadView("", "", "", False)]
    for series in chart.series:
        name = f"{series.panel}: {series.label}" if series.panel else series.label
        sides = [(name, series.points)]
        if series.across:
            sides = [(f"{name}, {chart.x_label}", series.across), (f"{name}, {chart.y_label}", series.points)]
        for label, listed in sides:
            points = [*listed, *[None] * (len(chart.categories) - len(listed))]
            columns.append(_align([_number_cell(point or Interval(None), kind) for point in points], points, kind))
            heads.append(HeadView(label, unit, "", True))
    return _footnoted(chart.title, tuple(heads), columns, "")


def _forest_table(chart: Chart) -> TableView:
    """Residues and what they are called, under whose rows they stand."""
    rows = tuple(
        {"Of": ", ".join(filter(None, (series.label, series.panel))), "What": name, "Residue": point, "Called": word}
        for series in chart.series
        for name, point, word in zip(chart.categories, series.points, series.words, strict=True)
        if word
    )
    heads = tuple(Column(name, name, "number" if name == "Residue" else "text") for name in rows[0])
    return view_table(Table(chart.title, heads if rows[0]["Of"] else heads[1:], rows))


def _footnoted(title: str, heads: tuple[HeadView, ...], columns: list[list[CellView]], note: str) -> TableView:
    """The table by rows, with the cells' notes gathered below it: a long note would tear its row apart."""
    rows = tuple(zip(*columns, strict=True))
    notes = dict.fromkeys(cell.note for row in rows for cell in row if cell.note)
    letters = {said: _letter(place) for place, said in enumerate(notes)}
    marked = tuple(tuple(replace(cell, mark=letters[cell.note]) if cell.note else cell for cell in row) for row in rows)
    return TableView(title, heads, marked, note, tuple((letter, said) for said, letter in letters.items()))


def _letter(place: int) -> str:
    """The letter of a footnote: numbers beside numbers would be read as part of them.

    >>> _letter(0), _letter(25), _letter(26)
    ('a', 'z', 'aa')
    """
    return (_letter(place // 26 - 1) if place >= 26 else "") + chr(ord("a") + place % 26)


def _view_column(column: Column, rows: tuple[Mapping[str, Cell | Interval], ...]) -> list[CellView]:
    values = [row.get(column.key) for row in rows]
    cells = [_cell(value, column.kind) for value in values]
    if not any(isinstance(value, Interval) for value in values):
        return cells
    kind = "number" if column.kind == "text" else column.kind
    return _align(cells, [value if isinstance(value, Interval) else None for value in values], kind)


def _cell(value: Cell | Interval, kind: str) -> CellView:
    if isinstance(value, Interval):
        return _number_cell(value, "number" if kind == "text" else kind)
    text = write_cell(value, kind)
    if value is None or text == ABSENT:
        return CellView(ABSENT)
    if isinstance(value, bool):
        return CellView(text, sort=text)
    return CellView(text, sort=repr(value) if isinstance(value, int | float) else text)


def _number_cell(interval: Interval, kind: str) -> CellView:
    value = finite(interval.value)
    return CellView(write_number(value, kind), note=visible(interval.note), sort="" if value is None else repr(value))


def _align(cells: list[CellView], intervals: list[Interval | None], kind: str) -> list[CellView]:
    """The cells with their intervals, ends padded to the widest of the column."""
    ends: list[tuple[str, str] | None] = [
        (write_number(interval.low, kind), write_number(interval.high, kind))
        if interval is not None and finite(interval.low) is not None and finite(interval.high) is not None
        else None
        for interval in intervals
    ]
    widest = [max((len(pair[side]) for pair in ends if pair), default=0) for side in (0, 1)]
    if not any(ends):
        return cells
    empty = ("0" * widest[0], "0" * widest[1])
    return [
        replace(cell, interval=_brackets(pair or empty, widest), is_padding=pair is None)
        for cell, pair in zip(cells, ends, strict=True)
    ]


def _brackets(ends: tuple[str, str], widest: list[int]) -> str:
    return f"[{ends[0].rjust(widest[0], FIGURE_SPACE)}, {ends[1].rjust(widest[1], FIGURE_SPACE)}]"
