"""Figures as a table, for pandas, Polars or a spreadsheet: a row a figure, a column a factor."""

from collections.abc import Iterable, Mapping
from typing import Protocol

import polars as pl

from forgetscope.findings.figures import Cell

BEFORE: Mapping[str, type[pl.DataType]] = {"figure": pl.String}
AFTER: Mapping[str, type[pl.DataType]] = {
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "unit": pl.String,
    "n": pl.Int64,
    "excluded": pl.Int64,
    "interval_method": pl.String,
    "note": pl.String,
}
"""Columns around those of the factors. In unlearning `method` is a factor, so a figure's own has a longer name."""

_ATTRIBUTES = {"interval_method": "method"}


class FigureLike(Protocol):
    """A `Figure`, or one as it is stored."""

    @property
    def name(self) -> str: ...  # noqa: D102 - as in `Figure`, all of them
    @property
    def factors(self) -> Mapping[str, Cell]: ...  # noqa: D102
    @property
    def value(self) -> float | None: ...  # noqa: D102
    @property
    def low(self) -> float | None: ...  # noqa: D102
    @property
    def high(self) -> float | None: ...  # noqa: D102
    @property
    def unit(self) -> str: ...  # noqa: D102
    @property
    def n(self) -> int: ...  # noqa: D102
    @property
    def excluded(self) -> int: ...  # noqa: D102
    @property
    def method(self) -> str: ...  # noqa: D102
    @property
    def note(self) -> str: ...  # noqa: D102


def figure_table(figures: Iterable[FigureLike]) -> pl.DataFrame:
    """A row a figure, in their order: its name, its factors, then value, interval, denominators and method.

    Factors are text, null where a figure does not have one; proportions and points are 0-1.

    Example:
        >>> from forgetscope.findings.figures import Figure
        >>> shown = figure_table([Figure("compliance", {"load": "mmlu"}, 0.5, n=10)])
        >>> shown.select("figure", "load", "value", "n").rows()
        [('compliance', 'mmlu', 0.5, 10)]

    Raises:
        ValueError: a factor is called like one of the other columns.
    """
    listed = list(figures)
    factors = list(dict.fromkeys(key for entry in listed for key in entry.factors))
    taken = [key for key in factors if key in BEFORE or key in AFTER]
    if taken:
        raise ValueError(f"a factor must not be called {taken[0]!r}: a column of every figure has this name")
    schema: dict[str, type[pl.DataType]] = {**BEFORE, **dict.fromkeys(factors, pl.String), **AFTER}
    rows = [
        {
            "figure": entry.name,
            **{key: None if entry.factors.get(key) is None else str(entry.factors[key]) for key in factors},
            **{key: getattr(entry, _ATTRIBUTES.get(key, key)) for key in AFTER},
        }
        for entry in listed
    ]
    return pl.DataFrame(rows, schema=schema, orient="row")
