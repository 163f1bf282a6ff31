"""What became of the samples, of the load as well, and their tokens (Table 9)."""

from collections.abc import Iterator

import polars as pl

from forgetscope.benchmarks.prospective.metrics.cells import DiagnosticCell
from forgetscope.benchmarks.prospective.metrics.study import ProspectiveStudy, outcomes, rate, task_account
from forgetscope.core.outcomes import Status
from forgetscope.diagnostics.outcomes import outcome_figures
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import bound_figures, figure, plain
from forgetscope.stats import clustered_mean


def diagnostic_figures(study: ProspectiveStudy) -> Iterator[Figure]:
    """Counts per status, shares of cut, looping, refused and unreadable replies, completeness and tokens per cell.

    One account an aspect: compliance (of task only, the task) in `outcomes.status`, the load in `outcomes.task`.
    """
    for cell in study.diagnostic_cells:
        factors, frame = cell.factors, cell.frame
        yield from outcome_figures(cell, study.settings.max_tokens)
        if cell.has_task:
            yield from task_outcome_figures(cell)
        for name in ("input_tokens", "output_tokens"):
            counted = outcomes(frame, name)
            estimate = clustered_mean(counted.values, counted.clusters, kind="unbounded")
            short, label = f"tokens.{name.removesuffix('_tokens')}", "mean over samples with a count"
            yield figure(short, factors, estimate, excluded=counted.excluded, unit="tokens", label=label)


def task_outcome_figures(cell: DiagnosticCell) -> Iterator[Figure]:
    """What became of the load: counts over `task_status`, and the completed rate with its bounds."""
    factors, frame = cell.factors, cell.frame.filter(pl.col("task_status").is_not_null())
    found = task_account(frame)
    planned = found.planned + cell.task_missing
    yield plain("outcomes.task.planned", factors, planned, planned, unit="count", method="samples with a load")
    missing = "planned samples with a load that the sample table does not hold"
    yield plain("outcomes.task.missing", factors, cell.task_missing, planned, unit="count", method=missing)
    for status in Status:
        count = found.counts.get(status, 0)
        name, method = f"outcomes.task.status.{status.value}", "samples whose task ended so, repaired scorer"
        yield plain(name, factors, count, planned, unit="count", method=method)
    done = frame.filter(pl.col("task_status").is_in([Status.CORRECT.value, Status.INCORRECT.value]))
    right = outcomes(
        done.with_columns(right=pl.col("task_status") == Status.CORRECT.value), "right", cluster="load_item"
    )
    name = "outcomes.task.completed"
    estimate = rate(right)
    label = "correct / (correct + incorrect), repaired scorer"
    yield figure(name, factors, estimate, excluded=planned - done.height, label=label)
    yield from bound_figures(name, factors, task_account(frame, cell.task_missing))
