"""The three scenarios at a glance: table 1 and figure 4 of the paper, what is behind them, and what they say."""

from collections import Counter
from collections.abc import Mapping

from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.metrics.study import AVERAGE, DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.judges import agreement_cell, decided_by, judge_quality
from forgetscope.benchmarks.in_context.report.names import scenario_name, setting_name
from forgetscope.benchmarks.in_context.report.settings import SETTING, said, tables_of
from forgetscope.core.outcomes import Status
from forgetscope.findings.figures import Cell, Chart, Column, Figure, Finding, Interval, Section, Series, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import Verdict, counted, interval_words, percent, points, verdict

MEASURES = (
    Column("na", "NA", "percent"),
    Column("fa", "FA", "percent"),
    Column("sfrr", "SFRR", "percent"),
    Column("drop", "NA - FA", "points"),
    Column("wr", "WR", "percent", "wrong without it but right with it"),
    Column("both", "both right", "percent"),
)
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
    return Finding(" ".join(part for part in sentences if part), _verdict(sfrr, drop))


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


def _verdict(sfrr: Figure, drop: Figure) -> Verdict:
    """Shown where SFRR is above zero or accuracy changes for sure; the sentence says which."""
    return "shown" if verdict(drop) == "shown" or (sfrr.low is not None and sfrr.low > 0) else "undecided"


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
    rows: list[tuple[DialogueCell, Mapping[str, Cell | Interval]]] = [(key, _row(index, key)) for key in study.cells]
    for length, strategy, question in study.settings_run:
        average = DialogueCell(AVERAGE, length, strategy)
        if not question and index.get("na", **average.factors) is not None:
            rows.append((average, _row(index, average)))
    tables = tables_of(
        study,
        "NA, FA and SFRR with 95% intervals",
        (
            Column("scenario", "scenario"),
            SETTING,
            *MEASURES,
            Column("bounds", "SFRR could be", "text", "lowest and highest, with every item scored"),
            Column("p", "McNemar p", "p", "exact, of NA against FA"),
            Column("n", "items", "integer", "with both forms scored"),
            Column("excluded", "left out", "integer", "items with a form that was not scored"),
            *_judge_columns(rows),
        ),
        rows,
        slug="main",
    )
    return tuple(tables)


def _judge_columns(rows: list[tuple[DialogueCell, Mapping[str, Cell | Interval]]]) -> tuple[Column, ...]:
    if not any(row["quality"] for _, row in rows):
        return ()
    return (
        Column("by", "scored by"),
        Column("quality", "judge = rule", "text", "on verified replies, NoForget / Forget form"),
    )


def _row(index: FigureIndex, key: DialogueCell) -> dict[str, Cell | Interval]:
    factors = key.factors
    na = index.get("na", **factors)
    row: dict[str, Cell | Interval] = {
        "scenario": scenario_name(key.scenario),
        "bounds": _bounds(index, factors),
        "p": index.value("drop.p.exact", **factors),
        "n": na.n if na else 0,
        "excluded": na.excluded if na else 0,
        "by": decided_by(index, key),
        "quality": agreement_cell(index, key),
    }
    return row | {column.key: index.interval(column.key, **factors) for column in MEASURES}


def _bounds(index: FigureIndex, factors: dict[str, Cell]) -> str:
    low, high = index.value("sfrr.lowest", **factors), index.value("sfrr.highest", **factors)
    return "" if low is None or high is None else f"{percent(low)} to {percent(high)}"


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
    lines = [
        Series(label, tuple(index.interval(f"{prefix}{name}", **key.factors) for key in keys))
        for name, label in (("na", "NA, without interference"), ("fa", "FA, with interference"), ("sfrr", "SFRR"))
    ]
    names = tuple(scenario_name(key.scenario) for key in keys)
    summary = ". ".join(said(line, names) for line in lines) + "."
    return Chart("bars", title, names, tuple(lines), summary=summary, y_label="items", slug=slug)


def reading_tables(study: InContextStudy, index: FigureIndex) -> tuple[Table, ...]:
    """The same by the paper's parser, and over all scored samples whether paired or not."""
    names = ("paper.na", "paper.fa", "paper.sfrr", "all_valid.na", "all_valid.fa")
    labels = ("NA, paper", "FA, paper", "SFRR, paper", "NA, all scored", "FA, all scored")
    tables = tables_of(
        study,
        "Other readings of the same replies",
        (
            Column("scenario", "scenario"),
            SETTING,
            *(Column(name, label, "percent") for name, label in zip(names, labels, strict=True)),
        ),
        [
            (
                key,
                {"scenario": scenario_name(key.scenario)}
                | {name: index.interval(name, **key.factors) for name in names},
            )
            for key in study.cells
        ],
        note="Paper: every reply with text counts, cut-off ones and refusals too. All scored: every correct or "
        "incorrect sample, also of items whose other form was not scored.",
        slug="readings",
    )
    return tuple(tables)
