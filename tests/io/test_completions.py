"""From a provider's output to ours: reasoning apart from the answer, and how the call ended."""

import pytest
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
    ModelOutput,
    ModelUsage,
    StopReason,
)

from forgetscope.core.outcomes import FinishReason
from forgetscope.core.reasoning import split_reasoning
from forgetscope.io.completions import SECONDS_KEY, completion_of


@pytest.mark.parametrize(
    ("text", "reasoning", "answer"),
    [
        ("Four.", "", "Four."),
        ("<think>add, then stop</think>\n\nFour.", "add, then stop", "Four."),
        ("  <reasoning>\nadd\n</reasoning>Four.", "add", "Four."),
        ("add them up</think>\nFour.", "add them up", "Four."),
        ("<think>add, and add, and", "add, and add, and", ""),
        ("Use <think> and </think> as tags.", "", "Use <think> and </think> as tags."),
    ],
)
def test_reasoning_left_in_the_text_is_split_off(text: str, reasoning: str, answer: str) -> None:
    assert split_reasoning(text) == (reasoning, answer)


def test_reasoning_the_provider_split_off_is_not_in_the_reply() -> None:
    message = ChatMessageAssistant(content=[ContentReasoning(reasoning="add"), ContentText(text="Four.")])
    found = completion_of(ModelOutput(choices=[ChatCompletionChoice(message=message)]))
    assert (found.reasoning, found.reply) == ("add", "Four.")


@pytest.mark.parametrize(
    ("stop", "finish"),
    [
        ("stop", FinishReason.STOP),
        ("max_tokens", FinishReason.LENGTH),
        ("model_length", FinishReason.CONTEXT),
        ("content_filter", FinishReason.CONTENT_FILTER),
        ("unknown", FinishReason.UNKNOWN),
    ],
)
def test_a_reply_with_tokens_keeps_its_text_however_it_ended(stop: StopReason, finish: FinishReason) -> None:
    output = ModelOutput.from_content("m", "Four.", stop_reason=stop)
    output.usage = ModelUsage(input_tokens=3, input_tokens_cache_read=2, output_tokens=1, total_tokens=6)
    found = completion_of(output)
    assert (found.reply, found.finish_reason, found.input_tokens, found.output_tokens) == ("Four.", finish, 5, 1)


@pytest.mark.parametrize("stop", ["model_length", "content_filter"])
def test_a_refused_request_has_no_reply_but_an_error(stop: StopReason) -> None:
    found = completion_of(ModelOutput.from_content("m", "maximum context length is 8192", stop_reason=stop))
    assert (found.has_text, found.error) == (False, "maximum context length is 8192")


def test_no_choice_is_an_error() -> None:
    found = completion_of(ModelOutput(model="m"))
    assert (found.finish_reason, found.error) == (FinishReason.ERROR, "the provider returned no choice")


def test_the_seconds_of_a_reply_from_the_journal_are_those_of_the_call() -> None:
    output = ModelOutput.from_content("m", "Four.")
    output.time, output.metadata = 0.01, {SECONDS_KEY: 2.5}
    assert completion_of(output).seconds == 2.5
