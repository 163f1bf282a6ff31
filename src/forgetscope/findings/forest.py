"""The forest of residues, which opens a report: a row each, from never told (0) to told (1), with its word."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import starmap

from forgetscope.findings.figures import Chart, Figure, Interval, Section, Series

TITLE = "How much is still there, against a model that was never told"
SHOULD_STAY = "(should stay)"
AS_IT_SHOULD = "still there, as it should be"
TO_BE_KEPT = "to be kept: 1 is good"
"""How rows are read that should stay as they were; all others should go to 0."""

_READ = (
    "Residue: 0 is a model that was never told, 1 one that was told and asked nothing; between them is what is left "
    "afterwards, with its 95% interval."
)


def forest(
    figures: Sequence[Figure], names: Sequence[str], *, is_to_be_kept: bool = False, heading: str = ""
) -> Chart | None:
    """A row for each residue, in their order; None without any.

    Args:
        figures: Of the name `residue`, with their words.
        names: Of the rows; one that ends with `SHOULD_STAY` is no finding where it is still there.
        is_to_be_kept: Whether 1 is the aim.
        heading: Over the rows; empty where the page has said whose they are.
    """
    if not figures:
        return None
    points = tuple(Interval.of(replace(entry, note="")) for entry in figures)
    words = tuple(starmap(_word, zip(figures, names, strict=True)))
    return _chart(tuple(names), (Series(heading, points, panel=TO_BE_KEPT if is_to_be_kept else "", words=words),))


def joined(forests: Iterable[tuple[str, Chart]]) -> Chart | None:
    """Several forests as one, the rows of each under a heading; None without any."""
    parts = list(forests)
    names = tuple(name for _, chart in parts for name in chart.categories)
    rows, before = [], 0
    for heading, chart in parts:
        after = len(names) - before - len(chart.categories)
        for series in chart.series:
            points = (*[None] * before, *series.points, *[None] * after)
            words = (*[""] * before, *series.words, *[""] * after)
            rows.append(replace(series, label=heading, points=points, words=words))
        before += len(chart.categories)
    return _chart(names, tuple(rows)) if rows else None


def forest_in(sections: Iterable[Section]) -> Chart | None:
    """The first forest of these sections; None where they have none."""
    blocks = (block for section in sections for block in section.blocks)
    return next((block for block in blocks if isinstance(block, Chart) and block.kind == "forest"), None)


def _word(entry: Figure, name: str) -> str:
    """What a residue is called, and where nothing can be said, how many items it would take."""
    if name.endswith(SHOULD_STAY) and entry.verdict == "still there":
        return AS_IT_SHOULD
    needs = entry.note.rpartition("(")[2].rstrip(")") if entry.note.startswith("too few items") else ""
    return f"{entry.verdict}, {needs} items in all" if needs else entry.verdict


def _chart(names: tuple[str, ...], rows: tuple[Series, ...]) -> Chart:
    said = "; ".join(
        f"{': '.join(filter(None, (series.label, name)))} {_said(point, word)}"
        + (f" ({series.panel})" if series.panel else "")
        for series in rows
        for name, point, word in zip(names, series.points, series.words, strict=True)
        if word
    )
    return Chart("forest", TITLE, names, rows, summary=f"{_READ} {said}.", unit="ratio", slug="forest")


def _said(point: Interval | None, word: str) -> str:
    if point is None or point.value is None:
        return word
    ends = "" if point.low is None or point.high is None else f" [{point.low:.2f}, {point.high:.2f}]"
    return f"{point.value:.2f}{ends}, {word}"
