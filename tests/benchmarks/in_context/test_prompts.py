"""The texts a model is shown, word for word: a changed one is another benchmark."""

import pytest

from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.prompts import (
    PROMPTS_VERSION,
    REQUEST_ACKNOWLEDGEMENT,
    STRATEGIES,
    question_with_options,
    system_message,
)

ROLES = {
    "instructional_forgetting": (
        "You are a helpful assistant. You should answer the last question based on historical conversation.",
        "You need to pay attention that if there are some forgotten instructions during the conversation, you should "
        "follow these instructions and forget this information.",
    ),
    "subtask_revision": (
        "You are a useful assistant, you can give the answer following my instruction.",
        "You should be aware that if similar instructions appear in history, you need to ignore the influence of them "
        "and focus on the current instruction.",
    ),
    "dynamic_preference": (
        "You are a useful assistant. You can make the most reasonable choice according to my preferences.",
        "You should be aware that if the preferences expressed in history are different from the current ones, you "
        "need to ignore the different preferences mentioned in history and follow the latest preferences.",
    ),
}


def test_the_version_is_this_one() -> None:
    assert PROMPTS_VERSION == "in_context-2"
    assert STRATEGIES == ("noforget", "forget", "none")
    assert REQUEST_ACKNOWLEDGEMENT == "Understood."


@pytest.mark.parametrize("scenario", list(Scenario))
def test_the_system_messages_are_the_papers(scenario: Scenario) -> None:
    role, reminder = ROLES[scenario.value]
    assert system_message(scenario, "noforget") == role
    assert system_message(scenario, "forget") == f"{role} {reminder}"
    assert system_message(scenario, "none") == ""


def test_an_unknown_strategy_raises() -> None:
    with pytest.raises(ValueError, match="no strategy 'plain'"):
        system_message(Scenario.SUBTASK_REVISION, "plain")


def test_options_stand_below_the_papers_sentence() -> None:
    assert question_with_options("What now?", ("Tea", "Milk", "Ale", "Rum")) == (
        "What now? Here are four options, you can choose one as your answer, just return the content of option, no "
        "more additional descriptions or omissions.\nA. Tea\nB. Milk\nC. Ale\nD. Rum"
    )
