"""JSON from a language model's reply: found in prose and fences, repaired where that is safe, asked for again once."""

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from forgetscope.benchmarks.unlearning.data.construction_prompts import again_prompt

Ask = Callable[[str], Awaitable[str]]
"""A language model: from a prompt to its reply."""

RecordT = TypeVar("RecordT", bound=BaseModel)

_TRAILING_COMMA = re.compile(r",(\s*[\]}])")
_OPENERS = {"{": "}", "[": "]"}


def inspect_model(name: str, *, max_tokens: int = 2048) -> Ask:
    """Any of Inspect's models as an `Ask`: greedy, and cached, so that a stopped extraction goes on where it was.

    Args:
        name: As Inspect names models: `openai/gpt-5`, `vllm/...`, `forgetscope/smollm2`.
        max_tokens: Of a reply.
    """
    from inspect_ai.model import CachePolicy, GenerateConfig, get_model

    model = get_model(name, config=GenerateConfig(temperature=0.0, max_tokens=max_tokens))

    async def ask(prompt: str) -> str:
        output = await model.generate(prompt, cache=CachePolicy(expiry=None))
        return output.completion

    return ask


class UnreadableReplyError(ValueError):
    """The reply holds no JSON of the asked form; says what is wrong with it."""


@dataclass(frozen=True)
class RecordReply(Generic[RecordT]):
    """What came of asking: a record, or after two unreadable replies none, with the last problem."""

    record: RecordT | None
    calls: int
    problem: str = ""


async def ask_for(prompt: str, record: type[RecordT], ask: Ask) -> RecordReply[RecordT]:
    """The record a model replies with; an unreadable reply is asked again once, with what was wrong."""
    problem = ""
    reply = await ask(prompt)
    for calls in (1, 2):
        try:
            return RecordReply(read_json(reply, record), calls)
        except UnreadableReplyError as error:
            problem = str(error)
        if calls == 1:
            reply = await ask(again_prompt(prompt, problem, reply))
    return RecordReply(None, 2, problem)


def read_json(reply: str, record: type[RecordT]) -> RecordT:
    """The record in a reply: the JSON object it holds, repaired if it was cut short or has a comma too many.

    Raises:
        UnreadableReplyError: no JSON object, one that cannot be repaired, or of another form.
    """
    start = reply.find("{")
    if start < 0:
        raise UnreadableReplyError("no JSON object in it")
    try:
        row = _decode(reply[start:])
    except (ValueError, RecursionError) as error:
        raise UnreadableReplyError(f"not JSON ({error})") from None
    try:
        return record.model_validate(row)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UnreadableReplyError(f"{where or 'object'}: {first['msg']}") from None


def _decode(text: str) -> object:
    """The JSON value a text begins with; if it does not parse as it is, without trailing commas, then closed."""
    error: ValueError | None = None
    for candidate in (text, _TRAILING_COMMA.sub(r"\1", text), _closed(text)):
        try:
            value: object = json.JSONDecoder().raw_decode(candidate)[0]
        except ValueError as found:
            error = error or found
        else:
            return value
    assert error is not None  # noqa: S101 - the loop ran
    raise error


def _closed(text: str) -> str:
    """A text that was cut short, back to its last complete element and closed."""
    last = max((match.end() for match in re.finditer(r"[}\]]", text)), default=0)
    kept = text[:last]
    open_brackets: list[str] = []
    in_string = escaped = False
    for letter in kept:
        if escaped:
            escaped = False
        elif letter == "\\":
            escaped = in_string
        elif letter == '"':
            in_string = not in_string
        elif not in_string and letter in _OPENERS:
            open_brackets.append(_OPENERS[letter])
        elif not in_string and open_brackets and letter == open_brackets[-1]:
            open_brackets.pop()
    return _TRAILING_COMMA.sub(r"\1", kept + "".join(reversed(open_brackets)))
