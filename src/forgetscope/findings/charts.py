"""A chart as a specification: lines that say which figure they draw, over categories that are factors.

chart(
    index,
    "bars",
    "Points gained by the reminder, on the same items",
    over={load_name(load): {"load": load} for load in loads},
    lines=[line("reminder - natural", "gain.paired")],
    summary="Points of compliance gained. {said}.",
    write=plus,
    unit="points",
)
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from forgetscope.findings.figures import Cell, Chart, Series, Unit
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import percent, said, said_values
from forgetscope.findings.tables import Factors


@dataclass(frozen=True)
class Line:
    """A line or set of bars: its name, the figure it draws, the factors it adds to those of the categories."""

    label: str
    figure: str
    factors: Factors


def line(label: str, figure: str, /, **factors: Cell) -> Line:
    """A line or set of bars of one figure."""
    return Line(label, figure, factors)


def drawn(index: FigureIndex, over: Mapping[str, Factors], lines: Iterable[Line]) -> list[Line]:
    """The lines of which any figure was computed."""
    return [each for each in lines if any(index.get(each.figure, **{**at, **each.factors}) for at in over.values())]


def chart(
    index: FigureIndex,
    kind: Literal["bars", "lines", "heatmap"],
    title: str,
    *,
    over: Mapping[str, Factors],
    lines: Iterable[Line],
    summary: str,
    write: Callable[[float], str] = percent,
    most: int | None = None,
    y_label: str = "",
    unit: Unit = "proportion",
    slug: str = "",
) -> Chart:
    """The specification filled in.

    Args:
        index: The figures.
        kind: What is drawn.
        title: Of the chart.
        over: The categories by their names, each with the factors its figures have in common.
        lines: Over the categories.
        summary: The text alternative; `{said}` in it becomes every line with its values, `{values}` the values of the
            first line alone.
        write: How a value is written there.
        most: Values of a line that are said one by one; of more the ends.
        y_label: Of the axis.
        unit: Of the figures.
        slug: Its address on the page.
    """
    names = tuple(over)
    drawn = tuple(
        Series(each.label, tuple(index.interval(each.figure, **{**at, **each.factors}) for at in over.values()))
        for each in lines
    )
    values = said_values(drawn[0], names, write, most) if drawn else ""
    words = summary.replace("{said}", said(drawn, names, write, most)).replace("{values}", values)
    return Chart(kind, title, names, drawn, summary=words, y_label=y_label, unit=unit, slug=slug)
