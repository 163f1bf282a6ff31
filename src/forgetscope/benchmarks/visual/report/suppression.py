"""Figures 3a, 3b, 4 and 5 and the Appendix A layout: what suppression and oracles do to both sides of each split."""

from dataclasses import replace

from forgetscope.benchmarks.visual.data.conditions import CONDITIONS, PAPER_CONDITIONS, Condition
from forgetscope.benchmarks.visual.metrics.study import Selection, VisualStudy
from forgetscope.benchmarks.visual.report.names import (
    CONDITION,
    LONG_TABLE,
    asked,
    changed_finding,
    condition_name,
    setting_columns,
    setting_name,
)
from forgetscope.findings.charts import chart, drawn, line
from forgetscope.findings.figures import Chart, Column, Finding, Interval, Section, Series, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import percent, said, signed, turned
from forgetscope.findings.tables import Factors, Shown, change, label, rate, table, value


def suppression_section(study: VisualStudy, index: FigureIndex) -> Section:
    """Findings per split, figures 3a, 3b and 5 (of one split its conditions), figure 4, the Appendix A table."""
    blocks: list[Finding | Chart | Table] = [*suppression_findings(study, index)]
    for mode in study.modes:
        if len(study.splits) == 1:
            blocks.append(condition_chart(study, index, study.splits[0], mode))
            continue
        blocks.append(split_chart(study, index, mode, "forget.macro", "Forget accuracy by split (Figure 3a)"))
        blocks.append(split_chart(study, index, mode, "retain", "Retain accuracy by split (Figure 3b)"))
        blocks.append(trade_off_chart(study, index, mode))
        blocks.append(change_chart(study, index, mode))
    blocks.append(trade_off_table(study, index))
    blocks.append(condition_table(study, index))
    return Section(
        "Accuracy under suppression, all conditions (Figures 3 to 5)",
        tuple(blocks),
        intro="Forget accuracy: on pictures of the concepts to forget, a mean over concepts. Retain accuracy: on all "
        "other pictures. Suppression texts forbid listed concepts; oracle texts name the answer, so they measure "
        "compliance and never leakage. Replies are read as a person would; the paper's reading, the first digit, has "
        "columns of its own.",
        slug="suppression",
    )


def suppression_findings(study: VisualStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """What soft suppression did and cost in each split, where there are several: of one the headlines say it."""
    found = []
    for split in study.splits if len(study.splits) > 1 else ():
        for mode in study.modes:
            factors = Selection(split, mode, Condition.UNLEARN_SOFT).factors
            change = index.get("forget.change", **factors)
            if change is None:
                continue
            if change.value is None:
                found.append(Finding(f"{setting_name(split, mode)}: nothing could be compared.", "undecided"))
                continue
            before = index.get("forget.macro", **Selection(split, mode).factors)
            after = index.get("forget.macro", **factors)
            found.append(
                changed_finding(
                    f"{setting_name(split, mode)}, soft suppression: forget accuracy", change, before, after
                )
            )
            kept = index.get("retain.change", **factors)
            if kept is not None and kept.value is not None:
                found.append(changed_finding(f"{setting_name(split, mode)}, its cost: retain accuracy", kept))
    return tuple(found)


def condition_chart(study: VisualStudy, index: FigureIndex, split: str, mode: str) -> Chart:
    """Forget and retain accuracy over the paper's conditions (figure 3)."""
    run = [name for name in PAPER_CONDITIONS if name in study.conditions(split, mode)]
    return chart(
        index,
        "bars",
        f"Accuracy by condition (Figure 3), {setting_name(split, mode)}",
        over={condition_name(name): {"split": split, "mode": mode, "condition": name.value} for name in run},
        lines=[line("forget concepts", "forget.macro"), line("retain concepts", "retain")],
        summary="{said}.",
        most=MOST_SAID,
        y_label="accuracy",
        slug=f"conditions-{split}-{mode}",
    )


MOST_SAID = 6
"""Values of a line that its chart's words give one by one; of more the ends, and the table below has all."""


def _conditions(study: VisualStudy, mode: str) -> tuple[Condition, ...]:
    """The paper's conditions that some split was asked in."""
    run = {condition for split in study.splits for condition in study.conditions(split, mode)}
    return tuple(name for name in PAPER_CONDITIONS if name in run)


def split_chart(study: VisualStudy, index: FigureIndex, mode: str, name: str, title: str) -> Chart:
    """One figure of every split, a bar a condition (figures 3a and 3b; there is one bar a dataset, over models)."""
    over = {split: {"split": split, "mode": mode} for split in study.splits}
    lines = [line(condition_name(one), name, condition=one.value) for one in _conditions(study, mode)]
    return chart(
        index,
        "bars",
        f"{title}, {mode.replace('_', ' ')}",
        over=over,
        lines=drawn(index, over, lines),
        summary="{said}.",
        most=MOST_SAID,
        y_label="accuracy",
        slug=f"{name.replace('.', '-')}-{mode}",
    )


def change_chart(study: VisualStudy, index: FigureIndex, mode: str) -> Chart:
    """Change of forget accuracy against the baseline, a row a split (figures 5a and 5b, which have a row a model)."""
    run = [name for name in _conditions(study, mode) if name is not Condition.BASELINE_NORMAL]
    made = chart(
        index,
        "heatmap",
        f"Change of forget accuracy (Figures 5a, 5b), {mode.replace('_', ' ')}",
        over={condition_name(name): {"mode": mode, "condition": name.value} for name in run},
        lines=[line(split, "forget.change", split=split) for split in study.splits],
        summary="",
        unit="points",
        slug=f"change-{mode}",
    )
    by_condition = turned(made.series, made.categories)
    return replace(made, summary=f"{said(by_condition, study.splits, signed, MOST_SAID)}.")


def trade_off_chart(study: VisualStudy, index: FigureIndex, mode: str) -> Chart:
    """Figure 4: a point a split and condition, forget accuracy across and retain accuracy up."""
    lines = [
        Series(
            condition_name(name),
            tuple(
                index.interval("retain", split=split, mode=mode, condition=_retained_under(name))
                for split in study.splits
            ),
            tuple(
                index.interval("forget.macro", split=split, mode=mode, condition=name.value) for split in study.splits
            ),
        )
        for name in _conditions(study, mode)
    ]
    return Chart(
        "plane",
        f"Retain against forget accuracy, one point a split (Figure 4), {mode.replace('_', ' ')}",
        study.splits,
        tuple(lines),
        summary="Suppression should lead to the upper left: forget low, retain high. Oracle points have the retain "
        f"accuracy of the baseline. Retain accuracy: {said(lines, study.splits, most=MOST_SAID)}.",
        y_label="retain accuracy",
        x_label="forget accuracy",
        slug=f"trade-off-{mode}",
    )


def _retained_under(condition: str) -> str:
    """The condition whose retain accuracy stands beside a condition: oracles are not put to what is to be kept."""
    is_asked = "retain" in CONDITIONS[Condition(condition)].sides
    return condition if is_asked else Condition.BASELINE_NORMAL.value


def trade_off_table(study: VisualStudy, index: FigureIndex) -> Table:
    """Figure 4: retain against forget accuracy; forget low and retain high is where suppression should lead."""

    def kept(index: FigureIndex, row: Factors) -> Interval | None:
        return index.interval("retain", **{**row, "condition": _retained_under(str(row["condition"]))})

    def reused(row: Factors) -> str:
        return "" if _retained_under(str(row["condition"])) == row["condition"] else "baseline"

    return table(
        index,
        "Retain against forget accuracy (Figure 4, Appendix A)",
        [
            {"split": split, "mode": mode, "condition": condition.value}
            for mode in study.modes
            for condition in _conditions(study, mode)
            for split in study.splits
        ],
        [
            CONDITION,
            *setting_columns(study),
            rate("Forget, macro", "forget.macro"),
            Shown(Column("", "Retain", "percent"), kept),
            label("Retain taken from", reused, about="oracle texts are not put to what is to be kept"),
        ],
        slug="trade-off",
        folded=True,
    )


def condition_table(study: VisualStudy, index: FigureIndex) -> Table:
    """Every split, mode and condition, as the paper's Appendix A, with what it leaves out."""
    rows = asked(study)
    columns = (
        rate("Forget, macro", "forget.macro"),
        rate("Forget, macro, over concepts", "forget.macro.over_concepts", "concepts as the units"),
        rate("Forget, micro", "forget.micro"),
        Shown(Column("", "Micro, bounds", help="lowest and highest, with every sample scored"), _bounds),
        rate("Forget, paper's reading", "paper.forget.macro", "every reply with text, unreadable ones wrong"),
        change("Change", "forget.change", "condition - baseline on the same items"),
        value("Chance", "chance", "percent"),
        rate("Retain", "retain"),
        rate("Retain, paper's reading", "paper.retain", "every reply with text, unreadable ones wrong"),
        rate("Retain, unlisted options", "retain.unlisted", "items none of whose options is on the suppression list"),
        change("Change, unlisted options", "retain.unlisted.change", "condition - baseline on those items"),
        rate("Invalid format", "invalid"),
        rate("Refused", "refused"),
        value("Entropy of answers", "entropy.predicted", "number", "bits; 2 is even over four options"),
        value("Entropy of right options", "entropy.gold", "number", "bits, of the places of the right options"),
    )
    return table(
        index,
        "All conditions",
        rows,
        [
            *setting_columns(study),
            CONDITION,
            *(shown for shown in columns if any(shown.cell(index, row) not in (None, "") for row in rows)),
        ],
        slug="conditions",
        folded=len(rows) > LONG_TABLE,
    )


def _bounds(index: FigureIndex, row: Factors) -> str:
    """Lowest and highest of accuracy over items; empty where every sample was scored."""
    low, high = (index.value(f"forget.micro.{end}", **row) for end in ("lowest", "highest"))
    return "" if low is None or high is None or low == high else f"{percent(low)} to {percent(high)}"
