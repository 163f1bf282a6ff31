"""The forms of the builder's replies, and reading them out of what a model wrote.

The forms of appendix A's prompts have the paper's field names. Fields beyond a form are passed over.
"""

from typing import Annotated, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

from forgetscope.benchmarks.in_context.data.items import Fact, Forgotten, Neighbour, Text, Turn, require_exchanges
from forgetscope.io.asking import read_json

ReplyT = TypeVar("ReplyT", bound=BaseModel)


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class ForgetRequest(_Reply):
    """(a) The request to forget and the query."""

    forget_instruction: Text
    test_question: Text


class FactAnnotation(_Reply):
    """(a) What the request is about, so that a rule can score the item."""

    facts: Annotated[tuple[Fact, ...], Field(min_length=1, max_length=8)]
    neighbour: Neighbour | None = None
    reask: Text | None = None
    forgotten: Forgotten
    request_kind: Literal["explicit", "retraction"]
    query_kind: Literal["explicit", "implicit"]


class DialogueAnswer(_Reply):
    """(a) An answer to the query from the dialogue, and the words it rests on."""

    answerable: bool
    answer: str
    evidence: str


class Guess(_Reply):
    """(a) An answer to the query without the dialogue."""

    answerable: bool
    answer: str


class Target(_Reply):
    """(a) What a request to forget is about, as its reader sees it."""

    named: bool
    piece: str


class Revision(_Reply):
    """(b) The revised instruction and why its outcome differs."""

    modified_instruction: Text
    description: Annotated[tuple[Text, ...], Field(min_length=1)]


class Decomposition(_Reply):
    """(b) The subtasks of both instructions by where they are asked for."""

    common_subtasks: tuple[Text, ...]
    original_special_subtasks: tuple[Text, ...]
    modified_special_subtasks: tuple[Text, ...]


class Attribution(_Reply):
    """(b) For each subtask, whether the original (A) and the revised instruction (B) ask for it."""

    a: tuple[bool, ...]
    b: tuple[bool, ...]


def attribution_of(subtasks: int) -> type[Attribution]:
    """The form of an attribution of so many subtasks."""
    flags = Annotated[tuple[bool, ...], Field(min_length=subtasks, max_length=subtasks)]
    return create_model("Attribution", __base__=Attribution, a=(flags, ...), b=(flags, ...))


class Restatement(_Reply):
    """(c) The restated preference."""

    preference: Text


class Relevance(_Reply):
    """(c) Whether options answer a question that is not theirs."""

    relevant: bool


class OptionPick(_Reply):
    """(c) Another pick from given options."""

    user_selection: Text
    assistant_acknowledgment: Text


class StagedChoice(_Reply):
    """(c) A whole conversation in which a choice shows a preference."""

    query: Text
    options: Annotated[tuple[Text, ...], Field(min_length=4, max_length=4)]
    user_selection: Text
    assistant_acknowledgment: Text


class WrittenDialogue(_Reply):
    """(c) A dialogue in which a preference can be seen."""

    turns: Annotated[tuple[Turn, ...], Field(min_length=4, max_length=8)]

    @model_validator(mode="after")
    def _turns_are_whole(self) -> Self:
        require_exchanges(self.turns, "turns")
        return self


class ChosenOption(_Reply):
    """(c) The option a reader picks."""

    option: Literal["A", "B", "C", "D", "none"]


_QUOTES = {'"': '"', "“": "”", "'": "'", "‘": "’"}


def read_reply(reply: str, form: type[ReplyT]) -> tuple[ReplyT | None, str]:
    """The reply in a form, or why there is none: one plain sentence for `Restatement`, else one JSON object.

    >>> read_reply('Sure: {"relevant": true}', Relevance)
    (Relevance(relevant=True), '')
    """
    value, problem = _read_sentence(reply) if form is Restatement else read_json(reply, form)
    return (value, "") if isinstance(value, form) else (None, problem)


def _read_sentence(reply: str) -> tuple[Restatement | None, str]:
    lines = [line.strip() for line in reply.splitlines() if line.strip()]
    if len(lines) != 1:
        return None, "it has several lines" if lines else "it is empty"
    line = lines[0]
    if line[0] in _QUOTES and line.endswith(_QUOTES[line[0]]) and len(line) > 2:
        line = line[1:-1].strip()
    if not line:
        return None, "it is empty"
    return Restatement(preference=line), ""
