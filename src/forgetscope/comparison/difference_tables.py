"""A measure of a comparison drawn and tabled: differences, sets that are not told apart."""

from collections.abc import Callable, Sequence
from itertools import groupby

from forgetscope.comparison.compare import Comparison
from forgetscope.comparison.differences import Difference, DifferenceTable
from forgetscope.comparison.findings import capital, cell_name, telling, value_name
from forgetscope.comparison.groups import in_words, not_distinguished
from forgetscope.findings.figures import Cell, Chart, Column, Interval, Series, Table
from forgetscope.findings.tables import Given, given, listing
from forgetscope.findings.verdicts import ALPHA
from forgetscope.stats import McNemar

MINOR_COLUMNS = frozenset(
    {"Matched", "Left out", "Only first", "Only second", "p", "McNemar, corrected", "Samples", "Runs"}
)
"""Headings of a comparison's tables that a terminal leaves out."""


def difference_table(found: Comparison, table: DifferenceTable) -> Table:
    """A row for each cell and pair of runs."""
    many = len(found.runs) > 2
    has_counts = any(row.table is not None for row in table.rows)
    first, second = ("First", "Second") if many else found.labels
    test = ", ".join(dict.fromkeys(row.test for row in table.rows))

    def of_pairs(read: Callable[[McNemar], Cell]) -> Callable[[Difference], Cell]:
        return lambda row: None if row.table is None else read(row.table)

    counts: tuple[Given[Difference], ...] = (
        given("Only first", of_pairs(lambda pairs: pairs.b), "integer", "right in the first run only"),
        given("Only second", of_pairs(lambda pairs: pairs.c), "integer", "right in the second run only"),
    )
    mcnemar = given(
        "McNemar, corrected",
        of_pairs(lambda pairs: pairs.corrected_p),
        "p",
        "continuity-corrected, single samples taken as independent: for papers",
    )
    of_size = "smallest true difference found in 80% of repetitions"
    corrected = f"over the {table.tests} tests of this table; above {ALPHA} nothing is shown"
    return listing(
        f"{capital(table.measure.label)}, {table.breakdown.title}",
        table.rows,
        [
            *(_factor(column) for column in telling(table)),
            *(_pair(found) if many else ()),
            given(first, lambda row: row.value_first, "percent"),
            given(second, lambda row: row.value_second, "percent"),
            given("Difference", _interval, "points", "second - first, paired, with its 95% interval"),
            given("Matched", lambda row: row.estimate.n, "integer", "units scored in both"),
            given("Left out", lambda row: row.excluded, "integer", "units of the cell not scored in both"),
            *(counts if has_counts else ()),
            given("p", lambda row: row.p, "p", test),
            *((mcnemar,) if has_counts else ()),
            given("p, Holm", lambda row: row.p_holm, "p", corrected),
            given("Detectable", lambda row: row.detectable, "size", of_size),
        ],
        slug=_slug(table, "differences"),
    )


def _factor(column: Column) -> Given[Difference]:
    return given(column.label, lambda row: value_name(column, row.cell[column.key]))


def _pair(found: Comparison) -> tuple[Given[Difference]]:
    return (given("Second - first", lambda row: f"{found.labels[row.second]} - {found.labels[row.first]}"),)


def _interval(row: Difference) -> Interval:
    estimate = row.estimate
    note = estimate.undefined if estimate.value is None or estimate.low is None else ""
    return Interval(estimate.value, estimate.low, estimate.high, note)


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
    cells = [(name, list(rows)) for name, rows in groupby(table.rows, key=lambda row: cell_name(table, row))]

    def sets(rows: Sequence[Difference]) -> Sequence[tuple[int, ...]]:
        return not_distinguished(rows, len(found.runs))

    return listing(
        f"{capital(table.measure.label)}: runs that are not told apart",
        cells,
        [
            given("Cell", lambda cell: cell[0]),
            given(
                "Sets of runs not told apart",
                lambda cell: in_words(sets(cell[1]), found.labels),
                "text",
                "no two of a set differ after Holm; sets may overlap",
            ),
            given("Sets", lambda cell: len(sets(cell[1])), "integer"),
            given(
                "Detectable",
                lambda cell: max((row.detectable for row in cell[1] if row.detectable is not None), default=None),
                "size",
                "the largest of the pairs of the cell",
            ),
        ],
        note="Not told apart is not equal: differences below the last column are mostly missed.",
        slug=_slug(table, "groups"),
    )
