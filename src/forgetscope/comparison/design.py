"""What a benchmark declares so that its runs can be compared: measures over matched units, outcomes of samples.

A measure is a ratio of sums over *units*: samples, or items where a figure needs several forms of one. `units` makes
them from a sample table, with the columns of `UNIT_COLUMNS` and whatever names the cells:

* `unit`: what is matched between runs, a name that does not depend on the model;
* `cluster`: what is a unit of the interval (the item, the picture);
* `above`, `below`: the unit's part of numerator and denominator, null where it was not scored.

A rate of right samples has `below` 1 and `above` 0 or 1, and gets McNemar's test.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import polars as pl

from forgetscope.findings.beside_paper import PrintedFigure
from forgetscope.findings.figures import Column, Figure
from forgetscope.findings.measures import FigureIndex

UNIT_COLUMNS = ("unit", "cluster", "above", "below")


@dataclass(frozen=True)
class Breakdown:
    """A table of a measure: a row for each combination of factors, and one family of tests for Holm's correction.

    Attributes:
        title: What the table is by, for a person.
        factors: Columns of the units that name a cell; none is the whole run.
        mean_over: Column over whose values the figure is averaged without weights; empty for none.
    """

    title: str
    factors: tuple[Column, ...] = ()
    mean_over: str = ""


@dataclass(frozen=True)
class ComparedMeasure:
    """A figure that runs are compared by. The first breakdown is the one whose results are said in words.

    Attributes:
        name: Stable: `compliance.strict`.
        label: For a person: `format kept`.
        units: From a sample table to its units (see the module).
        what: The definition in a few words, with its denominator.
    """

    name: str
    label: str
    units: Callable[[pl.DataFrame], pl.DataFrame]
    breakdowns: tuple[Breakdown, ...]
    what: str = ""


@dataclass(frozen=True)
class SampleOutcome:
    """Whether a sample was right: what may change from one run to another.

    Attributes:
        name: Stable: `format`.
        label: For a person: `Format`.
        right: From the sample table's columns to true, false, or null where the sample was not scored.
        effects: What samples have in common (item, load item), by name: random effects in the second opinion.
        condition: The column whose levels are contrasted across models; empty for none. The first that occurs in the
            order of the sample ids is the reference.
        within: The column by whose values the contrast is made apart; empty for none.
    """

    name: str
    label: str
    right: pl.Expr = field(compare=False)
    effects: Mapping[str, pl.Expr] = field(default_factory=lambda: {"item": pl.col("item")}, compare=False)
    condition: str = ""
    within: str = ""


@dataclass(frozen=True)
class ComparisonDesign:
    """All that a benchmark declares.

    Attributes:
        across: From the figures of several runs, by their labels, to figures over runs (correlations).
        printed: The paper's figures that a run can be set beside.
    """

    measures: tuple[ComparedMeasure, ...]
    outcomes: tuple[SampleOutcome, ...]
    across: Callable[[Mapping[str, FigureIndex]], Iterable[Figure]] | None = None
    printed: Callable[[], tuple[PrintedFigure, ...]] | None = None


def sample_units(table: pl.DataFrame, right: pl.Expr, *, cluster: str = "item") -> pl.DataFrame:
    """Units that are single samples: right counts 1, wrong 0, out of 1; null where it was not scored."""
    value = right.cast(pl.Float64)
    return table.with_columns(
        unit=pl.col("sample_id"), cluster=pl.col(cluster), above=value, below=pl.when(value.is_not_null()).then(1.0)
    )
