"""Runs beside a paper's models, in words and one table a printed table."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from forgetscope.comparison.published import PaperRow
from forgetscope.findings.beside_paper import PUBLISHED_SLUG
from forgetscope.findings.figures import Finding, Interval, Results, Section, Table
from forgetscope.findings.phrasing import counted
from forgetscope.findings.tables import Given, Kind, given, listing


def paper_sections(labels: Sequence[str], results: Sequence[Results], rows: Sequence[PaperRow]) -> tuple[Section, ...]:
    """The joint tables with every caveat first, then each run's own section with its tables folded.

    Args:
        labels: Of the runs.
        results: Of each run, with its paper beside it.
        rows: Printed figures that some run has.
    """
    own = [next((section for section in each.sections if section.slug == PUBLISHED_SLUG), None) for each in results]
    joint = (_joint_section(labels, own, rows),) if rows else ()
    return (*joint, *(_folded(label, section) for label, section in zip(labels, own, strict=True) if section))


def paper_findings(labels: Sequence[str], rows: Sequence[PaperRow]) -> tuple[Finding, ...]:
    """For each run, how many printed values its intervals hold, and that this is no test of equality."""
    found = []
    for run, label in enumerate(labels):
        places = [beside.place(run) for row in rows for beside in row.models]
        placed = [place for place in places if place in ("inside", "below", "above")]
        if placed:
            inside = placed.count("inside")
            found.append(
                Finding(
                    f"{label} beside the paper: {inside} of {counted(len(placed), 'printed figure')} lie inside "
                    f"the run's 95% intervals, {placed.count('above')} above and {placed.count('below')} below. "
                    "Data, prompts and decoding differ as said below, so a figure inside is compatible, not confirmed."
                )
            )
    return tuple(found)


def _joint_section(labels: Sequence[str], own: Sequence[Section | None], rows: Sequence[PaperRow]) -> Section:
    caveats: dict[str, list[str]] = {}
    for label, section in zip(labels, own, strict=True):
        for block in section.blocks if section else ():
            if isinstance(block, Finding):
                caveats.setdefault(block.text, []).append(label)
    said = tuple(
        Finding(text if len(of) == len(labels) else f"{' and '.join(of)}: {text}", "warning")
        for text, of in caveats.items()
    )
    tables = [
        _paper_table(labels, source, name, list(group))
        for (source, name), group in groupby(rows, key=lambda row: (row.source, row.name))
    ]
    return Section(
        "Beside the paper",
        (*said, *tables),
        intro="The paper's figures are as printed. In square brackets are the intervals of the runs; an arrow at a "
        "printed figure says that it lies above or below the interval of every run that has the figure.",
        slug="beside-the-paper",
    )


def _paper_table(labels: Sequence[str], source: str, name: str, rows: Sequence[PaperRow]) -> Table:
    kind: Kind = "points" if rows[0].models[0].printed.unit == "points" else "percent"
    factors = list(dict.fromkeys(key for row in rows for key in row.factors))
    telling = [key for key in factors if len({str(row.factors.get(key)) for row in rows}) > 1] or factors[:1]
    models = list(dict.fromkeys(beside.printed.model for row in rows for beside in row.models))

    def factor(key: str) -> Given[PaperRow]:
        words = key.replace("_", " ").capitalize()
        return given(words, lambda row: str(row.factors.get(key, "")).replace("_", " "))

    def of_run(run: int) -> Given[PaperRow]:
        def cell(row: PaperRow) -> Interval | None:
            found = row.models[0].runs[run]
            return None if found is None else replace(Interval.of(found), note="")

        return given(labels[run], cell, kind)

    def of_model(model: str) -> Given[PaperRow]:
        def cell(row: PaperRow) -> Interval | None:
            beside = next((one for one in row.models if one.printed.model == model), None)
            if beside is None:
                return None
            places = {place for run in range(len(labels)) if (place := beside.place(run)) is not None}
            mark = places.pop() if len(places) == 1 else ""
            note = f"{mark} the interval" if mark in ("above", "below") else ""
            return Interval(beside.printed.value, note=note)

        return given(model, cell, kind)

    columns = [*map(factor, telling), *map(of_run, range(len(labels))), *map(of_model, models)]
    return listing(f"{source} beside the runs: {name}", rows, columns, slug=f"paper-{source}-{name}")


def _folded(label: str, section: Section) -> Section:
    tables = tuple(replace(block, folded=True) if isinstance(block, Table) else block for block in section.blocks)
    without = tuple(block for block in tables if not isinstance(block, Finding))
    return Section(f"{label}: the paper's tables in full", without, section.intro, slug=f"paper-{label}")
