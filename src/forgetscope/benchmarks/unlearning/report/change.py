"""Table 1 and figures 2 and 3: what was forgotten, at what cost, per format, retain subset and method."""

from collections.abc import Sequence
from dataclasses import replace

from forgetscope.benchmarks.unlearning.methods import METHODS
from forgetscope.benchmarks.unlearning.metrics.marks import TableCell, mark
from forgetscope.benchmarks.unlearning.metrics.study import MEASURES, CellKey, GridSetting, UnlearningStudy
from forgetscope.benchmarks.unlearning.report.names import (
    MEASURE_NAMES,
    SHORT_MEASURE_NAMES,
    method_name,
    pair_name,
    setting_name,
)
from forgetscope.findings.figures import Cell, Chart, Column, Finding, Interval, Section, Series, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import percent

FORGETS_MOST, KEEPS_MOST = "forgets most of its row", "keeps most of its row"
BEST_CELL = "the method's best cell"


def change_section(study: UnlearningStudy, index: FigureIndex) -> Section:
    """For each setting Table 1, the five measures by method, and what training on each retain subset did."""
    blocks: list[Finding | Chart | Table] = []
    for setting, cells in study.settings_run.items():
        about = f", {setting_name(setting)}" if len(study.settings_run) > 1 else ""
        blocks.append(change_table(index, setting, cells))
        charts = measure_charts(index, setting, cells, about)
        blocks.extend(chart for chart in charts if chart.kind == "radar")
        blocks.append(subset_table(index, cells, about))
        spread = seed_table(index, cells, about)
        if spread is not None:
            blocks.append(spread)
        blocks.extend(chart for chart in charts if chart.kind == "bars")
    return Section(
        "What unlearning took",
        tuple(blocks),
        intro="S_change = (target - unlearned) / target: positive means lost. Forget is the mean of two changes on the "
        "forget set (higher is better forgotten), Retain of three on what should stay (lower is better kept). Methods "
        "at one learning rate differ in how far they went: compare them at equal forgetting.",
        slug="change",
    )


def _methods(cells: Sequence[CellKey]) -> list[str]:
    found = {key.method for key in cells}
    return [name for name in METHODS if name in found] + sorted(found - set(METHODS))


def change_table(index: FigureIndex, setting: GridSetting, cells: Sequence[CellKey]) -> Table:
    """Table 1: Forget and Retain change by format and subset, two columns a method, its marking as footnotes."""
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
        for key in cells:
            if (key.forget_format, key.retain_subset) != pair:
                continue
            said = {
                "forget": [FORGETS_MOST] if (pair, key.method) in marks.best_forget else [],
                "retain": [KEEPS_MOST] if (pair, key.method) in marks.best_retain else [],
            }
            if (pair, key.method) in marks.best_of_method:
                for words in said.values():
                    words.append(BEST_CELL)
            for group, words in said.items():
                shown = index.interval("group", **key.factors, group=group)
                row[f"{key.method}_{group}"] = shown and replace(
                    shown, note="; ".join(filter(None, (shown.note, *words)))
                )
        rows.append(row)
    columns = [Column("forget", "forget format"), Column("retain", "retain subset")]
    for method in methods:
        columns.append(Column(f"{method}_forget", f"{method_name(method)} Forget", "percent"))
        columns.append(Column(f"{method}_retain", f"{method_name(method)} Retain", "percent"))
    return Table(
        f"S_change, {setting_name(setting)}",
        tuple(columns),
        tuple(rows),
        note="Marked as in the paper: in each row who forgets most and who keeps most, and each method's best cell "
        "(largest Forget minus Retain; the paper does not say how it chose).",
        slug="table1",
    )


def measure_charts(index: FigureIndex, setting: GridSetting, cells: Sequence[CellKey], about: str) -> list[Chart]:
    """The five measures of every cell beside the target's (figures 2 and 3): a radar and bars for each method."""
    charts = []
    for method in _methods(cells):
        own = [key for key in cells if key.method == method]
        target = tuple(index.interval("target", corpus=setting.corpus, measure=name) for name in MEASURES)
        lines = [Series("target", target)]
        for key in own:
            scores = tuple(index.interval("score", **key.factors, measure=name) for name in MEASURES)
            lines.append(Series(key.retain_subset, scores, panel=key.forget_format))
        title = f"{method_name(method)}: the five measures{about}"
        charts.append(
            Chart(
                "radar",
                title,
                tuple(SHORT_MEASURE_NAMES[name] for name in MEASURES),
                tuple(lines),
                summary=_scores_in_words(lines),
                y_label="ROUGE-L F1",
                slug=f"radar-{method}",
            )
        )
        charts.append(
            Chart(
                "bars",
                f"{method_name(method)}: the same as bars{about}",
                ("target", *(pair_name(key) for key in own)),
                tuple(
                    Series(MEASURE_NAMES[name], tuple(line.points[place] for line in lines))
                    for place, name in enumerate(MEASURES)
                ),
                summary=_scores_in_words(lines),
                y_label="ROUGE-L F1",
                slug=f"bars-{method}",
            )
        )
    return charts


def _scores_in_words(lines: Sequence[Series]) -> str:
    """The target's five measures, and between what cells each of them lies: every number stands in the table below."""
    target, *cells = lines
    said = []
    for place, measure in enumerate(MEASURES):
        here = target.points[place]
        values = [
            point.value for line in cells if (point := line.points[place]) is not None and point.value is not None
        ]
        before = "undefined" if here is None or here.value is None else percent(here.value)
        after = f"{percent(min(values))} to {percent(max(values))}" if values else "nothing scored"
        said.append(f"{MEASURE_NAMES[measure]} {before} before and {after} after")
    return f"{'; '.join(said)}."


def subset_table(index: FigureIndex, cells: Sequence[CellKey], about: str) -> Table:
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
        f"Trained on one retain subset, evaluated on each{about}",
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


def seed_table(index: FigureIndex, cells: Sequence[CellKey], about: str) -> Table | None:
    """The spread of each cell over training seeds; None where every cell was trained once."""
    rows: list[dict[str, Cell | Interval]] = []
    for key in cells:
        row: dict[str, Cell | Interval] = {
            "format": key.forget_format,
            "retain": key.retain_subset,
            "method": method_name(key.method),
        }
        for group in ("forget", "retain"):
            factors: dict[str, Cell] = {**key.factors, "group": group}
            spread = index.get("group.seeds.spread", **factors)
            if spread is None:
                continue
            row["seeds"] = spread.n
            row[f"{group}_spread"] = Interval(spread.value, note=spread.note)
            for end in ("lowest", "highest"):
                row[f"{group}_{end}"] = index.value(f"group.seeds.{end}", **factors)
        if "seeds" in row:
            rows.append(row)
    if not rows:
        return None
    columns = [Column("format", "forget format"), Column("retain", "retain subset"), Column("method", "method")]
    columns.append(Column("seeds", "seeds", "integer"))
    for group in ("forget", "retain"):
        columns.append(Column(f"{group}_lowest", f"{group.title()} lowest", "percent"))
        columns.append(Column(f"{group}_highest", f"{group.title()} highest", "percent"))
        columns.append(Column(f"{group}_spread", f"{group.title()} s.d.", "percent"))
    return Table(
        f"Spread over training seeds{about}",
        tuple(columns),
        tuple(rows),
        note="The intervals of the other tables are over questions and chunks, for these training runs; this is what "
        "another seed did.",
        slug="seeds",
    )
