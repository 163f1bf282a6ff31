"""What runs of this benchmark are compared by: NA, FA, SFRR and WR on the same items, and every single answer."""

from collections.abc import Callable, Iterator

import polars as pl

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.data.scenarios import PreferenceQuestion
from forgetscope.benchmarks.in_context.metrics.across import across_figures
from forgetscope.benchmarks.in_context.metrics.residue import DESIGNS, mean_scores
from forgetscope.benchmarks.in_context.report.names import (
    FORM_NAMES,
    PROBE_NAMES,
    RESIDUE_NAMES,
    SCENARIO_NAMES,
    STRATEGY_NAMES,
)
from forgetscope.benchmarks.in_context.settings import NATIVE
from forgetscope.comparison.design import (
    Breakdown,
    ComparedMeasure,
    ComparisonDesign,
    SampleOutcome,
    sample_units,
)
from forgetscope.core.outcomes import Status
from forgetscope.findings.beside_paper import PrintedFigure
from forgetscope.findings.figures import Column

_SCENARIO = Column("scenario", "Scenario", names=SCENARIO_NAMES)
_LENGTH = Column("length", "Length", names={"": NATIVE})
_STRATEGY = Column("strategy", "Prompt", names=STRATEGY_NAMES)
_FORM = Column("form", "Form", names=FORM_NAMES)

_RIGHT = (
    pl.when(pl.col("status") == Status.CORRECT.value)
    .then(statement=True)
    .when(pl.col("status") == Status.INCORRECT.value)
    .then(statement=False)
)
_SETTING = ("scenario", "length", "strategy", "question")


def _pairs(table: pl.DataFrame) -> pl.DataFrame:
    """An item in one setting a row, with its outcomes in both forms; null where one was not scored."""
    of_paper = pl.col("arm").fill_null("") == ""
    queries = table.filter((pl.col("probe") == DialogueProbe.QUERY.value) & of_paper).with_columns(
        right=_RIGHT.cast(pl.Float64)
    )
    sides = [
        queries.filter(pl.col("form") == form.value).select("item", *_SETTING, pl.col("right").alias(form.value))
        for form in (Form.NOFORGET, Form.FORGET)
    ]
    joined = sides[0].join(sides[1], on=["item", *_SETTING], nulls_equal=True)
    setting = pl.concat_str(pl.col("length").cast(pl.String).fill_null(NATIVE), "strategy", "question", separator="/")
    both = pl.col(Form.NOFORGET.value).is_not_null() & pl.col(Form.FORGET.value).is_not_null()
    return joined.with_columns(
        unit=pl.concat_str("item", setting, separator="/"),
        cluster=pl.col("item"),
        without=pl.when(both).then(pl.col(Form.NOFORGET.value)),
        with_=pl.when(both).then(pl.col(Form.FORGET.value)),
        one=pl.when(both).then(1.0),
    )


def _ratio(above: pl.Expr, below: pl.Expr) -> Callable[[pl.DataFrame], pl.DataFrame]:
    return lambda table: _pairs(table).with_columns(above=above, below=below)


def _neighbours(table: pl.DataFrame) -> pl.DataFrame:
    return sample_units(table.filter(pl.col("probe") == DialogueProbe.NEIGHBOUR.value), _RIGHT)


def _residues(table: pl.DataFrame) -> pl.DataFrame:
    """An item in one condition and asked in one way a row: D - N_D above, T - N_T below, where every arm is scored."""
    by = ["item", "length", "strategy", "question", "probe"]
    found: list[pl.DataFrame] = []
    for scenario, designs in DESIGNS.items():
        of_scenario = table.filter(pl.col("scenario") == scenario.value)
        for design in designs:
            told, *others = (
                mean_scores(part, design.score, by).rename({"score": name})
                for name, part in design.arms(of_scenario).items()
            )
            for other in others:
                told = told.join(other, on=by, nulls_equal=True)
            found.append(told.with_columns(condition=pl.lit(design.condition)))
    return pl.concat(found).with_columns(
        unit=pl.concat_str("condition", *by, separator="/", ignore_nulls=True),
        cluster=pl.col("item"),
        above=pl.col("deleted") - pl.col("never_deleted"),
        below=pl.col("told") - pl.col("never_told"),
    )


_MAIN = pl.col("question") != PreferenceQuestion.OPEN.value
_WITHOUT, _WITH, _ONE = pl.col("without"), pl.col("with_"), pl.col("one")


def _breakdowns() -> tuple[Breakdown, ...]:
    return (
        Breakdown("by scenario", (_SCENARIO, _LENGTH, _STRATEGY, Column("question", "Asked"))),
        Breakdown("mean of the scenarios", (_LENGTH, _STRATEGY), mean_over="scenario"),
    )


def _measure(name: str, label: str, above: pl.Expr, below: pl.Expr, what: str) -> ComparedMeasure:
    return ComparedMeasure(name, label, _ratio(above, below), _breakdowns(), what)


def _printed() -> Iterator[PrintedFigure]:
    """Table 1: NA, FA and SFRR of each scenario, as printed."""
    from forgetscope.benchmarks.in_context.metrics.study import SCENARIOS, DialogueCell
    from forgetscope.benchmarks.in_context.report.published import MEASURES, scenario_table

    for scenario in SCENARIOS:
        yield from scenario_table(DialogueCell(scenario, None, "noforget"), MEASURES[:3]).figures("Table 1")


COMPARISON = ComparisonDesign(
    measures=(
        _measure("na", "NA", _WITHOUT, _ONE, "right in the NoForget form, of items with both forms scored"),
        _measure("fa", "FA", _WITH, _ONE, "right in the Forget form, of items with both forms scored"),
        _measure(
            "sfrr", "SFRR", _WITHOUT * _WITH, _WITHOUT, "right in the Forget form, of those right in the NoForget form"
        ),
        _measure("wr", "WR", (1 - _WITHOUT) * _WITH, _ONE, "wrong in the NoForget form, right in the Forget form"),
        ComparedMeasure(
            "neighbour",
            "neighbour question",
            _neighbours,
            (Breakdown("by form", (_FORM, _LENGTH, _STRATEGY)),),
            "right, of the neighbour questions that could be scored: what should not be forgotten",
        ),
        ComparedMeasure(
            "residue",
            "residue",
            _residues,
            (
                Breakdown(
                    "by condition",
                    (
                        Column("condition", "Set against", names=RESIDUE_NAMES),
                        Column("probe", "Asked", names=PROBE_NAMES),
                        _LENGTH,
                        _STRATEGY,
                    ),
                ),
            ),
            "(D - N_D) / (T - N_T): what is left of what telling adds, over items scored in every arm",
        ),
    ),
    outcomes=(SampleOutcome("answer", "Answer", _RIGHT, condition="form", within="scenario"),),
    across=across_figures,
    printed=lambda: tuple(_printed()),
)
