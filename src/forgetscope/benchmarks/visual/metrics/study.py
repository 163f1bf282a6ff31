"""The sample table made ready for figures: selections of samples, and their outcomes with clusters.

Intervals are over pictures within concepts, all conditions of a picture together; concepts are fixed (protocols.md,
section 2). A picture is the cluster, the forget concept the group.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from forgetscope.benchmarks.study import Study
from forgetscope.benchmarks.visual.data.conditions import (
    CONDITIONS,
    SUPPRESSIONS,
    Condition,
    Control,
    Mode,
    VisualProbe,
)
from forgetscope.benchmarks.visual.data.records import Side
from forgetscope.benchmarks.visual.data.samples import Role
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.findings.figures import Cell

CHOSEN = ("split", "mode", "condition", "side", "control", "probe", "role")
"""The columns by which samples are selected."""

SCORED = pl.col("status").is_in(["correct", "incorrect"])

LEFT_OUT = pl.col("no_permitted_choice") & pl.col("condition").is_in([name.value for name in SUPPRESSIONS])
"""Samples whose every option the suppression rules out: outside its figures, counted. Restored, they are permitted."""


@dataclass(frozen=True)
class Selection:
    """Which samples a figure is over; the defaults are the paper's multiple choice with the picture."""

    split: str
    mode: str = Mode.GENERATE.value
    condition: Condition = Condition.BASELINE_NORMAL
    side: Side = "forget"
    control: Control = Control.NONE
    probe: VisualProbe = VisualProbe.CHOICE
    role: Role = "effect"

    @property
    def key(self) -> tuple[str, ...]:
        """The values of the columns `CHOSEN`."""
        return (
            self.split,
            self.mode,
            self.condition.value,
            self.side,
            self.control.value,
            self.probe.value,
            self.role,
        )

    @property
    def factors(self) -> dict[str, Cell]:
        """The factors of its figures; control, probe and role only where they are not the defaults."""
        factors: dict[str, Cell] = {"split": self.split, "mode": self.mode, "condition": self.condition.value}
        if self.control is not Control.NONE:
            factors["control"] = self.control.value
        if self.probe is not VisualProbe.CHOICE:
            factors["probe"] = self.probe.value
        if self.role != "effect":
            factors["role"] = self.role
        return factors


@dataclass(frozen=True)
class PictureOutcomes:
    """Scored samples of a selection: right or wrong (0, 1), picture and concept of each, chance of guessing.

    Attributes:
        excluded: Samples without a scored answer.
        no_permitted_choice: Samples left out because the text's list leaves nothing to obey with.
        unscored_concepts: Concepts that were asked about and have no scored sample: a mean over concepts is undefined.
    """

    items: tuple[str, ...]
    values: NDArray[np.float64]
    pictures: NDArray[np.str_]
    concepts: NDArray[np.str_]
    chance: NDArray[np.float64]
    excluded: int
    no_permitted_choice: int
    unscored_concepts: tuple[str, ...]

    @property
    def mean_chance(self) -> float | None:
        """Mean accuracy of guessing over the samples; None without any."""
        return float(self.chance.mean()) if len(self.chance) else None

    @property
    def by_item(self) -> dict[str, float]:
        """The outcome of each item."""
        return dict(zip(self.items, self.values.tolist(), strict=True))


@dataclass(frozen=True)
class VisualStudy(Study[VisualSettings]):
    """A run's samples, one model."""

    benchmark = "visual"

    @property
    def seed(self) -> int:
        """Of the intervals."""
        return self.settings.seed

    @cached_property
    def splits(self) -> tuple[str, ...]:
        """Splits of the run, in order of their names."""
        return tuple(self.frame["split"].unique().sort())

    @cached_property
    def modes(self) -> tuple[str, ...]:
        """Scoring modes of the run: generated replies first."""
        found = set(self.frame["mode"])
        return tuple(mode.value for mode in Mode if mode.value in found)

    def conditions(self, split: str, mode: str) -> tuple[Condition, ...]:
        """Conditions run on a split with the picture, in their order."""
        part = self.frame.filter(
            (pl.col("split") == split) & (pl.col("mode") == mode) & (pl.col("control") == Control.NONE.value)
        )
        found = set(part["condition"])
        return tuple(name for name in CONDITIONS if name.value in found)

    def concepts(self, split: str) -> tuple[str, ...]:
        """Forget concepts of a split."""
        part = self.frame.filter((pl.col("split") == split) & (pl.col("side") == "forget"))
        return tuple(part["forget_concept"].unique().sort())

    def select(self, selection: Selection) -> pl.DataFrame:
        """The samples of a selection, in the first phrasing and order of options."""
        return self._parts.get(selection.key, self._none)

    def scored(self, selection: Selection, concept: str) -> pl.DataFrame:
        """The scored samples of a selection on a concept; those without a permitted choice are left out."""
        return self._scored_parts.get((*selection.key, concept), self._none)

    # Verdicts ask for some thousand selections of one table: it is taken apart once instead of filtered each time.
    @cached_property
    def _parts(self) -> dict[tuple[object, ...], pl.DataFrame]:
        return self._first.partition_by(CHOSEN, as_dict=True)

    @cached_property
    def _scored_parts(self) -> dict[tuple[object, ...], pl.DataFrame]:
        return self._first.filter(SCORED & ~LEFT_OUT).partition_by(*CHOSEN, "forget_concept", as_dict=True)

    @cached_property
    def _first(self) -> pl.DataFrame:
        return self.frame.filter((pl.col("phrasing") == 0) & (pl.col("order") == 0))

    @cached_property
    def _none(self) -> pl.DataFrame:
        return self.frame.clear()

    def outcomes(self, selection: Selection) -> PictureOutcomes:
        """The scored samples of a selection; suppression leaves out samples without a permitted choice."""
        return outcomes_of(self.select(selection))


def outcomes_of(frame: pl.DataFrame) -> PictureOutcomes:
    """The scored samples of a frame."""
    kept = frame.filter(~LEFT_OUT)
    scored = kept.filter(SCORED)
    unscored = set(kept["forget_concept"]) - set(scored["forget_concept"])
    return PictureOutcomes(
        tuple(scored["item"]),
        (scored["status"] == "correct").cast(pl.Float64).to_numpy(),
        np.array(scored["picture"].to_list(), dtype=np.str_),
        np.array(scored["forget_concept"].to_list(), dtype=np.str_),
        scored["chance"].to_numpy(),
        kept.height - scored.height,
        frame.height - kept.height,
        tuple(sorted(unscored)),
    )
