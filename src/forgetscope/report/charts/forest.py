"""Forests: residues with their intervals between two marks, never told and told, a row each, its word beside it."""

from collections.abc import Iterator
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.transforms import blended_transform_factory

from forgetscope.findings.figures import Chart, Interval
from forgetscope.findings.forest import AS_IT_SHOULD
from forgetscope.report.charts.axes import LONGEST_NAME, label_of, scaled, tidy
from forgetscope.report.charts.svg import DOWN, INK, MUTED, UP

WIDEST = (-0.5, 1.5)
"""Ends of the axis at most: an interval that goes on is drawn with an arrow."""

ROW, NARROW_ROW, HEADING, NARROW_HEADING, ROOM = 0.3, 0.62, 0.4, 0.56, 0.95
"""Inches of a row, of one on a phone, where name and word stand over the line, of a heading, and of the axis."""

NAMES, LINES, NARROW_EDGE = 0.34, 0.33, 0.03
"""Share of the width that names take, and that the lines between the marks do; the words have the rest. On a phone, the
share left free at each side."""

LONGEST_ROW = 42
"""Characters of a row's name."""

_GOOD = frozenset({"as if never told", "kept", AS_IT_SHOULD})
_BAD = frozenset({"still there", "partly lost", "lost", "avoided", "broken"})


@dataclass(frozen=True)
class _Row:
    name: str
    point: Interval
    word: str
    is_to_be_kept: bool


def forest_height(chart: Chart, *, narrow: bool) -> float:
    """Inches of the drawing."""
    row, heading = (NARROW_ROW, NARROW_HEADING) if narrow else (ROW, HEADING)
    return ROOM + sum(row * len(rows) + heading * bool(label or read) for label, read, rows in _groups(chart))


def draw_forest(axes: Axes, chart: Chart, *, narrow: bool) -> None:
    """Fill the figure from the top: under each heading its rows, names at the left, words at the right."""
    figure, height = axes.get_figure(root=True), forest_height(chart, narrow=narrow)
    assert figure is not None  # noqa: S101 - axes that are drawn are a figure's
    figure.set_layout_engine("none")
    left, wide = (NARROW_EDGE, 1 - 2 * NARROW_EDGE) if narrow else (NAMES, LINES)
    axes.set_position((left, 0.5 / height, wide, 1 - ROOM / height))
    at_left = blended_transform_factory(figure.transFigure, axes.transData)
    place, limits = 0.0, _limits(chart)

    def say(across: float, at: float, text: str, colour: str = INK, weight: str = "normal") -> None:
        axes.text(across, at, text, transform=at_left, va="center", color=colour, weight=weight, fontsize=9)

    edge = NARROW_EDGE if narrow else 0.0
    for label, read, rows in _groups(chart):
        if narrow and (label or read):
            place += NARROW_HEADING
            say(edge, place - 0.26, label, weight="bold")
            say(edge, place - 0.08, read, MUTED)
        elif label or read:
            place += HEADING
            say(edge, place - 0.1, ", ".join(filter(None, (label, read))), weight="bold")
        for row in rows:
            place += NARROW_ROW if narrow else ROW
            middle = place - (0.13 if narrow else 0.5 * ROW)
            axes.vlines([0, 1], middle - ROW / 2, middle + ROW / 2, color=MUTED, linewidth=0.9, zorder=0)
            _draw_row(axes, row, middle, limits)
            say(edge, place - 0.5 if narrow else middle, label_of(row.name, LONGEST_ROW))
            say(edge if narrow else NAMES + LINES + 0.02, place - 0.33 if narrow else middle, _said(row), _colour(row))
    axes.set_yticks([])
    axes.set_ylim(place + 0.05, 0)
    axes.set_xlim(*limits)
    axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    tidy(axes, grid="")
    for mark, name in ((0, "never told"), (1, "told")):
        axes.text(
            mark, 1.0, name, transform=axes.get_xaxis_transform(), ha="center", va="bottom", color=INK, fontsize=9
        )
    axes.set_xlabel("residue: what is left of what telling adds", color=MUTED, fontsize=9)


def _draw_row(axes: Axes, row: _Row, height: float, limits: tuple[float, float]) -> None:
    """A point with its whiskers; an arrow where one leaves the axis, nothing where there is no residue."""
    drawn = scaled(row.point, 1.0)
    if drawn is None:
        return
    value, low, high = drawn
    colour = _colour(row)
    if low is not None and high is not None:
        ends = max(low, limits[0]), min(high, limits[1])
        axes.plot(ends, [height, height], color=colour, linewidth=1.6, solid_capstyle="butt")
        for is_cut, end, arrow in ((low < limits[0], ends[0], "<"), (high > limits[1], ends[1], ">")):
            if is_cut:
                axes.plot([end], [height], marker=arrow, markersize=4.5, color=colour, clip_on=False)
    if limits[0] <= value <= limits[1]:
        marker = "D" if row.is_to_be_kept else "o"
        axes.plot([value], [height], marker=marker, markersize=6, color=colour, zorder=3, clip_on=False)


def _groups(chart: Chart) -> Iterator[tuple[str, str, list[_Row]]]:
    """Of each series its heading, how its rows are read, and the rows."""
    for series in chart.series:
        rows = [
            _Row(name, point or Interval(None), word, bool(series.panel))
            for name, point, word in zip(chart.categories, series.points, series.words, strict=True)
            if word
        ]
        yield label_of(series.label, LONGEST_NAME), series.panel, rows


def _limits(chart: Chart) -> tuple[float, float]:
    """The axis over all intervals, from a little below never told to a little above told, `WIDEST` at most."""
    ends = [-0.12, 1.12]
    for series in chart.series:
        for point in series.points:
            drawn = scaled(point, 1.0)
            if drawn is not None:
                ends.extend(end for end in drawn if end is not None)
    return max(WIDEST[0], min(ends)), min(WIDEST[1], max(ends))


def _said(row: _Row) -> str:
    drawn = scaled(row.point, 1.0)
    return row.word if drawn is None else f"{drawn[0]:.2f}  {row.word}".replace("-", "\N{MINUS SIGN}", 1)


def _colour(row: _Row) -> str:
    return UP if row.word in _GOOD else DOWN if row.word in _BAD else MUTED
