"""A comparison in sentences: what keeps the runs apart, then what differs and how sure that is."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from forgetscope.comparison.compare import Comparison
from forgetscope.comparison.differences import Difference, DifferenceTable
from forgetscope.core.outcomes import Account, Status
from forgetscope.findings.figures import Cell, Column, Finding
from forgetscope.findings.phrasing import counted, percent, points, signed
from forgetscope.findings.verdicts import Verdict, p_words

MOST_CELLS_IN_WORDS = 6
"""A table with more cells is summed up in one sentence."""


def headline_findings(found: Comparison) -> tuple[Finding, ...]:
    """What keeps the runs apart, then each measure's first table in words."""
    if found.is_without_any_difference:
        every = f"every reply is the same in {found.matching.samples:,} samples"
        return (*_warnings(found), Finding(f"No difference anywhere: {every}."))
    said = [
        finding
        for _, tables in groupby(found.tables, key=lambda table: table.measure.name)
        for finding in table_findings(found, next(iter(tables)))
    ]
    return (*_warnings(found), *said)


def _warnings(found: Comparison) -> Iterator[Finding]:
    for run in found.runs:
        if run.table.height < run.planned:
            yield Finding(
                f"{run.label}: only {run.table.height:,} of {run.planned:,} planned samples are in its logs.", "warning"
            )
    for run, table in zip(found.runs, found.matching.tables, strict=True):
        account = Account.of(table["status"].to_list(), table["raw_pass"].to_list())
        if account.is_length_limited:
            cut = account.counts[Status.TRUNCATED]
            yield Finding(
                f"{run.label} is length-limited: {cut:,} of {account.attempted:,} matched replies were cut off.",
                "warning",
            )
    if found.matching.only_in_some:
        yield Finding(
            f"{counted(found.matching.only_in_some, 'sample')} that some run lacks {_are(found.matching.only_in_some)} "
            f"left out; the comparison is over the {found.matching.samples:,} that all hold.",
            "warning",
        )
    if found.matching.asked_differently:
        yield Finding(
            f"{counted(found.matching.asked_differently, 'sample')} {_are(found.matching.asked_differently)} left out "
            "because the runs were not sent the same.",
            "warning",
        )
    for mismatch in found.mismatches:
        listed = "; ".join(f"{label}: {value}" for label, value in zip(found.labels, mismatch.values, strict=True))
        yield Finding(f"Not the same in all runs: {mismatch.what} ({listed}).", "warning")


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def table_findings(found: Comparison, table: DifferenceTable) -> tuple[Finding, ...]:
    """A sentence for each cell of a small table of two runs, one for a large table or many runs."""
    apart = [row for row in table.rows if row.is_distinguished]
    if len(found.runs) == 2 and len(table.rows) <= MOST_CELLS_IN_WORDS:
        rest = [row for row in table.rows if not row.is_distinguished]
        shown = tuple(
            row.support.finding(f"{capital(table.measure.label)}: {_in_words(found, table, row)}") for row in apart
        )
        return (*shown, *((_undecided(found, table, rest),) if rest else ()))
    where = f"{capital(table.measure.label)}, {table.breakdown.title}"
    tested = f"{table.tests} comparisons"
    if not apart:
        return (Finding(f"{where}: no difference is shown in any of {tested} (Holm).", _least(table.rows)),)
    largest = max(apart, key=lambda row: abs(row.estimate.value or 0.0))
    words = f"{where}: {counted(len(apart), 'difference')} of {tested} {_are(len(apart))} shown (Holm); the largest: "
    return (largest.support.finding(words + _in_words(found, table, largest)),)


def _least(rows: Sequence[Difference]) -> Verdict:
    """The badge of several differences that are not shown: too few where each has too few items."""
    return "too few" if {row.support.verdict for row in rows} == {"too few"} else "undecided"


def _undecided(found: Comparison, table: DifferenceTable, rows: Sequence[Difference]) -> Finding:
    """The cells in which nothing is shown, in one sentence; of a single cell, its numbers."""
    name = capital(table.measure.label)
    if len(rows) == 1:
        row = rows[0]
        if row.estimate.value is None:
            return Finding(f"{name}: {_in_words(found, table, row)}.", _least(rows))
        return row.support.finding(f"{name}: {_in_words(found, table, row)}")
    listed = "; ".join(
        f"{cell_name(table, row)} {'undefined' if row.estimate.value is None else signed(row.estimate.value)}"
        for row in rows
    )
    missed = max((row.detectable for row in rows if row.detectable is not None), default=None)
    words = "" if missed is None else f" Differences of less than {points(missed)} points would mostly be missed."
    return Finding(f"{name}: no difference is shown. In points: {listed}.{words}", _least(rows))


def _in_words(found: Comparison, table: DifferenceTable, row: Difference) -> str:
    value, first, second = row.estimate.value, row.value_first, row.value_second
    where = f"{cell_name(table, row)}: " if row.cell else ""
    if value is None or first is None or second is None:
        return f"{where}not defined ({row.estimate.undefined})"
    one, two = found.labels[row.first], found.labels[row.second]
    low, high = row.estimate.low, row.estimate.high
    ends = (low, high) if value >= 0 or low is None or high is None else (-high, -low)
    interval = (
        f"no interval: {row.estimate.undefined}"
        if ends[0] is None or ends[1] is None
        else f"95% interval {signed(ends[0])} to {signed(ends[1])}"
    )
    p = "" if row.p_holm is None else f", {p_words(row.p_holm)} after Holm"
    direction = "no different from" if value == 0 else f"{points(value)} points {'above' if value > 0 else 'below'}"
    missed = (
        ""
        if row.is_distinguished or row.detectable is None
        else f"; less than {points(row.detectable)} points would mostly be missed"
    )
    return (
        f"{where}{two} ({percent(second)}) is {direction} {one} ({percent(first)}; {interval}{p}, "
        f"{_matched(row)}){missed}"
    )


def _matched(row: Difference) -> str:
    clusters = row.estimate.clusters
    of = f" of {counted(clusters, 'item')}" if clusters not in (0, row.estimate.n) else ""
    return f"{counted(row.estimate.n, 'matched pair')}{of}"


def capital(text: str) -> str:
    """A text with a capital first."""
    return text[0].upper() + text[1:]


def cell_name(table: DifferenceTable, row: Difference) -> str:
    """A cell for a person: the names of its factors' values; `all` without factors."""
    words = [value_name(column, row.cell[column.key]) for column in telling(table)]
    return ", ".join(word for word in words if word) or "all"


def telling(table: DifferenceTable) -> tuple[Column, ...]:
    """The factors that tell the table's cells apart; of a single cell, the first."""
    factors = table.breakdown.factors
    several = tuple(one for one in factors if len({row.cell[one.key] for row in table.rows}) > 1)
    return several or factors[:1]


def value_name(column: Column, value: Cell) -> str:
    """A factor's value for a person; a bare number says what it counts."""
    name = column.names.get("" if value is None else str(value))
    if name is None and isinstance(value, int | float) and not isinstance(value, bool):
        return f"{column.label.lower()} {value}"
    return name if name is not None else "" if value is None else str(value).replace("_", " ")
