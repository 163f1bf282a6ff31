"""Planes: two changes against each other, a point a cell, joined to a curve where the points are a sweep."""

from matplotlib.axes import Axes

from forgetscope.findings.figures import Chart, Interval
from forgetscope.report.charts.axes import LONGEST_NAME, MARKERS, STYLES, add_legend, axis_title, label_of, scaled, tidy
from forgetscope.report.charts.svg import INK, MUTED, SERIES
from forgetscope.report.wording import finite, scale_of, unit_words, visible

ROOM = 0.05


def draw_plane(axes: Axes, chart: Chart, *, narrow: bool) -> None:
    """Points with whiskers both ways, named where there is one line of them; zero is marked on both axes."""
    factor = scale_of(chart.unit)
    for position, series in enumerate(chart.series):
        colour = SERIES[position % len(SERIES)]
        places: list[tuple[float, float]] = []
        for over, up in zip(series.across, series.points, strict=True):
            left, height = scaled(over, factor), scaled(up, factor)
            if left is None or height is None:
                continue
            places.append((left[0], height[0]))
            if left[1] is not None and left[2] is not None:
                axes.plot([left[1], left[2]], [height[0]] * 2, color=colour, linewidth=0.9, alpha=0.4)
            if height[1] is not None and height[2] is not None:
                axes.plot([left[0]] * 2, [height[1], height[2]], color=colour, linewidth=0.9, alpha=0.4)
        axes.plot(
            [place[0] for place in places],
            [place[1] for place in places],
            color=colour,
            marker=MARKERS[position % len(MARKERS)],
            markersize=5.5,
            linewidth=1.5,
            linestyle=STYLES[position % len(STYLES)] if chart.is_joined else "",
            zorder=3,
            label=label_of(series.label, LONGEST_NAME),
        )
    points = [point for series in chart.series for point in series.points]
    axes.set_xlim(*_limits([point for series in chart.series for point in series.across], factor))
    axes.set_ylim(*_limits(points, factor))
    tidy(axes, grid="y")
    axes.grid(axis="x", linewidth=0.8, color=axes.yaxis.get_gridlines()[0].get_color())
    axes.tick_params(colors=INK)
    axes.axhline(0, color=MUTED, linewidth=0.9)
    axes.axvline(0, color=MUTED, linewidth=0.9)
    axes.set_ylabel(axis_title(chart), color=MUTED, fontsize=9)
    words, unit = visible(chart.x_label), unit_words(chart.unit)
    axes.set_xlabel(f"{words}, {unit}" if words and unit else words or unit, color=MUTED, fontsize=9)
    add_legend(axes, chart.series, narrow=narrow)


def _limits(points: list[Interval | None], factor: float) -> tuple[float, float]:
    """The axis over all values and intervals, zero included."""
    ends = [
        factor * number
        for point in points
        if point is not None and finite(point.value) is not None
        for number in (point.value, point.low, point.high)
        if number is not None and finite(number) is not None
    ]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    room = ROOM * (high - low or 1)
    return low - room, high + room
