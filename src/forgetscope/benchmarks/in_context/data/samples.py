"""One sample: an item in one form, at one length, with one system message, asked one question."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from forgetscope.benchmarks.in_context.data.context import Context
from forgetscope.benchmarks.in_context.data.forms import NO_FILLER, Filler, Form, PlacedTurn, dialogue
from forgetscope.benchmarks.in_context.data.items import (
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    Item,
    SubtaskRevisionItem,
)
from forgetscope.benchmarks.in_context.data.scenarios import PreferenceQuestion as PreferenceQuestion
from forgetscope.benchmarks.in_context.prompts import question_with_options

BENCHMARK = "in_context"

ROTATIONS = ((0, 1, 2, 3), (1, 3, 0, 2), (2, 0, 3, 1), (3, 2, 1, 0))
"""Orders in which options are shown: a balanced square, each option once at each place and once after each other.

In PrefEval the aligned option always comes first; in order of the items every place gets it equally often here.
"""


class DialogueProbe(StrEnum):
    """What is asked at the end: the item's query, or the neighbour question (instructional forgetting)."""

    QUERY = "query"
    NEIGHBOUR = "neighbour"


class InContextSample(BaseModel):
    """A sample, precisely enough to send it and to score it again.

    Attributes:
        question: For dynamic preference only.
        reask: Whether the question is put once more after the answer.
        rotation: Which of `ROTATIONS` the options are shown in.
        direction: `reversed` when the item's preferences changed places; the item here is as it is sent.
        seed: Of the run; filler and nothing else depends on it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    item: Item
    form: Form
    strategy: str
    question: PreferenceQuestion | None = None
    probe: DialogueProbe = DialogueProbe.QUERY
    reask: bool = False
    rotation: int = 0
    context: Context
    direction: str = "forward"
    seed: int

    @property
    def sample_id(self) -> str:
        """`in_context/ITEM/FORM/length=.../strategy=...`, and what else tells it from the item's other samples."""
        length = "native" if self.context.length is None else str(self.context.length)
        parts = [BENCHMARK, self.item.id, self.form.value, f"length={length}", f"strategy={self.strategy}"]
        if self.question is not None:
            parts.append(f"question={self.question.value}")
        if isinstance(self.item, InstructionalForgettingItem):
            parts.append(f"probe={self.probe.value}")
        if self.direction != "forward":
            parts.append(f"direction={self.direction}")
        return "/".join(parts)

    @property
    def options(self) -> tuple[str, ...]:
        """The options in the order shown; empty where none are."""
        if not isinstance(self.item, DynamicPreferenceItem) or self.question is not PreferenceQuestion.OPTIONS:
            return ()
        return tuple(self.item.options[place] for place in ROTATIONS[self.rotation])

    @property
    def query(self) -> str:
        """The last user turn."""
        match self.item:
            case DynamicPreferenceItem():
                return question_with_options(self.item.question, self.options) if self.options else self.item.question
            case SubtaskRevisionItem():
                return self.item.revised
            case InstructionalForgettingItem():
                if self.probe is DialogueProbe.NEIGHBOUR and self.item.neighbour is not None:
                    return self.item.neighbour.query
                return self.item.query

    @property
    def is_verified(self) -> bool:
        """Whether a rule can score it."""
        if isinstance(self.item, DynamicPreferenceItem):
            return self.question is PreferenceQuestion.OPTIONS
        return self.probe is DialogueProbe.NEIGHBOUR or self.item.is_verified

    @property
    def calls(self) -> int:
        """Model calls: a live answer to the original instruction and a question asked again are one more each."""
        live = any(turn.live for turn in self.turns(NO_FILLER))
        return 1 + live + self.reask

    def turns(self, filler: Filler) -> tuple[PlacedTurn, ...]:
        """The dialogue with the filler of its context, the query last."""
        return dialogue(self.item, self.form, self.query, filler)
