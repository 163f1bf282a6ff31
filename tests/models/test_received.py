"""Whatever a provider sends, what is kept of it can be counted, written and scored. The dialects: tests/faults."""

import asyncio
import math
import zlib
from collections.abc import AsyncIterator

import httpx2 as httpx
import pytest
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolCall
from openai.types.chat import ChatCompletion

from forgetscope.core.bounds import LARGEST_COUNT
from forgetscope.models import received
from forgetscope.models.received import LONGEST_REPLY, _read_head, made_fit, readable


@pytest.mark.parametrize(
    ("text", "kept"),
    [("bad \ud800 text", "bad \ufffd text"), ("\ud83d\ude00", "\U0001f600"), ("plain \x00 \u202e", None)],
)
def test_a_reply_that_utf8_cannot_hold_is_mended_before_it_is_kept(text: str, kept: str | None) -> None:
    output = ModelOutput.from_content("m", text)
    assert made_fit(output).completion == (text if kept is None else kept)


def test_no_call_of_a_tool_is_left() -> None:
    output = ModelOutput.from_content("m", "text")
    output.choices[0].message.tool_calls = [ToolCall(id="1", function="search", arguments={})]
    assert made_fit(output).choices[0].message.tool_calls is None
    assert output.completion == "text"


@pytest.mark.parametrize("count", [-1, LARGEST_COUNT + 1, 10**30])
@pytest.mark.parametrize("field", ["input_tokens", "output_tokens", "total_tokens"])
def test_a_count_that_is_none_makes_the_usage_unknown(field: str, count: int) -> None:
    output = ModelOutput.from_content("m", "text")
    output.usage = ModelUsage(**{field: count})
    assert made_fit(output).usage is None


def test_a_detail_that_is_no_count_goes_alone() -> None:
    output = ModelOutput.from_content("m", "text")
    output.usage = ModelUsage(input_tokens=3, output_tokens=2, total_tokens=5, reasoning_tokens=-4)
    usage = made_fit(output).usage
    assert usage is not None
    assert (usage.input_tokens, usage.reasoning_tokens) == (3, None)


@pytest.mark.parametrize("seconds", [math.nan, math.inf, -1.0])
def test_a_time_that_is_none_is_unknown(seconds: float) -> None:
    output = ModelOutput.from_content("m", "text")
    output.time = seconds
    assert made_fit(output).time is None


def test_a_reply_without_end_is_cut_in_every_part() -> None:
    message = ChatMessageAssistant(
        content=[ContentReasoning(reasoning="r" * (LONGEST_REPLY + 9)), ContentText(text="t" * (LONGEST_REPLY + 9))]
    )
    output = made_fit(ModelOutput(model="m", choices=[ChatCompletionChoice(message=message)]))
    assert len(output.completion) == LONGEST_REPLY
    reasoning = output.choices[0].message.content[0]
    assert isinstance(reasoning, ContentReasoning)
    assert len(reasoning.reasoning) == LONGEST_REPLY


@pytest.mark.parametrize(
    "content",
    [["a ", "b"], [{"type": "text", "text": {"value": "a b"}}], {"type": "text", "text": "a b"}, [None, "a b", 3]],
)
def test_text_is_found_in_content_of_any_shape(content: object) -> None:
    message = {"role": "assistant", "content": content}
    sent = ChatCompletion.construct(choices=[{"index": None, "message": message}], usage={"prompt_tokens": "many"})
    mended = readable(sent)
    assert isinstance(mended, ChatCompletion)
    assert mended.choices[0].message.content == "a b"
    assert mended.usage is None


def test_what_is_no_completion_is_handed_on() -> None:
    assert readable("all is well") == "all is well"


@pytest.mark.parametrize("packed", [False, True])
def test_an_answer_that_never_ends_or_unpacks_without_end_is_cut(packed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(received, "LARGEST_ANSWER", 1_000_000)
    given: list[int] = []

    class Endless(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            packer = zlib.compressobj(9, zlib.DEFLATED, 31)
            for _ in range(1000):
                given.append(1)
                block = packer.compress(bytes(200_000)) + packer.flush(zlib.Z_FULL_FLUSH)
                yield block if packed else bytes(200_000)

    async def read() -> int:
        head = {"content-encoding": "gzip"} if packed else {}
        response = httpx.Response(200, headers=head, stream=Endless())
        await _read_head(response)
        return len(await response.aread())

    assert asyncio.run(read()) <= 1_000_000
    assert len(given) < 10
