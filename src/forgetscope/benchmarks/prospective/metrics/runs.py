"""Compliance run by run and how far runs, repeats and items lie apart (appendix B.2).

The paper draws load items anew in each run, "so that cross-run variance reflects genuine sampling variability". Of each
cell three standard deviations are given, in proportions: of the runs' rates (what B.2 means), within items and between
items. With prompts sent once, what varies within an item is its load; with `--repeats` also the decoding, which is then
given by itself.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from forgetscope.benchmarks.prospective.data.conditions import TASK_ONLY
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy, outcomes, rate
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure, plain


def run_figures(study: ProspectiveStudy) -> Iterator[Figure]:
    """Rates of each run, and the spreads, for every cell with a constraint that was sent more than once an item."""
    cells = [(condition, load) for condition, load in study.cells if condition != TASK_ONLY]
    for condition, load in [*cells, *((condition, ALL) for condition in study.loaded_conditions)]:
        frame = study.cell(condition, load)
        factors: dict[str, Cell] = {"condition": condition, "load": load}
        if frame["seed"].drop_nulls().n_unique() > 1:
            yield from _rates(frame, factors)
        if frame.select("item", "load").is_duplicated().any():
            yield from spread_figures(frame, factors)


def _rates(frame: pl.DataFrame, factors: dict[str, Cell]) -> Iterator[Figure]:
    """The rate of each run, and the standard deviation and range of the runs' rates."""
    values = []
    for (seed,), part in frame.sort("run").partition_by("run", as_dict=True).items():
        found = outcomes(part, "strict")
        entry = figure(
            "compliance.strict.run",
            {**factors, "seed": int(str(seed))},
            rate(found),
            excluded=found.excluded,
            label="raw passes over replies with text, of one run",
        )
        yield entry
        values.extend([] if entry.value is None else [entry.value])
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else None
    method = "standard deviation of the runs' rates (B.2)"
    yield plain("spread.runs", factors, deviation, len(values), unit="points", method=method)
    width = max(values) - min(values) if values else None
    yield plain("spread.runs.range", factors, width, len(values), unit="points", method="highest run - lowest run")


def spread_figures(frame: pl.DataFrame, factors: dict[str, Cell]) -> Iterator[Figure]:
    """Standard deviations within and between items, of repeats of one prompt too where there are any.

    Within: the root of the mean over items of the variance of an item's replies. Between: of the items' own rates, the
    part of their variance that what varies within an item does not explain; 0 where that explains it all.
    """
    scored = frame.filter(pl.col("strict").is_not_null()).with_columns(kept=pl.col("strict").cast(pl.Float64))
    if scored.select("item", "load", "run").is_duplicated().any():
        sent = _variances(scored, ("item", "load", "run"))
        method = "standard deviation of replies to the same prompt, root of the mean variance"
        yield plain("spread.repeats", factors, _root(sent), len(sent), unit="points", method=method)
    within = _variances(scored, ("item",))
    method = "standard deviation of an item's replies, root of the mean variance"
    yield plain("spread.within", factors, _root(within), len(within), unit="points", method=method)
    items = scored.group_by("item").agg(mean=pl.col("kept").mean(), n=pl.len())
    value = None
    if items.height > 1 and len(within):
        explained = float((within.mean() / items["n"]).mean() or 0.0)
        value = float(np.sqrt(max(0.0, float(items["mean"].to_numpy().var(ddof=1)) - explained)))
    method = "standard deviation of the items' rates, less what varies within items"
    yield plain("spread.between", factors, value, items.height, unit="points", method=method)


def _variances(scored: pl.DataFrame, keys: tuple[str, ...]) -> NDArray[np.float64]:
    """The variance of the replies of each group that has two or more."""
    return scored.group_by(keys).agg(pl.col("kept").var())["kept"].drop_nulls().to_numpy()


def _root(variances: NDArray[np.float64]) -> float | None:
    return float(np.sqrt(variances.mean())) if len(variances) else None
