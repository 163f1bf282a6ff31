"""What a provider sent, made fit to be kept and scored: the one place where it is read before anything else sees it.

Two steps. `readable` mends a chat completion in OpenAI's protocol as servers really send it (content as a list of parts
or null, token counts that are null, reasoning and endings under other names, log-probabilities of another shape), for
Inspect takes these for bugs and throws good text away. `made_fit` then holds for every provider: no call of a tool that
nobody offered, no count that is no count, no text that no file can hold.

`guard` does both, masks echoes of keys, and follows no redirect.
"""

import contextlib
import math
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

from pydantic import ValidationError

from forgetscope.core.bounds import LARGEST_COUNT
from forgetscope.core.errors import ForgetscopeError
from forgetscope.core.json_values import encodable
from forgetscope.core.secrets import masked, masked_json

if TYPE_CHECKING:
    from httpx2 import Response
    from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelCall, ModelOutput
    from inspect_ai.tool import ToolChoice, ToolInfo

LONGEST_REPLY = 1_000_000
"""Characters of a reply that are kept; no limit on tokens that anybody sets comes near."""

_THINKING = ("thinking", "reasoning", "reasoning_text", "thought")
"""Kinds of content parts, and fields of a message, that hold reasoning."""


_ENDINGS = {
    "stop": "eos eos_token stop_sequence stopped end_turn end_of_turn eosfound stopstringfound complete completed",
    "length": "max_tokens maxpredictedtokensreached max_output_tokens limit length_limit token_limit",
    "model_length": "contextlengthreached context_length context_window_exceeded context_length_exceeded",
    "content_filter": "safety content_filtered sensitive recitation blocklist prohibited_content spii moderation",
}
"""Finish reasons in the protocol's words (`model_length` is Inspect's), and what servers call them, in lower case."""
_ENDING = {word: ending for ending, words in _ENDINGS.items() for word in words.split()}

_BROKEN_OFF = frozenset({"abort", "aborted", "error", "failed", "network_error", "insufficient_system_resource"})
"""Finish reasons of a reply that the server gave up on: no reply."""


class UnreadableResponseError(ForgetscopeError):
    """The provider said 200 and sent nothing one could read."""


class RedirectedError(ForgetscopeError):
    """The server sends requests to another address."""


def guard(api: "ModelAPI") -> None:
    """From here on nothing of what a provider sends is seen before it is fit, and no request leaves its address.

    Changes the provider it is given.
    """
    _read_dialects(api)
    clients = [getattr(api, "http_client", None), getattr(getattr(api, "client", None), "_client", None)]
    for client in clients:
        if client is not None and hasattr(client, "event_hooks"):
            hooks = client.event_hooks
            client.event_hooks = {**hooks, "response": [_read_head, *hooks.get("response", [])]}
    ask = api.generate

    async def generate(
        input: "list[ChatMessage]", tools: "list[ToolInfo]", tool_choice: "ToolChoice", config: "GenerateConfig"
    ) -> "ModelOutput | tuple[ModelOutput | Exception, ModelCall]":
        try:
            result = await ask(input=input, tools=tools, tool_choice=tool_choice, config=config)
        except Exception as error:
            if (said := _fit_error(error)) is error:
                raise
            raise said from None
        if not isinstance(result, tuple):
            return _fit_reply(result)
        output, call = result
        if isinstance(call.response, dict):
            call.response = {name: masked_json(value) for name, value in call.response.items()}
        return (_fit_error(output) if isinstance(output, Exception) else _fit_reply(output)), call

    setattr(api, "generate", generate)  # noqa: B010 - a method of its class


async def _read_head(response: "Response") -> None:
    """Mask what is in the headers, and make an answer out of a redirect: it would carry the prompt, and often the key,
    where nobody said it should go. Raising here would be taken for a lost connection and tried again.
    """
    for name, value in response.headers.multi_items():
        if (safe := masked(value)) != value:
            response.headers[name] = safe
    if response.has_redirect_location:
        response.headers[_LEADS_TO] = response.headers.pop("location")
    _cut(response)


LARGEST_ANSWER = 50_000_000
"""Bytes of an answer, unpacked: fifty times the longest reply, for whatever stands beside it."""


def _cut(response: "Response") -> None:
    """End an answer that never ends, or that a few bytes unpack to: what is left cannot be read, like any cut one."""
    whole = response.aiter_bytes

    async def begin(*given: int | None) -> "AsyncIterator[bytes]":
        seen = 0
        async for part in whole(*given):
            seen += len(part)
            if seen > LARGEST_ANSWER:
                await response.aclose()
                return
            yield part

    setattr(response, "aiter_bytes", begin)  # noqa: B010 - a method of its class


_LEADS_TO = "x-not-followed"


def _fit_reply(output: "ModelOutput") -> "ModelOutput":
    if not output.choices:
        raise UnreadableResponseError("the provider returned no choice")
    return made_fit(output)


def _fit_error(error: Exception) -> Exception:
    """A provider's error without echoes of a key; another where it was a redirect, or its words cannot be mended."""
    leads = getattr(getattr(error, "response", None), "headers", {}).get(_LEADS_TO)
    if leads is not None:
        return RedirectedError(
            f"the server sends requests on to {leads[:200]}, where nothing was sent; if that is the right place, "
            "give its address (--model-base-url)"
        )
    told: BaseException | None = error
    while told is not None:
        _without_echoes(told)
        if masked(said := str(told)) != said:  # its words are not made from its arguments
            return UnreadableResponseError(f"{type(told).__name__}: {masked(said)}")
        told = told.__cause__ or told.__context__
    return error


def _read_dialects(api: "ModelAPI") -> None:
    """Mend what servers of OpenAI's protocol send before Inspect reads it; other providers stay as they are."""
    ask = getattr(api, "_generate_completion", None)
    if ask is None:
        return

    async def generate_completion(*args: object, **kwargs: object) -> object:
        return readable(await ask(*args, **kwargs))

    setattr(api, "_generate_completion", generate_completion)  # noqa: B010 - not declared on the base class


def readable(completion: object) -> object:
    """A chat completion whose content is text or None, whose usage is whole or None; changed in place.

    What is no chat completion at all is handed on as it is: Inspect says so, and the call is tried again.

    Raises:
        UnreadableResponseError: an error stands where the reply would be.
    """
    from inspect_ai.model import Logprobs
    from openai.types.chat import ChatCompletion

    if not isinstance(completion, ChatCompletion):
        return completion
    if not getattr(completion, "choices", None) and (wrong := getattr(completion, "error", None)):
        raise UnreadableResponseError(f"the provider sent an error in place of a reply: {wrong!s:.500}")
    for name, kind, otherwise in _TOP:
        if not isinstance(getattr(completion, name, None), kind):
            setattr(completion, name, otherwise)
    if not _is_whole(completion.usage):
        completion.usage = None
    choices = getattr(completion, "choices", None)
    if not isinstance(choices, list):
        return completion
    completion.choices = [choice for choice in choices if _has_message(choice)]
    for place, choice in enumerate(completion.choices):
        choice.index = place
        ending = str(choice.finish_reason or "")
        setattr(choice, "finish_reason", _ENDING.get(ending.casefold(), ending or None))  # noqa: B010 - not its type
        message, said, thought = choice.message, *_texts(choice.message.content)
        message.content = said
        named = [getattr(message, name, None) for name in ("reasoning_content", *_THINKING)]
        reasoning = [text for text in named if isinstance(text, str) and text] or thought
        setattr(message, "reasoning_content", "\n".join(dict.fromkeys(reasoning)) or None)  # noqa: B010
        setattr(message, "reasoning", None)  # noqa: B010 - it is in the other by now
        message.refusal = message.refusal if isinstance(message.refusal, str) else None
        _leave_out_tools(choice)
        try:
            if choice.logprobs is not None:
                Logprobs(**choice.logprobs.model_dump())
        except (ValidationError, TypeError, AttributeError):
            choice.logprobs = None
    return completion


def made_fit(output: "ModelOutput") -> "ModelOutput":
    """The output without tool calls, with counts that are counts and texts that a file can hold; changed in place."""
    from inspect_ai.model import ContentReasoning, ContentText

    for choice in output.choices:
        message = choice.message
        message.tool_calls = None
        if isinstance(message.content, str):
            message.content = _kept(message.content)
            continue
        for part in message.content:
            if isinstance(part, ContentText):
                part.text = _kept(part.text)
            elif isinstance(part, ContentReasoning):
                part.reasoning = _kept(part.reasoning)
    output.completion = _kept(output.completion)
    usage = output.usage
    if usage is not None:
        counts = (usage.input_tokens, usage.output_tokens, usage.total_tokens)
        if not all(_is_count(count) for count in counts):
            output.usage = None
        else:
            for name in ("input_tokens_cache_write", "input_tokens_cache_read", "reasoning_tokens"):
                if not _is_count(getattr(usage, name)):
                    setattr(usage, name, None)
    if output.time is not None and not (math.isfinite(output.time) and output.time >= 0):
        output.time = None
    sent = output.model_dump(mode="json")
    if (safe := masked_json(sent)) != sent:  # also where nobody looks: details of a stop, metadata
        output.__dict__.update(type(output).model_validate(safe).__dict__)
    return output


def _without_echoes(error: BaseException) -> None:
    """Mask every secret of the environment in an error of a provider: some repeat the key they refuse."""
    error.args = tuple(masked(part) if isinstance(part, str) else part for part in error.args)
    for name in ("message", "body"):
        if hasattr(error, name):
            with contextlib.suppress(AttributeError, TypeError):
                setattr(error, name, masked_json(getattr(error, name)))


_TOP: tuple[tuple[str, type | tuple[type, ...], object], ...] = (
    ("id", str, ""),
    ("model", str, ""),
    ("created", int, 0),
    ("object", str, "chat.completion"),
    ("system_fingerprint", (str, type(None)), None),
    ("service_tier", (str, type(None)), None),
)
"""What a completion says of itself, of which kind it is, and what stands there where it is of another."""


def _has_message(choice: object) -> bool:
    ending = str(getattr(choice, "finish_reason", "")).casefold()
    return hasattr(getattr(choice, "message", None), "content") and ending not in _BROKEN_OFF


def _kept(text: str) -> str:
    return encodable(text[:LONGEST_REPLY])


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_COUNT


def _is_whole(usage: object) -> bool:
    """Whether all that Inspect reads of the usage can be read; details of odd shape are taken out."""
    if usage is None:
        return True
    counts = ("prompt_tokens", "completion_tokens", "total_tokens")
    if not all(_is_count(getattr(usage, name, None)) for name in counts):
        return False
    for name, parts in (
        ("prompt_tokens_details", ("cached_tokens", "cache_write_tokens")),
        ("completion_tokens_details", ("reasoning_tokens",)),
    ):
        details = getattr(usage, name, None)
        if not all(hasattr(details, part) and _is_count(getattr(details, part) or 0) for part in parts):
            setattr(usage, name, None)
    return True


def _texts(content: object) -> tuple[str | None, list[str]]:
    """Text and reasoning of a message's content: a text, None, or a list of parts with their kind."""
    if content is None or isinstance(content, str):
        return content, []
    said: list[str] = []
    thought: list[str] = []
    for part in content if isinstance(content, Sequence) else [content]:
        kind, text = _part(part)
        (thought if kind in _THINKING else said).append(text)
    return "".join(said), [text for text in thought if text]


def _part(part: object) -> tuple[str, str]:
    """Kind and text of a part: a text, or an object with `type` and a text under one of its names."""
    if isinstance(part, str):
        return "text", part
    fields = part if isinstance(part, dict) else getattr(part, "__dict__", {})
    kind = str(fields.get("type", "text"))
    for name in ("text", "content", *_THINKING):
        value = fields.get(name)
        if isinstance(value, dict):
            value = value.get("value")
        if isinstance(value, list):
            value = "".join(_part(inner)[1] for inner in value)
        if isinstance(value, str):
            return kind, value
    return kind, ""


def _leave_out_tools(choice: object) -> None:
    """Take calls of tools out of a message: their arguments need not be readable, and no tool was offered."""
    message = getattr(choice, "message", None)
    for name in ("tool_calls", "function_call"):
        if getattr(message, name, None):
            setattr(message, name, None)
            setattr(choice, "finish_reason", "tool_calls")  # noqa: B010
