"""Forests: residues with their intervals between two marks, never told and told, a row each, its word beside it."""

from collections.abc import Iterator
from dataclasses import dataclass

from matplotlib.axes import Axes

from forgetscope.findings.figures import Chart, Interval, Series
from forgetscope.report.charts.axes import label_of, scaled, tidy
from forgetscope.report.charts.svg import DOWN, GRID, INK, MUTED, UP

WIDEST = (-0.5, 1.5)
"""Ends of the axis at most: an interval that goes on is drawn with an arrow."""

ROW, NARROW_ROW, HEADING, ROOM = 0.3, 0.62, 0.36, 0.85
"""Inches of a row, of one on a phone, where name and word stand over the line, of a heading, and of the axis."""

LONGEST_ROW = 46
"""Characters of a row's name."""

_GOOD = frozenset({"as if never told", "kept"})
_BAD = frozenset({"still there", "partly lost", "lost", "avoided", "broken"})


@dataclass(frozen=True)
class _Row:
    name: str
    point: Interval
    word: str
    is_to_be_kept: bool


def forest_height(chart: Chart, *, narrow: bool) -> float:
    """Inches of the drawing."""
    rows = sum(len(part) for _, part in _groups(chart))
    return ROOM + (NARROW_ROW if narrow else ROW) * rows + HEADING * len(_headings(chart))


def draw_forest(axes: Axes, chart: Chart, *, narrow: bool) -> None:
    """Fill the axes from the top: under each heading its rows."""
    low, high = _limits(chart)
    step = NARROW_ROW if narrow else ROW
    place, ticks, names = 0.0, [], []
    for heading, rows in _groups(chart):
        if heading:
            place += HEADING
            _say(axes, 0, place - HEADING * 0.25, heading, narrow=narrow, weight="bold")
        for row in rows:
            place += step
            middle = place - step * (0.22 if narrow else 0.5)
            _draw_row(axes, row, middle, (low, high))
            if narrow:
                _say(axes, 0, place - step * 0.78, label_of(row.name, LONGEST_ROW), narrow=True)
                _say(axes, 0, place - step * 0.5, _said(row), narrow=True, color=_colour(row))
            else:
                ticks.append(middle)
                names.append(label_of(row.name, LONGEST_ROW))
                axes.text(
                    1.02, middle, _said(row), transform=axes.get_yaxis_transform(), va="center", color=_colour(row)
                )
    axes.set_yticks(ticks, names)
    axes.set_ylim(place + 0.08, -0.05)
    axes.set_xlim(low, high)
    axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    tidy(axes, grid="")
    axes.tick_params(axis="y", colors=INK)
    for mark, name in ((0, "never told"), (1, "told")):
        axes.axvline(mark, color=MUTED, linewidth=0.9, zorder=0)
        axes.text(mark, 1.01, name, transform=axes.get_xaxis_transform(), ha="center", va="bottom", color=INK)
    axes.axvline(0.5, color=GRID, linewidth=0.8, zorder=0)
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


def _say(
    axes: Axes, across: float, height: float, text: str, *, narrow: bool, color: str = INK, weight: str = "normal"
) -> None:
    """Text at the left end of the axis, or for a heading of the wide drawing at that of the names."""
    left = across if narrow else -0.02
    side = "left" if narrow else "right"
    axes.text(
        left, height, text, transform=axes.get_yaxis_transform(), ha=side, va="center", color=color, weight=weight
    )


def _groups(chart: Chart) -> Iterator[tuple[str, list[_Row]]]:
    for series in chart.series:
        rows = [
            _Row(name, point or Interval(None), word, bool(series.panel))
            for name, point, word in zip(chart.categories, series.points, series.words, strict=True)
            if word
        ]
        yield _heading(series), rows


def _heading(series: Series) -> str:
    return label_of(", ".join(filter(None, (series.label, series.panel))), 90)


def _headings(chart: Chart) -> list[str]:
    return [name for name in map(_heading, chart.series) if name]


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
