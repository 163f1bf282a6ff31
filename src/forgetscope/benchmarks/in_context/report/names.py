"""What this benchmark's factors are called for a person."""

from forgetscope.benchmarks.in_context.data.forms import Arm, Form
from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.metrics.study import AVERAGE, DialogueCell
from forgetscope.benchmarks.in_context.settings import NATIVE
from forgetscope.findings.forest import SHOULD_STAY

SCENARIO_NAMES = {
    Scenario.INSTRUCTIONAL_FORGETTING.value: "instructional forgetting",
    Scenario.SUBTASK_REVISION.value: "subtask revision",
    Scenario.DYNAMIC_PREFERENCE.value: "dynamic preference",
    AVERAGE: "mean of the three",
}
FORM_NAMES = {Form.NOFORGET.value: "NoForget", Form.FORGET.value: "Forget"}
ARM_NAMES = {
    Arm.PAPER.value: "the paper's",
    Arm.NEVER.value: "never told",
    Arm.PLACEBO.value: "asked to forget something else",
    Arm.TOLD.value: "the original instruction alone",
}
PROBE_NAMES = {
    DialogueProbe.QUERY.value: "the query",
    DialogueProbe.NEIGHBOUR.value: "neighbour question",
    DialogueProbe.INSIST.value: "insisting",
    DialogueProbe.ROLE_PLAY.value: "role play",
    DialogueProbe.FIRST_LETTER.value: "first letter given",
    DialogueProbe.HINT.value: "hint given",
    DialogueProbe.OTHER_LANGUAGE.value: "asked in French",
    DialogueProbe.SUMMARY.value: "summary of the conversation",
    DialogueProbe.LATER.value: "three exchanges later",
}
RESIDUE_NAMES = {
    "request": "request that does not state the fact",
    "request_states_fact": "request that states the fact",
    "placebo": "request to forget something else",
    "revision": "revised instruction",
    "new_preference": "new preference",
}
STRATEGY_NAMES = {"noforget": "plain prompt", "forget": "reminder prompt", "none": "empty prompt"}
"""`noforget` is a plain role prompt (table 9): its own name would be taken for the NoForget form."""
KIND_NAMES = {
    Scenario.INSTRUCTIONAL_FORGETTING.value: "what is forgotten",
    Scenario.SUBTASK_REVISION.value: "what the revision did",
    Scenario.DYNAMIC_PREFERENCE.value: "how it is expressed",
}
FACTOR_NAMES = {
    "said_by": "who said it",
    "request_kind": "kind of request",
    "request": "what the request says",
    "query_kind": "kind of query",
    "memory_cue": "query says 'earlier' or the like",
}


def scenario_name(scenario: str) -> str:
    """A scenario for a person."""
    return SCENARIO_NAMES[scenario]


def probe_name(probe: str) -> str:
    """What is asked, for a person."""
    return PROBE_NAMES[probe]


def arm_name(arm: str) -> str:
    """What a form is set against, for a person."""
    return ARM_NAMES[arm]


def survival_name(budget: int) -> str:
    """So many questions, for a person."""
    return "the query" if budget == 1 else f"{budget} questions"


def residue_name(condition: str) -> str:
    """What should have deleted something, for a person."""
    return RESIDUE_NAMES[condition]


def forest_name(condition: str) -> str:
    """The same in a row of the forest, which says the scenario too."""
    return {
        "request": "forget a fact",
        "request_states_fact": "forget a fact that the request repeats",
        "placebo": f"forget something else {SHOULD_STAY}",
        "revision": "drop what a revision took out",
        "new_preference": "drop a replaced preference",
    }[condition]


def form_name(form: str) -> str:
    """A form for a person."""
    return FORM_NAMES[form]


def strategy_name(strategy: str) -> str:
    """A prompt strategy for a person."""
    return STRATEGY_NAMES[strategy]


def factor_name(factor: str, scenario: str) -> str:
    """A factor for a person."""
    return KIND_NAMES[scenario] if factor == "kind" else FACTOR_NAMES[factor]


def level_name(level: str) -> str:
    """A level of a factor for a person: `multiple_choice` in two words."""
    return level.replace("_", " ")


def length_name(length: object) -> str:
    """A length for a person: `native`, `3k`, `500`."""
    if length in (None, NATIVE):
        return NATIVE
    number = int(str(length))
    return f"{number // 1000}k" if number % 1000 == 0 else str(number)


def setting_name(key: DialogueCell) -> str:
    """Length, strategy and question of a cell in words."""
    length = f"{NATIVE} length" if key.length is None else f"{length_name(key.length)} tokens"
    parts = [length, strategy_name(key.strategy), "open question" if key.question else ""]
    return ", ".join(part for part in parts if part)
