"""Figures 3a to 3c and the Appendix A layout: what suppression and oracles do to the forget and the retain side."""

from forgetbench.benchmarks.visual.conditions import PAPER_CONDITIONS, SUPPRESSIONS, Condition
from forgetbench.benchmarks.visual.metrics.study import Selection, Study
from forgetbench.benchmarks.visual.sections.names import condition_name, setting_name
from forgetbench.figures import Cell, Chart, Column, Finding, Interval, Section, Series, Table
from forgetbench.measures import FigureIndex
from forgetbench.phrasing import interval_words, percent, points, undecided_words, verdict


def suppression_section(study: Study, index: FigureIndex) -> Section:
    """Findings, the bars of figure 3, the Appendix A table."""
    blocks: list[Finding | Chart | Table] = [*suppression_findings(study, index)]
    for split in study.splits:
        for mode in study.modes:
            blocks.append(condition_chart(study, index, split, mode))
    blocks.append(condition_table(study, index))
    return Section(
        "Told to forget",
        tuple(blocks),
        intro="Forget: mean over concepts of the accuracy on pictures of concepts that are to be forgotten. Retain: "
        "accuracy on the others. The oracle texts name the answer: they measure obedience and never leakage.",
        slug="suppression",
    )


def suppression_findings(study: Study, index: FigureIndex) -> tuple[Finding, ...]:
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
                f"; what should be kept changed by {points(kept.value)} points ({interval_words(kept)})"
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


def condition_chart(study: Study, index: FigureIndex, split: str, mode: str) -> Chart:
    """Forget and retain accuracy over the paper's conditions (figure 3)."""
    run = [name for name in PAPER_CONDITIONS if name in study.conditions(split, mode)]
    names = tuple(condition_name(name.value) for name in run)
    lines = tuple(
        Series(label, tuple(index.interval(figure, **Selection(split, mode, name).factors) for name in run))
        for figure, label in (("forget.macro", "forget"), ("retain", "retain"))
    )
    said = []
    for line in lines:
        known = [
            f"{name} {percent(point.value)}"
            for name, point in zip(names, line.points, strict=True)
            if point is not None and point.value is not None
        ]
        said.append(f"{line.label}: {', '.join(known) or 'nothing defined'}")
    return Chart(
        "bars",
        f"Accuracy by condition, {setting_name(split, mode)}",
        names,
        lines,
        summary=". ".join(said) + ".",
        y_label="accuracy",
        slug=f"conditions-{split}-{mode}",
    )


def condition_table(study: Study, index: FigureIndex) -> Table:
    """Every split, mode and condition, as the paper's Appendix A, with what it leaves out."""
    rows: list[dict[str, Cell | Interval]] = []
    for split in study.splits:
        for mode in study.modes:
            for condition in study.conditions(split, mode):
                factors = Selection(split, mode, condition).factors
                rows.append(
                    {
                        "setting": setting_name(split, mode),
                        "condition": condition_name(condition.value),
                        "macro": index.interval("forget.macro", **factors),
                        "micro": index.interval("forget.micro", **factors),
                        "paper": index.interval("paper.forget.macro", **factors),
                        "change": index.interval("forget.change", **factors),
                        "chance": index.value("chance", **factors),
                        "retain": index.interval("retain", **factors),
                        "unlisted": index.interval("retain.unlisted", **factors) if condition in SUPPRESSIONS else None,
                        "invalid": index.interval("invalid", **factors),
                        "refused": index.interval("refused", **factors),
                        "entropy": index.value("entropy.predicted", **factors),
                    }
                )
    return Table(
        "All conditions",
        (
            Column("setting", "split"),
            Column("condition", "condition"),
            Column("macro", "forget, macro", "percent"),
            Column("micro", "forget, micro", "percent"),
            Column("paper", "forget, paper's reading", "percent", "every reply with text, unreadable ones wrong"),
            Column("change", "change", "points", "condition - baseline on the same items"),
            Column("chance", "guessing", "percent"),
            Column("retain", "retain", "percent"),
            Column("unlisted", "retain, no listed option", "percent"),
            Column("invalid", "invalid", "percent"),
            Column("refused", "refused", "percent"),
            Column("entropy", "entropy of answers", "number", "bits; 2 is even over four options"),
        ),
        tuple(rows),
        slug="conditions",
    )
