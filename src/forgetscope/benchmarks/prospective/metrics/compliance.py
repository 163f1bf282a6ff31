"""How often the format was kept: strict, loose, as the paper reads replies, completed, repaired; per cell (Table 1)."""

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from forgetscope.benchmarks.prospective.data.conditions import TASK_ONLY
from forgetscope.benchmarks.prospective.metrics.study import (
    ALL,
    ClusteredOutcomes,
    ProspectiveStudy,
    account,
    cut_note,
    outcomes,
    rate,
)
from forgetscope.core.outcomes import Status
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import bound_figures, figure
from forgetscope.stats import Estimate

READINGS = {
    "compliance.strict.paper": ("strict", "raw passes over replies with text"),
    "compliance.loose.paper": ("loose", "raw passes over replies with text, any of IFEval's eight variants"),
    "compliance.strict.repaired": ("strict_repaired", "raw passes over replies with text, repaired checkers"),
    "compliance.loose.repaired": ("loose_repaired", "raw passes over replies with text, repaired checkers, loose"),
}
"""Figure name: the column it is the mean of, and what that means."""


def compliance_figures(study: ProspectiveStudy) -> Iterator[Figure]:
    """All readings of compliance for every cell with a constraint, and each condition pooled over its loads."""
    cells = [(condition, load) for condition, load in study.cells if condition != TASK_ONLY]
    for condition, load in [*cells, *((condition, ALL) for condition in study.loaded_conditions)]:
        frame = study.cell(condition, load)
        factors: dict[str, Cell] = {"condition": condition, "load": load}
        note = cut_note(frame)
        for name, (column, label) in READINGS.items():
            found = outcomes(frame, column)
            estimate = rate(found)
            yield figure(name, factors, estimate, excluded=found.excluded, note=note, label=label)
        yield pooled_figure(study, frame, factors, copies=study.runs if frame["seed"].is_null().all() else 1)
        yield from completed_figures(study, frame, factors)


def completed_figures(study: ProspectiveStudy, frame: pl.DataFrame, factors: Mapping[str, Cell]) -> Iterator[Figure]:
    """Correct over correct and incorrect, and what it could be if all that stand outside had failed, or passed."""
    scored = frame.filter(pl.col("status").is_in([Status.CORRECT.value, Status.INCORRECT.value]))
    found = outcomes(scored.with_columns(kept=pl.col("status") == Status.CORRECT.value), "kept")
    name = "compliance.strict.completed"
    estimate = rate(found)
    excluded = frame.height - scored.height
    yield figure(name, factors, estimate, excluded=excluded, label="correct / (correct + incorrect)")
    missing = study.missing(str(factors["condition"]), str(factors["load"]))
    yield from bound_figures(name, factors, account(frame, missing))


def pooled_figure(study: ProspectiveStudy, frame: pl.DataFrame, factors: Mapping[str, Cell], *, copies: int) -> Figure:
    """The paper's rate with the paper's interval: pooled outcomes of all runs resampled as if independent (B.1).

    Labelled *paper*: the 90 items return in each run, so these intervals are too narrow. What is the same in every
    run was sent once and enters `copies` times. Resampling n outcomes of rate p is a binomial draw, made as such.
    """
    found = outcomes(frame, "strict")
    name = "compliance.strict.pooled"
    estimate = pooled_estimate(found, copies, study.stream(name, factors))
    return figure(name, factors, estimate, excluded=found.excluded * copies, label="paper, appendix B.1")


def pooled_estimate(found: ClusteredOutcomes, copies: int, rng: np.random.Generator) -> Estimate:
    """Percentile interval of resampled pooled outcomes; undefined below two outcomes or without spread."""
    n = len(found.values) * copies
    method = "pooled outcomes resampled, 10000 resamples, percentile, 95%"
    value = found.mean
    if value is None:
        return Estimate(None, None, None, 0, method, "no scored samples")
    if n < 2 or value in (0.0, 1.0):
        reason = "fewer than two samples" if n < 2 else "all outcomes agree: the paper's interval has no width"
        return Estimate(value, None, None, n, method, reason)
    low, high = np.quantile(rng.binomial(n, value, size=10_000) / n, [0.025, 0.975])
    return Estimate(value, float(low), float(high), n, method)
