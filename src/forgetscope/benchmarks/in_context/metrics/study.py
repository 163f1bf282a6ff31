"""The sample table made ready for figures: cells of paired samples, in order."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.data.samples import DialogueProbe, PreferenceQuestion
from forgetscope.benchmarks.in_context.metrics.pairs import Pairs
from forgetscope.benchmarks.in_context.prompts import STRATEGIES
from forgetscope.benchmarks.in_context.settings import NATIVE, InContextSettings
from forgetscope.benchmarks.study import Study
from forgetscope.findings.figures import Cell

SCENARIOS = tuple(scenario.value for scenario in Scenario)
AVERAGE = "average"
"""The scenario of a figure averaged over the three."""

_REQUEST = pl.concat_str(
    "request_kind",
    pl.when(pl.col("request_names_fact"))
    .then(pl.lit(", fact named"))
    .when(~pl.col("request_names_fact"))
    .then(pl.lit(", fact not named")),
)
"""The kind of request and whether it says the fact once more: a retraction that does puts it next to the query."""


@dataclass(frozen=True, order=True)
class DialogueCell:
    """Where figures are computed: a scenario at one length, with one system message, asked in one way.

    `question` is `open` for the open preference question and empty for everything else, so that the three scenarios
    of the main table share a key; `length` is null at the native length.
    """

    scenario: str
    length: int | None
    strategy: str
    question: str = ""

    @property
    def factors(self) -> dict[str, Cell]:
        """The factors of its figures."""
        factors: dict[str, Cell] = {
            "scenario": self.scenario,
            "length": NATIVE if self.length is None else self.length,
            "strategy": self.strategy,
        }
        return factors | ({"question": self.question} if self.question else {})

    @property
    def setting(self) -> tuple[int | None, str, str]:
        """What cells of one average share."""
        return self.length, self.strategy, self.question


@dataclass(frozen=True)
class InContextStudy(Study[InContextSettings]):
    """A run's samples, one model: cells of paired samples."""

    benchmark = "in_context"

    @classmethod
    def prepared(cls, frame: pl.DataFrame) -> pl.DataFrame:
        """With the kind of each request."""
        return frame.with_columns(request=_REQUEST)

    @property
    def seed(self) -> int:
        """Of the intervals."""
        return self.settings.seed

    @cached_property
    def queries(self) -> pl.DataFrame:
        """The samples asked the item's own query."""
        return self.frame.filter(pl.col("probe") == DialogueProbe.QUERY.value)

    @cached_property
    def neighbours(self) -> pl.DataFrame:
        """The samples asked the neighbour question."""
        return self.frame.filter(pl.col("probe") == DialogueProbe.NEIGHBOUR.value)

    @cached_property
    def cells(self) -> tuple[DialogueCell, ...]:
        """Every cell of the run: scenarios in the paper's order, native length first, strategies in theirs."""
        return tuple(sorted(self._frames, key=_order))

    def cell(self, key: DialogueCell) -> pl.DataFrame:
        """The query samples of a cell, both forms; empty when it was not run."""
        return self._frames.get(key, self.frame.clear())

    @cached_property
    def _frames(self) -> dict[DialogueCell, pl.DataFrame]:
        return dict(_split(self.queries))

    def pairs(self, key: DialogueCell) -> Pairs:
        """The paired outcomes of a cell."""
        return Pairs.of(self.cell(key))

    def neighbours_of(self, key: DialogueCell) -> pl.DataFrame:
        """The samples of the neighbour question beside a cell, both forms."""
        return self.neighbours.filter(
            (pl.col("scenario") == key.scenario)
            & pl.col("length").eq_missing(pl.lit(key.length, dtype=pl.Int64))
            & (pl.col("strategy") == key.strategy)
        )

    @cached_property
    def settings_run(self) -> tuple[tuple[int | None, str, str], ...]:
        """Length, strategy and question of the cells there are, each once, in order."""
        return tuple(dict.fromkeys(key.setting for key in self.cells))

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """Controlled lengths in the run, ascending."""
        return tuple(sorted({key.length for key in self.cells if key.length is not None}))

    @cached_property
    def main_setting(self) -> tuple[int | None, str, str]:
        """The setting of the headline: native length where it was run, else the shortest; the first strategy.

        Raises:
            ValueError: the table holds no sample.
        """
        if not self.settings_run:
            raise ValueError("no cell was run")
        return self.settings_run[0]

    def main_cells(self) -> tuple[DialogueCell, ...]:
        """The cells of the headline, a scenario each; none where the table is empty.

        Preference is that of the four options; where only the open question was put, that of the open question.
        """
        return self.cells_at(*self.main_setting[:2]) if self.cells else ()

    def cells_at(self, length: int | None, strategy: str) -> tuple[DialogueCell, ...]:
        """One cell a scenario at this length under this strategy, four options before the open question."""
        found: dict[str, DialogueCell] = {}
        for key in self.cells:
            if (key.length, key.strategy) == (length, strategy):
                found.setdefault(key.scenario, key)
        return tuple(found.values())


def _split(frame: pl.DataFrame) -> Iterator[tuple[DialogueCell, pl.DataFrame]]:
    parts = frame.partition_by("scenario", "length", "strategy", "question", as_dict=True)
    for (scenario, length, strategy, question), part in parts.items():
        asked = PreferenceQuestion.OPEN.value if question == PreferenceQuestion.OPEN.value else ""
        yield DialogueCell(str(scenario), None if length is None else int(length), str(strategy), asked), part


def _order(key: DialogueCell) -> tuple[bool, int, int, int]:
    strategies = [*STRATEGIES]
    return (
        bool(key.question),
        -1 if key.length is None else key.length,
        strategies.index(key.strategy) if key.strategy in strategies else len(strategies),
        SCENARIOS.index(key.scenario),
    )
