"""A finished run's `summary.json` and `report.html`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import polars as pl

from forgetscope.benchmarks import GRIDS, every_benchmark, get_benchmark
from forgetscope.benchmarks.base import Benchmark, FigureFacts, RunData
from forgetscope.core.settings import Settings
from forgetscope.findings.beside_paper import PUBLISHED_SLUG, over_models_section, tables_over_models
from forgetscope.findings.figures import Finding, Results, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.io.files import require_apart, write_text
from forgetscope.io.tables import write_table
from forgetscope.report.chapters import ACCOUNT, Chapter
from forgetscope.report.page import render_page
from forgetscope.report.plain_tables import write_paper_tables
from forgetscope.report.summary import OWN_DATA, SUMMARY_NAME, SummaryFacts, make_summary, summary_of
from forgetscope.report.wording import visible
from forgetscope.running.finished import TABLE_NAME, FinishedRun
from forgetscope.running.manifest import Manifest, settings_of_run

REPORT_NAME = "report.html"


@dataclass(frozen=True)
class WrittenReport:
    """Where a report lies, and what a terminal says of it.

    Attributes:
        summary_json: The text of `summary.json`.
        headlines: The headlines as plain lines.
        benchmark: Of the run.
        samples, planned: Samples there are, and samples there should be.
    """

    html: Path
    summary: Path
    summary_json: str
    headlines: tuple[str, ...]
    benchmark: str
    samples: int
    planned: int


@dataclass(frozen=True)
class TableRun:
    """A sample table that no Inspect run made, with its results.

    Attributes:
        folder: Of the run.
        facts: What was run.
        table: One row a sample, with the columns of `CORE_SCHEMA`.
        results: Of the benchmark, from this table.
        data: What its samples were made from.
    """

    folder: Path
    facts: SummaryFacts
    table: pl.DataFrame
    results: Results
    data: RunData = field(default_factory=RunData)

    @property
    def is_complete(self) -> bool:
        """Whether all of it is there."""
        return self.facts.status == "complete"


def write_report(finished: FinishedRun, *, out: Path | None = None, published: bool = False) -> WrittenReport:
    """Compute a run's figures and write `summary.json` into its folder and `report.html` beside it, or to `out`.

    Args:
        finished: The run.
        out: Where the page goes; a folder gets `report.html` in it.
        published: Set the run beside the paper's models.

    Raises:
        RunFolderError: a file cannot be written.
        SettingError: `out` is a file of a run.
    """
    if out is not None:
        require_apart(out, is_page=True)
    chapter = chapter_of(finished, published=published)
    if finished.manifest.reproduces:
        index = FigureIndex(chapter.results.figures)
        tables = paper_tables(finished.manifest.benchmark, {finished.manifest.model.name: index})
        write_paper_tables(tables, finished.folder / PAPER_TABLES)
    return _write(chapter, finished.folder, out)


def write_joint_report(
    runs: Sequence[FinishedRun | TableRun], out: Path, *, published: bool = False
) -> tuple[Path, tuple[WrittenReport, ...]]:
    """Several runs on one page, a chapter each; every run also gets its own `summary.json` and page.

    Args:
        runs: In the order of their chapters.
        out: Where the page goes; a folder gets `report.html` in it.
        published: Set each run beside its paper's models.

    Raises:
        RunFolderError: a file cannot be written.
    """
    page = _page_path(out, out)
    require_apart(page, is_page=True)
    chapters = []
    written = []
    for run in runs:
        if isinstance(run, TableRun):
            write_table(run.table, run.folder / TABLE_NAME)
        chapters.append(chapter_of(run, published=published))
        written.append(_write(chapters[-1], run.folder, None))
    together = [_over_models(runs, chapters, place, page.parent, published) for place in range(len(runs))]
    write_text(page, render_page(tuple(together)))
    return page, tuple(written)


def _over_models(
    runs: Sequence[FinishedRun | TableRun], chapters: Sequence[Chapter], place: int, folder: Path, published: bool
) -> Chapter:
    """A chapter; the first of its benchmark begins with its paper's tables, where the runs stand in them together."""
    benchmark = chapters[place].summary.run.benchmark
    same = [other for other, chapter in enumerate(chapters) if chapter.summary.run.benchmark == benchmark]
    wanted = (
        published or benchmark in GRIDS or any(isinstance(run, FinishedRun) and run.manifest.reproduces for run in runs)
    )
    if place != same[0] or len(same) < 2 or not wanted:
        return chapters[place]
    named = _named([(chapters[other].summary.run.model, runs[other].folder.name) for other in same])
    indexes = {name: FigureIndex(chapters[other].results.figures) for name, other in zip(named, same, strict=True)}
    tables = paper_tables(benchmark, indexes)
    if not tables:
        return chapters[place]
    paper = every_benchmark()[benchmark].paper if benchmark not in GRIDS else None
    further = () if paper is None else tuple(paper.over_models(indexes))
    write_paper_tables(
        [*tables, *(one for one in further if isinstance(one, Table))], folder / PAPER_TABLES / benchmark
    )
    results = chapters[place].results
    section = over_models_section([*tables, *further])
    return replace(chapters[place], results=replace(results, sections=(section, *results.sections)))


def _named(runs: Sequence[tuple[str, str]]) -> list[str]:
    """Models by their names; where two runs are of one model, also by their folders."""
    models = [model for model, _ in runs]
    return [model if models.count(model) == 1 else f"{model} ({folder})" for model, folder in runs]


PAPER_TABLES = "paper-tables"
"""The folder beside a page that holds its paper's tables as CSV and LaTeX."""


def paper_tables(benchmark: str, runs: Mapping[str, FigureIndex]) -> tuple[Table, ...]:
    """A paper's tables with these runs, by their names, before its own models; none where the benchmark has none."""
    if benchmark in GRIDS:
        return GRIDS[benchmark].paper_tables(runs)
    paper = every_benchmark()[benchmark].paper
    return () if paper is None else tables_over_models(paper.tables(), runs)


def write_table_report(run: TableRun, *, out: Path | None = None) -> WrittenReport:
    """`samples.parquet`, `summary.json` and `report.html` of a sample table that no Inspect run made; where it stands
    beside its paper, also the paper's tables.

    Args:
        run: With its results.
        out: Where the page goes; a folder gets `report.html` in it.

    Raises:
        RunFolderError: a file cannot be written.
    """
    if out is not None:
        require_apart(out, is_page=True)
    write_table(run.table, run.folder / TABLE_NAME)
    chapter = chapter_of(run)
    if any(section.slug == PUBLISHED_SLUG for section in run.results.sections):
        index = FigureIndex(run.results.figures)
        write_paper_tables(paper_tables(run.facts.benchmark, {run.facts.model: index}), run.folder / PAPER_TABLES)
    return _write(chapter, run.folder, out)


def _write(chapter: Chapter, folder: Path, out: Path | None) -> WrittenReport:
    """One run's summary and page."""
    summary_path, text = folder / SUMMARY_NAME, chapter.summary.as_json()
    write_text(summary_path, text)
    html = _page_path(folder, out)
    write_text(html, render_page((chapter,)))
    facts = chapter.summary.run
    return WrittenReport(html, summary_path, text, _lines(chapter), facts.benchmark, facts.samples, facts.planned)


def chapter_of(run: FinishedRun | TableRun, *, published: bool = False) -> Chapter:
    """A run's chapter: its facts, every figure, section and headline, its samples. What is missing is said first.

    Args:
        run: An Inspect run, or a table with its results.
        published: Set an Inspect run beside the paper's models.
    """
    if isinstance(run, TableRun):
        summary = summary_of(run.facts, run.table, run.results.figures, run.results.headlines)
        return Chapter(summary, run.results, run.table, run.data)
    return _inspect_chapter(run, published=published)


def _inspect_chapter(finished: FinishedRun, *, published: bool) -> Chapter:
    benchmark = get_benchmark(finished.manifest.benchmark)
    manifest = finished.manifest
    settings = settings_of_run(benchmark, manifest)
    facts = FigureFacts(
        settings=settings,
        planned=manifest.planned,
        completeness_floor=manifest.limits.completeness_floor,
        published=published or bool(manifest.reproduces),
        decoding=manifest.model.decoding,
        data_sha256=manifest.data_sha256,
    )
    with benchmark.counting(manifest.unreadable):
        results = benchmark.results(finished.table, facts)
    sections = results.sections
    if manifest.reproduces:
        sections = tuple(sorted(sections, key=lambda section: section.slug not in (ACCOUNT, PUBLISHED_SLUG)))
    results = replace(results, sections=sections)
    if not any(figure.name == "outcomes.missing" and figure.value for figure in results.figures):
        results = replace(results, headlines=(*missing_samples(finished), *results.headlines))
    summary = make_summary(finished, benchmark.title, results.figures, results.headlines)
    return Chapter(summary, results, finished.table, _data(benchmark, manifest, settings))


def _data(benchmark: Benchmark, manifest: Manifest, settings: Settings) -> RunData:
    """Where the samples are from; a folder of the user's has the name of no data set, whatever it is called."""
    source = str(manifest.settings.get("data", ""))
    source = source if source in {*OWN_DATA, "official"} else ""
    stated = {f"{entry['role']}: {entry['licence']}" for entry in manifest.data if entry.get("licence")}
    licences = tuple(sorted(stated)) or tuple(filter(None, [benchmark.licence_of(source)]))
    return RunData(source, licences, partial(benchmark.made_items, settings) if benchmark.made_items else None)


def _lines(chapter: Chapter) -> tuple[str, ...]:
    return tuple(plain_line(finding) for finding in chapter.results.headlines)


def missing_samples(finished: FinishedRun) -> tuple[Finding, ...]:
    """The warning that belongs above everything else where planned samples are not in the logs.

    Of a benchmark without a figure of its outcomes, which else warns of them itself.
    """
    planned, present = finished.manifest.planned_samples, finished.table.height
    if present >= planned:
        return ()
    return (
        Finding(
            f"Only {present:,} of {planned:,} planned samples are in the logs; every figure is of these alone. "
            "'forgetscope resume' adds the others.",
            "warning",
        ),
    )


def plain_line(finding: Finding) -> str:
    """A finding as a line for a terminal: its sentence says how sure it is; what cannot be seen is spelled out."""
    mark = "Warning: " if finding.verdict == "warning" else ""
    return mark + " ".join(visible(finding.text).split())


def _page_path(folder: Path, out: Path | None) -> Path:
    if out is None:
        return folder / REPORT_NAME
    return out / REPORT_NAME if out.is_dir() else out
