"""What this benchmark's factors are called for a person."""

from forgetbench.benchmarks.in_context.items import Scenario
from forgetbench.benchmarks.in_context.metrics.study import AVERAGE, CellKey
from forgetbench.benchmarks.in_context.plan import NATIVE

SCENARIO_NAMES = {
    Scenario.INSTRUCTIONAL_FORGETTING.value: "instructional forgetting",
    Scenario.SUBTASK_REVISION.value: "subtask revision",
    Scenario.DYNAMIC_PREFERENCE.value: "dynamic preference",
    AVERAGE: "mean of the three",
}
KIND_NAMES = {
    Scenario.INSTRUCTIONAL_FORGETTING.value: "what is forgotten",
    Scenario.SUBTASK_REVISION.value: "what the revision did",
    Scenario.DYNAMIC_PREFERENCE.value: "how it is expressed",
}
FACTOR_NAMES = {
    "said_by": "who said it",
    "request_kind": "kind of request",
    "query_kind": "kind of query",
    "memory_cue": "memory cue in the query",
}


def scenario_name(scenario: str) -> str:
    """A scenario for a person."""
    return SCENARIO_NAMES[scenario]


def factor_name(factor: str, scenario: str) -> str:
    """A factor for a person."""
    return KIND_NAMES[scenario] if factor == "kind" else FACTOR_NAMES[factor]


def length_name(length: object) -> str:
    """A length for a person: `native`, `3k`, `500`."""
    if length in (None, NATIVE):
        return NATIVE
    number = int(str(length))
    return f"{number // 1000}k" if number % 1000 == 0 else str(number)


def setting_name(key: CellKey) -> str:
    """Length, strategy and question of a cell in words."""
    parts = [length_name(key.length), f"{key.strategy} prompt", "open question" if key.question else ""]
    return ", ".join(part for part in parts if part)
