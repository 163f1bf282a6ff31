"""`report.html`: one file, no network, nothing a reply says is ever markup.

What a benchmark hands over becomes plain views here; the template writes them with autoescape on. Style and script
stand in the page and are allowed by their hash alone (Content-Security-Policy), so injected markup could do nothing.
"""

import base64
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

import polars as pl
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from forgetscope.findings.figures import Browser, Chart, Finding, Gallery, Results, Section, Table
from forgetscope.report.accounting import OutcomeRow, account_rows, notable_facts, status_bar
from forgetscope.report.charts.draw import draw_chart
from forgetscope.report.methods import judge_words, view_methods
from forgetscope.report.overview import Overview, OverviewRun, view_overview
from forgetscope.report.samples import embed_pictures, embed_samples
from forgetscope.report.summary import Summary, SummaryFigure
from forgetscope.report.tables import TableView, chart_table, view_table
from forgetscope.report.wording import setting_words, visible

SCRIPTS = ("elements.js", "tables.js", "store.js", "pictures.js", "reading.js", "browser.js")
"""In this order: what a later one uses, an earlier one defines."""


@dataclass(frozen=True)
class Chapter:
    """One run of one benchmark in a report; a joint report has several."""

    summary: Summary
    results: Results
    table: pl.DataFrame


@dataclass(frozen=True)
class BlockView:
    """A block ready for the template: exactly the parts its kind has."""

    kind: Literal["finding", "chart", "table", "browser", "gallery"]
    id: str
    finding: Finding | None = None
    table: TableView | None = None
    chart: Chart | None = None
    svg: str = ""
    data: str = ""
    gallery: Gallery | None = None
    is_folded: bool = False


@dataclass(frozen=True)
class SectionView:
    """A section with its anchor."""

    id: str
    title: str
    intro: str
    blocks: tuple[BlockView, ...]


@dataclass(frozen=True)
class MethodRow:
    """Figures of one name: how many there are and how they are made."""

    name: str
    count: int
    methods: str


@dataclass(frozen=True)
class ChapterView:
    """A chapter as the template reads it."""

    id: str
    summary: Summary
    is_embedded: bool
    finished: str
    headlines: tuple[Finding, ...]
    outcomes: tuple[OutcomeRow, ...]
    outcome_bar: str
    notable: tuple[str, ...]
    sections: tuple[SectionView, ...]
    methods: tuple[MethodRow, ...]
    pictures: str
    judged_by: str


def render_page(chapters: tuple[Chapter, ...]) -> str:
    """The whole page.

    Raises:
        ValueError: no chapter.
    """
    if not chapters:
        raise ValueError("a report has at least one run")
    views = tuple(_view_chapter(chapter, f"c{number}") for number, chapter in enumerate(chapters, start=1))
    style, script = _part("report.css"), _script()
    runs = [chapter.summary.run for chapter in chapters]
    return (
        _environment()
        .get_template("report.html")
        .render(
            chapters=views,
            first_page=_first_page(chapters, views) if len(chapters) > 1 else None,
            several_models=len({run.model for run in runs}) > 1,
            methods=view_methods(runs),
            repeated_titles=len({run.title for run in runs}) < len(runs),
            style=Markup(style),  # noqa: S704
            script=Markup(script),  # noqa: S704
            policy=content_policy(style, script),
        )
    )


def _first_page(chapters: tuple[Chapter, ...], views: tuple[ChapterView, ...]) -> Overview:
    return view_overview(
        [OverviewRun(view.id, chapter.summary, chapter.results) for chapter, view in zip(chapters, views, strict=True)]
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("forgetscope.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["visible"] = visible
    environment.filters["setting"] = setting_words
    environment.filters["broken"] = _broken
    environment.filters["trusted"] = Markup
    return environment


def _broken(name: str) -> Markup:
    """A model's name that may break behind its slashes rather than within a word."""
    return Markup("/<wbr>").join(visible(name).split("/"))


@cache
def _part(name: str) -> str:
    """Style or script as it will stand between its tags; the hash is over exactly this."""
    return (files("forgetscope.report") / "templates" / name).read_text(encoding="utf-8").replace("\r\n", "\n")


@cache
def _script() -> str:
    """All scripts as one, with a scope of their own."""
    return '"use strict";\n(() => {\n' + "\n".join(_part(name) for name in SCRIPTS) + "})();\n"


def content_policy(style: str, script: str) -> str:
    """Nothing may load, and only our own style and script may act."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_hash(style)}'",
            f"script-src '{_hash(script)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _view_chapter(chapter: Chapter, anchor: str) -> ChapterView:
    run = chapter.summary.run
    rows = account_rows(chapter.summary.outcomes)
    return ChapterView(
        id=anchor,
        summary=chapter.summary,
        is_embedded=run.data == "embedded",
        finished=(run.finished or run.started).replace("T", " ").replace("+00:00", " UTC"),
        headlines=chapter.results.headlines,
        outcomes=rows,
        outcome_bar=status_bar(rows, prefix=f"{anchor}--outcomes"),
        notable=notable_facts(chapter.table),
        sections=tuple(
            _view_section(chapter, section, f"{anchor}-{name}")
            for section, name in zip(chapter.results.sections, _anchors(chapter.results.sections), strict=True)
        ),
        methods=_methods(chapter.summary.figures),
        pictures=embed_pictures(chapter.results.pictures) if chapter.results.pictures else "",
        judged_by=judge_words(run.judge, chapter.results.figures),
    )


def _anchors(sections: tuple[Section, ...]) -> list[str]:
    """A name for each section that is an id and no other section's."""
    names: list[str] = []
    for number, section in enumerate(sections, start=1):
        slug = re.sub(r"[^a-z0-9]+", "-", section.slug.lower()).strip("-")
        names.append(f"{number}-{slug}" if not slug or slug in names or slug.isdigit() else slug)
    return names


def _view_section(chapter: Chapter, section: Section, anchor: str) -> SectionView:
    blocks = tuple(_view_block(chapter, block, f"{anchor}-{number}") for number, block in enumerate(section.blocks))
    return SectionView(anchor, section.title, section.intro, blocks)


def _view_block(chapter: Chapter, block: Finding | Chart | Table | Browser | Gallery, anchor: str) -> BlockView:
    if isinstance(block, Finding):
        return BlockView("finding", anchor, finding=block)
    if isinstance(block, Table):
        return BlockView("table", anchor, table=view_table(block), is_folded=block.folded)
    if isinstance(block, Chart):
        return BlockView("chart", anchor, table=chart_table(block), chart=block, svg=draw_chart(block, prefix=anchor))
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
