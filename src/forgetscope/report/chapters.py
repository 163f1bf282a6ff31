"""One run's chapter as the template reads it: one screen that is open, and everything else folded under headings.

The screen has the answers, one chart and the warnings. What it says is not said again below: findings that stand there
already are left out of their sections, the chart out of its own, and the numbers of a chart where a table beside it
has them.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

import polars as pl

from forgetscope.benchmarks.base import RunData
from forgetscope.findings.figures import Browser, Chart, Finding, Gallery, Interval, Results, Section, Table
from forgetscope.findings.forest import forest_in
from forgetscope.report.accounting import OutcomeRow, account_rows, notable_facts, status_bar
from forgetscope.report.charts.draw import draw_chart
from forgetscope.report.charts.drawable import drawable
from forgetscope.report.methods import judge_words
from forgetscope.report.samples import embed_pictures, embed_samples
from forgetscope.report.summary import OWN_DATA, Summary, SummaryFigure
from forgetscope.report.tables import TableView, chart_table, view_table

Block = Finding | Chart | Table | Browser | Gallery

ACCOUNT = "outcomes"
"""The slug of a benchmark's section on what became of its samples."""


@dataclass(frozen=True)
class Chapter:
    """One run of one benchmark in a report; a joint report has several."""

    summary: Summary
    results: Results
    table: pl.DataFrame
    data: RunData = field(default_factory=RunData)


@dataclass(frozen=True)
class BlockView:
    """A block ready for the template: exactly the parts its kind has.

    Attributes:
        table: Of a chart its numbers; None where a table of its section has them all.
        svg: The drawing; empty where nothing is drawn, and `remark` says why.
        remark: Of a chart why it is not drawn, or what of it is not.
    """

    kind: Literal["finding", "chart", "table", "browser", "gallery"]
    id: str
    finding: Finding | None = None
    table: TableView | None = None
    chart: Chart | None = None
    svg: str = ""
    remark: str = ""
    data: str = ""
    gallery: Gallery | None = None
    is_folded: bool = False


@dataclass(frozen=True)
class SectionView:
    """A section with its anchor.

    Attributes:
        line: The first sentence of its introduction, which stands under the title while it is folded.
        intro: The rest.
        holds: In a few words what is in it.
    """

    id: str
    title: str
    line: str
    intro: str
    holds: str
    blocks: tuple[BlockView, ...]


@dataclass(frozen=True)
class MethodRow:
    """Figures of one name: how many there are and how they are made."""

    name: str
    count: int
    methods: str


@dataclass(frozen=True)
class ChapterView:
    """A chapter as the template reads it: `answers`, `opening` and `warnings` are its one screen.

    Attributes:
        account: The benchmark's own section on outcomes, which stands with the account of all samples.
    """

    id: str
    summary: Summary
    is_embedded: bool
    finished: str
    question: str
    answers: tuple[Finding, ...]
    opening: BlockView | None
    warnings: tuple[Finding, ...]
    outcomes: tuple[OutcomeRow, ...]
    outcome_bar: str
    notable: tuple[str, ...]
    account: SectionView | None
    sections: tuple[SectionView, ...]
    methods: tuple[MethodRow, ...]
    pictures: str
    judged_by: str


def view_chapter(chapter: Chapter, anchor: str, *, is_alone: bool = True) -> ChapterView:
    """The chapter's views.

    Args:
        chapter: What to show.
        anchor: Begins all ids in it.
        is_alone: Whether it is the whole report and opens with its forest; of several chapters the first page has it.
    """
    run, results = chapter.summary.run, chapter.results
    rows = account_rows(chapter.summary.outcomes)
    first = forest_in(results.sections)
    charts = [block for block in _charts(results.sections) if _opens(block)]
    opening = first if is_alone and first is not None else next((one for one in charts if one is not first), None)
    sections = tuple(_without_repeats(results, opening))
    views = tuple(
        _view_section(chapter, section, f"{anchor}-{name}")
        for section, name in zip(sections, _anchors(sections), strict=True)
    )
    account = next((view for view, section in zip(views, sections, strict=True) if section.slug == ACCOUNT), None)
    return ChapterView(
        id=anchor,
        summary=chapter.summary,
        is_embedded=run.data in OWN_DATA,
        finished=(run.finished or run.started).replace("T", " ").replace("+00:00", " UTC"),
        question=results.profile.question if results.profile else "",
        answers=tuple(entry for entry in results.headlines if entry.verdict != "warning"),
        opening=None if opening is None else view_chart(opening, f"{anchor}--chart", ()),
        warnings=tuple(entry for entry in results.headlines if entry.verdict == "warning"),
        outcomes=rows,
        outcome_bar=status_bar(rows, prefix=f"{anchor}--outcomes"),
        notable=notable_facts(chapter.table),
        account=account,
        sections=tuple(view for view in views if view is not account),
        methods=_methods(chapter.summary.figures),
        pictures=embed_pictures(results.pictures) if results.pictures else "",
        judged_by=judge_words(run.judge, results.figures),
    )


def _charts(sections: Iterable[Section]) -> Iterator[Chart]:
    return (block for section in sections for block in section.blocks if isinstance(block, Chart))


def _opens(chart: Chart) -> bool:
    return drawable(chart).chart is not None


def _without_repeats(results: Results, opening: Chart | None) -> Iterator[Section]:
    """The sections without what the first screen or an earlier section says already; none that is empty then."""
    said = {finding.text for finding in results.headlines}
    for section in results.sections:
        kept: list[Block] = []
        for block in section.blocks:
            if block is opening or (isinstance(block, Finding) and block.text in said):
                continue
            if isinstance(block, Finding):
                said.add(block.text)
            kept.append(block)
        if kept or not section.blocks:
            yield replace(section, blocks=tuple(kept))


def _anchors(sections: tuple[Section, ...]) -> list[str]:
    """A name for each section that is an id and no other section's."""
    names: list[str] = []
    for number, section in enumerate(sections, start=1):
        slug = re.sub(r"[^a-z0-9]+", "-", section.slug.lower()).strip("-")
        names.append(f"{number}-{slug}" if not slug or slug in names or slug.isdigit() else slug)
    return names


def _view_section(chapter: Chapter, section: Section, anchor: str) -> SectionView:
    tables = [block for block in section.blocks if isinstance(block, Table)]
    blocks = tuple(
        _view_block(chapter, block, f"{anchor}-{number}", tables) for number, block in enumerate(section.blocks)
    )
    line, _, rest = re.sub(r"(?<=[.?!])\s+(?=[A-Z])", "\n", section.intro, count=1).partition("\n")
    return SectionView(anchor, section.title, line, rest, _holds(blocks), blocks)


def _holds(blocks: Iterable[BlockView]) -> str:
    """How many charts and tables there are to see."""
    listed = list(blocks)
    charts = sum(bool(block.svg) for block in listed)
    tables = sum(block.kind == "table" or (block.kind == "chart" and not block.svg) for block in listed)
    words = ((charts, "chart"), (tables, "table"))
    return ", ".join(f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in words if count)


def _view_block(chapter: Chapter, block: Block, anchor: str, tables: list[Table]) -> BlockView:
    if isinstance(block, Finding):
        return BlockView("finding", anchor, finding=block)
    if isinstance(block, Table):
        return BlockView("table", anchor, table=view_table(block), is_folded=block.folded)
    if isinstance(block, Chart):
        return view_chart(block, anchor, tables)
    if isinstance(block, Gallery):
        return BlockView("gallery", anchor, gallery=block, is_folded=block.folded)
    run = chapter.summary.run
    facts = {
        "benchmark": run.benchmark,
        "model": run.model,
        "decoding": run.decoding,
        "max_tokens": run.settings.get("max_tokens"),
        "data": run.data,
        "data_sha256": run.data_sha256,
        "prompts_version": run.prompts_version,
        "forgetscope": run.forgetscope,
    }
    return BlockView("browser", anchor, data=embed_samples(chapter.table, block, facts))


def view_chart(chart: Chart, anchor: str, tables: Iterable[Table] = ()) -> BlockView:
    """The drawing of what can be drawn, and the numbers unless one of the tables has them all."""
    part = drawable(chart)
    svg = "" if part.chart is None else draw_chart(part.chart, prefix=anchor)
    if svg and part.chart is not None:
        svg += draw_chart(part.chart, prefix=f"{anchor}-narrow", narrow=True)
    left_out = f"Not drawn, of too few items: {', '.join(part.left_out)}." if part.left_out else ""
    numbers = None if _is_told(chart, tables) else chart_table(chart)
    return BlockView("chart", anchor, table=numbers, chart=chart, svg=svg, remark=part.why or left_out)


def _is_told(chart: Chart, tables: Iterable[Table]) -> bool:
    """Whether every number of the chart stands in a table, with its interval."""
    drawn = {_ends(point) for series in chart.series for point in (*series.points, *series.across) if point}
    return any(
        drawn <= {_ends(cell) for row in table.rows for cell in row.values() if isinstance(cell, Interval)}
        for table in tables
    )


def _ends(point: Interval) -> tuple[float | None, ...]:
    return point.value, point.low, point.high


def _methods(figures: tuple[SummaryFigure, ...]) -> tuple[MethodRow, ...]:
    """One row a figure name, in order of appearance."""
    names = dict.fromkeys(figure.name for figure in figures)
    return tuple(
        MethodRow(
            name,
            sum(figure.name == name for figure in figures),
            "; ".join(dict.fromkeys(figure.method for figure in figures if figure.name == name and figure.method)),
        )
        for name in names
    )
