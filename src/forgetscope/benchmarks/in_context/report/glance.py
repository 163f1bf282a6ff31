"""The three scenarios at a glance: table 1 and figure 4 of the paper, what is behind them, and what they say."""

from collections import Counter

from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.metrics.study import AVERAGE, DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.judges import agreement_cell, decided_by, judge_quality
from forgetscope.benchmarks.in_context.report.names import scenario_name, setting_name
from forgetscope.benchmarks.in_context.report.settings import SCENARIO, SETTING, cell_of, measures, tables_of
from forgetscope.core.outcomes import Status
from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Chart, Figure, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, interval_words, percent, points, verdict
from forgetscope.findings.tables import bounds, count, label, left_out, p_value, rate

INTRO = (
    "NA: right without the forgetting interference (the fact is recalled, the instruction carried out, the preference "
    "followed). FA: right with it (the fact is withheld, the revised instruction carried out, the new preference "
    "followed). SFRR: right with it, among the items right without it. All over items with both forms scored; an "
    "answer that cannot be read is never forgotten."
)
_KEPT = {
    Scenario.INSTRUCTIONAL_FORGETTING.value: (
        "asked to forget, it withheld {share} of the {items} it could recall",
        "of {all} it could recall none, so there was nothing to forget",
    ),
    Scenario.SUBTASK_REVISION.value: (
        "of the {items} it carried out alone, it carried out {share} after the original instruction too",
        "of {all} it carried out none alone, so nothing could be lost",
    ),
    Scenario.DYNAMIC_PREFERENCE.value: (
        "of the {items} where it followed the first preference, it followed the new one in {share}",
        "of {all} it followed the first preference in none, so no change of one can be seen",
    ),
}
"""What SFRR is of in each scenario, and what it means that it is undefined."""
LOST = {
    Status.TRUNCATED.value: "cut off",
    Status.REFUSED.value: "refused",
    Status.INVALID_FORMAT.value: "without an answer to read",
    Status.JUDGE_UNPARSEABLE.value: "with a verdict that could not be read",
    Status.JUDGE_ERROR.value: "without a verdict",
    Status.MODEL_ERROR.value: "lost to errors",
    Status.NOT_SENT.value: "not sent",
}
"""What became of samples that were not scored."""
_ITEM = {
    Scenario.INSTRUCTIONAL_FORGETTING.value: "fact",
    Scenario.SUBTASK_REVISION.value: "revised instruction",
    Scenario.DYNAMIC_PREFERENCE.value: "item",
}


def glance_section(study: InContextStudy, index: FigureIndex) -> Section | None:
    """Findings, chart and table of the main setting, then every setting and the paper's reading; None without cells."""
    if not study.cells:
        return None
    return Section(
        "Three scenarios at a glance" if len(study.main_cells()) > 1 else "At a glance",
        (
            *glance_findings(study, index),
            *main_charts(study, index),
            *main_tables(study, index),
            *reading_tables(study, index),
        ),
        intro=INTRO,
        slug="glance",
    )


def glance_findings(study: InContextStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """One finding a scenario, in the main setting."""
    return tuple(_finding(index, key) for key in study.main_cells())


def _finding(index: FigureIndex, key: DialogueCell) -> Finding:
    name = scenario_name(key.scenario).capitalize()
    sfrr, drop = index.get("sfrr", **key.factors), index.get("drop", **key.factors)
    na, fa = index.value("na", **key.factors), index.value("fa", **key.factors)
    quality = judge_quality(index, key)
    if sfrr is None or drop is None or drop.value is None or na is None or fa is None:
        parts = (f"{name}: {_unscored(index, key, drop)}", paper_reading(index, key), quality)
        return Finding(" ".join(part for part in parts if part), "undecided")
    kept, nothing = _KEPT[key.scenario]
    first = (
        nothing.format(all=counted(drop.n, _ITEM[key.scenario]))
        if sfrr.value is None
        else kept.format(share=_share(sfrr), items=counted(sfrr.n, _ITEM[key.scenario]))
    )
    raw = paper_reading(index, key) if drop.excluded > drop.n else ""
    sentences = (f"{name}: {first}.", _change(na, fa, drop), raw, quality)
    return Finding(" ".join(part for part in sentences if part), verdict(drop))


def _change(na: float, fa: float, drop: Figure) -> str:
    """NA and FA, and whether the difference between them is shown."""
    left = f", {drop.excluded} left out" if drop.excluded else ""
    value = drop.value or 0.0
    sure = f"{interval_words(drop, flip=value < 0)}, {counted(drop.n, 'item')}{left}"
    if verdict(drop) == "shown":
        change = "falls" if value > 0 else "rises"
        return (
            f"Accuracy {change} from {percent(na)} without the interference (NA) to {percent(fa)} with it (FA): "
            f"{points(value)} points ({sure})."
        )
    if not value:
        return f"Accuracy is {percent(na)} without the interference (NA) and with it (FA): no difference ({sure})."
    return (
        f"Accuracy is {percent(na)} without the interference (NA) and {percent(fa)} with it (FA): the difference of "
        f"{points(value)} points is not shown ({sure})."
    )


def _share(sfrr: Figure) -> str:
    if sfrr.value is None:
        raise ValueError("an undefined SFRR has no share")
    if sfrr.low is None or sfrr.high is None:
        return f"{percent(sfrr.value)} (SFRR; no interval: {sfrr.note.partition(';')[0]})"
    return f"{percent(sfrr.value)} (SFRR, 95% interval {percent(sfrr.low)} to {percent(sfrr.high)})"


def _unscored(index: FigureIndex, key: DialogueCell, drop: Figure | None) -> str:
    """Why no item of a cell has both forms scored."""
    counts: Counter[str] = Counter()
    for form in ("noforget", "forget"):
        for status in Status:
            counts[status.value] += int(index.value(f"outcomes.status.{status.value}", **key.factors, form=form) or 0)
    total = counts.total()
    lost = [f"{count} {LOST[status]}" for status, count in counts.most_common() if count and status in LOST]
    why = f" ({', '.join(lost)}, of {counted(total, 'sample')})" if lost else ""
    items = counted(drop.excluded if drop else 0, "item")
    return f"none of the {items} has both forms scored{why}, so nothing can be said."


def paper_reading(index: FigureIndex, key: DialogueCell) -> str:
    """NA, FA and SFRR as the paper's scorer reads whatever text there is; empty where there is none."""
    na, fa = index.get("paper.na", **key.factors), index.value("paper.fa", **key.factors)
    if na is None or na.value is None or fa is None:
        return ""
    sfrr = index.value("paper.sfrr", **key.factors)
    share = f", SFRR {percent(sfrr)}" if sfrr is not None else ""
    return (
        f"Read as the paper does, cut-off replies as they stand: NA {percent(na.value)}, FA {percent(fa)}{share} "
        f"({counted(na.n, 'item')})."
    )


def main_tables(study: InContextStudy, index: FigureIndex) -> tuple[Table, ...]:
    """The main setting with the average over scenarios; every cell and average in a folded table."""
    rows = [key.factors for key in study.cells]
    for length, strategy, question in study.settings_run:
        average = DialogueCell(AVERAGE, length, strategy)
        if not question and index.get("na", **average.factors) is not None:
            rows.append(average.factors)
    is_judged = any(agreement_cell(index, key) for key in study.cells)
    judged = (
        label("scored by", lambda row: decided_by(index, cell_of(row))),
        label(
            "judge = rule",
            lambda row: agreement_cell(index, cell_of(row)),
            about="on verified replies, NoForget / Forget form",
        ),
    )
    return tuple(
        tables_of(
            study,
            index,
            "NA, FA and SFRR with 95% intervals",
            rows,
            [
                SCENARIO,
                SETTING,
                *measures("na", "fa", "sfrr", "drop", "wr", "both"),
                bounds("SFRR could be", "sfrr", "lowest and highest, with every item scored", undefined=""),
                p_value("McNemar p", "drop.p.exact", "exact, of NA against FA"),
                count("items", "na", "with both forms scored"),
                left_out("left out", "na", "items with a form that was not scored"),
                *(judged if is_judged else ()),
            ],
            slug="main",
        )
    )


def main_charts(study: InContextStudy, index: FigureIndex) -> tuple[Chart, ...]:
    """NA, FA and SFRR per scenario in the main setting (figure 4).

    Where more items of a scenario were left out than scored, the paper's reading is drawn too, and says so; where
    nothing at all was scored, it alone.
    """
    keys = list(study.main_cells())
    scored = [index.get("na", **key.factors) for key in keys]
    is_poor = any(entry is None or entry.excluded > entry.n for entry in scored)
    charts = []
    if any(entry is not None and entry.value is not None for entry in scored):
        title = f"Accuracy without and with the forgetting interference ({setting_name(keys[0])})"
        charts.append(_measure_chart(study, index, "", title, "glance"))
    if is_poor:
        title = "As the paper reads the same replies: every one with text counts, cut-off ones too"
        charts.append(_measure_chart(study, index, "paper.", title, "glance-paper"))
    return tuple(charts)


def _measure_chart(study: InContextStudy, index: FigureIndex, prefix: str, title: str, slug: str) -> Chart:
    keys = list(study.main_cells())
    length, strategy, _ = study.main_setting
    average = DialogueCell(AVERAGE, length, strategy)
    if index.value(f"{prefix}na", **average.factors) is not None:
        keys.append(average)
    return chart(
        index,
        "bars",
        title,
        over={scenario_name(key.scenario): key.factors for key in keys},
        lines=[
            line("NA, without interference", f"{prefix}na"),
            line("FA, with interference", f"{prefix}fa"),
            line("SFRR", f"{prefix}sfrr"),
        ],
        summary="{said}.",
        y_label="items",
        slug=slug,
    )


def reading_tables(study: InContextStudy, index: FigureIndex) -> tuple[Table, ...]:
    """The same by the paper's parser, and over all scored samples whether paired or not."""
    return tuple(
        tables_of(
            study,
            index,
            "Other readings of the same replies",
            [key.factors for key in study.cells],
            [
                SCENARIO,
                SETTING,
                rate("NA, paper", "paper.na"),
                rate("FA, paper", "paper.fa"),
                rate("SFRR, paper", "paper.sfrr"),
                rate("NA, all scored", "all_valid.na"),
                rate("FA, all scored", "all_valid.fa"),
            ],
            note="Paper: every reply with text counts, cut-off ones and refusals too. All scored: every correct or "
            "incorrect sample, also of items whose other form was not scored.",
            slug="readings",
        )
    )
