"""The sample table made ready for figures: cells in order, and in each the 2 x 2 table of an item's two forms.

In counts over items with both forms scored: n11 right in both, n10 right without the request only, n01 right
with it only, n00 wrong in both. NA = (n11 + n10) / n, FA = (n11 + n01) / n, SFRR = n11 / (n11 + n10), WR = n01 / n
(ICF-Bench, equations 2 to 4 and table 4); so FA = NA * SFRR + WR, always. An item with a form that was not scored
counts in the bounds alone.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from forgetscope.benchmarks.in_context.data.forms import Arm, Form
from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.data.probes import RUNGS, DialogueProbe
from forgetscope.benchmarks.in_context.data.scenarios import PreferenceQuestion
from forgetscope.benchmarks.in_context.prompts import STRATEGIES
from forgetscope.benchmarks.in_context.settings import NATIVE, InContextSettings
from forgetscope.benchmarks.study import Study
from forgetscope.core.outcomes import Status
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


Outcome = bool | None
"""Right, wrong, or not scored."""

_SCORED = {Status.CORRECT.value: True, Status.INCORRECT.value: False}

OF_PAPER = pl.col("arm").fill_null(Arm.PAPER.value) == Arm.PAPER.value
"""The samples of the paper's two forms, and none of what they are set against."""


@dataclass(frozen=True)
class Pairs:
    """Both outcomes of every item of a cell, by item id."""

    items: tuple[str, ...]
    noforget: tuple[Outcome, ...]
    forget: tuple[Outcome, ...]

    @classmethod
    def of(cls, frame: pl.DataFrame, by: Literal["status", "raw_pass", "vote"] = "status") -> "Pairs":
        """The pairs of a cell's samples, by status, by the paper's reading of whatever text there was, or by a vote.

        Raises:
            ValueError: an item has several samples in one form.
        """
        if frame.select("item", "form").is_duplicated().any():
            raise ValueError("an item occurs twice in one form of a cell")
        outcomes: dict[str, dict[str, Outcome]] = {form.value: {} for form in Form}
        for item, form, value in frame.select("item", "form", by).iter_rows():
            outcomes[form][item] = _SCORED.get(value) if by == "status" else value
        items = tuple(sorted({*outcomes[Form.NOFORGET], *outcomes[Form.FORGET]}))
        return cls(
            items,
            tuple(outcomes[Form.NOFORGET].get(item) for item in items),
            tuple(outcomes[Form.FORGET].get(item) for item in items),
        )

    @property
    def both_scored(self) -> "Pairs":
        """The pairs with both outcomes."""
        kept = [
            (item, without, with_)
            for item, without, with_ in zip(self.items, self.noforget, self.forget, strict=True)
            if without is not None and with_ is not None
        ]
        return Pairs(tuple(k[0] for k in kept), tuple(k[1] for k in kept), tuple(k[2] for k in kept))

    @property
    def table(self) -> "PairTable":
        """Counts over all combinations of outcomes."""
        counts = Counter(zip(self.noforget, self.forget, strict=True))
        return PairTable({key: counts[key] for key in counts})

    @property
    def arrays(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Outcomes of the pairs with both, as 0 and 1: without and with the request, shape (pairs,) each."""
        both = self.both_scored
        return np.array(both.noforget, dtype=np.float64), np.array(both.forget, dtype=np.float64)


@dataclass(frozen=True)
class PairTable:
    """Counts of items by their two outcomes (NoForget, Forget); None stands for not scored.

    Example: n11 = 6, n10 = 2, n01 = 1, n00 = 1 gives NA 0.8, FA 0.7, SFRR 0.75, WR 0.1, and 0.8 * 0.75 + 0.1 = 0.7.
    """

    counts: dict[tuple[Outcome, Outcome], int]

    def __post_init__(self) -> None:
        if self.n and self.n_forget_right != self.n11 + self.n01:
            raise ValueError("right answers in the Forget form do not add up")

    def count(self, noforget: Outcome, forget: Outcome) -> int:
        """Items with these two outcomes."""
        return self.counts.get((noforget, forget), 0)

    @property
    def n11(self) -> int:
        """Right in both forms."""
        return self.count(True, True)

    @property
    def n10(self) -> int:
        """Right without the request only."""
        return self.count(True, False)

    @property
    def n01(self) -> int:
        """Right with the request only."""
        return self.count(False, True)

    @property
    def n00(self) -> int:
        """Wrong in both forms."""
        return self.count(False, False)

    @property
    def n(self) -> int:
        """Items with both forms scored."""
        return self.n11 + self.n10 + self.n01 + self.n00

    @property
    def n_forget_right(self) -> int:
        """Items with both forms scored and the Forget form right, counted by itself."""
        return sum(count for (without, with_), count in self.counts.items() if without is not None and with_)

    @property
    def unpaired(self) -> int:
        """Items with a form that was not scored."""
        return sum(self.counts.values()) - self.n

    @property
    def sfrr_bounds(self) -> tuple[float, float] | None:
        """Lowest and highest SFRR could be with every item scored (protocols.md, section 0); None without any.

        low = n11 / (n11+n10+n1?+n?0+n??), high = (n11+n1?+n?1+n??) / (n11+n1?+n?1+n??+n10).
        """
        unknown = self.count(None, None)
        right_unknown, unknown_wrong, unknown_right = (
            self.count(True, None),
            self.count(None, False),
            self.count(None, True),
        )
        most = self.n11 + right_unknown + unknown_right + unknown
        below, above = self.n11 + self.n10 + right_unknown + unknown_wrong + unknown, most + self.n10
        if not below or not above:
            return None
        return self.n11 / below, most / above


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
        """The samples asked the item's own query in the paper's two forms."""
        return self.frame.filter((pl.col("probe") == DialogueProbe.QUERY.value) & OF_PAPER)

    @cached_property
    def set_against(self) -> dict[DialogueCell, pl.DataFrame]:
        """The samples of the other arms, by cell."""
        asked = self.frame.filter((pl.col("probe") == DialogueProbe.QUERY.value) & ~OF_PAPER)
        return dict(sorted(_split(asked), key=lambda entry: _order(entry[0])))

    def of_query(self, key: DialogueCell) -> pl.DataFrame:
        """The samples of a cell asked the item's own query, every form and arm."""
        return pl.concat([self.cell(key), self.set_against.get(key, self.frame.clear())])

    @cached_property
    def pressed(self) -> dict[tuple[DialogueCell, DialogueProbe], pl.DataFrame]:
        """The samples asked for the fact in a further way, every form and arm, by cell and way."""
        return {
            (key, probe): part
            for probe in RUNGS
            for key, part in _split(self.frame.filter(pl.col("probe") == probe.value))
        }

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
