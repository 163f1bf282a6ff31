"""The words and number formats the sections share."""

from collections.abc import Iterable, Mapping

from forgetscope.benchmarks.prospective.data.conditions import (
    BASELINE,
    CELLS,
    CONSTRAINT_ONLY,
    NO_LOAD,
    TASK_ONLY,
    unloaded_name,
)
from forgetscope.benchmarks.prospective.loads.registry import LOADS
from forgetscope.benchmarks.prospective.metrics.study import ALL
from forgetscope.findings.tables import Factors

CONDITION_NAMES = {
    BASELINE: "baseline (no load)",
    CONSTRAINT_ONLY: "constraint only (no load)",
    TASK_ONLY: "task only",
    "natural": "natural",
    "reminder": "reminder",
    "reminder_per_constraint": "reminder per constraint",
    "neutral_text": "neutral text",
    "copied_text": "copied text",
}


def load_name(load: str) -> str:
    """A load for a person; the name itself where no load has it."""
    if load in (NO_LOAD, ALL):
        return {NO_LOAD: "no load", ALL: "all loads"}[load]
    return LOADS[load].title if load in LOADS else load


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
    if factors.get("load") != NO_LOAD or name not in CELLS:
        return factors
    return {**factors, "condition": unloaded_name(CELLS[str(name)])}
