"""Differences between runs with interval, test and the smallest difference that would have been found."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import polars as pl

from forgetscope.comparison.design import UNIT_COLUMNS, Breakdown, ComparedMeasure
from forgetscope.findings.figures import Cell
from forgetscope.findings.verdicts import Support
from forgetscope.stats import (
    Estimate,
    MatchedSide,
    McNemar,
    detectable_from_interval,
    holm,
    matched_difference,
    mcnemar,
    named_stream,
)

SEED = 42
"""Of permutation; each figure has its own stream."""
EXACT, EXCHANGED = "exact McNemar", "exchange of the two runs within clusters"


@dataclass(frozen=True)
class Difference:
    """Second run minus first in one cell of one table.

    Attributes:
        cell: Factors and their values.
        first, second: Places of the two runs.
        estimate: Of the difference, in proportions.
        value_first, value_second: The figure of each run, over the same units.
        excluded: Units of the cell that were not scored in both runs.
        table: McNemar's test, where the units are single samples that are right or wrong.
        p: The p-value reported, and `test` how it was made.
        p_holm: Corrected over the cells and pairs of runs of the table.
        items: Clusters that count in either run's figure.
        changed: Clusters in which the two runs differ.
        detectable: Smallest true difference a comparison this precise finds in 80% of repetitions.
    """

    measure: str
    breakdown: str
    cell: Mapping[str, Cell]
    first: int
    second: int
    estimate: Estimate
    value_first: float | None
    value_second: float | None
    excluded: int
    table: McNemar | None
    p: float | None
    test: str
    p_holm: float | None = None
    items: int = 0
    changed: int | None = None

    @property
    def support(self) -> Support:
        """What it rests on."""
        estimate = self.estimate
        return Support(estimate.low, estimate.high, self.items, self.p_holm, self.changed)

    @property
    def detectable(self) -> float | None:
        """Smallest true difference found in 80% of repetitions; None without an interval."""
        if self.estimate.low is None or self.estimate.high is None:
            return None
        return detectable_from_interval(self.estimate.low, self.estimate.high)

    @property
    def is_distinguished(self) -> bool:
        """Whether the runs are told apart here: interval, Holm's p-value and enough items that changed."""
        return self.p_holm is not None and self.support.verdict == "shown"


@dataclass(frozen=True)
class DifferenceTable:
    """One breakdown of a measure: a row for each cell and pair of runs, and one family of tests."""

    measure: ComparedMeasure
    breakdown: Breakdown
    rows: tuple[Difference, ...]

    @property
    def tests(self) -> int:
        """How many tests Holm's correction is over."""
        return sum(row.p is not None for row in self.rows)


def difference_tables(
    measures: Sequence[ComparedMeasure], tables: Sequence[pl.DataFrame]
) -> tuple[DifferenceTable, ...]:
    """Every measure in every breakdown, for every pair of runs; tables without a cell are left out.

    Args:
        measures: As the benchmark declares them.
        tables: The matched samples of each run.
    """
    found = []
    for measure in measures:
        units = [measure.units(table) for table in tables]
        for breakdown in measure.breakdowns:
            rows = _with_holm(list(_rows(measure, breakdown, units)))
            if rows:
                found.append(DifferenceTable(measure, breakdown, rows))
    return tuple(found)


def _with_holm(rows: list[Difference]) -> tuple[Difference, ...]:
    return tuple(
        replace(row, p_holm=adjusted) for row, adjusted in zip(rows, holm([row.p for row in rows]), strict=True)
    )


def _rows(measure: ComparedMeasure, breakdown: Breakdown, units: Sequence[pl.DataFrame]) -> Iterator[Difference]:
    keys = [column.key for column in breakdown.factors]
    extra = [breakdown.mean_over] if breakdown.mean_over else []
    kept = [frame.select(*UNIT_COLUMNS, *keys, *extra) for frame in units]
    cells = [dict(zip(keys, values, strict=True)) for values in _cells(kept[0], keys)]
    parts = [_parts(frame, keys) for frame in kept]
    for cell in cells:
        for first, second in combinations(range(len(units)), 2):
            key = tuple(cell.values())
            one, two = (parts[place].get(key, kept[place].clear()) for place in (first, second))
            yield _difference(measure, breakdown, cell, first, second, one, two)


def _cells(frame: pl.DataFrame, keys: Sequence[str]) -> list[tuple[Cell, ...]]:
    """The combinations there are, in the order of first appearance; one empty one without factors."""
    if not keys:
        return [()] if frame.height else []
    return [tuple(row) for row in frame.select(keys).unique(maintain_order=True).iter_rows()]


def _parts(frame: pl.DataFrame, keys: Sequence[str]) -> dict[tuple[Cell, ...], pl.DataFrame]:
    return {(): frame} if not keys else dict(frame.partition_by(keys, as_dict=True))


def _difference(
    measure: ComparedMeasure,
    breakdown: Breakdown,
    cell: Mapping[str, Cell],
    first: int,
    second: int,
    one: pl.DataFrame,
    two: pl.DataFrame,
) -> Difference:
    if one["unit"].is_duplicated().any() or two["unit"].is_duplicated().any():
        raise ValueError(f"{measure.name}: a unit occurs twice in the cell {dict(cell)}")
    both = (
        one.drop_nulls(["above", "below"])
        .join(two.drop_nulls(["above", "below"]).select("unit", "above", "below"), on="unit", suffix="_second")
        .sort("unit")
    )
    labels = ",".join(f"{key}={cell[key]}" for key in sorted(cell))
    found = matched_difference(
        MatchedSide(both["above"].to_numpy(), both["below"].to_numpy()),
        MatchedSide(both["above_second"].to_numpy(), both["below_second"].to_numpy()),
        both["cluster"].to_numpy(),
        group=both[breakdown.mean_over].to_numpy() if breakdown.mean_over else None,
        rng=named_stream(SEED, f"compare {measure.name} {breakdown.title} {labels} {first} {second}"),
    )
    table = _mcnemar(both) if not breakdown.mean_over else None
    single = table is not None and not both["cluster"].is_duplicated().any()
    p = table.exact_p if table is not None and single and both.height else found.p_value
    return Difference(
        measure=measure.name,
        breakdown=breakdown.title,
        cell=cell,
        first=first,
        second=second,
        estimate=found.estimate,
        value_first=found.first,
        value_second=found.second,
        excluded=len(set(one["unit"]) | set(two["unit"])) - both.height,
        table=table,
        p=p,
        test=EXACT if single else EXCHANGED,
        items=both.filter((pl.col("below") != 0) | (pl.col("below_second") != 0))["cluster"].n_unique(),
        changed=both.filter((pl.col("above") != pl.col("above_second")) | (pl.col("below") != pl.col("below_second")))[
            "cluster"
        ].n_unique(),
    )


def _mcnemar(both: pl.DataFrame) -> McNemar | None:
    """The test of the 2 x 2 table of units; None where units are not single right or wrong samples."""
    if not both.height or not ((both["below"] == 1).all() and (both["below_second"] == 1).all()):
        return None
    first, second = both["above"], both["above_second"]
    if not (first.is_in([0.0, 1.0]).all() and second.is_in([0.0, 1.0]).all()):
        return None
    counts = [int(((first == one) & (second == two)).sum()) for one, two in ((1, 1), (1, 0), (0, 1), (0, 0))]
    return mcnemar(*counts)
