"""How replies failed, counted: the paper's five mechanisms and what no rule can tell (Table 10).

A mechanism is of a whole reply that was read and broke its format (status `incorrect`). A reply cut off by the token
limit, a refusal or no reply at all also lacks its format, but forgetting is not why: these are counted apart.
"""

from collections.abc import Iterator

import polars as pl

from forgetscope.benchmarks.prospective.data.conditions import BASELINE, CONTROLS, NO_LOAD, TASK_ONLY
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.benchmarks.prospective.scoring.mechanisms import Mechanism
from forgetscope.core.outcomes import Status
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import plain

RULES = {
    "paper_rule": "failures under load whose task was right (paper's scorer) and whose item was kept in the baseline",
    "all": "all failures under load",
}
_NOT_COUNTED = (TASK_ONLY, *(cell.name for cell in CONTROLS))
OUTSIDE = (Status.TRUNCATED, Status.REFUSED, Status.INVALID_FORMAT, Status.MODEL_ERROR, Status.NOT_SENT)
"""How a sample under load can lack its format without having forgotten it."""


def mechanism_figures(study: ProspectiveStudy) -> Iterator[Figure]:
    """Counts of each mechanism per condition, over the paper's choice of failures and over all.

    `mechanism.count` is over status `incorrect`, and `mechanism.outside` counts by status what else did not keep
    its format.
    """
    for rule, rows in unkept_by_rule(study).items():
        for condition in (*study.worked_conditions, ALL):
            own = rows if condition == ALL else rows.filter(pl.col("condition") == condition)
            yield from _counts(own, condition, rule)


def unkept_by_rule(study: ProspectiveStudy) -> dict[str, pl.DataFrame]:
    """Samples under load that did not keep their format, by `RULES`; the paper's choice where the baseline was run."""
    frame = study.experiment("load").filter(~pl.col("condition").is_in(_NOT_COUNTED))
    unkept = frame.filter((pl.col("load") != NO_LOAD) & ~pl.col("strict").fill_null(value=False))
    kept = frame.filter((pl.col("condition") == BASELINE) & pl.col("strict"))["item"]
    chosen = unkept.filter(pl.col("task_paper") & pl.col("item").is_in(kept.to_list()))
    return ({} if study.cell(BASELINE, NO_LOAD).is_empty() else {"paper_rule": chosen}) | {"all": unkept}


def failures(rows: pl.DataFrame) -> pl.DataFrame:
    """Those of the samples that were read and broke their format; a mechanism for each."""
    sorted_by_rule = pl.when(pl.col("mechanism") == "").then(pl.lit(Mechanism.UNCLASSIFIED.value))
    return rows.filter(pl.col("status") == Status.INCORRECT.value).with_columns(
        mechanism=sorted_by_rule.otherwise(pl.col("mechanism"))
    )


def _counts(rows: pl.DataFrame, condition: str, rule: str) -> Iterator[Figure]:
    broken = failures(rows)
    for mechanism in Mechanism:
        factors: dict[str, Cell] = {"condition": condition, "mechanism": mechanism.value, "failures": rule}
        count = int((broken["mechanism"] == mechanism.value).sum())
        method = f"{RULES[rule]}, status incorrect"
        yield plain(
            "mechanism.count",
            factors,
            count,
            broken.height,
            unit="count",
            method=method,
            excluded=rows.height - broken.height,
        )
    for status in OUTSIDE:
        factors = {"condition": condition, "status": status.value, "failures": rule}
        count = int((rows["status"] == status.value).sum())
        method = f"{RULES[rule]}, of another status: no mechanism is read from them"
        yield plain("mechanism.outside", factors, count, rows.height, unit="count", method=method)
