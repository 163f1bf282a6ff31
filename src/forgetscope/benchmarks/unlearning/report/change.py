"""Table 1 and figures 2 and 3: what was forgotten, at what cost, per format, retain subset and method."""

from collections.abc import Sequence

from forgetscope.benchmarks.unlearning.metrics.study import MEASURES, CellKey, GridSetting, UnlearningStudy
from forgetscope.benchmarks.unlearning.report.names import (
    FORMAT,
    MEASURE_NAMES,
    METHOD,
    SHORT_MEASURE_NAMES,
    SUBSET,
    method_name,
    setting_name,
)
from forgetscope.benchmarks.unlearning.report.table1 import TableBlock, change_table, methods_of
from forgetscope.findings.figures import Chart, Finding, Section, Series, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import percent
from forgetscope.findings.tables import count, either, rate, table, value


def change_section(study: UnlearningStudy, index: FigureIndex) -> Section:
    """For each setting Table 1, the five measures by method, and what training on each retain subset did."""
    blocks: list[Finding | Chart | Table] = []
    for setting, cells in study.settings_run.items():
        about = f", {setting_name(setting)}" if len(study.settings_run) > 1 else ""
        block = TableBlock(setting_name(setting), index, cells)
        blocks.append(change_table([block], f"S_change, {setting_name(setting)}", "table1"))
        blocks.extend(measure_charts(index, setting, cells, about))
        blocks.append(subset_table(index, cells, about))
        spread = seed_table(index, cells, about)
        if spread is not None:
            blocks.append(spread)
    return Section(
        "S_change of every cell (Table 1, Figures 2 and 3)",
        tuple(blocks),
        intro="The share of the target's score that unlearning took, (target - unlearned) / target: positive is "
        "lost, negative is gained. Forget is the mean of two changes on the forget set (higher is better "
        "forgotten), Retain of three on what should stay (lower is better kept). A cell is one model, unlearned in "
        "one way. Methods at one learning rate differ in how far they went: compare them at equal forgetting.",
        slug="change",
    )


def measure_charts(index: FigureIndex, setting: GridSetting, cells: Sequence[CellKey], about: str) -> list[Chart]:
    """The five measures of every cell beside the target's (Figures 2 and 3): a radar for each method."""
    charts = []
    for method in methods_of(cells):
        own = [key for key in cells if key.method == method]
        target = tuple(index.interval("target", corpus=setting.corpus, measure=name) for name in MEASURES)
        lines = [Series("target", target)]
        for key in own:
            scores = tuple(index.interval("score", **key.factors, measure=name) for name in MEASURES)
            lines.append(Series(key.retain_subset, scores, panel=key.forget_format))
        title = f"{method_name(method)}: score of the five measures, target and unlearned{about}"
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
    return table(
        index,
        f"S_change by measure{about}",
        [key.factors for key in cells],
        [
            FORMAT,
            METHOD,
            SUBSET,
            *(rate(MEASURE_NAMES[name], "change", measure=name) for name in MEASURES),
        ],
        note="Every cell was trained with one retain subset and is evaluated on all measures.",
        slug="subsets",
    )


def seed_table(index: FigureIndex, cells: Sequence[CellKey], about: str) -> Table | None:
    """The spread of each cell over training seeds; None where every cell was trained once."""
    groups = ("forget", "retain")
    several = [
        key.factors for key in cells if any(index.get("group.seeds.spread", **key.factors, group=one) for one in groups)
    ]
    if not several:
        return None
    spread, lowest, highest = (f"group.seeds.{name}" for name in ("spread", "lowest", "highest"))
    columns = [FORMAT, SUBSET, METHOD, either(*(count("Seeds", spread, group=one) for one in reversed(groups)))]
    for one in groups:
        columns.append(value(f"{one.title()} lowest", lowest, "percent", group=one))
        columns.append(value(f"{one.title()} highest", highest, "percent", group=one))
        columns.append(rate(f"{one.title()} s.d.", spread, group=one))
    return table(
        index,
        f"Spread over training seeds{about}",
        several,
        columns,
        note="The intervals of the other tables are over questions and chunks, for these training runs; this is what "
        "another seed did.",
        slug="seeds",
    )
