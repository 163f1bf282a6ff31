"""What runs of this benchmark are compared by: forget and retain accuracy on the same pictures."""

import polars as pl

from forgetscope.benchmarks.visual.data.conditions import Control, VisualProbe
from forgetscope.benchmarks.visual.metrics.study import LEFT_OUT
from forgetscope.benchmarks.visual.report.names import CONDITION_NAMES
from forgetscope.comparison.design import Breakdown, ComparedMeasure, ComparisonDesign, SampleOutcome, sample_units
from forgetscope.core.outcomes import Status
from forgetscope.findings.figures import Column

_CONDITION = Column("condition", "Condition", names={name.value: words for name, words in CONDITION_NAMES.items()})
_SPLIT = Column("split", "Split")
_MODE = Column("mode", "Scored")
_CONTROL = Column("control", "Control")

_RIGHT = (
    pl.when(pl.col("status") == Status.CORRECT.value)
    .then(statement=True)
    .when(pl.col("status") == Status.INCORRECT.value)
    .then(statement=False)
)


def _effect(table: pl.DataFrame) -> pl.DataFrame:
    """Multiple choice in the first wording and order, items with a permitted choice."""
    return table.filter(
        (pl.col("role") == "effect")
        & (pl.col("probe") == VisualProbe.CHOICE.value)
        & (pl.col("phrasing") == 0)
        & (pl.col("order") == 0)
        & ~LEFT_OUT
    )


def _forget(table: pl.DataFrame) -> pl.DataFrame:
    with_picture = (pl.col("side") == "forget") & (pl.col("control") == Control.NONE.value)
    return sample_units(_effect(table).filter(with_picture), _RIGHT, cluster="picture")


def _retain(table: pl.DataFrame) -> pl.DataFrame:
    with_picture = (pl.col("side") == "retain") & (pl.col("control") == Control.NONE.value)
    return sample_units(_effect(table).filter(with_picture), _RIGHT, cluster="picture")


def _controls(table: pl.DataFrame) -> pl.DataFrame:
    without_it = (pl.col("side") == "forget") & (pl.col("control") != Control.NONE.value)
    return sample_units(_effect(table).filter(without_it), _RIGHT, cluster="picture")


COMPARISON = ComparisonDesign(
    measures=(
        ComparedMeasure(
            "forget.macro",
            "forget accuracy",
            _forget,
            (
                Breakdown("by condition, mean over concepts", (_CONDITION, _MODE), mean_over="forget_concept"),
                Breakdown(
                    "by split and condition, mean over concepts",
                    (_SPLIT, _CONDITION, _MODE),
                    mean_over="forget_concept",
                ),
            ),
            "right over scored answers on pictures of forget concepts; pictures are the clusters",
        ),
        ComparedMeasure(
            "retain",
            "retain accuracy",
            _retain,
            (
                Breakdown("by condition", (_CONDITION, _MODE)),
                Breakdown("by split and condition", (_SPLIT, _CONDITION, _MODE)),
            ),
            "right over scored answers on pictures of retained concepts",
        ),
        ComparedMeasure(
            "controls",
            "forget accuracy without the right picture",
            _controls,
            (Breakdown("by control and condition", (_CONTROL, _CONDITION, _MODE)),),
            "right over scored answers where no picture, or another one, was shown",
        ),
    ),
    outcomes=(
        SampleOutcome(
            "answer",
            "Answer",
            _RIGHT,
            effects={"picture": pl.col("picture"), "concept": pl.col("forget_concept")},
            condition="condition",
            within="side",
        ),
    ),
)
