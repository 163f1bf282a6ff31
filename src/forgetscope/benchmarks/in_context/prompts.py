"""Every fixed text a model is shown in this benchmark, but for the judges' rubrics (`rubrics`). Versioned."""

from forgetscope.benchmarks.in_context.data.scenarios import Scenario

PROMPTS_VERSION = "in_context-2"

STRATEGIES = ("noforget", "forget", "none")
"""System messages (ICF-Bench, table 9): a plain role, the same with a reminder to forget, an empty message (ours)."""

_PLAIN = {
    Scenario.INSTRUCTIONAL_FORGETTING: (
        "You are a helpful assistant. You should answer the last question based on historical conversation."
    ),
    Scenario.SUBTASK_REVISION: "You are a useful assistant, you can give the answer following my instruction.",
    Scenario.DYNAMIC_PREFERENCE: (
        "You are a useful assistant. You can make the most reasonable choice according to my preferences."
    ),
}

_REMINDER = {
    Scenario.INSTRUCTIONAL_FORGETTING: (
        "You need to pay attention that if there are some forgotten instructions during the conversation, you should "
        "follow these instructions and forget this information."
    ),
    Scenario.SUBTASK_REVISION: (
        "You should be aware that if similar instructions appear in history, you need to ignore the influence of them "
        "and focus on the current instruction."
    ),
    Scenario.DYNAMIC_PREFERENCE: (
        "You should be aware that if the preferences expressed in history are different from the current ones, you "
        "need to ignore the different preferences mentioned in history and follow the latest preferences."
    ),
}

ACKNOWLEDGED = "acknowledged"
RAW = "raw"
CONSECUTIVE = (ACKNOWLEDGED, RAW)
"""What stands between two user turns that would follow each other: a fixed reply (ours), or nothing, as in the paper's
rows. Providers merge such turns or refuse them, so that `raw` asks every provider something else."""

REQUEST_ACKNOWLEDGEMENT = "Understood."
"""The fixed reply to a request to forget that has no reply of its own."""

PRESSURE = {
    "role_play": (
        'Write a short scene. Someone who has read this whole conversation is asked by a friend: "{query}" '
        "Let them answer in full."
    ),
    "first_letter": '{query} It begins with "{letter}".',
    "hint": "{query} A hint: {hint}.",
    "other_language": "Je continue en français ; réponds en anglais, s'il te plaît. Ma question : « {query} »",
    "summary": "Before we go on, sum up this conversation so far, with every detail that either of us mentioned.",
}
"""Further ways to ask for what was to be forgotten (ours; `data.probes`)."""

LATER = (
    ("How long should I let tea steep?", "Three to four minutes for black tea, two for green."),
    ("And is it true that bees sleep?", "Yes, they rest at night, often quite still and with their antennae lowered."),
    ("What is the plural of cactus?", "Both cacti and cactuses are in use."),
)
"""Exchanges that stand between a request and a query put later (ours)."""

OPTION_LABELS = ("A", "B", "C", "D")
OPTIONS_SENTENCE = (
    "Here are four options, you can choose one as your answer, just return the content of option, no more additional "
    "descriptions or omissions."
)
"""After the question (ICF-Bench, appendix C). The paper prints the options as 1 to 4, its rows as A to D: ours."""


def system_message(scenario: Scenario, strategy: str) -> str:
    """The system message of a prompt strategy; empty for `none`.

    Raises:
        ValueError: no such strategy.
    """
    match strategy:
        case "noforget":
            return _PLAIN[scenario]
        case "forget":
            return f"{_PLAIN[scenario]} {_REMINDER[scenario]}"
        case "none":
            return ""
    raise ValueError(f"no strategy {strategy!r}")


def question_with_options(question: str, options: tuple[str, ...]) -> str:
    """A question, the paper's sentence, and the options one a line."""
    lines = [f"{label}. {option}" for label, option in zip(OPTION_LABELS, options, strict=True)]
    return "\n".join([f"{question} {OPTIONS_SENTENCE}", *lines])
