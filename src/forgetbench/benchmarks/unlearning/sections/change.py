"""Table 1 and figures 2 and 3: what was forgotten, at what cost, per format, retain subset and method."""

from collections.abc import Sequence

from forgetbench.benchmarks.unlearning.metrics.marks import TableCell, mark
from forgetbench.benchmarks.unlearning.metrics.study import MEASURES, METHODS, CellKey, Study
from forgetbench.benchmarks.unlearning.sections.names import MEASURE_NAMES, method_name, pair_name, setting_name
from forgetbench.figures import Cell, Chart, Column, Finding, Interval, Section, Series, Table
from forgetbench.measures import FigureIndex
from forgetbench.phrasing import percent

Setting = tuple[str, str, float, float]
"""Corpus, semantics, learning rate and lambda: the cells of one Table 1."""


def change_section(study: Study, index: FigureIndex) -> Section:
    """For each corpus, semantics and learning rate Table 1, then the five measures by method."""
    blocks: list[Finding | Chart | Table] = []
    for cells in settings(study).values():
        blocks.append(change_table(index, cells))
        blocks.extend(measure_charts(index, cells))
        blocks.append(subset_table(index, cells))
    return Section(
        "What unlearning took",
        tuple(blocks),
        intro="S_change = (target - unlearned) / target: positive means lost. Forget is the mean of two changes on the "
        "forget set (higher is better forgotten), Retain of three on what should stay (lower is better kept). Methods "
        "at one learning rate differ in how far they went: compare them at equal forgetting.",
        slug="change",
    )


def settings(study: Study) -> dict[Setting, list[CellKey]]:
    """Cells by what one Table 1 holds fixed, in order."""
    groups: dict[Setting, list[CellKey]] = {}
    for key in study.cells:
        groups.setdefault((key.corpus, key.semantics, key.learning_rate, key.lambda_retain), []).append(key)
    return groups


def _methods(cells: Sequence[CellKey]) -> list[str]:
    found = {key.method for key in cells}
    return [name for name in METHODS if name in found] + sorted(found - set(METHODS))


def change_table(index: FigureIndex, cells: Sequence[CellKey]) -> Table:
    """Table 1: Forget and Retain change by format and subset, two columns a method, its marking in words."""
    methods = _methods(cells)
    values = {
        ((key.forget_format, key.retain_subset), key.method): TableCell(
            index.value("group", **key.factors, group="forget"), index.value("group", **key.factors, group="retain")
        )
        for key in cells
    }
    marks = mark(values)
    rows: list[dict[str, Cell | Interval]] = []
    for pair in dict.fromkeys((key.forget_format, key.retain_subset) for key in cells):
        row: dict[str, Cell | Interval] = {"forget": pair[0], "retain": pair[1]}
        best = []
        for method in methods:
            key = next((k for k in cells if (k.forget_format, k.retain_subset) == pair and k.method == method), None)
            for group in ("forget", "retain"):
                row[f"{method}_{group}"] = None if key is None else index.interval("group", **key.factors, group=group)
            name = method_name(method)
            if (pair, method) in marks.best_forget:
                best.append(f"{name} forgets most")
            if (pair, method) in marks.best_retain:
                best.append(f"{name} keeps most")
            if (pair, method) in marks.best_of_method:
                best.append(f"{name}'s best cell")
        row["best"] = "; ".join(best)
        rows.append(row)
    columns = [Column("forget", "forget format"), Column("retain", "retain subset")]
    for method in methods:
        columns.append(Column(f"{method}_forget", f"{method_name(method)} Forget", "percent"))
        columns.append(Column(f"{method}_retain", f"{method_name(method)} Retain", "percent"))
    return Table(
        f"S_change, {setting_name(cells[0])}",
        (*columns, Column("best", "marked")),
        tuple(rows),
        note="Marked as in the paper: in each row who forgets most and keeps most, and each method's best cell "
        "(largest Forget minus Retain; the paper does not say how it chose).",
        slug="table1",
    )


def measure_charts(index: FigureIndex, cells: Sequence[CellKey]) -> list[Chart]:
    """The five measures of every cell beside the target's, a chart a method (figures 2 and 3)."""
    charts = []
    for method in _methods(cells):
        own = [key for key in cells if key.method == method]
        corpus = own[0].corpus
        lines = [Series("target", tuple(index.interval("target", corpus=corpus, measure=name) for name in MEASURES))]
        lines.extend(
            Series(pair_name(key), tuple(index.interval("score", **key.factors, measure=name) for name in MEASURES))
            for key in own
        )
        names = tuple(MEASURE_NAMES[name] for name in MEASURES)
        said = []
        for line in lines:
            known = [
                f"{name} {percent(point.value)}"
                for name, point in zip(names, line.points, strict=True)
                if point is not None and point.value is not None
            ]
            said.append(f"{line.label}: {', '.join(known) or 'nothing scored'}")
        charts.append(
            Chart(
                "bars",
                f"{method_name(method)}: the five measures, {setting_name(own[0])}",
                names,
                tuple(lines),
                summary=". ".join(said) + ".",
                y_label="ROUGE-L F1",
                slug=f"measures-{method}",
            )
        )
    return charts


def subset_table(index: FigureIndex, cells: Sequence[CellKey]) -> Table:
    """Trained on one retain subset, evaluated on each: the change of the three retain measures (section 4.3)."""
    rows: list[dict[str, Cell | Interval]] = [
        {
            "format": key.forget_format,
            "method": method_name(key.method),
            "trained": key.retain_subset,
            **{name: index.interval("change", **key.factors, measure=name) for name in MEASURES},
        }
        for key in cells
    ]
    return Table(
        f"Trained on one retain subset, evaluated on each, {setting_name(cells[0])}",
        (
            Column("format", "forget format"),
            Column("method", "method"),
            Column("trained", "retain data"),
            *(Column(name, MEASURE_NAMES[name], "percent") for name in MEASURES),
        ),
        tuple(rows),
        note="Change of each measure: positive is lost, negative is gained.",
        slug="subsets",
    )
