"""What runs of this benchmark are compared by: the format kept and the task done, on the same samples."""

import polars as pl

from forgetscope.benchmarks.prospective.data.conditions import NO_LOAD
from forgetscope.comparison.design import (
    Breakdown,
    ComparedMeasure,
    ComparisonDesign,
    SampleOutcome,
    sample_units,
)
from forgetscope.findings.beside_paper import PrintedFigure
from forgetscope.findings.figures import Column

_CONDITION = Column("condition", "Condition")
_LOAD = Column("load", "Load")
_BREAKDOWNS = (
    Breakdown("by condition", (_CONDITION,)),
    Breakdown("by condition and load", (_CONDITION, _LOAD)),
)
_STACK = (
    Breakdown(
        "by experiment and load", (Column("experiment", "Experiment"), Column("problems", "Problems", "integer"))
    ),
)


def _load_experiment(table: pl.DataFrame) -> pl.DataFrame:
    return table.filter(pl.col("experiment") == "load")


def _format_units(table: pl.DataFrame) -> pl.DataFrame:
    with_format = _load_experiment(table).filter(pl.col("instruction_types").list.len() > 0)
    return sample_units(with_format, pl.col("strict"))


def _task_units(table: pl.DataFrame) -> pl.DataFrame:
    loaded = _load_experiment(table).filter(pl.col("load") != NO_LOAD)
    first = loaded.with_columns(load_item=pl.col("load_items").list.get(0, null_on_oob=True))
    return sample_units(first, _task_right(), cluster="load_item")


def _task_right() -> pl.Expr:
    """Right by the repaired scorer, of replies with text; what it cannot read counts as not right (dual-task cost)."""
    return pl.when(pl.col("task_paper").is_not_null()).then(pl.col("task_repaired").fill_null(value=False))


def _stack_units(table: pl.DataFrame) -> pl.DataFrame:
    return sample_units(table.filter(pl.col("experiment") != "load"), pl.col("strict"))


_EFFECTS = {"item": pl.col("item"), "load item": pl.col("load_items").list.get(0, null_on_oob=True)}


def _printed() -> tuple[PrintedFigure, ...]:
    """Table 1, compliance, and Table 8, deltas; as printed."""
    from forgetscope.benchmarks.prospective.report.published import TABLE_1, TABLE_8

    return (*TABLE_1.figures("Table 1"), *TABLE_8.figures("Table 8"))


COMPARISON = ComparisonDesign(
    measures=(
        ComparedMeasure(
            "format.strict",
            "strict compliance",
            _format_units,
            _BREAKDOWNS,
            "of replies with text, the paper's reading",
        ),
        ComparedMeasure(
            "task.repaired",
            "task accuracy",
            _task_units,
            _BREAKDOWNS,
            "of replies with text, repaired scorer; load items are the clusters",
        ),
        ComparedMeasure(
            "stacks.strict",
            "joint compliance",
            _stack_units,
            _STACK,
            "replies that keep every constraint",
        ),
    ),
    outcomes=(
        SampleOutcome("format", "Format", pl.col("strict"), effects=_EFFECTS, condition="condition"),
        SampleOutcome("task", "Task", _task_right(), effects=_EFFECTS, condition="condition"),
    ),
    printed=_printed,
)
