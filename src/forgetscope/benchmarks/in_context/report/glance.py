"""The three scenarios at a glance: table 1 and figure 4 of the paper, what is behind them, and what they say."""

from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.metrics.judges import judge_refusals
from forgetscope.benchmarks.in_context.metrics.study import AVERAGE, DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.judges import agreement_cell, decided_by, judge_quality
from forgetscope.benchmarks.in_context.report.names import scenario_name, setting_name
from forgetscope.benchmarks.in_context.report.settings import SCENARIO, SETTING, cell_of, measures, tables_of
from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Chart, Figure, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import basis, counted, moved, percent
from forgetscope.findings.tables import bounds, count, label, left_out, p_value, rate
from forgetscope.findings.verdicts import Support

INTRO = (
    "How often the model is right without the forgetting request (NA), with it (FA), and with it among the items it "
    "had right without (SFRR). NoForget form: right when the fact is recalled, the instruction carried out, the first "
    "preference followed. Forget form, with the request, the revision or the changed preference: right when the fact "
    "is withheld, the revised instruction carried out, the new preference followed. Sentences, chart and first table "
    "are over items with both forms scored: a reply that was cut off, refused or cannot be read never counts as "
    "forgotten. The paper's reading, which counts every reply with text, has a table of its own."
)
READINGS_TITLE = "NA, FA and SFRR by other readings"
_KEPT = {
    Scenario.INSTRUCTIONAL_FORGETTING.value: (
        "of the {items} it could recall, it withheld {share} when asked to forget",
        "it recalled none of {all} when not asked to forget, so there was nothing to forget and SFRR is undefined",
    ),
    Scenario.SUBTASK_REVISION.value: (
        "of the {items} it carried out when given alone, it carried out {share} when they revised an earlier one",
        "it carried out none of {all} when given alone, so SFRR is undefined",
    ),
    Scenario.DYNAMIC_PREFERENCE.value: (
        "of the {items} on which it followed the first preference, it followed the changed one on {share}",
        "it followed the first preference on none of {all}, so no change of one can be seen and SFRR is undefined",
    ),
}
"""What SFRR is of in each scenario, and what it means that it is undefined."""
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
        "NA, FA and SFRR",
        (
            *glance_findings(study, index),
            *change_findings(study, index),
            *main_charts(study, index),
            *main_tables(study, index),
            *reading_tables(study, index),
        ),
        intro=INTRO,
        slug="glance",
    )


def glance_findings(study: InContextStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """One sentence a scenario in the main setting: SFRR, NA and FA as in the table, which claim nothing."""
    return tuple(_rates(index, key) for key in study.main_cells())


def change_findings(study: InContextStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """One sentence a scenario in the main setting on the difference of NA and FA, with how sure it is.

    None where nothing was right without the request: what is right with it then shows no forgetting.
    """
    found = []
    for key in study.main_cells():
        drop = index.get("drop", **key.factors)
        if drop is not None and drop.value is not None and index.value("sfrr", **key.factors) is not None:
            name = scenario_name(key.scenario).capitalize()
            found.append(Support.of(drop).finding(f"{name}: from NA to FA, accuracy {moved(drop)} ({basis(drop)})"))
    return tuple(found)


def _rates(index: FigureIndex, key: DialogueCell) -> Finding:
    name = scenario_name(key.scenario).capitalize()
    sfrr, na = index.get("sfrr", **key.factors), index.get("na", **key.factors)
    fa, quality = index.value("fa", **key.factors), judge_quality(index, key)
    if quality and key.scenario in judge_refusals(index):
        return Finding(f"{name}: {quality[0].lower()}{quality[1:]}")
    if sfrr is None or na is None or na.value is None or fa is None:
        why = "no item was sent" if na is None else na.note
        return Finding(" ".join(part for part in (f"{name}: {why}.", quality) if part))
    kept, nothing = _KEPT[key.scenario]
    first = (
        nothing.format(all=counted(na.n, _ITEM[key.scenario]))
        if sfrr.value is None
        else kept.format(share=_share(sfrr), items=counted(sfrr.n, _ITEM[key.scenario]))
    )
    rest = f", {na.excluded} not" if na.excluded else ""
    both = f"NA {percent(na.value)}, FA {percent(fa)} ({counted(na.n, 'item')} scored in both forms{rest})."
    return Finding(" ".join(part for part in (f"{name}: {first}.", both, quality) if part))


def _share(sfrr: Figure) -> str:
    if sfrr.value is None:
        raise ValueError("an undefined SFRR has no share")
    if sfrr.low is None or sfrr.high is None:
        return f"{sfrr.value * sfrr.n:.0f} (SFRR {percent(sfrr.value)}, too few for an interval)"
    return f"{percent(sfrr.value)} (SFRR, 95% interval {percent(sfrr.low)} to {percent(sfrr.high)})"


def main_tables(study: InContextStudy, index: FigureIndex) -> tuple[Table, ...]:
    """The main setting with the average over scenarios; every cell and average in a folded table."""
    rows = [key.factors for key in study.cells]
    for length, strategy, question in study.settings_run:
        average = DialogueCell(AVERAGE, length, strategy)
        if not question and index.get("na", **average.factors) is not None:
            rows.append(average.factors)
    is_judged = any(agreement_cell(index, key) for key in study.cells)
    judged = (
        label("Scored by", lambda row: decided_by(index, cell_of(row))),
        label(
            "Judge agrees with rule",
            lambda row: agreement_cell(index, cell_of(row)),
            about="on verified replies, NoForget / Forget form",
        ),
    )
    return tuple(
        tables_of(
            study,
            index,
            "NA, FA and SFRR of items scored in both forms",
            rows,
            [
                SCENARIO,
                SETTING,
                *measures("na", "fa", "sfrr", "drop", "wr", "both"),
                bounds("SFRR bounds", "sfrr", "lowest and highest SFRR with every item scored", undefined=""),
                p_value("p", "drop.p.exact", "of NA against FA, exact McNemar"),
                count("Items", "na", "scored in both forms"),
                left_out("Not scored", "na", "items with a form that could not be scored"),
                *(judged if is_judged else ()),
            ],
            slug="main",
        )
    )


def main_charts(study: InContextStudy, index: FigureIndex) -> tuple[Chart, ...]:
    """NA, FA and SFRR per scenario in the main setting (figure 4), of the items that the sentences are of.

    Where more items of a scenario were left out than scored, the paper's reading is drawn too, and says so.
    """
    keys = list(study.main_cells())
    scored = [index.get("na", **key.factors) for key in keys]
    is_poor = any(entry is None or entry.excluded > entry.n for entry in scored)
    charts = []
    if any(entry is not None and entry.value is not None for entry in scored):
        title = f"NA, FA and SFRR by scenario ({setting_name(keys[0])})"
        charts.append(_measure_chart(study, index, "", title, "glance"))
    if is_poor:
        title = "The paper's reading of the same replies: NA, FA and SFRR by scenario"
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
            line("NA (NoForget form)", f"{prefix}na"),
            line("FA (Forget form)", f"{prefix}fa"),
            line("SFRR", f"{prefix}sfrr"),
        ],
        summary="{said}.",
        y_label="share of items",
        slug=slug,
    )


def reading_tables(study: InContextStudy, index: FigureIndex) -> tuple[Table, ...]:
    """The same by the paper's parser, and over all scored samples whether paired or not."""
    return tuple(
        tables_of(
            study,
            index,
            READINGS_TITLE,
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
            note="Paper: every reply with text counts, refusals and replies cut off too. All scored: every reply "
            "scored right or wrong, also where the other form of its item was not.",
            slug="readings",
        )
    )
