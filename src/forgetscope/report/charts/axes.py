"""What all charts draw with: the axis of a chart's values, labels, legends and quiet axes."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

from matplotlib.axes import Axes

from forgetscope.findings.figures import Chart, Interval, Series
from forgetscope.report.charts.svg import GRID, INK, MUTED
from forgetscope.report.wording import finite, scale_of, shorten, unit_words, visible

MARKERS = "os^DvPX*"
STYLES: tuple[str | tuple[float, tuple[float, ...]], ...] = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
WIDTH, NARROW = 7.6, 4.6
"""Inches at 72 points of a chart's two drawings: the page scales the first to its column, the second to a phone's."""

LONGEST_LABEL, LONGEST_NAME = 34, 52
"""Characters of a category's label, and of a series' name in the legend."""


@dataclass(frozen=True)
class Scale:
    """How a chart's values are put on an axis."""

    factor: float
    low: float
    high: float


def label_of(text: str, longest: int = LONGEST_LABEL) -> str:
    """A name as it is drawn: nothing unseen in it, and not too long."""
    return shorten(visible(text), longest)


def wrapped(text: str, narrow: bool, room: int = 20) -> str:
    """A label in one line, or in lines of so many characters where the drawing is narrow."""
    return fill(text, room, break_long_words=False) if narrow else text


def scale_for(chart: Chart) -> Scale:
    """The axis over all values and intervals: shares from zero, differences around zero."""
    factor = scale_of(chart.unit)
    ends = [
        factor * number
        for series in chart.series
        for point in series.points
        if point is not None
        for number in (point.value, point.low, point.high)
        if number is not None and finite(number) is not None
    ]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    if chart.unit == "proportion":
        return Scale(factor, 0, 100 if high > 60 else max(10.0, 1.1 * high))
    room = 0.06 * (high - low or 1)
    return Scale(factor, low - room if low < 0 else 0, high + room if high > 0 or low == 0 else 0)


def scaled(point: Interval | None, factor: float) -> tuple[float, float | None, float | None] | None:
    """Value and ends on the axis; None where there is no value."""
    if point is None or point.value is None or finite(point.value) is None:
        return None
    low, high = finite(point.low), finite(point.high)
    return point.value * factor, None if low is None else low * factor, None if high is None else high * factor


def axis_title(chart: Chart) -> str:
    """What the values' axis is called, with its unit."""
    unit = unit_words(chart.unit)
    words = visible(chart.y_label)
    if not unit or (chart.unit == "points" and "point" in words):
        return words
    return f"{words}, {unit}" if words and unit not in words else words or unit


def tidy(axes: Axes, *, grid: str) -> None:
    """Axes without a frame; `grid` is "x", "y" or empty."""
    for side in ("top", "right", "left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0, colors=MUTED, labelsize=9)
    if grid:
        axes.grid(axis="x" if grid == "x" else "y", color=GRID, linewidth=0.8)
        axes.set_axisbelow(True)


def add_legend(axes: Axes, series: Sequence[Series], *, narrow: bool) -> None:
    """The names of the series above the chart; none where there is one series."""
    if len(series) < 2:
        return
    longest = max(len(label_of(entry.label, LONGEST_NAME)) for entry in series)
    legend = axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        ncols=min(len(series), max(1, (44 if narrow else 88) // (8 + longest))),
        frameon=False,
        borderaxespad=0.1,
        handlelength=1.6,
        columnspacing=1.6,
        fontsize=9,
    )
    for text in legend.get_texts():
        text.set_color(INK)
