"""The record of one load, the items it draws from, and what a sample holds of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from forgetscope.io.hub import HubSet


class LoadItem(BaseModel):
    """One row of the data a load draws from; its fields are the published ones."""

    model_config = ConfigDict(frozen=True)

    @property
    def golds(self) -> tuple[str, ...]:
        """What counts as right: aliases, a letter, a number, reference highlights."""
        raise NotImplementedError

    @property
    def options(self) -> tuple[str, ...]:
        """The choices of a multiple-choice question; empty otherwise."""
        return ()

    def key(self, index: int) -> str:
        """What names it within its set; by default its place."""
        return str(index)


class LoadContent(BaseModel):
    """What the model has to do besides in one sample, and what would be right.

    Attributes:
        load: The name of its `LoadTask`.
        ids: The load items: what figures of the task cluster by.
        golds: For each question, what counts as right: aliases, a letter, a number, or reference highlights.
        choices: The four options of a multiple-choice question; empty otherwise.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    load: str
    ids: tuple[str, ...]
    text: str
    golds: tuple[tuple[str, ...], ...]
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class TaskVerdict:
    """What the two scorers say of one reply.

    Attributes:
        paper: Pass or fail as the paper's parser reads the reply.
        repaired: Pass or fail of ours; None when it finds no answer to read.
        paper_score, repaired_score: The graded value, 0-1: ROUGE-L F1 of a summary, otherwise 0 or 1.
        parts: For chains, the repaired verdict of each problem; None where it was not answered.
        found: The answers the repaired scorer read, for a person.
    """

    paper: bool
    repaired: bool | None
    paper_score: float
    repaired_score: float | None
    parts: tuple[bool | None, ...]
    found: tuple[str, ...]

    @classmethod
    def passed(cls, paper: bool, repaired: bool | None, *found: str) -> "TaskVerdict":
        """The verdicts on one question that is right or wrong."""
        return cls(paper, repaired, float(paper), None if repaired is None else float(repaired), (repaired,), found)


ItemT = TypeVar("ItemT", bound=LoadItem)


@dataclass(frozen=True)
class Pool(Generic[ItemT]):
    """The set of items that one or several loads draw from.

    Attributes:
        name: Its folder below `--data`, its random stream and the beginning of its items' ids.
        item: The model of a row.
        embedded: Our own rows, a JSON Lines file.
        hub: The published set. A pool without one falls back on its own rows where `--data` has none.
        tokens: The size of an item in cl100k tokens, where only items of some sizes are used: `sizes`, inclusive.
    """

    name: str
    item: type[ItemT]
    embedded: Path
    hub: HubSet | None = None
    tokens: Callable[[ItemT], int] | None = None
    sizes: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class LoadTask(Generic[ItemT]):
    """One load.

    Attributes:
        name: As it stands in tables and ids: `gsm8k_x3`. A plug-in's is that of its entry point.
        title: For a person: `3 x GSM8K`.
        pool: Where its items come from.
        wording: How a prompt puts the items of one sample, in our words.
        score: Both verdicts on a reply; the third argument is the prompt, which a reply may echo.
        answers: What the reference models write, rightly (True) or wrongly, the plainest first; a constraint may rule
            some out.
        items: Items in one sample.
        one_item_in: The share of constraint items that meet it in each run, the first of their interleaved order: of 90
            items 90 where it is 1, 30 where it is 3 (appendix A.3, B.2).
    """

    name: str
    title: str
    pool: Pool[ItemT]
    wording: Callable[[Sequence[ItemT]], str]
    score: Callable[[LoadContent, str, str], TaskVerdict]
    answers: Callable[[LoadContent, bool], Sequence[str]]
    items: int = 1
    one_item_in: int = 1

    def content(self, drawn: Sequence[tuple[int, ItemT]]) -> LoadContent:
        """What a sample holds of these items, each with its place in the pool."""
        return LoadContent(
            load=self.name,
            ids=tuple(f"{self.pool.name}-{item.key(index)}" for index, item in drawn),
            text=self.wording([item for _, item in drawn]),
            golds=tuple(item.golds for _, item in drawn),
            choices=drawn[0][1].options,
        )


EMBEDDED = Path(__file__).parents[1] / "data" / "embedded"
"""Where our own rows lie."""
