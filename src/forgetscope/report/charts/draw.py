"""Charts: matplotlib draws, `svg.adapt_svg` makes the drawing part of the page.

Colours are names of roles here (ink, muted, series 1 ...), so that one drawing serves light, dark and print. The same
numbers give the same SVG, byte for byte.
"""

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from forgetscope.findings.figures import Chart
from forgetscope.report.charts.axes import (
    LONGEST_LABEL,
    LONGEST_NAME,
    MARKERS,
    NARROW,
    STYLES,
    WIDTH,
    Scale,
    add_legend,
    axis_title,
    label_of,
    scale_for,
    scaled,
    tidy,
    wrapped,
)
from forgetscope.report.charts.forest import draw_forest, forest_height
from forgetscope.report.charts.plane import draw_plane
from forgetscope.report.charts.radar import RADAR_HEIGHT, draw_radar, panels_of
from forgetscope.report.charts.svg import DOWN, GRID, INK, MUTED, SERIES, UP, adapt_svg
from forgetscope.report.wording import finite, kind_of, scale_of, shorten, visible, write_number

MANY_LINES = 6
"""More lines than this over two categories become a slope chart, each line named at its end."""


def draw_chart(chart: Chart, *, prefix: str, narrow: bool = False) -> str:
    """The chart as an `<svg>` element for the page; empty when there is no number to draw.

    Args:
        chart: What to draw.
        prefix: Unique in the page; ids inside the drawing begin with it.
        narrow: Drawn for a phone: half as wide, with names in several lines.
    """
    is_named = chart.kind == "forest" and bool(chart.categories)
    numbers = (point for series in chart.series for point in series.points if point)
    if not is_named and not any(finite(point.value) is not None for point in numbers):
        return ""
    title, description = visible(chart.title), visible(chart.summary)
    return adapt_svg(_drawn(chart, narrow), title=title, description=description, prefix=prefix, narrow=narrow)


@lru_cache(maxsize=256)
def _drawn(chart: Chart, narrow: bool) -> str:
    """What matplotlib writes; kept, as a joint report shows the charts of reports written just before."""
    with _drawing():
        size = NARROW if narrow else WIDTH, _height(chart, narrow)
        figure = Figure(figsize=size, layout="constrained", facecolor="none")
        canvas = FigureCanvasSVG(figure)
        if chart.kind == "radar":
            draw_radar(figure, chart, narrow=narrow)
        else:
            _draw_axes(figure, chart, narrow)
        stream = io.BytesIO()
        canvas.print_svg(  # type: ignore[no-untyped-call]
            stream, metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
        )
    return stream.getvalue().decode()


def _draw_axes(figure: Figure, chart: Chart, narrow: bool) -> None:
    """Every kind of chart that has one pair of axes."""
    axes = figure.add_subplot()
    axes.set_facecolor("none")
    if chart.kind == "forest":
        draw_forest(axes, chart, narrow=narrow)
    elif chart.kind == "heatmap":
        _draw_heatmap(axes, chart, narrow)
    elif chart.kind == "bars":
        _draw_bars(axes, chart, narrow)
    elif chart.kind == "plane":
        draw_plane(axes, chart, narrow=narrow)
    elif _is_slope(chart):
        _draw_slopes(axes, chart, narrow)
    else:
        _draw_lines(axes, chart, narrow)


@contextmanager
def _drawing() -> Iterator[None]:
    """Our settings for the time of one drawing; letters the metrics font lacks are drawn by the page's font."""
    settings = mpl.rc_context(
        {
            "svg.hashsalt": "forgetscope",
            "svg.fonttype": "none",
            "text.parse_math": False,
            "axes.unicode_minus": True,
            "font.family": ["DejaVu Sans"],
            "font.size": 9.5,
            "axes.linewidth": 0.8,
        }
    )
    with settings, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support")
        yield


def _height(chart: Chart, narrow: bool) -> float:
    rows = len(chart.categories)
    if chart.kind == "forest":
        return forest_height(chart, narrow=narrow)
    if chart.kind == "heatmap":
        return 0.75 + 0.42 * len(chart.series)
    if chart.kind == "bars":
        least = 0.42 if narrow else 0.28
        return 0.75 + max(0.15 * len(chart.series) + 0.13, least) * rows + (0.2 * len(chart.series) if narrow else 0)
    if chart.kind == "radar":
        return RADAR_HEIGHT * (len(panels_of(chart)) if narrow else 1)
    if chart.kind == "plane":
        return 3.9
    return 5.2 if _is_slope(chart) else 3.5


def _is_slope(chart: Chart) -> bool:
    return len(chart.series) > MANY_LINES and len(chart.categories) == 2


def _draw_bars(axes: Axes, chart: Chart, narrow: bool) -> None:
    """Horizontal bars from zero, a category a row, with whiskers: long names stay readable on a phone."""
    scale = scale_for(chart)
    count = len(chart.series)
    thick = 0.78 / count
    for position, series in enumerate(chart.series):
        colour = SERIES[position % len(SERIES)]
        for row, point in enumerate(series.points):
            drawn = scaled(point, scale.factor)
            if drawn is None:
                continue
            value, low, high = drawn
            y = row + (position - (count - 1) / 2) * thick
            axes.barh(y, value, height=thick * 0.86, color=colour, linewidth=0)
            if low is not None and high is not None:
                axes.plot([low, high], [y, y], color=INK, linewidth=1.1, solid_capstyle="butt")
        axes.barh(0, 0, color=colour, label=label_of(series.label, LONGEST_NAME))
    axes.set_yticks(range(len(chart.categories)), [wrapped(label_of(name), narrow) for name in chart.categories])
    axes.set_ylim(len(chart.categories) - 0.45, -0.55)
    axes.set_xlim(scale.low, scale.high)
    tidy(axes, grid="x")
    axes.tick_params(axis="y", colors=INK)
    axes.axvline(0, color=MUTED, linewidth=0.9, clip_on=False)
    axes.set_xlabel(axis_title(chart), color=MUTED, fontsize=9)
    add_legend(axes, chart.series, narrow=narrow)


def _draw_lines(axes: Axes, chart: Chart, narrow: bool) -> None:
    """Lines over ordered categories, told apart by colour, marker and dash; whiskers stand side by side."""
    scale = scale_for(chart)
    count = len(chart.series)
    step = min(0.06, 0.3 / max(count - 1, 1))
    for position, series in enumerate(chart.series):
        colour = SERIES[position % len(SERIES)]
        places, values = [], []
        for column, point in enumerate(series.points):
            drawn = scaled(point, scale.factor)
            if drawn is None:
                continue
            value, low, high = drawn
            x = column + (position - (count - 1) / 2) * step
            places.append(x)
            values.append(value)
            if low is not None and high is not None:
                axes.plot([x, x], [low, high], color=colour, linewidth=1.1, alpha=0.55)
        axes.plot(
            places,
            values,
            color=colour,
            marker=MARKERS[position % len(MARKERS)],
            markersize=5,
            linewidth=1.6,
            clip_on=False,
            zorder=3,
            linestyle=STYLES[position % len(STYLES)],
            label=label_of(series.label, LONGEST_NAME),
        )
    names = [shorten(label_of(name), 14 if len(chart.categories) > 5 else LONGEST_LABEL) for name in chart.categories]
    room = max(6, 44 // len(chart.categories))
    axes.set_xticks(range(len(chart.categories)), [wrapped(name, narrow, room) for name in names])
    axes.set_xlim(-0.35, len(chart.categories) - 0.65)
    axes.set_ylim(scale.low, scale.high)
    tidy(axes, grid="y")
    axes.tick_params(axis="x", colors=INK)
    if scale.low < 0:
        axes.axhline(0, color=MUTED, linewidth=0.9)
    axes.set_ylabel(axis_title(chart), color=MUTED, fontsize=9)
    add_legend(axes, chart.series, narrow=narrow)


def _draw_slopes(axes: Axes, chart: Chart, narrow: bool) -> None:
    """Many lines over two categories, each named at its right end: full where it falls, dashed where it rises."""
    scale = _fitted(chart)
    ends: list[tuple[float, str]] = []
    for series in chart.series:
        drawn = [scaled(point, scale.factor) for point in series.points]
        left, right = drawn[0], drawn[1]
        if left is None or right is None:
            continue
        falls = right[0] < left[0]
        axes.plot(
            [0, 1],
            [left[0], right[0]],
            color=DOWN if falls else UP,
            linestyle="-" if falls else STYLES[1],
            linewidth=1.4,
            marker="o",
            markersize=3.6,
        )
        ends.append((right[0], label_of(series.label)))
    gap = 0.042 * (scale.high - scale.low)
    heights = _above(_spread([value for value, _ in sorted(ends)], gap), scale.low, gap)
    for height, (value, name) in zip(heights, sorted(ends), strict=True):
        axes.plot([1.015, 1.05], [value, height], color=GRID, linewidth=0.8)
        number = write_number(value / scale.factor, kind_of(chart.unit))
        axes.text(1.06, height, f"{name}  {number}", va="center", color=INK, fontsize=8.8)
    axes.set_xticks([0, 1], [label_of(name) for name in chart.categories])
    axes.set_xlim(-0.06, 2.4 if narrow else 1.6)
    axes.set_ylim(scale.low - gap, scale.high + gap)
    tidy(axes, grid="")
    ticks = [tick for tick in axes.get_yticks() if scale.low <= tick <= scale.high]
    axes.set_yticks(ticks)
    axes.hlines(ticks, -0.06, 1.0, color=GRID, linewidth=0.8, zorder=0)
    axes.tick_params(axis="x", colors=INK)
    axes.set_ylabel(axis_title(chart), color=MUTED, fontsize=9)


def _fitted(chart: Chart) -> Scale:
    """The axis over the values alone, in steps of ten where they are shares: slopes are read by place, not length."""
    factor = scale_of(chart.unit)
    drawn = [scaled(point, factor) for series in chart.series for point in series.points]
    values = [entry[0] for entry in drawn if entry is not None]
    step = 10.0 if factor == 100 else (max(values) - min(values)) / 5 or 1.0
    return Scale(factor, step * (min(values) // step), step * -(-max(values) // step) + (max(values) == min(values)))


def _spread(values: Sequence[float], gap: float) -> list[float]:
    """Places near the ascending values, at least `gap` apart: labels that would overlap share their middle."""
    groups: list[list[float]] = []
    for value in values:
        groups.append([value])
        while len(groups) > 1 and _bottom(groups[-1], gap) < _top(groups[-2], gap) + gap:
            last = groups.pop()
            groups[-1] += last
    return [_bottom(group, gap) + place * gap for group in groups for place in range(len(group))]


def _above(heights: Sequence[float], floor: float, gap: float) -> list[float]:
    """Ascending places, at least `gap` apart and none below the floor: labels do not run into the axis."""
    kept: list[float] = []
    for height in heights:
        kept.append(max(height, kept[-1] + gap if kept else floor))
    return kept


def _bottom(group: Sequence[float], gap: float) -> float:
    return sum(group) / len(group) - gap * (len(group) - 1) / 2


def _top(group: Sequence[float], gap: float) -> float:
    return sum(group) / len(group) + gap * (len(group) - 1) / 2


def _draw_heatmap(axes: Axes, chart: Chart, narrow: bool) -> None:
    """A series a row, numbers in the cells; differences in two hues around zero."""
    factor = scale_of(chart.unit)
    numbers = [
        drawn[0] for series in chart.series for point in series.points if (drawn := scaled(point, factor)) is not None
    ]
    largest = max(abs(number) for number in numbers) or 1.0
    kind = kind_of(chart.unit)
    for row, series in enumerate(chart.series):
        for column, point in enumerate(series.points):
            drawn = scaled(point, factor)
            share = 0.0 if drawn is None else drawn[0] / (100.0 if chart.unit == "proportion" else largest)
            fill, ink = _shade(share) if drawn is not None else ("none", MUTED)
            edge = GRID if drawn is None else "none"
            axes.add_patch(
                Rectangle((column - 0.48, row - 0.46), 0.96, 0.92, facecolor=fill, edgecolor=edge, linewidth=0.8)
            )
            text = write_number(None if drawn is None else drawn[0] / factor, kind)
            axes.text(column, row, text, ha="center", va="center", color=ink, fontsize=9)
    names, room = [shorten(label_of(name), 16) for name in chart.categories], max(6, 36 // len(chart.categories))
    axes.set_xticks(range(len(names)), [wrapped(name, narrow, room) for name in names])
    axes.set_yticks(range(len(chart.series)), [wrapped(label_of(series.label), narrow, 16) for series in chart.series])
    axes.set_xlim(-0.5, len(chart.categories) - 0.5)
    axes.set_ylim(len(chart.series) - 0.5, -0.5)
    axes.xaxis.tick_top()
    tidy(axes, grid="")
    axes.tick_params(colors=INK)
    axes.set_xlabel(axis_title(chart), color=MUTED, fontsize=9)


_PALE, _BLUE, _RUST = (238, 242, 247), (22, 78, 132), (158, 66, 12)


def _shade(share: float) -> tuple[str, str]:
    """Fill and text colour of a cell: -1 rust, 0 pale, 1 blue; text is dark on light and light on dark."""
    target = _BLUE if share >= 0 else _RUST
    weight = min(1.0, abs(share))
    red, green, blue = (round(pale + (full - pale) * weight) for pale, full in zip(_PALE, target, strict=True))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return f"#{red:02x}{green:02x}{blue:02x}", "#15191d" if luminance > 140 else "#ffffff"
