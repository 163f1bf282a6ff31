"""The items of the three scenarios and the filler dialogues, as records that anyone can write by hand as JSON Lines.

An item holds everything both of its forms are made of (ICF-Bench, section 3.1): the memory M, the forgetting
interference F, sessions of its own that have nothing to do with either (MC), and the query Q. What the two forms leave
out or put in is decided in `forms`; filler for a controlled context length comes from `FillerDialogue`.

A *verified* item can be scored without a judge: it carries the facts to be forgotten, checks for each subtask, or
options to choose from.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, model_validator

from forgetscope.benchmarks.in_context.data.scenarios import Scenario as Scenario
from forgetscope.checkers import check
from forgetscope.mentions.same_wording import folded, mentions

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=80)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Turn(_Record):
    """One message of a dialogue."""

    role: Literal["user", "assistant"]
    content: Text


Turns = Annotated[tuple[Turn, ...], Field(min_length=1)]


class Fact(_Record):
    """A piece of information by which recall and leakage are found by rule.

    Attributes:
        value: The fact as the dialogue gives it, as short as it can be and still be recognised: "Lisbon", "14 March".
        aliases: Other ways to write the same: "March 14", "the 14th of March". Found like the value.
        paraphrases: Wordings that give the fact away without its name: "the capital of Portugal".
        parts: A part of it, or what comes near: "heron" of Copper Heron. A leak, but no recall. Of a number or a date
            the usual ones ("about 18,000", "late May") are found without being listed.
        hints: Wordings that narrow it down without giving it away: "a city in southern Europe".
    """

    value: Text
    aliases: tuple[Text, ...] = ()
    paraphrases: tuple[Text, ...] = ()
    parts: tuple[Text, ...] = ()
    hints: tuple[Text, ...] = ()


class Neighbour(_Record):
    """A question about something else in M: it must still be answered after the forgetting (over-forgetting).

    Attributes:
        answers: Any one of them in the reply is an answer.
    """

    query: Text
    answers: Annotated[tuple[Text, ...], Field(min_length=1)]


class Rewritten(_Record):
    """A turn of M as it would be had the fact never been said.

    Attributes:
        turn: Its place in M, from 0.
        content: What stands there instead; whoever speaks stays the same.
    """

    turn: Annotated[int, Field(ge=0)]
    content: Text


class Forgotten(StrEnum):
    """What is forgotten (ICF-Bench, appendix A.1)."""

    IDENTITY = "identity"
    PREFERENCE = "preference"
    GOAL = "goal"
    CONTEXT = "context"


class _Item(_Record):
    id: Slug
    """Unique within its data set."""
    domain: str = ""
    """A word for the topic: `health`, `travel`."""
    source: str = ""
    """Where the item was taken from, and its row there; empty for items written for this project."""
    unrelated: tuple[Turn, ...] = ()
    """Sessions of the item's own about other things (MC) between F and Q, kept at every context length: whole user
    and assistant turns in alternation."""
    unrelated_before: tuple[Turn, ...] = ()
    """The same between M and F. In subtask revision, where F is the query, both stand in one place."""

    @model_validator(mode="after")
    def _unrelated_turns_are_whole(self) -> Self:
        require_exchanges(self.unrelated, "unrelated")
        require_exchanges(self.unrelated_before, "unrelated_before")
        return self


def require_exchanges(turns: tuple[Turn, ...], name: str) -> None:
    """Refuse turns that are not user and assistant in alternation, beginning with the user and ending with the other.

    Raises:
        ValueError: says which turn is out of order.
    """
    for position, turn in enumerate(turns):
        wanted = "user" if position % 2 == 0 else "assistant"
        if turn.role != wanted:
            raise ValueError(f"{name}: turn {position + 1} is the {turn.role}'s, the {wanted}'s was expected")
    if len(turns) % 2:
        raise ValueError(f"{name} ends with a user turn that has no answer")


class InstructionalForgettingItem(_Item):
    """A dialogue, a request to forget one piece of it, and a question for that piece.

    Attributes:
        memory: M, a dialogue of whole exchanges.
        request: F, the user's request to forget.
        request_reply: The assistant's acknowledgement. None: request and query are two user turns in a row, as in
            the paper's own rows, with a fixed reply between them unless the run is `consecutive=raw`.
        query: Q.
        facts: What must be recalled without the request and must not appear after it; all of them have to be recalled.
            Empty for an item that only a judge can score.
        reask: The question put once more, after the answer in the Forget form.
        request_kind: `explicit`, or `retraction` ("I'm not actually a doctor").
        query_kind: `explicit` asks for the piece by name; `implicit` asks for something that needs it.
        memory_cue: Whether the query says "before", "earlier", "you mentioned" or the like.
        never_told: M without the fact: the turns that state it, rest on it or give it away, rewritten. Empty: there is
            no such M.
        placebo: A request like F, about as long and as open, to forget something else of M that no question asks for,
            for a reason that does not reach the fact.
    """

    scenario: Literal[Scenario.INSTRUCTIONAL_FORGETTING]
    memory: Turns
    request: Text
    request_reply: Text | None = None
    query: Text
    facts: tuple[Fact, ...] = ()
    neighbour: Neighbour | None = None
    reask: Text | None = None
    forgotten: Forgotten
    said_by: Literal["user", "assistant"]
    request_kind: Literal["explicit", "retraction"]
    query_kind: Literal["explicit", "implicit"]
    memory_cue: bool
    never_told: tuple[Rewritten, ...] = ()
    placebo: Text | None = None

    @model_validator(mode="after")
    def _memory_is_whole(self) -> Self:
        require_exchanges(self.memory, "memory")
        return self

    @model_validator(mode="after")
    def _what_was_never_told_is_not_told(self) -> Self:
        places = [rewritten.turn for rewritten in self.never_told]
        if any(place >= len(self.memory) for place in places) or len(set(places)) < len(places):
            raise ValueError(f"never_told rewrites turns {places} of {len(self.memory)}, each at most once")
        texts = [turn.content for turn in self.memory_never_told] if self.never_told else []
        texts += [self.placebo] if self.placebo else []
        for wording in (wording for fact in self.facts for wording in (fact.value, *fact.aliases, *fact.paraphrases)):
            if any(mentions(text, wording) for text in texts):
                raise ValueError(f"never_told or placebo says {wording!r}, which was never to be told")
        return self

    @property
    def memory_never_told(self) -> tuple[Turn, ...]:
        """M had the fact never been said; M itself without rewritten turns."""
        instead = {rewritten.turn: rewritten.content for rewritten in self.never_told}
        return tuple(
            Turn(role=turn.role, content=instead.get(place, turn.content)) for place, turn in enumerate(self.memory)
        )

    @model_validator(mode="after")
    def _no_question_tells_a_fact(self) -> Self:
        asked = {"query": self.query, "reask": self.reask or ""}
        for name, question in asked.items():
            for wording in (wording for fact in self.facts for wording in (fact.value, *fact.aliases)):
                if mentions(question, wording):
                    raise ValueError(
                        f"the {name} says {wording!r}, so that saying it back would count as recall: "
                        "ask otherwise, or leave out the facts for a judge to decide"
                    )
        return self

    @property
    def request_states_fact(self) -> bool:
        """Whether F says once more what it asks to forget; never where the item has no facts."""
        said = (text for fact in self.facts for text in (fact.value, *fact.aliases, *fact.paraphrases, *fact.parts))
        return any(mentions(self.request, wording) for wording in said)

    @property
    def is_verified(self) -> bool:
        """Whether recall and leakage can be told by rule."""
        return bool(self.facts)


class SubtaskCheck(_Record):
    """A machine check of a subtask: an instruction type of `forgetscope.checkers` and its parameters."""

    type: Text
    kwargs: dict[str, str | int | float | list[str]] = {}

    @model_validator(mode="after")
    def _is_known(self) -> Self:
        check(self.type, self.kwargs, "x")  # raises on an unknown type or parameters that do not fit
        return self


class Subtask(_Record):
    """One requirement of an instruction, in words, and its check where a machine can tell."""

    text: Text
    check: SubtaskCheck | None = None


class SubtaskRevisionItem(_Item):
    """An instruction of several subtasks and its revision.

    Attributes:
        original: The first instruction (M); in the Forget form the model answers it live.
        revised: The revised instruction, complete in itself (F and Q at once).
        common, original_only, revised_only: The subtasks by where they are asked for.
        change: What the revision did.
    """

    scenario: Literal[Scenario.SUBTASK_REVISION]
    original: Text
    revised: Text
    common: tuple[Subtask, ...]
    original_only: tuple[Subtask, ...]
    revised_only: tuple[Subtask, ...]
    change: Literal["altered", "removed", "added", "mixed"]

    @model_validator(mode="after")
    def _something_is_asked_and_changed(self) -> Self:
        if not (self.common or self.revised_only):
            raise ValueError("the revised instruction has no subtask")
        if not (self.original_only or self.revised_only):
            raise ValueError("the revision changes no subtask")
        return self

    @property
    def is_verified(self) -> bool:
        """Whether every subtask has a check."""
        return all(subtask.check for subtask in (*self.common, *self.original_only, *self.revised_only))


class Preference(_Record):
    """A stated preference, the option that follows it, and the turns in which the user expresses it."""

    text: Text
    option: Text
    turns: Turns

    @model_validator(mode="after")
    def _turns_are_whole(self) -> Self:
        require_exchanges(self.turns, "turns")
        return self


class DynamicPreferenceItem(_Item):
    """A preference, a later and different one, and a question whose answer depends on which of them holds.

    Attributes:
        expression: How both are expressed (ICF-Bench, section 3.2.1): stated directly, by picking from options the
            assistant offers, or in the course of a dialogue.
        options: Four answers in canonical order, among them the option of each preference; the order in which they
            are shown is rotated when samples are made.
    """

    scenario: Literal[Scenario.DYNAMIC_PREFERENCE]
    expression: Literal["direct", "multiple_choice", "dialogue"]
    old: Preference
    new: Preference
    question: Text
    options: Annotated[tuple[Text, ...], Field(min_length=4, max_length=4)]

    @model_validator(mode="after")
    def _options_tell_the_preferences_apart(self) -> Self:
        if len({" ".join(option.casefold().split()) for option in self.options}) != len(self.options):
            raise ValueError("two options are the same")
        if self.old.option == self.new.option:
            raise ValueError("old and new preference have the same option")
        for name, preference in (("old", self.old), ("new", self.new)):
            if preference.option not in self.options:
                raise ValueError(f"the option of the {name} preference is not among the options")
        return self

    @property
    def is_verified(self) -> bool:
        """The four-option question needs no judge; the open question always does."""
        return True


Item = Annotated[
    InstructionalForgettingItem | SubtaskRevisionItem | DynamicPreferenceItem, Field(discriminator="scenario")
]
ITEM: TypeAdapter[InstructionalForgettingItem | SubtaskRevisionItem | DynamicPreferenceItem] = TypeAdapter(Item)
AnyItem = InstructionalForgettingItem | SubtaskRevisionItem | DynamicPreferenceItem
RECORDS: dict[Scenario, type[AnyItem]] = {
    Scenario.INSTRUCTIONAL_FORGETTING: InstructionalForgettingItem,
    Scenario.SUBTASK_REVISION: SubtaskRevisionItem,
    Scenario.DYNAMIC_PREFERENCE: DynamicPreferenceItem,
}
"""The record of each scenario's items, one file of lines a scenario."""


def dialogues_of(item: AnyItem) -> tuple[Turns, ...]:
    """The dialogues an item is made of, its unrelated sessions left out."""
    match item:
        case InstructionalForgettingItem():
            return (item.memory,)
        case SubtaskRevisionItem():
            return ((Turn(role="user", content=item.original),),)
        case DynamicPreferenceItem():
            return (item.old.turns, item.new.turns)


def opening(turns: Sequence[Turn]) -> str:
    """By which a dialogue is known again, whole or cut off: its first message, case and punctuation aside."""
    return folded(turns[0].content)


def states_a_fact(said: str, item: AnyItem) -> bool:
    """Whether a text gives away what an item asks to forget.

    Args:
        said: The text as `folded` gives it.
        item: Of any scenario; only instructional forgetting has facts.
    """
    if not isinstance(item, InstructionalForgettingItem):
        return False
    wordings = [wording for fact in item.facts for wording in (fact.value, *fact.aliases, *fact.paraphrases)]
    return any(f" {wording} " in f" {said} " for wording in map(folded, wordings) if wording)


class FillerDialogue(_Record):
    """A dialogue about something else, a source of unrelated turns.

    Attributes:
        topic: A word or two; fillers and items of one topic are not put together.
    """

    id: Slug
    topic: str = ""
    turns: Turns

    @model_validator(mode="after")
    def _turns_are_whole(self) -> Self:
        require_exchanges(self.turns, "turns")
        return self
