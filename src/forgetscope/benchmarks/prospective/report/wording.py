"""The words and number formats the sections share."""

from collections.abc import Iterable, Mapping

from forgetscope.benchmarks.prospective.data.conditions import (
    BASELINE,
    CELLS,
    CONSTRAINT_ONLY,
    TASK_ONLY,
    Load,
    unloaded_name,
)
from forgetscope.benchmarks.prospective.metrics.study import ALL
from forgetscope.findings.tables import Factors

LOAD_NAMES = {
    Load.NONE.value: "no load",
    Load.TRIVIAQA.value: "TriviaQA",
    Load.MMLU.value: "MMLU",
    Load.GSM8K_X1.value: "GSM8K",
    Load.GSM8K_X3.value: "3 x GSM8K",
    Load.GSM8K_X5.value: "5 x GSM8K",
    Load.CNN_DAILYMAIL.value: "CNN/DailyMail",
    ALL: "all loads",
}
CONDITION_NAMES = {
    BASELINE: "baseline (no load)",
    CONSTRAINT_ONLY: "constraint only (no load)",
    TASK_ONLY: "task only",
    "natural": "natural",
    "reminder": "reminder",
    "reminder_per_constraint": "reminder per constraint",
}


def load_name(load: str) -> str:
    """A load for a person."""
    return LOAD_NAMES.get(load, load)


def condition_name(condition: str) -> str:
    """A condition for a person: the paper's names, and `kept + heading` for the other cells."""
    if condition in CONDITION_NAMES:
        return CONDITION_NAMES[condition]
    if condition.endswith("_unloaded"):
        return f"{condition_name(condition.removesuffix('_unloaded'))} (no load)"
    return condition.replace("_", " + ")


def over_loads(loads: Iterable[str]) -> Mapping[str, Factors]:
    """Loads as the categories of a chart."""
    return {load_name(load): {"load": load} for load in loads}


def own_prompt(factors: Factors) -> Factors:
    """The factors a figure has: without load a prompt is a condition of its own (natural: the baseline)."""
    name = factors.get("condition")
    if factors.get("load") != Load.NONE.value or name not in CELLS:
        return factors
    return {**factors, "condition": unloaded_name(CELLS[str(name)])}
