"""From an item to the dialogue the model sees: its two forms, with every turn's part of the design beside it.

ICF-Bench, section 3.3, with what protocols.md section 1 fixes: the NoForget form is the Forget form without F and
nothing else. Subtask revision is the other way round in the paper's words but the same in effect: without the
original instruction and the model's own answer to it, what remains is the revised instruction.
"""

from dataclasses import dataclass
from enum import StrEnum

from forgetscope.benchmarks.in_context.data.items import (
    AnyItem,
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    SubtaskRevisionItem,
    Turn,
)


class Form(StrEnum):
    """The two forms of an item."""

    NOFORGET = "noforget"
    FORGET = "forget"


class Part(StrEnum):
    """What a turn is there for (ICF-Bench, figure 2)."""

    MEMORY = "M"
    INTERFERENCE = "F"
    UNRELATED = "MC"
    QUERY = "Q"


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


def dialogue(item: AnyItem, form: Form, query: str, filler: Filler = NO_FILLER) -> tuple[PlacedTurn, ...]:
    """All turns of an item in one form, the query last.

    Args:
        item: The item.
        form: With or without the forgetting interference.
        query: What is asked at the end, as the model sees it: the item's query, neighbour question, or revised
            instruction, or the question with its options.
        filler: The same for both forms of an item.
    """
    asked = PlacedTurn(Part.QUERY, "user", query)
    unrelated = _placed(Part.UNRELATED, item.unrelated)
    before, after = _placed(Part.UNRELATED, filler.before), _placed(Part.UNRELATED, filler.after)
    match item:
        case SubtaskRevisionItem():
            first = PlacedTurn(Part.MEMORY, "user", item.original)
            answered = PlacedTurn(Part.MEMORY, "assistant", "", live=True)
            return ((first, answered) if form is Form.FORGET else ()) + before + unrelated + after + (asked,)
        case InstructionalForgettingItem():
            request = [Turn(role="user", content=item.request)]
            if item.request_reply is not None:
                request.append(Turn(role="assistant", content=item.request_reply))
            memory, interference = item.memory, tuple(request)
        case DynamicPreferenceItem():
            memory, interference = item.old.turns, item.new.turns
    forgetting = _placed(Part.INTERFERENCE, interference) if form is Form.FORGET else ()
    return _placed(Part.MEMORY, memory) + before + forgetting + unrelated + after + (asked,)


def _placed(part: Part, turns: tuple[Turn, ...]) -> tuple[PlacedTurn, ...]:
    return tuple(PlacedTurn(part, turn.role, turn.content) for turn in turns)
