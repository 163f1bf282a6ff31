"""What this benchmark's conditions and verdicts are called for a person."""

from forgetscope.benchmarks.visual.data.conditions import Condition
from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.benchmarks.visual.metrics.verdicts import AccessVerdict
from forgetscope.findings.figures import Figure, Finding
from forgetscope.findings.phrasing import basis, percent, points
from forgetscope.findings.tables import Factors, Shown, label
from forgetscope.findings.verdicts import Support

CONDITION_NAMES = {
    Condition.BASELINE_NORMAL: "baseline",
    Condition.UNLEARN_SOFT: "soft suppression",
    Condition.UNLEARN_MEDIUM: "medium suppression",
    Condition.ORACLE_HARD: "oracle, hard",
    Condition.ORACLE_REVERSE: "oracle, reverse",
    Condition.PLACEBO_SOFT: "placebo list (soft)",
    Condition.PLACEBO_MEDIUM: "placebo list (medium)",
    Condition.WRONG_ORACLE_HARD: "wrong oracle, hard",
    Condition.WRONG_ORACLE_REVERSE: "wrong oracle, reverse",
    Condition.RESTORED_SOFT: "permission restored (soft)",
    Condition.RESTORED_MEDIUM: "permission restored (medium)",
}
VERDICT_NAMES = {
    AccessVerdict.NOT_ELIGIBLE: "not eligible",
    AccessVerdict.ACCESSIBLE: "accessible",
    AccessVerdict.SUPPRESSED: "suppressed",
    AccessVerdict.NOT_ACCESSIBLE: "not accessible under these probes",
    AccessVerdict.UNDECIDED: "undecided",
}
PAPER_NAMES = {True: "unlearned", False: "not unlearned"}
CODE_NAMES = {
    "few_pictures": "too few pictures",
    "not_above_chance": "not above guessing",
    "not_grounded": "no better with the picture",
}

LONG_TABLE = 24
"""Rows from which on a table of splits and conditions is opened by a click."""


def condition_name(condition: str) -> str:
    """A condition for a person."""
    return CONDITION_NAMES[Condition(condition)]


def setting_name(split: str, mode: str) -> str:
    """Split and scoring mode in words."""
    return f"{split} ({mode.replace('_', ' ')})"


def changed_finding(what: str, change: Figure, before: Figure | None = None, after: Figure | None = None) -> Finding:
    """How far an accuracy moved under a condition, from where to where, and what that rests on.

    Args:
        what: That moved, as the beginning of the sentence.
        change: The condition minus the baseline.
        before: The baseline.
        after: The condition.
    """
    ends = [entry.value for entry in (before, after) if entry is not None and entry.value is not None]
    span = f", from {percent(ends[0])} to {percent(ends[1])}" if len(ends) == 2 else ""
    value = change.value or 0.0
    how = f"{'fell' if value < 0 else 'rose'} by {points(value)} points{span}" if value else "did not move"
    return Support.of(change).finding(f"{what} {how} ({basis(change)})")


def cell_name(label: str) -> str:
    """A cell of the plan for a person: `forget, soft suppression, no image`."""
    whose, condition, *rest = label.split()
    return ", ".join((whose, condition_name(condition), *(part.replace("_", " ") for part in rest)))


def group_name(name: str) -> str:
    """A level, an axis or the whole run for a person."""
    return "all concepts" if name == "all" else name.replace("_", " ")


_SETTING = label("Split", lambda row: setting_name(str(row["split"]), str(row["mode"])))
CONDITION = label("Condition", "condition", condition_name)


def setting_columns(study: VisualStudy) -> tuple[Shown, ...]:
    """The split of a row, where the run has several or asks in several modes."""
    return (_SETTING,) if len(study.splits) > 1 or len(study.modes) > 1 else ()


def asked(study: VisualStudy) -> list[Factors]:
    """Every split, mode and condition of a run, as the rows of a table."""
    return [
        {"split": split, "mode": mode, "condition": condition.value}
        for split in study.splits
        for mode in study.modes
        for condition in study.conditions(split, mode)
    ]
