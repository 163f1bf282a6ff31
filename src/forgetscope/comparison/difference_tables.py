"""A measure of a comparison drawn and tabled: differences, sets that are not told apart."""

from itertools import groupby

from forgetscope.comparison.compare import Comparison
from forgetscope.comparison.differences import ALPHA, Difference, DifferenceTable
from forgetscope.comparison.findings import capital, cell_name, telling, value_name
from forgetscope.comparison.groups import in_words, not_distinguished
from forgetscope.findings.figures import Cell, Chart, Column, Interval, Series, Table
from forgetscope.findings.phrasing import text_column

Row = dict[str, Cell | Interval]

MINOR_COLUMNS = frozenset({"n", "excluded", "lost", "gained", "p", "corrected"})
"""Columns of a table of differences that a terminal leaves out."""


def difference_table(found: Comparison, table: DifferenceTable) -> Table:
    """A row for each cell and pair of runs."""
    many = len(found.runs) > 2
    rows: list[Row] = []
    for row in table.rows:
        rows.append(
            {
                **{
                    f"cell {column.key}": value_name(column, row.cell[column.key]) for column in table.breakdown.factors
                },
                "pair": f"{found.labels[row.second]} - {found.labels[row.first]}",
                "first": row.value_first,
                "second": row.value_second,
                "difference": Interval(
                    row.estimate.value,
                    row.estimate.low,
                    row.estimate.high,
                    row.estimate.undefined if row.estimate.value is None or row.estimate.low is None else "",
                ),
                "n": row.estimate.n,
                "excluded": row.excluded,
                "lost": None if row.table is None else row.table.b,
                "gained": None if row.table is None else row.table.c,
                "p": row.p,
                "corrected": None if row.table is None else row.table.corrected_p,
                "holm": row.p_holm,
                "detectable": row.detectable,
            }
        )
    first, second = ("First", "Second") if many else found.labels
    has_counts = any(row.table is not None for row in table.rows)
    test = ", ".join(dict.fromkeys(row.test for row in table.rows))
    counts = (
        Column("lost", "Only first", "integer", "right in the first run only"),
        Column("gained", "Only second", "integer", "right in the second run only"),
    )
    mcnemar = Column(
        "corrected", "McNemar, corrected", "p", "continuity-corrected, single samples taken as independent: for papers"
    )
    columns = (
        *(text_column(f"cell {column.key}", column.label) for column in telling(table)),
        *((text_column("pair", "Second - first"),) if many else ()),
        Column("first", first, "percent"),
        Column("second", second, "percent"),
        Column("difference", "Difference", "points", "second - first, paired, with its 95% interval"),
        Column("n", "Matched", "integer", "units scored in both"),
        Column("excluded", "Left out", "integer", "units of the cell not scored in both"),
        *(counts if has_counts else ()),
        Column("p", "p", "p", test),
        *((mcnemar,) if has_counts else ()),
        Column("holm", "p, Holm", "p", f"over the {table.tests} tests of this table; at most {ALPHA} tells runs apart"),
        Column("detectable", "Detectable", "size", "smallest true difference found in 80% of repetitions"),
    )
    title = f"{capital(table.measure.label)}, {table.breakdown.title}"
    return Table(title, columns, tuple(rows), slug=_slug(table, "differences"))


def _slug(table: DifferenceTable, what: str) -> str:
    return f"{what}-{table.measure.name}-{table.breakdown.title}".replace(".", "-").replace(" ", "-").replace(",", "")


def difference_chart(found: Comparison, table: DifferenceTable) -> Chart:
    """Each later run's difference from the first, by cell, with its interval."""
    cells = list(dict.fromkeys(cell_name(table, row) for row in table.rows))
    from_first: dict[int, dict[str, Difference]] = {}
    for row in table.rows:
        if row.first == 0:
            from_first.setdefault(row.second, {})[cell_name(table, row)] = row
    series = tuple(
        Series(
            found.labels[run],
            tuple(
                Interval(rows[cell].estimate.value, rows[cell].estimate.low, rows[cell].estimate.high)
                if cell in rows
                else None
                for cell in cells
            ),
        )
        for run, rows in sorted(from_first.items())
    )
    apart = sum(row.is_distinguished for row in table.rows if row.first == 0)
    return Chart(
        "bars",
        f"{capital(table.measure.label)}: difference from {found.labels[0]}",
        tuple(cells),
        series,
        f"Differences from {found.labels[0]} in percentage points with their 95% intervals; above zero the other run "
        f"is higher. {apart} of {sum(len(rows) for rows in from_first.values())} are shown after Holm's correction.",
        y_label="difference",
        unit="points",
        slug=_slug(table, "chart"),
    )


def groups_table(found: Comparison, table: DifferenceTable) -> Table:
    """For each cell the runs from high to low, and the sets that are not told apart."""
    rows: list[Row] = []
    for name, group in groupby(table.rows, key=lambda row: cell_name(table, row)):
        of_cell = list(group)
        sets = not_distinguished(of_cell, len(found.runs))
        widest = max((row.detectable for row in of_cell if row.detectable is not None), default=None)
        words = in_words(sets, found.labels)
        rows.append({"cell": name, "sets": words, "count": len(sets), "detectable": widest})
    return Table(
        f"{capital(table.measure.label)}: runs that are not told apart",
        (
            text_column("cell", "Cell"),
            text_column("sets", "Sets of runs not told apart", "no two of a set differ after Holm; sets may overlap"),
            Column("count", "Sets", "integer"),
            Column("detectable", "Detectable", "size", "the largest of the pairs of the cell"),
        ),
        tuple(rows),
        note="Not told apart is not equal: differences below the last column are mostly missed.",
        slug=_slug(table, "groups"),
    )
