"""What grids are compared by: ROUGE-L of every sample, and what it lost against the target, cell by cell.

A cell's id covers its target and all settings, so two grids share none. Here a cell is known by method, losses, format,
retain subset and seed, and by those numbers (learning rate, lambda, passes) that differ within its grid. What is the
same throughout a grid is a setting of the grid: the comparison names it where the grids differ.
"""

import polars as pl

from forgetscope.benchmarks.unlearning.metrics.study import RETAIN_ONLY, TARGET
from forgetscope.comparison.design import Breakdown, ComparedMeasure, ComparisonDesign, SampleOutcome
from forgetscope.findings.figures import Column

_CELL = ("method", "semantics", "forget_format", "retain_subset")
_NUMBERS = ("learning_rate", "lambda_retain", "epochs", "seed")
_ASKED = ("corpus", "measure", "item")

_METHOD = Column("method", "Method")
_MEASURE = Column("measure", "Measure")
_BREAKDOWNS = (
    Breakdown("by method and measure", (_METHOD, _MEASURE)),
    Breakdown(
        "by cell and measure",
        (
            _METHOD,
            Column("semantics", "Losses"),
            Column("forget_format", "Format"),
            Column("retain_subset", "Retain subset"),
            _MEASURE,
        ),
    ),
)


def comparable_table(table: pl.DataFrame) -> pl.DataFrame:
    """A grid's sample table with ids that name no model, and `target_score`, the target's score of the same item.

    Args:
        table: Of a grid; rows of a retain-only model stay, the target's have themselves as `target_score`.
    """
    telling = [name for name in _NUMBERS if _differs(table, name)]
    words = [pl.col(name).cast(pl.String).fill_null("-") for name in (*_CELL, *telling)]
    target = table.filter(pl.col("method") == TARGET).select(*_ASKED, target_score="score").unique(_ASKED)
    return table.with_columns(
        sample_id=pl.concat_str("benchmark", "corpus", "form", "measure", "item", *words, separator="/")
    ).join(target, on=_ASKED, how="left", maintain_order="left")


def _differs(table: pl.DataFrame, name: str) -> bool:
    """Whether a number differs between unlearned cells that are alike otherwise; passes go by format."""
    unlearned = table.filter(pl.col("method").is_in([TARGET, RETAIN_ONLY]).not_())
    by_format = unlearned.group_by("forget_format").agg(pl.col(name).n_unique())
    return bool((by_format[name] > 1).any())


def _units(table: pl.DataFrame, above: pl.Expr) -> pl.DataFrame:
    return table.with_columns(
        unit=pl.col("sample_id"), cluster=pl.col("item"), above=above, below=pl.when(above.is_not_null()).then(1.0)
    )


def _rouge(table: pl.DataFrame) -> pl.DataFrame:
    return _units(table, pl.col("score"))


def _lost(table: pl.DataFrame) -> pl.DataFrame:
    unlearned = table.filter(pl.col("method").is_in([TARGET, RETAIN_ONLY]).not_())
    return _units(unlearned, pl.col("target_score") - pl.col("score"))


COMPARISON = ComparisonDesign(
    measures=(
        ComparedMeasure(
            "rouge", "ROUGE-L", _rouge, _BREAKDOWNS, "mean ROUGE-L F1 of scored samples; items are the clusters"
        ),
        ComparedMeasure(
            "lost",
            "lost against the target",
            _lost,
            _BREAKDOWNS,
            "mean of the target's ROUGE-L F1 less the unlearned model's, on the same item; items are the clusters",
        ),
    ),
    outcomes=(SampleOutcome("exact", "Exact", pl.col("exact"), condition="method", within="measure"),),
)
