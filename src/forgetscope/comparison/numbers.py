"""Every number of a comparison as a figure with a stable name."""

from collections.abc import Iterator

from forgetscope.comparison.changes import CHANGE_NAMES, Change
from forgetscope.comparison.compare import Comparison
from forgetscope.comparison.differences import Difference, DifferenceTable
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure, plain


def comparison_figures(found: Comparison) -> Iterator[Figure]:
    """Every number: `NAME.difference`, each side's value, p-values, the smallest detectable difference, changes."""
    for table in found.tables:
        for row in table.rows:
            yield from _row_figures(found, table, row)
    for entry in found.changes:
        factors: dict[str, Cell] = {"first": found.labels[0], "second": found.labels[entry.run]}
        for change in Change:
            yield plain(
                f"{entry.outcome.name}.samples.{change.value}",
                factors,
                entry.counts[change],
                len(entry.samples),
                unit="count",
                method="matched samples, " + CHANGE_NAMES[change.value],
            )
    for opinion in found.opinions:
        factors = {"condition": opinion.level, "reference": opinion.model.reference}
        factors |= {opinion.outcome.within: opinion.within} if opinion.outcome.within else {}
        what = "condition - reference across models, items and models random"
        estimate = opinion.model.effects[opinion.level]
        yield figure(f"{opinion.outcome.name}.crossed", factors, estimate, unit="points", label=what)


def _row_figures(found: Comparison, table: DifferenceTable, row: Difference) -> Iterator[Figure]:
    name = table.measure.name
    factors: dict[str, Cell] = {
        "table": table.breakdown.title,
        **row.cell,
        "first": found.labels[row.first],
        "second": found.labels[row.second],
    }
    what = f"second - first, on the same samples: {table.measure.what}"
    yield figure(f"{name}.difference", factors, row.estimate, excluded=row.excluded, unit="points", label=what)
    n = row.estimate.n
    for side, value in (("first", row.value_first), ("second", row.value_second)):
        note = "" if value is not None else row.estimate.undefined
        yield plain(f"{name}.{side}", factors, value, n, unit="proportion", method=table.measure.what, note=note)
    note = "" if row.p is not None else row.estimate.undefined
    yield plain(f"{name}.p", factors, row.p, n, unit="p", method=f"{row.test}, two-sided", note=note)
    method = f"Holm over the {table.tests} tests of this table (cells x pairs of runs)"
    yield plain(f"{name}.p.holm", factors, row.p_holm, n, unit="p", method=method, note=note)
    if row.table is not None:
        counts = f"{row.table.b} right in the first only, {row.table.c} in the second only"
        for kind, value in (("exact", row.table.exact_p), ("corrected", row.table.corrected_p)):
            method = f"McNemar, {kind}, single samples taken as independent; {counts}"
            yield plain(f"{name}.mcnemar.{kind}", factors, value, n, unit="p", method=method)
    method = "smallest true difference found in 80% of repetitions at 5%, from the interval's width"
    yield plain(f"{name}.detectable", factors, row.detectable, n, unit="points", method=method, note=note)
