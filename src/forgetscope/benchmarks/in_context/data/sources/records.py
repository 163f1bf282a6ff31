"""What a source gives: dialogues, instructions or preferences, as records one can also write by hand.

A folder of one's own holds any of `dialogues.jsonl`, `instructions.jsonl` and `preferences.jsonl`, one record a line;
`forgetscope build in-context --source FOLDER` reads it.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from forgetscope.benchmarks.in_context.data.items import FillerDialogue, Slug, Text, Turns, require_exchanges
from forgetscope.io.records import Provenance

FourOptions = Annotated[tuple[Text, ...], Field(min_length=4, max_length=4)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SourceInstruction(_Record):
    """An instruction of several parts, from which a subtask-revision item is built.

    Attributes:
        group: Instructions of one group share their seed (FollowBench's levels): a short build takes one of each.
    """

    id: Slug
    domain: str = ""
    group: str = ""
    instruction: Text


class ChoiceConversation(_Record):
    """A conversation in which the user shows a preference by picking from the assistant's options.

    Attributes:
        preference: The preference in this conversation's wording.
        options: What could be picked, by itself.
        option: The one that follows the preference.
        assistant_options: The options as the assistant offers them, in whatever order.
    """

    preference: Text
    query: Text
    options: FourOptions
    option: Text
    assistant_options: Text
    user_selection: Text
    acknowledgement: Text

    @model_validator(mode="after")
    def _option_is_offered(self) -> Self:
        _require_options(self.options, self.option)
        return self


class SourcePreference(_Record):
    """A preference, a question it bears on, and four answers of which one follows it.

    Attributes:
        options: Answers to `question`.
        option: The one that follows the preference.
        choice: The preference shown by a choice, about another question.
        dialogue: The preference in the course of a dialogue.
    """

    id: Slug
    topic: str = ""
    preference: Text
    question: Text
    options: FourOptions
    option: Text
    choice: ChoiceConversation | None = None
    dialogue: Turns | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        _require_options(self.options, self.option)
        if self.dialogue is not None:
            require_exchanges(self.dialogue, "dialogue")
        return self


def _require_options(options: tuple[str, ...], option: str) -> None:
    if len({" ".join(entry.casefold().split()) for entry in options}) != len(options):
        raise ValueError("two options are the same")
    if option not in options:
        raise ValueError("the option that follows the preference is not among the options")


@dataclass(frozen=True)
class SourceRows:
    """All a source gives, in its own order, with what was left out of it and where it comes from.

    Attributes:
        left_out: Rows of the source that give no record, by reason.
        terms: What its licence asks of whoever passes on what was built from it; empty where it asks for nothing
            but its name.
    """

    name: str
    provenance: tuple[Provenance, ...]
    dialogues: tuple[FillerDialogue, ...] = ()
    instructions: tuple[SourceInstruction, ...] = ()
    preferences: tuple[SourcePreference, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=Counter)
    terms: str = ""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all records, kind by kind."""
        return (
            *(dialogue.id for dialogue in self.dialogues),
            *(instruction.id for instruction in self.instructions),
            *(preference.id for preference in self.preferences),
        )
