"""What of a chart is drawn: no group of a few items, no axis without a number on it, no picture of zeros."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from forgetscope.findings.figures import Chart, Interval, Series
from forgetscope.findings.verdicts import FEWEST_ITEMS
from forgetscope.report.wording import finite


@dataclass(frozen=True)
class Drawable:
    """The part of a chart that is drawn.

    Attributes:
        chart: What is left; None where that is no picture.
        left_out: Categories and series that stand in the table alone, each once.
        why: Why nothing is drawn; empty where something is.
    """

    chart: Chart | None
    left_out: tuple[str, ...] = ()
    why: str = ""


def drawable(chart: Chart) -> Drawable:
    """The chart without values of fewer than `FEWEST_ITEMS` units, and without what is empty then.

    A forest is drawn whole: its rows have words where they have no number, and its intervals say how few items are.
    """
    if chart.kind == "forest":
        return Drawable(chart if chart.categories else None, why="" if chart.categories else "There is no residue.")
    if not any(_has_value(point) for series in chart.series for point in series.points):
        return Drawable(None, why="There is no number to draw.")
    kept = [_only_large(series) for series in chart.series]
    values = [point.value for series in kept for point in series.points if point is not None and _has_value(point)]
    few = sum(map(_values, chart.series)) - len(values)
    if len(values) < 2:
        why = f"Not drawn: groups of fewer than {FEWEST_ITEMS} items." if few else "Not drawn: it is one number."
        return Drawable(None, why=why)
    if not any(values):
        return Drawable(None, why="Not drawn: every value is zero.")
    places = [
        place
        for place, _ in enumerate(chart.categories)
        if chart.kind in ("radar", "plane") or any(_has_value(series.points[place]) for series in kept)
    ]
    drawn = [_at(series, places) for series in kept if _values(series)]
    names = [name for place, name in enumerate(chart.categories) if place not in places]
    names += [whole.label for whole, part in zip(chart.series, kept, strict=True) if _values(part) < _values(whole)]
    left_out = tuple(dict.fromkeys(names)) if few else ()
    categories = tuple(chart.categories[place] for place in places)
    return Drawable(replace(chart, categories=categories, series=tuple(drawn)), left_out)


def _has_value(point: Interval | None) -> bool:
    return point is not None and finite(point.value) is not None


def _values(series: Series) -> int:
    return sum(map(_has_value, series.points))


def _is_large(point: Interval | None) -> bool:
    return point is not None and (point.n is None or point.n >= FEWEST_ITEMS)


def _only_large(series: Series) -> Series:
    """The series without values of few units; in a plane both places of a point have to rest on enough."""
    pairs: Sequence[tuple[Interval | None, Interval | None]] = list(
        zip(series.points, series.across or series.points, strict=True)
    )
    large = [_is_large(up) and _is_large(over) for up, over in pairs]
    points = tuple(up if is_large else None for (up, _), is_large in zip(pairs, large, strict=True))
    across = tuple(over if is_large else None for (_, over), is_large in zip(pairs, large, strict=True))
    return replace(series, points=points, across=across if series.across else ())


def _at(series: Series, places: Sequence[int]) -> Series:
    across = tuple(series.across[place] for place in places) if series.across else ()
    return replace(series, points=tuple(series.points[place] for place in places), across=across)
