"""How replies failed, counted: the paper's five mechanisms and what no rule can tell (Table 10)."""

from collections.abc import Iterator

import polars as pl

from forgetbench.benchmarks.prospective.conditions import BASELINE, TASK_ONLY, Load
from forgetbench.benchmarks.prospective.mechanisms import Mechanism
from forgetbench.benchmarks.prospective.metrics.study import ALL, Study, plain
from forgetbench.figures import Cell, Figure

RULES = {
    "paper_rule": "failures under load whose task was right (paper's scorer) and whose item was kept in the baseline",
    "all": "all failures under load",
}


def mechanism_figures(study: Study) -> Iterator[Figure]:
    """Counts of each mechanism per condition, over the paper's choice of failures and over all."""
    frame = study.experiment("load").filter(pl.col("condition") != TASK_ONLY)
    failures = frame.filter((pl.col("load") != Load.NONE.value) & ~pl.col("strict"))
    kept = frame.filter((pl.col("condition") == BASELINE) & pl.col("strict"))["item"]
    chosen = {
        "paper_rule": failures.filter(pl.col("task_paper") & pl.col("item").is_in(kept.to_list())),
        "all": failures,
    }
    for rule, rows in chosen.items():
        if rule == "paper_rule" and study.cell(BASELINE, Load.NONE.value).is_empty():
            continue
        for condition in (*study.loaded_conditions, ALL):
            own = rows if condition == ALL else rows.filter(pl.col("condition") == condition)
            named = own.with_columns(
                mechanism=pl.when(pl.col("mechanism") == "")
                .then(pl.lit(Mechanism.UNCLASSIFIED.value))
                .otherwise(pl.col("mechanism"))
            )
            for mechanism in Mechanism:
                factors: dict[str, Cell] = {"condition": condition, "mechanism": mechanism.value, "failures": rule}
                count = int((named["mechanism"] == mechanism.value).sum())
                yield plain("mechanism.count", factors, count, own.height, unit="count", method=RULES[rule])
