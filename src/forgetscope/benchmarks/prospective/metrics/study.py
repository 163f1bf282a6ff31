"""The sample table made ready for figures: cells in order, outcomes with their clusters."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from forgetscope.benchmarks.prospective.data.conditions import (
    BASELINE,
    CELLS,
    CONSTRAINT_ONLY,
    NO_LOAD,
    TASK_ONLY,
    has_task,
    unloaded_name,
)
from forgetscope.benchmarks.prospective.loads.registry import LOADS, PAPER_LOADS
from forgetscope.benchmarks.prospective.metrics.cells import STACKED, CellKey, DiagnosticCell, cells_of, planned_cells
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.benchmarks.study import Study
from forgetscope.core.outcomes import Account, Status
from forgetscope.findings.figures import LENGTH_LIMITED
from forgetscope.stats import Estimate, clustered_mean, wilson

ALL = "all"
"""The factor value of a figure pooled over the loads that were run."""

SAME_SENDING = ("item", "load", "run", "repeat")
"""What two conditions have in common where they were sent with the same questions, in the same turn."""

UNLOADED = (BASELINE, CONSTRAINT_ONLY, *(unloaded_name(cell) for cell in CELLS.values()))
CONDITION_ORDER = tuple(dict.fromkeys((*UNLOADED, *CELLS, TASK_ONLY)))
LOAD_ORDER = (NO_LOAD, *PAPER_LOADS)


@dataclass(frozen=True)
class ClusteredOutcomes:
    """Scored values of a selection of samples, the cluster of each, and how many samples had no value."""

    values: NDArray[np.float64]
    clusters: NDArray[np.str_]
    excluded: int

    @property
    def mean(self) -> float | None:
        """Mean over the scored samples; None when there is none."""
        return float(self.values.mean()) if len(self.values) else None

    @property
    def clusters_repeat(self) -> bool:
        """Whether some cluster holds more than one sample."""
        return len(np.unique(self.clusters)) < len(self.clusters)


def outcomes(frame: pl.DataFrame, column: str, *, cluster: str = "item") -> ClusteredOutcomes:
    """The values of a column where there is one, with their clusters; booleans as 0 and 1."""
    values = frame[column].cast(pl.Float64).to_numpy()
    clusters = np.asarray(frame[cluster].to_list(), dtype=np.str_)
    scored = ~np.isnan(values)
    return ClusteredOutcomes(values[scored], clusters[scored], int((~scored).sum()))


def rate(found: ClusteredOutcomes) -> Estimate:
    """A rate with Wilson's interval where each cluster has one sample, otherwise with clusters as the units."""
    if found.clusters_repeat:
        return clustered_mean(found.values, found.clusters)
    return wilson(int(found.values.sum()), len(found.values))


@dataclass(frozen=True)
class ProspectiveStudy(Study[ProspectiveSettings]):
    """A run's samples, one model; the load experiment and stacks side by side.

    Without `planned`, what the table holds is taken as all there was.
    """

    benchmark = "prospective"

    @classmethod
    def prepared(cls, frame: pl.DataFrame) -> pl.DataFrame:
        """With the first item of each load, and `run`: the run's seed, -1 where there is none."""
        return frame.with_columns(
            load_item=pl.col("load_items").list.get(0, null_on_oob=True), run=pl.col("seed").fill_null(-1)
        )

    @cached_property
    def _cells(self) -> dict[tuple[str, str], pl.DataFrame]:
        parts = self.experiment("load").partition_by("condition", "load", as_dict=True)
        return {(str(condition), str(load)): cell for (condition, load), cell in parts.items()}

    @property
    def seed(self) -> int:
        """Of the intervals."""
        return self.settings.seeds[0]

    def cell(self, condition: str, load: str) -> pl.DataFrame:
        """The samples of a cell of the load experiment; `ALL` pools the loads. Empty when it was not run."""
        if load == ALL:
            parts = [self._cells[condition, one] for one in LOADS if (condition, one) in self._cells]
            return pl.concat(parts) if parts else self.frame.clear()
        return self._cells.get((condition, load), self.frame.clear())

    @cached_property
    def cells(self) -> tuple[tuple[str, str], ...]:
        """Condition and load of every cell of the load experiment that was planned, in the order of the paper."""
        return tuple(sorted(self._cells, key=lambda key: (_rank(CONDITION_ORDER, key[0]), _rank(LOAD_ORDER, key[1]))))

    @cached_property
    def loads(self) -> tuple[str, ...]:
        """Loads that were run, in the paper's order, then those of plug-ins."""
        found = {load for _, load in self._cells}
        return tuple(load for load in LOADS if load in found)

    @cached_property
    def loaded_conditions(self) -> tuple[str, ...]:
        """Conditions with both constraint and load that were run: natural, reminder and the other salience cells."""
        found = {condition for condition, load in self._cells if load != NO_LOAD}
        return tuple(name for name in CELLS if name in found)

    @property
    def worked_conditions(self) -> tuple[str, ...]:
        """Those of them with a task behind the connector: not the controls of the load."""
        return tuple(name for name in self.loaded_conditions if has_task(name))

    @cached_property
    def runs(self) -> int:
        """How many run seeds the load experiment has samples of; 1 when none is seeded."""
        seeds = self.frame.filter(pl.col("experiment") == "load")["seed"].drop_nulls()
        return max(1, seeds.n_unique())

    @property
    def sent_per_item(self) -> int:
        """How many samples of a loaded cell an item has: a run each, as often as prompts are sent."""
        return len(self.settings.seeds) * self.settings.repeats

    @cached_property
    def diagnostic_cells(self) -> tuple[DiagnosticCell, ...]:
        """Every cell of the load experiment, each other experiment by number of problems, and the whole run."""
        frames: dict[CellKey, pl.DataFrame] = {("load", *key): self._cells[key] for key in self.cells}
        for name in STACKED:
            parts = self.experiment(name).sort("problems").partition_by("problems", as_dict=True)
            frames.update({(name, "", str(key[0])): part for key, part in parts.items()})
        found = tuple(sorted(cells_of(frames, planned_cells(self.planned), self.frame.clear()), key=_diagnostic_rank))
        whole = DiagnosticCell(
            {"experiment": ALL},
            self.frame,
            sum(cell.planned for cell in found),
            sum(cell.task_missing for cell in found),
        )
        return (*found, whole)

    def missing(self, condition: str, load: str) -> int:
        """Planned samples of a cell of the load experiment that the table does not hold; `ALL` pools the loads."""
        return sum(
            cell.missing
            for cell in self.diagnostic_cells
            if cell.factors.get("condition") == condition
            and (cell.factors["load"] == load or (load == ALL and cell.factors["load"] != NO_LOAD))
        )

    def planned_items(self, condition: str, load: str) -> int:
        """Constraint items a cell of the load experiment was planned to have; of `ALL`, those of its largest load."""
        return max(
            (
                -(-cell.planned // self.sent_per_item)
                for cell in self.diagnostic_cells
                if cell.factors.get("condition") == condition and load in (cell.factors["load"], ALL)
            ),
            default=0,
        )

    def experiment(self, name: str) -> pl.DataFrame:
        """The samples of one experiment."""
        return self.frame.filter(pl.col("experiment") == name)


def _rank(order: Sequence[str], name: str) -> int:
    return order.index(name) if name in order else len(order)


def _diagnostic_rank(cell: DiagnosticCell) -> tuple[int, int, int]:
    experiment = str(cell.factors["experiment"])
    if experiment != "load":
        return 1 + STACKED.index(experiment), int(cell.factors["problems"] or 0), 0
    return 0, _rank(CONDITION_ORDER, str(cell.factors["condition"])), _rank(LOAD_ORDER, str(cell.factors["load"]))


def account(frame: pl.DataFrame, missing: int = 0) -> Account:
    """The outcome account of compliance of a selection of samples; those `missing` from the table count as lost."""
    lost = [Status.MODEL_ERROR.value] * missing
    return Account.of([*frame["status"], *lost], [*frame["strict"], *([None] * missing)])


def task_account(frame: pl.DataFrame, missing: int = 0) -> Account:
    """The outcome account of the load (repaired scorer; raw verdicts the paper's), of samples that have one."""
    worked = frame.filter(pl.col("task_status").is_not_null())
    lost = [Status.MODEL_ERROR.value] * missing
    return Account.of([*worked["task_status"], *lost], [*worked["task_paper"], *([None] * missing)])


def cut_note(frame: pl.DataFrame) -> str:
    """A note where a selection is length-limited, else nothing."""
    found = account(frame)
    if not found.is_length_limited:
        return ""
    cut = int((frame["status"] == "truncated").sum())
    return f"{LENGTH_LIMITED}: {cut} of {found.attempted} replies were cut off"
