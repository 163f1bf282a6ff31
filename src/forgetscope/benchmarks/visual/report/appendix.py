"""What the paper printed (Appendix A), and its Figures 3 to 5 recomputed from it, as figures by name.

The figures are drawn without numbers. Their bars are taken as plain means over the models of a dataset, those of Figure
3(c) as means over the rows of a level's datasets.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from forgetscope.benchmarks.visual.data.axes import Level
from forgetscope.benchmarks.visual.data.conditions import PAPER_CONDITIONS, Condition
from forgetscope.findings.figures import Figure, Unit
from forgetscope.findings.published import published_table

DATASET_LEVELS = {
    "COCO": Level.OBJECT,
    "MIT Indoor67": Level.SCENE,
    "AID": Level.SCENE,
    "LAD-Color": Level.ATTRIBUTE,
    "LAD-Habitat": Level.ATTRIBUTE,
    "SpatialMQA": Level.ATTRIBUTE,
    "Celebrity": Level.PRIVACY,
    "Logo2K+": Level.PRIVACY,
}
"""Datasets of Appendix A with the level that the paper gives them, in the order of the levels."""


@dataclass(frozen=True)
class PrintedRow:
    """A model on a dataset: forget macro-accuracy and retain accuracy per condition, 0-1 as printed."""

    dataset: str
    model: str
    forget: Mapping[Condition, float]
    retain: Mapping[Condition, float]

    def change(self, condition: Condition) -> float:
        """Forget accuracy minus the baseline's (Figure 5)."""
        return self.forget[condition] - self.forget[Condition.BASELINE_NORMAL]


@cache
def printed_rows() -> tuple[PrintedRow, ...]:
    """Appendix A, datasets in the order of their levels, models as printed."""
    forget: dict[tuple[str, str], dict[Condition, float]] = {}
    retain: dict[tuple[str, str], dict[Condition, float]] = {}
    for row in published_table("visual_appendixA").iter_rows(named=True):
        key, condition = (row["dataset"], row["model"]), Condition(row["condition"])
        forget.setdefault(key, {})[condition] = row["forget_macro_accuracy"]
        retain.setdefault(key, {})[condition] = row["retain_accuracy"]
    return tuple(
        PrintedRow(dataset, model, forget[dataset, model], retain[dataset, model])
        for wanted in DATASET_LEVELS
        for dataset, model in forget
        if dataset == wanted
    )


def printed_figures() -> Iterator[Figure]:
    """Every printed value and every bar: `printed.forget`, `printed.retain`, `printed.forget.change`.

    Factors: condition, and dataset and model of a value, dataset of a mean over models, level of one over datasets.
    """
    for row in printed_rows():
        own = {"dataset": row.dataset, "model": row.model}
        yield from _of_conditions("forget", own, row.forget)
        yield from _of_conditions("retain", own, row.retain)
        yield from _of_conditions("forget.change", own, {one: row.change(one) for one in row.forget}, unit="points")
    for side, bars in (("forget", forget_bars()), ("retain", retain_bars())):
        for dataset, values in bars.items():
            yield from _of_conditions(side, {"dataset": dataset}, values)
    for level, values in level_bars().items():
        yield from _of_conditions("forget", {"level": level.value}, values)


def _of_conditions(
    name: str, factors: Mapping[str, str], values: Mapping[Condition, float], *, unit: Unit = "proportion"
) -> Iterator[Figure]:
    for condition, found in values.items():
        yield Figure(f"printed.{name}", {**factors, "condition": condition.value}, found, 1, unit=unit)


def forget_bars() -> dict[str, dict[Condition, float]]:
    """Figure 3(a): mean forget accuracy over models, by dataset and condition."""
    return {name: _bars(rows_of(name), lambda row: row.forget) for name in DATASET_LEVELS}


def retain_bars() -> dict[str, dict[Condition, float]]:
    """Figure 3(b): mean retain accuracy over models, by dataset and condition."""
    return {name: _bars(rows_of(name), lambda row: row.retain) for name in DATASET_LEVELS}


def level_bars() -> dict[Level, dict[Condition, float]]:
    """Figure 3(c): mean forget accuracy over the rows of a level, by condition."""
    return {
        level: _bars([row for row in printed_rows() if DATASET_LEVELS[row.dataset] is level], lambda row: row.forget)
        for level in Level
    }


def rows_of(dataset: str) -> list[PrintedRow]:
    """The models on a dataset."""
    return [row for row in printed_rows() if row.dataset == dataset]


def _bars(
    rows: Iterable[PrintedRow], side: Callable[[PrintedRow], Mapping[Condition, float]]
) -> dict[Condition, float]:
    sides = [side(row) for row in rows]
    return {condition: sum(printed[condition] for printed in sides) / len(sides) for condition in PAPER_CONDITIONS}
