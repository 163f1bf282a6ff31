"""Asking a model for JSON: found among words, held to a form, asked for once more with what was wrong, else unread.

The wording of every request is the caller's: this room knows no prompt.
"""

import json
import re
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic import BaseModel, ValidationError

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage

FormT = TypeVar("FormT", bound=BaseModel)

Said = tuple[str, str]
"""A message: its role, `system`, `user` or `assistant`, and its text."""

ATTEMPTS = 2
"""A reply that cannot be read is asked for once more."""


@dataclass(frozen=True)
class Heard:
    """What came back for one request.

    Attributes:
        text: To read from: without the model's reasoning.
        written: As the model wrote it, which is what goes back to it.
        ending: How the problem is put where the reply ended early; `{problem}` stands for it.
        is_last: Asking again cannot help.
        lost: Why the model could not be reached; empty where it could.
    """

    text: str = ""
    written: str = ""
    ending: str = "{problem}"
    is_last: bool = False
    lost: str = ""


@dataclass(frozen=True)
class AskedFor(Generic[FormT]):
    """What came of asking.

    Attributes:
        value: The reply in its form; None where none could be read.
        problem: What was wrong with the last reply that could not be read.
        replies: As they were written, in order.
        lost: Why the model could not be reached; empty where it could.
    """

    value: FormT | None
    problem: str
    replies: tuple[str, ...]
    lost: str = ""


Send = Callable[[Sequence[Said], int], Awaitable[Heard]]
"""From a conversation and the number of the attempt, from 1, to what came back."""
Read = Callable[[str], tuple[FormT | None, str]]
"""From a reply to its value, or to what is wrong with it."""
Again = Callable[[Sequence[Said], str, str], Sequence[Said]]
"""From a conversation, the reply to it and the problem to the conversation that asks again."""


async def ask_for(said: Sequence[Said], send: Send, read: "Read[FormT]", again: Again) -> AskedFor[FormT]:
    """The value a model replies with; a reply that cannot be read is asked for once more, with what was wrong."""
    replies: list[str] = []
    problem = ""
    for attempt in range(1, ATTEMPTS + 1):
        heard = await send(said, attempt)
        if heard.lost:
            return AskedFor(None, problem, tuple(replies), heard.lost)
        replies.append(heard.written)
        value, problem = read(heard.text)
        if value is not None:
            return AskedFor(value, "", tuple(replies))
        problem = heard.ending.format(problem=problem)
        if heard.is_last:
            break
        said = again(said, heard.written, problem)
    return AskedFor(None, problem, tuple(replies))


def going_on(wording: str) -> Again:
    """Asking again in the same conversation, by a wording with `{problem}` in it."""

    def again(said: Sequence[Said], reply: str, problem: str) -> Sequence[Said]:
        return [*said, ("assistant", reply or "(no text)"), ("user", wording.format(problem=problem))]

    return again


def chat(said: Sequence[Said]) -> "list[ChatMessage]":
    """A conversation as Inspect's messages."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    return [kinds[role](content=text) for role, text in said]


def read_json(
    reply: str,
    form: type[FormT],
    *,
    called: str = "objects of that form",
    explaining: Collection[str] = (),
    repair: bool = False,
) -> tuple[FormT | None, str]:
    """The one JSON object of a form in a reply, alone, in a code block or with words around it; or why there is none.

    Two objects that both fit and say different things are none: which one counts would be a guess.

    >>> class Size(BaseModel):
    ...     size: int
    >>> read_json('Well: {"size": 3}.', Size)
    (Size(size=3), '')
    >>> read_json('{"size": 3} or {"size": 4}', Size)
    (None, 'it holds several objects of that form')

    Args:
        reply: Of a model.
        form: What is looked for.
        called: What several of them are called.
        explaining: Fields in which two objects may differ and still say the same.
        repair: Where nothing fits as it stands, read without commas too many, or a reply that was cut short as far as
            its last whole element.
    """
    problem = ""
    for text in (reply, *(_repaired(reply) if repair else ())):
        found, wrong = _fitting(text, form)
        says = [value.model_dump(exclude=set(explaining)) for value in found]
        if any(other != says[0] for other in says):
            return None, f"it holds several {called}"
        if found:
            return found[0], ""
        problem = problem or wrong
    return None, problem


def _fitting(text: str, form: type[FormT]) -> tuple[list[FormT], str]:
    """The objects in a text that have the form, and what is wrong with the last that has not."""
    problem = "it holds no JSON object"
    found: list[FormT] = []
    for candidate in json_objects(text):
        try:
            found.append(form.model_validate(candidate))
        except ValidationError as error:
            first = error.errors()[0]
            problem = f"{'.'.join(map(str, first['loc'])) or 'object'}: {first['msg'][0].lower()}{first['msg'][1:]}"
    return found, problem


_OPENING = re.compile(r'\{(?=\s{0,999}["}])')
MOST_OPENINGS = 200
"""Braces that open no object, before nothing more is looked for: each may be a reply's length to its end."""


def json_objects(text: str) -> Iterator[object]:
    """Every JSON object that stands in the text at its outermost level."""
    decoder = json.JSONDecoder()
    found, missed = _OPENING.search(text), 0
    while found is not None and missed < MOST_OPENINGS:
        try:
            value, end = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            found, missed = _OPENING.search(text, found.end()), missed + 1
            continue
        yield value
        found = _OPENING.search(text, end)


_TRAILING_COMMA = re.compile(r",(\s*[\]}])")
_OPENERS = {"{": "}", "[": "]"}


def _repaired(reply: str) -> Iterator[str]:
    """The reply without commas too many, then from its first brace to its last whole element, closed."""
    yield _TRAILING_COMMA.sub(r"\1", reply)
    start = reply.find("{")
    last = max((match.end() for match in re.finditer(r"[}\]]", reply)), default=0)
    kept = reply[start:last]
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
    yield _TRAILING_COMMA.sub(r"\1", kept + "".join(reversed(open_brackets)))
