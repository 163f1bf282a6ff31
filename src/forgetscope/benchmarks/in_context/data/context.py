"""Context length: unrelated turns around the forgetting interference, until the dialogue is as long as asked.

ICF-Bench, section 3.5, as protocols.md section 1 fixes it. L is the number of cl100k tokens of all turns before the
query in the Forget form, without live answers. Half of what is missing goes before F and half after it, in whole
exchanges, the second half with what the first left over; each only grows with L, so that the contexts of an item are
nested and an engine with a prefix cache has seen the beginning before. Both forms get the same filler. No filler of an
item says what it asks to forget, and none is the dialogue of any item (`loading`). Nothing here depends on how many
items there are.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice

from forgetscope.benchmarks.in_context.data.forms import NO_FILLER, Arm, Context, Filler, Form, dialogue
from forgetscope.benchmarks.in_context.data.items import AnyItem, FillerDialogue, Turn, states_a_fact
from forgetscope.benchmarks.in_context.data.scenarios import LENGTHS as LENGTHS
from forgetscope.io.tokens import count_cl100k
from forgetscope.mentions.same_wording import folded
from forgetscope.stats import named_stream

COUNTER = "cl100k"
"""The tokens of every length in this benchmark."""


@dataclass(frozen=True)
class _Exchange:
    user: Turn
    assistant: Turn
    tokens: int


LOOKAHEAD = 200
"""Dialogues among which one is sought that still fits; more make a context no closer to its length, only slower."""


class FillerDialogues:
    """Filler dialogues cut into exchanges, with their token counts; drawn anew for each item from the run's seed."""

    def __init__(self, dialogues: Sequence[FillerDialogue], seed: int) -> None:
        self._dialogues = [_Unrelated(entry) for entry in dialogues]
        self._seed = seed
        self.tokens = sum(exchange.tokens for entry in self._dialogues for exchange in entry.exchanges)

    def contexts(self, item: AnyItem, lengths: Sequence[int]) -> Iterator[tuple[Context, Filler] | None]:
        """The item's context and filler at each length, ascending; None where the item alone is longer.

        What stands at one of the paper's lengths does not depend on which others are asked for. A stock that runs
        out before the length is reached gives what it has; `tokens` tells.
        """
        own = native_tokens(item)
        before, after = self._halves(item)
        for length in sorted({*lengths, *(known for known in LENGTHS if known < max(lengths, default=0))}):
            if own > length:
                if length in lengths:
                    yield None
                continue
            room = length - own
            before.grow(min(room // 2, room - after.tokens))
            after.grow(room - before.tokens)
            if length in lengths:
                filler_tokens = before.tokens + after.tokens
                context = Context(length, own + filler_tokens, filler_tokens, 6 * filler_tokens > self.tokens)
                yield context, Filler(before.turns, after.turns)

    def filler(self, item: AnyItem, length: int | None) -> Filler:
        """The filler of one item at one length; none at the native length.

        Raises:
            ValueError: the item alone is longer.
        """
        if length is None:
            return NO_FILLER
        found = next(self.contexts(item, [length]))
        if found is None:
            raise ValueError(f"{item.id} is longer than {length} tokens")
        return found[1]

    def _halves(self, item: AnyItem) -> tuple["_Half", "_Half"]:
        """The filler on both sides of F, still empty: whole dialogues in an order of the item's own, dealt in turn."""
        order = named_stream(self._seed, f"in_context filler {item.id}").permutation(len(self._dialogues))
        return self._half(item, order[0::2]), self._half(item, order[1::2])

    def _half(self, item: AnyItem, order: Iterable[int]) -> "_Half":
        drawn = (self._dialogues[index] for index in order)
        return _Half(entry.exchanges for entry in drawn if entry.is_unrelated(item))


class _Unrelated:
    """A filler dialogue, cut into exchanges once for all items."""

    def __init__(self, entry: FillerDialogue) -> None:
        self._entry = entry
        self.exchanges = tuple(_exchanges(entry))

    @cached_property
    def _said(self) -> str:
        return folded("\n".join(turn.content for turn in self._entry.turns))

    def is_unrelated(self, item: AnyItem) -> bool:
        """Whether it has another topic than an item and does not say what the item asks to forget."""
        topic = self._entry.topic
        return (not topic or topic != item.domain) and not states_a_fact(self._said, item)


class _Half:
    """Exchanges on one side of F, which only grow; an exchange follows the one before it or opens a dialogue."""

    def __init__(self, dialogues: Iterator[Sequence[_Exchange]]) -> None:
        self._more = dialogues
        self._near = list(islice(dialogues, LOOKAHEAD))
        self._open: deque[_Exchange] = deque()
        self._taken: list[_Exchange] = []
        self.tokens = 0

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What was taken so far, in order."""
        return tuple(turn for exchange in self._taken for turn in (exchange.user, exchange.assistant))

    def grow(self, budget: int) -> None:
        """Take exchanges in order until none fits: the open dialogue's next one, or the next dialogue's first."""
        while True:
            if not (self._open and self.tokens + self._open[0].tokens <= budget):
                opened = self._next_that_fits(budget)
                if opened is None:
                    return
                self._open = deque(opened)
            exchange = self._open.popleft()
            self._taken.append(exchange)
            self.tokens += exchange.tokens

    def _next_that_fits(self, budget: int) -> Sequence[_Exchange] | None:
        for place, dialogue_ in enumerate(self._near):
            if self.tokens + dialogue_[0].tokens <= budget:
                self._near.extend(islice(self._more, 1))
                return self._near.pop(place)
        return None


def native_context(item: AnyItem) -> Context:
    """The item as it is, without filler."""
    return Context(None, native_tokens(item), 0)


def native_tokens(item: AnyItem, form: Form = Form.FORGET, arm: Arm = Arm.PAPER) -> int:
    """Tokens of all turns before the query, filler and live answers left out; L counts those of the Forget form.

    A fixed acknowledgement between two user turns is not counted, so that the filler is the same with and without it.
    """
    return sum(count_cl100k(turn.content) for turn in dialogue(item, form, "", arm=arm)[:-1])


def _exchanges(entry: FillerDialogue) -> Iterator[_Exchange]:
    for user, assistant in zip(entry.turns[0::2], entry.turns[1::2], strict=True):
        yield _Exchange(user, assistant, _tokens(user.content) + _tokens(assistant.content))


@cache
def _tokens(text: str) -> int:
    return count_cl100k(text)
