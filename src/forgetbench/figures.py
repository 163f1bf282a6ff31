"""The types benchmarks hand to the report: figures, tables, charts, sections. Data only; the report draws.

A `Figure` is one number with all that is needed to believe it: over how many samples, how many were left out,
its interval and how that was made. `summary.json` is a list of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Cell = str | int | float | bool | None
"""What a table cell or a factor may hold."""

Unit = Literal["proportion", "points", "count", "tokens", "seconds", "p", "h", "ratio"]
"""`proportion` is 0-1; `points` are differences of proportions, also 0-1 based (0.05 = 5 percentage points)."""


@dataclass(frozen=True)
class Figure:
    """One number with its denominators, interval and method.

    Attributes:
        name: Dotted, stable: `compliance.strict.paper`.
        factors: What it is the figure of: `{"condition": "natural", "load": "mmlu"}`.
        value: None when undefined; `note` then says why.
        n: Units in the denominator (samples, pairs or clusters, as `method` says).
        excluded: Units of the cell that could not enter.
        low, high: The 95% interval; None when undefined.
        method: How value and interval were made, in a few words.
    """

    name: str
    factors: Mapping[str, Cell]
    value: float | None
    n: int
    excluded: int = 0
    low: float | None = None
    high: float | None = None
    method: str = ""
    unit: Unit = "proportion"
    note: str = ""


@dataclass(frozen=True)
class Interval:
    """A number with its interval, as a table cell or a point of a chart."""

    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""

    @classmethod
    def of(cls, figure: Figure) -> "Interval":
        """The number and interval of a figure."""
        return cls(figure.value, figure.low, figure.high, figure.note)


@dataclass(frozen=True)
class Column:
    """A table column: the row key it shows, its heading and how its cells are written."""

    key: str
    label: str
    kind: Literal["text", "integer", "number", "percent", "points", "p"] = "text"
    help: str = ""


@dataclass(frozen=True)
class Table:
    """A table that sorts: rows are mappings from column keys to cells. A `folded` one is opened by a click."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Cell | Interval], ...]
    note: str = ""
    slug: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Series:
    """One line or set of bars over a chart's categories; None where there is nothing to draw."""

    label: str
    points: tuple[Interval | None, ...]


@dataclass(frozen=True)
class Chart:
    """Numbers to draw: `bars` and `lines` over categories, `heatmap` with one series a row.

    `summary` is the text alternative: what the chart shows, in words, for who cannot see it.
    """

    kind: Literal["bars", "lines", "heatmap"]
    title: str
    categories: tuple[str, ...]
    series: tuple[Series, ...]
    summary: str
    y_label: str = ""
    unit: Unit = "proportion"
    slug: str = ""


@dataclass(frozen=True)
class Finding:
    """One sentence of what was found, with its numbers inside, and how sure it is.

    `shown` when the interval of what the sentence says excludes zero, `undecided` when it does not.
    """

    text: str
    verdict: Literal["shown", "undecided", "note", "warning"] = "note"


@dataclass(frozen=True)
class Browser:
    """Which columns of the sample table the report's sample browser filters by and shows."""

    filters: tuple[Column, ...]
    shown: tuple[Column, ...] = ()


@dataclass(frozen=True)
class Section:
    """A part of the report: findings, charts and tables in the order they are read."""

    title: str
    blocks: tuple[Finding | Chart | Table | Browser, ...]
    intro: str = ""
    slug: str = ""


@dataclass(frozen=True)
class Results:
    """All a benchmark computes from its sample table; `headlines` are the few sentences a busy person reads."""

    figures: tuple[Figure, ...]
    sections: tuple[Section, ...] = field(default=())
    headlines: tuple[Finding, ...] = field(default=())
