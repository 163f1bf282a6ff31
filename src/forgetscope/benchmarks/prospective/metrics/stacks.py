"""Several constraints at once: joint compliance, per type, the reminder's lift (Tables 4, 12, 13)."""

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from forgetscope.benchmarks.prospective.data.conditions import Trailing
from forgetscope.benchmarks.prospective.metrics.study import (
    ALL,
    ClusteredOutcomes,
    ProspectiveStudy,
    cut_note,
    outcomes,
    rate,
)
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure, plain
from forgetscope.stats import (
    contrast_of_groups,
    difference_of_means,
    matched_item_means,
    paired_difference,
    trend_over_levels,
)
from forgetscope.stats.change_test import ChangeTest, change_test, changing_items

PAPER_REMINDERS = (Trailing.NONE.value, Trailing.GENERIC.value)
"""Without and with the generic reminder: what the paper's tables average over."""


def stacking_figures(study: ProspectiveStudy) -> Iterator[Figure]:
    """Joint compliance by number of constraints, of problems, and both; per type; lift; trends."""
    frame = study.experiment("stacking")
    if frame.is_empty():
        return
    paper = frame.filter(pl.col("trailing").is_in(PAPER_REMINDERS))
    sizes, problems = _values(frame, "constraints"), _values(frame, "problems")
    for size in _or_all(sizes):
        for count in _or_all(problems):
            own = _chosen(paper, size, count)
            yield from joint_figures(own, {"constraints": size, "problems": count, "trailing": ALL})
            for trailing, part in _by_trailing(_chosen(frame, size, count)):
                yield from joint_figures(part, {"constraints": size, "problems": count, "trailing": trailing})
    yield from type_figures_of(paper)
    for trailing, name in (
        (Trailing.GENERIC.value, "stacking.lift"),
        (Trailing.PER_CONSTRAINT.value, "stacking.lift.per_constraint"),
    ):
        yield from lift_figures(study, frame, trailing, name)
    yield from _decline(study, paper, sizes)
    yield _load_trend(study, paper)


def _values(frame: pl.DataFrame, column: str) -> list[int]:
    return [int(value) for value in frame[column].unique().sort()]


def _or_all(values: list[int]) -> tuple[Cell, ...]:
    return (*values, ALL)


def _chosen(frame: pl.DataFrame, size: Cell, count: Cell) -> pl.DataFrame:
    wanted = [pl.col(column) == value for column, value in (("constraints", size), ("problems", count)) if value != ALL]
    return frame.filter(*wanted) if wanted else frame


def _by_trailing(frame: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
    return [(str(key[0]), part) for key, part in frame.sort("trailing").partition_by("trailing", as_dict=True).items()]


def joint_figures(frame: pl.DataFrame, factors: dict[str, Cell]) -> Iterator[Figure]:
    """The share of replies that kept every constraint, strict and loose."""
    for mode in ("strict", "loose"):
        name = f"stacking.joint.{mode}"
        found = outcomes(frame, mode)
        estimate = rate(found)
        label = "all constraints kept, over replies with text"
        yield figure(name, factors, estimate, excluded=found.excluded, note=cut_note(frame), label=label)


def by_type(frame: pl.DataFrame) -> pl.DataFrame:
    """One row a constraint of each reply with text: its short type and whether it was kept, strict and loose."""
    read = frame.filter(pl.col("strict").is_not_null())
    return read.with_columns(single=pl.col("type").str.split("+")).explode("single", "strict_by_type", "loose_by_type")


def type_figures_of(frame: pl.DataFrame) -> Iterator[Figure]:
    """Table 13: how often each type was kept, over all stacks that hold it."""
    rows = by_type(frame)
    for key, own in rows.sort("single").partition_by("single", as_dict=True).items():
        for mode in ("strict", "loose"):
            name, factors = f"stacking.type.{mode}", {"type": str(key[0])}
            found = outcomes(own, f"{mode}_by_type")
            estimate = rate(found)
            yield figure(name, factors, estimate, excluded=found.excluded, label="kept, over stacks with this type")


def lift_figures(study: ProspectiveStudy, frame: pl.DataFrame, trailing: str, name: str) -> Iterator[Figure]:
    """What the trailing reminder adds to joint compliance: with minus without, on the same stacks; cell by cell."""
    on, off = frame.filter(pl.col("trailing") == trailing), frame.filter(pl.col("trailing") == Trailing.NONE.value)
    if on.is_empty() or off.is_empty():
        return
    cells: list[Figure] = []
    for size in _or_all(_values(on, "constraints")):
        for count in _or_all(_values(on, "problems")):
            factors: dict[str, Cell] = {"constraints": size, "problems": count}
            first, second = (outcomes(_chosen(part, size, count), "strict") for part in (on, off))
            estimate = paired_difference(first.values, first.clusters, second.values, second.clusters)
            _, with_it, without = matched_item_means(first.values, first.clusters, second.values, second.clusters)
            stream = study.stream(f"{name}.sign_flip", factors)
            tested = change_test(with_it - without, np.arange(len(without)), rng=stream)
            label = "reminder - none, paired by stack"
            entry = figure(name, factors, estimate, unit="points", label=label, tested=tested)
            yield entry
            if ALL not in (size, count):
                cells.append(entry)
    known = [entry for entry in cells if entry.value is not None]
    for end, pick in (("lowest", min), ("highest", max)):
        best = pick(known, key=lambda entry: entry.value or 0.0) if known else None
        yield plain(
            f"{name}.{end}",
            {"constraints": ALL, "problems": ALL},
            best.value if best else None,
            len(known),
            unit="points",
            method=f"{end} lift of the cells (constraints x problems)",
            note=f"at {best.factors['constraints']} constraints and {best.factors['problems']} problems"
            if best
            else "no cell is defined",
        )


def _decline(study: ProspectiveStudy, frame: pl.DataFrame, sizes: list[int]) -> Iterator[Figure]:
    """Joint compliance with the fewest constraints minus with the most: positive = stacking costs compliance."""
    if len(sizes) < 2:
        return
    first, second = (outcomes(_chosen(frame, size, ALL), "strict") for size in (sizes[0], sizes[-1]))
    factors: dict[str, Cell] = {"from": sizes[0], "to": sizes[-1]}
    estimate = difference_of_means(first.values, first.clusters, second.values, second.clusters)
    label = f"{sizes[0]} - {sizes[-1]} constraints, different stacks"
    means = [_stack_means(side) for side in (first, second)]
    apart = contrast_of_groups(
        np.concatenate(means),
        np.arange(sum(map(len, means))) < len(means[0]),
        rng=study.stream("stacking.decline.p", factors),
        permutations=2_000,
    )
    tested = ChangeTest(apart.p_value, "sizes permuted over stacks, two-sided")
    yield figure("stacking.decline", factors, estimate, unit="points", label=label, tested=tested)


def _stack_means(found: ClusteredOutcomes) -> NDArray[np.float64]:
    """The mean of each stack's replies."""
    _, index = np.unique(found.clusters, return_inverse=True)
    means: NDArray[np.float64] = np.bincount(index, weights=found.values) / np.bincount(index)
    return means


def _load_trend(study: ProspectiveStudy, frame: pl.DataFrame) -> Figure:
    """Change of joint compliance for each further problem, within stacks."""
    scored = outcomes(frame, "strict")
    steps = frame.filter(pl.col("strict").is_not_null())["problems"].cast(pl.Float64).to_numpy()
    tested = trend_over_levels(
        scored.values, scored.clusters, steps, rng=study.stream("stacking.trend.problems", {}), permutations=2_000
    )
    return figure(
        "stacking.trend.problems",
        {},
        tested.estimate,
        excluded=scored.excluded,
        unit="points",
        label="change per problem",
        tested=ChangeTest(
            tested.p_value,
            "levels permuted within stacks, two-sided",
            changing_items(scored.values, scored.clusters),
        ),
    )
