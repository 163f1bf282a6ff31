"""The cells outcomes are counted in: what was planned of each, what came back, what is missing."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import polars as pl

from forgetscope.benchmarks.prospective.data.conditions import NO_LOAD, has_task
from forgetscope.diagnostics.outcomes import OutcomeCell
from forgetscope.findings.figures import Cell

CellKey = tuple[str, str, str]
"""Experiment, condition and load of the load experiment; experiment, "" and number of problems of the others."""

STACKED = ("stacking", "tension", "singles", "wordings")
_STACK_LABEL = re.compile(rf"({'|'.join(STACKED)}) .+ m=(\d+)")


def planned_cells(labels: Mapping[str, int]) -> dict[CellKey, int]:
    """Samples planned per cell from the labels of the plan (`natural + mmlu`, `stacking n=3 m=1`).

    Stacks are added up over their sizes or pairs.
    """
    counts: Counter[CellKey] = Counter()
    for label, samples in labels.items():
        stacked = _STACK_LABEL.fullmatch(label)
        if stacked:
            counts[stacked[1], "", stacked[2]] += samples
            continue
        condition, _, load = label.partition(" + ")
        counts["load", condition, load or NO_LOAD] += samples
    return dict(counts)


@dataclass(frozen=True)
class DiagnosticCell(OutcomeCell):
    """A cell of the outcome tables.

    Attributes:
        task_missing: How many of the missing ones had a load to work on.
    """

    task_missing: int

    @property
    def has_task(self) -> bool:
        """Whether some of its samples have a load to work on."""
        return self.task_missing > 0 or self.frame["task_status"].drop_nulls().len() > 0


def cells_of(
    frames: Mapping[CellKey, pl.DataFrame], planned: Mapping[CellKey, int], empty: pl.DataFrame
) -> Iterator[DiagnosticCell]:
    """Every cell that was planned or has samples, in the order of the mappings given."""
    for key in dict.fromkeys((*frames, *planned)):
        frame = frames.get(key, empty)
        count = max(planned.get(key, 0), frame.height)
        experiment, condition, level = key
        factors: dict[str, Cell] = (
            {"experiment": experiment, "condition": condition, "load": level}
            if experiment == "load"
            else {"experiment": experiment, "problems": int(level)}
        )
        worked = level not in (NO_LOAD, "0") and has_task(condition)
        yield DiagnosticCell(factors, frame, count, count - frame.height if worked else 0)
