"""Radar charts: a spoke a category, panels side by side, a series drawn in its own panel or in all of them."""

import math

from matplotlib.figure import Figure
from matplotlib.projections.polar import PolarAxes
from matplotlib.ticker import MaxNLocator

from forgetscope.findings.figures import Chart, Series
from forgetscope.report.charts.axes import LONGEST_NAME, STYLES, label_of, scale_for, scaled
from forgetscope.report.charts.svg import GRID, INK, MUTED, SERIES

RADAR_HEIGHT = 3.0
LONGEST_SPOKE = 12
"""Characters of a spoke's name: three panels share the width of the page."""


def panels_of(chart: Chart) -> list[str]:
    """The names of a radar's panels; one without a name where it has none."""
    return list(dict.fromkeys(series.panel for series in chart.series if series.panel)) or [""]


def draw_radar(figure: Figure, chart: Chart, *, narrow: bool) -> None:
    """Fill the figure, panels below each other where it is narrow.

    A value below the axis is drawn at its centre; intervals are left to the table of numbers.
    """
    panels = panels_of(chart)
    names = list(dict.fromkeys(series.label for series in chart.series))
    angles = [2 * math.pi * spoke / len(chart.categories) for spoke in range(len(chart.categories))]
    scale = scale_for(chart)
    for column, panel in enumerate(panels, start=1):
        grid = (len(panels), 1) if narrow else (1, len(panels))
        axes = figure.add_subplot(*grid, column, projection="polar")
        assert isinstance(axes, PolarAxes)  # noqa: S101 - what projection="polar" gives
        axes.set_facecolor("none")
        for series in chart.series:
            if series.panel in ("", panel):
                _draw_series(axes, series, angles, scale.factor, names.index(series.label))
        axes.set_theta_zero_location("N")
        axes.set_theta_direction(-1)
        axes.set_ylim(0, scale.high)
        axes.set_xticks(angles, [label_of(name, LONGEST_SPOKE) for name in chart.categories], color=INK)
        axes.tick_params(axis="x", labelsize=8, pad=1)
        axes.tick_params(axis="y", labelsize=7, colors=MUTED)
        axes.set_yticks([tick for tick in MaxNLocator(4).tick_values(0, scale.high) if 0 < tick <= scale.high])
        axes.grid(color=GRID, linewidth=0.7)
        axes.spines["polar"].set_color(GRID)
        if panel:
            axes.set_title(label_of(panel), color=INK, fontsize=9.5)
    handles, labels = [], []
    for axes in figure.axes:
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
            if name not in labels:
                handles.append(handle)
                labels.append(name)
    columns = 2 if narrow else 4
    legend = figure.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False, fontsize=9)
    for text in legend.get_texts():
        text.set_color(INK)


def _draw_series(axes: PolarAxes, series: Series, angles: list[float], factor: float, place: int) -> None:
    """A closed line; where a value is missing it is open there."""
    drawn = [scaled(point, factor) for point in series.points]
    heights = [math.nan if point is None else max(0.0, point[0]) for point in drawn]
    axes.plot(
        [*angles, angles[0]],
        [*heights, heights[0]],
        color=SERIES[place % len(SERIES)],
        linestyle=STYLES[place % len(STYLES)],
        linewidth=1.6,
        marker="o",
        markersize=3,
        label=label_of(series.label, LONGEST_NAME),
    )
