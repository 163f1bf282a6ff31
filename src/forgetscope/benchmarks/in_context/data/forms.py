"""An item in its forms: the dialogue a model sees, the sample sent for it, and what came back.

ICF-Bench, section 3.3, with what protocols.md section 1 fixes: the NoForget form is the Forget form without F and
nothing else. Subtask revision is the other way round in the paper's words but the same in effect: without the
original instruction and the model's own answer to it, what remains is the revised instruction.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, TypeAdapter

from forgetscope.benchmarks.base import reading_log
from forgetscope.benchmarks.in_context.data.items import (
    AnyItem,
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    Item,
    SubtaskRevisionItem,
    Turn,
)
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe, question_of
from forgetscope.benchmarks.in_context.data.scenarios import PreferenceQuestion
from forgetscope.benchmarks.in_context.prompts import (
    ACKNOWLEDGED,
    LATER,
    RAW,
    REQUEST_ACKNOWLEDGEMENT,
    question_with_options,
)
from forgetscope.core.results import Completion

BENCHMARK = "in_context"

ROTATIONS = ((0, 1, 2, 3), (1, 3, 0, 2), (2, 0, 3, 1), (3, 2, 1, 0))
"""Orders in which options are shown: a balanced square, each option once at each place and once after each other.

In PrefEval the aligned option always comes first; in order of the items every place gets it equally often here.
"""

SAMPLE_KEY = "sample"
"""Where a logged sample's metadata holds the `InContextSample` it was made from."""
SYSTEM_KEY = "system_message"
"""Where they hold the system message that it was asked with."""
FIRST_KEY = "first_answer"
REASK_KEY = "reask_answer"
"""Where they hold the completions of the calls before and after the scored one."""

_COMPLETION: TypeAdapter[Completion] = TypeAdapter(Completion)


class Form(StrEnum):
    """The two forms of an item."""

    NOFORGET = "noforget"
    FORGET = "forget"


class Arm(StrEnum):
    """Whether the thing was ever said (protocols.md, section 5); the paper's own two forms are of no other arm."""

    PAPER = ""
    NEVER = "never"
    """As its form, of a dialogue in which the fact, the preference was never stated."""
    PLACEBO = "placebo"
    """The Forget form with a request to forget something else."""
    TOLD = "told"
    """The original instruction of a revision alone."""


class Part(StrEnum):
    """What a turn is there for (ICF-Bench, figure 2)."""

    MEMORY = "M"
    INTERFERENCE = "F"
    UNRELATED = "MC"
    QUERY = "Q"


SYSTEM_PART = "S"
"""The part of the system message, beside those of `forms.Part`."""


@dataclass(frozen=True)
class PlacedTurn:
    """A turn of a dialogue and its part; `live` marks an answer the model under test gives during the run."""

    part: Part
    role: str
    content: str
    live: bool = False


@dataclass(frozen=True)
class Filler:
    """Unrelated turns put into a dialogue to reach a length.

    Attributes:
        before: Between M and F; in subtask revision, where F is the query, all filler stands here and in `after`
            in one block.
        after: Between F and Q.
    """

    before: tuple[Turn, ...] = ()
    after: tuple[Turn, ...] = ()


NO_FILLER = Filler()


@dataclass(frozen=True)
class Context:
    """How long an item's dialogue is at one length.

    Attributes:
        length: As asked; None for the native length.
        tokens: Of all turns before the query in the Forget form, filler included, live answers not.
        filler_tokens: Of the filler alone.
        low_diversity: Whether the filler is more than a sixth of the stock: items share much of it.
    """

    length: int | None
    tokens: int
    filler_tokens: int
    low_diversity: bool = False


class InContextSample(BaseModel):
    """A sample, precisely enough to send it and to score it again.

    Attributes:
        question: For dynamic preference only.
        reask: Whether the question is put once more after the answer.
        rotation: Which of `ROTATIONS` the options are shown in.
        direction: `reversed` when the item's preferences changed places; the item here is as it is sent.
        consecutive: What stands between two user turns in a row. In logs from before this could be chosen, nothing.
        arm: The paper's forms, or what they are set against.
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
    consecutive: str = RAW
    arm: Arm = Arm.PAPER
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
        if self.arm is not Arm.PAPER:
            parts.append(f"arm={self.arm.value}")
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
                return self.item.original if self.arm is Arm.TOLD else self.item.revised
            case InstructionalForgettingItem():
                return question_of(self.probe, self.item) or self.item.query

    @property
    def is_verified(self) -> bool:
        """Whether a rule can score it."""
        if isinstance(self.item, DynamicPreferenceItem):
            return self.question is PreferenceQuestion.OPTIONS
        return self.probe is DialogueProbe.NEIGHBOUR or self.item.is_verified

    @property
    def has_fixed_reply(self) -> bool:
        """Whether the request to forget is followed by the fixed reply, for want of one of its own."""
        if not isinstance(self.item, InstructionalForgettingItem) or self.form is not Form.FORGET:
            return False
        return self.item.request_reply is None and self.consecutive == ACKNOWLEDGED

    @property
    def calls(self) -> int:
        """Model calls: a live answer to the original instruction and a question asked again are one more each."""
        live = any(turn.live for turn in self.turns(NO_FILLER))
        return 1 + live + self.reask

    def turns(self, filler: Filler) -> tuple[PlacedTurn, ...]:
        """The dialogue with the filler of its context, the query last."""
        if self.probe is DialogueProbe.LATER:
            filler = replace(filler, after=filler.after + later_turns())
        return dialogue(self.item, self.form, self.query, filler, self.consecutive, self.arm)


def later_turns() -> tuple[Turn, ...]:
    """What stands between the request and a query that is put later."""
    said = ((Turn(role="user", content=asked), Turn(role="assistant", content=told)) for asked, told in LATER)
    return tuple(turn for exchange in said for turn in exchange)


def dialogue(
    item: AnyItem,
    form: Form,
    query: str,
    filler: Filler = NO_FILLER,
    consecutive: str = RAW,
    arm: Arm = Arm.PAPER,
) -> tuple[PlacedTurn, ...]:
    """All turns of an item in one form, the query last.

    Args:
        item: The item.
        form: With or without the forgetting interference.
        query: What is asked at the end, as the model sees it: the item's query, neighbour question, or revised
            instruction, or the question with its options.
        filler: The same for both forms of an item.
        consecutive: One of `prompts.CONSECUTIVE`. Only a request to forget without a reply of its own is followed by
            another user turn: by the query, or by filler.
        arm: What was ever said: see `Arm`.
    """
    asked = PlacedTurn(Part.QUERY, "user", query)
    unrelated, after = _placed(Part.UNRELATED, item.unrelated), _placed(Part.UNRELATED, filler.after)
    before = _placed(Part.UNRELATED, item.unrelated_before + filler.before)
    match item:
        case SubtaskRevisionItem():
            first = PlacedTurn(Part.MEMORY, "user", item.original)
            answered = PlacedTurn(Part.MEMORY, "assistant", "", live=True)
            return ((first, answered) if form is Form.FORGET else ()) + before + unrelated + after + (asked,)
        case InstructionalForgettingItem():
            asked_to_forget = item.placebo if arm is Arm.PLACEBO and item.placebo else item.request
            request = [Turn(role="user", content=asked_to_forget)]
            own = None if arm is Arm.PLACEBO else item.request_reply
            reply = own or (REQUEST_ACKNOWLEDGEMENT if consecutive == ACKNOWLEDGED or item.request_reply else None)
            if reply is not None:
                request.append(Turn(role="assistant", content=reply))
            memory = item.memory_never_told if arm is Arm.NEVER else item.memory
            interference = tuple(request)
        case DynamicPreferenceItem():
            memory, interference = () if arm is Arm.NEVER else item.old.turns, item.new.turns
    forgetting = _placed(Part.INTERFERENCE, interference) if form is Form.FORGET else ()
    return _placed(Part.MEMORY, memory) + before + forgetting + unrelated + after + (asked,)


def _placed(part: Part, turns: tuple[Turn, ...]) -> tuple[PlacedTurn, ...]:
    return tuple(PlacedTurn(part, turn.role, turn.content) for turn in turns)


@dataclass(frozen=True)
class Replies:
    """What a sample brought back: the scored answer, and where there are any, the calls before and after it.

    Attributes:
        first: The live answer to the original instruction.
        reask: The answer when asked once more.
    """

    answer: Completion
    first: Completion | None = None
    reask: Completion | None = None


@reading_log()
def logged_sample(metadata: Mapping[str, object]) -> InContextSample:
    """The sample a log entry was made from.

    Raises:
        ValueError: the metadata are not this benchmark's.
    """
    if SAMPLE_KEY not in metadata:
        raise ValueError("not a sample of the in-context benchmark")
    return InContextSample.model_validate(metadata[SAMPLE_KEY])


def logged_system(metadata: Mapping[str, object]) -> str:
    """The system message it was asked with; nothing where the log is older than this entry."""
    return str(metadata.get(SYSTEM_KEY, ""))


@reading_log()
def logged_replies(metadata: Mapping[str, object], answer: Completion) -> Replies:
    """All that a logged sample brought back."""
    earlier, later = metadata.get(FIRST_KEY), metadata.get(REASK_KEY)
    return Replies(
        answer,
        first=None if earlier is None else _COMPLETION.validate_python(earlier),
        reask=None if later is None else _COMPLETION.validate_python(later),
    )
