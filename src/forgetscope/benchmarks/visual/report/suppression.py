"""Figures 3a, 3b, 4 and 5 and the Appendix A layout: what suppression and oracles do to both sides of each split."""

from collections.abc import Callable

from forgetscope.benchmarks.visual.data.conditions import CONDITIONS, PAPER_CONDITIONS, Condition
from forgetscope.benchmarks.visual.metrics.study import Selection, VisualStudy
from forgetscope.benchmarks.visual.report.names import LONG_TABLE, condition_name, setting_name
from forgetscope.findings.figures import Cell, Chart, Column, Finding, Interval, Section, Series, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import interval_words, percent, signed, undecided_words, verdict


def suppression_section(study: VisualStudy, index: FigureIndex) -> Section:
    """Findings per split, figures 3a, 3b and 5 (of one split its conditions), figure 4, the Appendix A table."""
    blocks: list[Finding | Chart | Table] = [*suppression_findings(study, index)]
    for mode in study.modes:
        if len(study.splits) == 1:
            blocks.append(condition_chart(study, index, study.splits[0], mode))
            continue
        blocks.append(split_chart(study, index, mode, "forget.macro", "Forget accuracy by split (figure 3a)"))
        blocks.append(split_chart(study, index, mode, "retain", "Retain accuracy by split (figure 3b)"))
        blocks.append(trade_off_chart(study, index, mode))
        blocks.append(change_chart(study, index, mode))
    blocks.append(trade_off_table(study, index))
    blocks.append(condition_table(study, index))
    return Section(
        "Told to forget",
        tuple(blocks),
        intro="Forget: mean over concepts of the accuracy on pictures of the forget concepts. Retain: "
        "accuracy on the others. The oracle texts name the answer: they measure obedience and never leakage.",
        slug="suppression",
    )


def suppression_findings(study: VisualStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """One sentence a split: what soft suppression did, and at what cost."""
    found = []
    for split in study.splits:
        for mode in study.modes:
            factors = Selection(split, mode, Condition.UNLEARN_SOFT).factors
            change = index.get("forget.change", **factors)
            if change is None:
                continue
            before = index.value("forget.macro", **Selection(split, mode).factors)
            after = index.value("forget.macro", **factors)
            if change.value is None or before is None or after is None:
                found.append(Finding(f"{setting_name(split, mode)}: nothing could be compared.", "undecided"))
                continue
            fell = "fell" if change.value < 0 else "rose" if change.value > 0 else "did not move"
            kept = index.get("retain.change", **factors)
            cost = (
                f"; what is to be kept changed by {signed(kept.value)} points ({interval_words(kept)})"
                if kept is not None and kept.value is not None
                else ""
            )
            found.append(
                Finding(
                    f"{setting_name(split, mode)}: told softly to forget, accuracy on the forget concepts {fell} from "
                    f"{percent(before)} to {percent(after)} ({interval_words(change)}){undecided_words(change)}{cost}.",
                    verdict(change),
                )
            )
    return tuple(found)


def condition_chart(study: VisualStudy, index: FigureIndex, split: str, mode: str) -> Chart:
    """Forget and retain accuracy over the paper's conditions (figure 3)."""
    run = [name for name in PAPER_CONDITIONS if name in study.conditions(split, mode)]
    names = tuple(condition_name(name.value) for name in run)
    lines = tuple(
        Series(label, tuple(index.interval(figure, **Selection(split, mode, name).factors) for name in run))
        for figure, label in (("forget.macro", "forget"), ("retain", "retain"))
    )
    return Chart(
        "bars",
        f"Accuracy by condition, {setting_name(split, mode)}",
        names,
        lines,
        summary=said_in_words(names, list(lines), percent),
        y_label="accuracy",
        slug=f"conditions-{split}-{mode}",
    )


def _conditions(study: VisualStudy, mode: str) -> tuple[Condition, ...]:
    """The paper's conditions that some split was asked in."""
    run = {condition for split in study.splits for condition in study.conditions(split, mode)}
    return tuple(name for name in PAPER_CONDITIONS if name in run)


def split_chart(study: VisualStudy, index: FigureIndex, mode: str, name: str, title: str) -> Chart:
    """One figure of every split, a bar a condition (figures 3a and 3b; there is one bar a dataset, over models)."""
    lines = []
    for condition in _conditions(study, mode):
        bars = tuple(index.interval(name, **Selection(split, mode, condition).factors) for split in study.splits)
        if any(bar is not None for bar in bars):
            lines.append(Series(condition_name(condition.value), bars))
    return Chart(
        "bars",
        f"{title}, {mode.replace('_', ' ')}",
        study.splits,
        tuple(lines),
        summary=said_in_words(study.splits, lines, percent),
        y_label="accuracy",
        slug=f"{name.replace('.', '-')}-{mode}",
    )


def change_chart(study: VisualStudy, index: FigureIndex, mode: str) -> Chart:
    """Change of forget accuracy against the baseline, a row a split (figures 5a and 5b, which have a row a model)."""
    conditions = [name for name in _conditions(study, mode) if name is not Condition.BASELINE_NORMAL]
    names = tuple(condition_name(condition.value) for condition in conditions)
    lines = [
        Series(
            split,
            tuple(
                index.interval("forget.change", **Selection(split, mode, condition).factors) for condition in conditions
            ),
        )
        for split in study.splits
    ]
    by_condition = [Series(name, tuple(line.points[place] for line in lines)) for place, name in enumerate(names)]
    return Chart(
        "heatmap",
        f"Change of forget accuracy (figures 5a, 5b), {mode.replace('_', ' ')}",
        names,
        tuple(lines),
        summary=said_in_words(study.splits, by_condition, signed),
        unit="points",
        slug=f"change-{mode}",
    )


def trade_off_chart(study: VisualStudy, index: FigureIndex, mode: str) -> Chart:
    """Figure 4: a point a split and condition, forget accuracy across and retain accuracy up."""
    lines = []
    for condition in _conditions(study, mode):
        kept = _retained_under(condition)
        lines.append(
            Series(
                condition_name(condition.value),
                tuple(index.interval("retain", **Selection(split, mode, kept).factors) for split in study.splits),
                tuple(
                    index.interval("forget.macro", **Selection(split, mode, condition).factors)
                    for split in study.splits
                ),
            )
        )
    return Chart(
        "plane",
        f"Retain against forget accuracy, a point a split (figure 4), {mode.replace('_', ' ')}",
        study.splits,
        tuple(lines),
        summary="Suppression should lead to the upper left: forget low, retain high. Oracle points have the retain "
        f"accuracy of the baseline. Retain accuracy: {said_in_words(study.splits, lines, percent)}",
        y_label="retain accuracy",
        x_label="forget accuracy",
        slug=f"trade-off-{mode}",
    )


def _retained_under(condition: Condition) -> Condition:
    """The condition whose retain accuracy stands beside a condition: oracles are not put to what is to be kept."""
    return condition if "retain" in CONDITIONS[condition].sides else Condition.BASELINE_NORMAL


MOST_SAID = 6
"""Values of a line that its chart's words give one by one; of more the ends, and the table below has all."""


def said_in_words(names: tuple[str, ...], lines: list[Series], words: Callable[[float], str]) -> str:
    """A chart in words: the values of each line by their names, or of many the lowest and the highest."""
    said = []
    for line in lines:
        known = [
            (point.value, name)
            for name, point in zip(names, line.points, strict=True)
            if point is not None and point.value is not None
        ]
        if not known:
            said.append(f"{line.label}: nothing defined")
        elif len(known) > MOST_SAID:
            ends = " to ".join(f"{words(value)} ({name})" for value, name in (min(known), max(known)))
            said.append(f"{line.label}: {ends}")
        else:
            said.append(f"{line.label}: {', '.join(f'{name} {words(value)}' for value, name in known)}")
    return ". ".join(said) + "."


def trade_off_table(study: VisualStudy, index: FigureIndex) -> Table:
    """Figure 4: retain against forget accuracy; forget low and retain high is where suppression should lead."""
    rows: list[dict[str, Cell | Interval]] = []
    for mode in study.modes:
        for condition in _conditions(study, mode):
            own = _retained_under(condition)
            for split in study.splits:
                rows.append(
                    {
                        "condition": condition_name(condition.value),
                        "setting": setting_name(split, mode),
                        "forget": index.interval("forget.macro", **Selection(split, mode, condition).factors),
                        "retain": index.interval("retain", **Selection(split, mode, own).factors),
                        "reused": "baseline" if own is not condition else "",
                    }
                )
    return Table(
        "Retain against forget (figure 4, Appendix A)",
        (
            Column("condition", "condition"),
            Column("setting", "split"),
            Column("forget", "forget, macro", "percent"),
            Column("retain", "retain", "percent"),
            Column("reused", "retain reused from", help="oracle texts are not put to what is to be kept"),
        ),
        tuple(rows),
        slug="trade-off",
        folded=True,
    )


def condition_table(study: VisualStudy, index: FigureIndex) -> Table:
    """Every split, mode and condition, as the paper's Appendix A, with what it leaves out."""
    rows = [
        {
            "setting": setting_name(split, mode),
            "condition": condition_name(condition.value),
            **_condition_cells(index, Selection(split, mode, condition).factors),
        }
        for split in study.splits
        for mode in study.modes
        for condition in study.conditions(split, mode)
    ]
    columns = (
        Column("setting", "split"),
        Column("condition", "condition"),
        Column("macro", "forget, macro", "percent"),
        Column("over_concepts", "the same, concepts drawn", "percent", "with concepts resampled too"),
        Column("micro", "forget, micro", "percent"),
        Column("bounds", "micro could be", "text", "lowest and highest, with every sample scored"),
        Column("paper", "forget, paper's reading", "percent", "every reply with text, unreadable ones wrong"),
        Column("change", "change", "points", "condition - baseline on the same items"),
        Column("chance", "guessing", "percent"),
        Column("retain", "retain", "percent"),
        Column("unlisted", "retain, no listed option", "percent", "items whose distractors are not on the list"),
        Column("unlisted_change", "their change", "points", "condition - baseline on those items"),
        Column("invalid", "invalid", "percent"),
        Column("refused", "refused", "percent"),
        Column("entropy", "entropy of answers", "number", "bits; 2 is even over four options"),
        Column("gold", "of right options", "number", "bits, of the places of the right options"),
    )
    return Table(
        "All conditions",
        tuple(column for column in columns if any(row.get(column.key) not in (None, "") for row in rows)),
        tuple(rows),
        slug="conditions",
        folded=len(rows) > LONG_TABLE,
    )


def _condition_cells(index: FigureIndex, factors: dict[str, Cell]) -> dict[str, Cell | Interval]:
    names = {
        "macro": "forget.macro",
        "over_concepts": "forget.macro.over_concepts",
        "micro": "forget.micro",
        "paper": "paper.forget.macro",
        "change": "forget.change",
        "retain": "retain",
        "unlisted": "retain.unlisted",
        "unlisted_change": "retain.unlisted.change",
        "invalid": "invalid",
        "refused": "refused",
    }
    return {
        **{key: index.interval(name, **factors) for key, name in names.items()},
        "bounds": _bounds(index, factors),
        "chance": index.value("chance", **factors),
        "entropy": index.value("entropy.predicted", **factors),
        "gold": index.value("entropy.gold", **factors),
    }


def _bounds(index: FigureIndex, factors: dict[str, Cell]) -> str:
    """Lowest and highest of accuracy over items; empty where every sample was scored."""
    low, high = (index.value(f"forget.micro.{end}", **factors) for end in ("lowest", "highest"))
    return "" if low is None or high is None or low == high else f"{percent(low)} to {percent(high)}"
