"""A comparison as files: a page like a report's, `comparison.json` and `comparison.csv`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl
from pydantic import BaseModel, ConfigDict

from forgetscope.comparison.changes import joint_table
from forgetscope.comparison.compare import RUNS_ACROSS, Comparison, compare
from forgetscope.comparison.design import ComparisonDesign
from forgetscope.comparison.findings import headline_findings
from forgetscope.comparison.numbers import comparison_figures
from forgetscope.comparison.paper_sections import paper_findings, paper_sections
from forgetscope.comparison.published import beside_paper
from forgetscope.comparison.runs import ComparedRun, labelled
from forgetscope.comparison.sections import comparison_sections
from forgetscope.core.errors import RunFolderError, SettingError
from forgetscope.findings.figure_table import figure_table
from forgetscope.findings.figures import Browser, Figure, Finding, Interval, Results, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.tables import Given, given, listing
from forgetscope.io.files import make_folder, real_path, write_text
from forgetscope.io.received import read_form
from forgetscope.io.spreadsheets import csv_text
from forgetscope.report.chapters import Chapter
from forgetscope.report.page import render_page
from forgetscope.report.summary import SummaryFacts, SummaryFigure, SummaryFinding, stored_figure, summary_of
from forgetscope.report.write import TableRun, chapter_of
from forgetscope.running.finished import FinishedRun
from forgetscope.running.manifest import now

COMPARISON_VERSION: Literal["1"] = "1"
PAGE_NAME, JSON_NAME, CSV_NAME = "comparison.html", "comparison.json", "comparison.csv"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class StoredRun(_Part):
    """One of the runs."""

    label: str
    folder: str
    model: str
    decoding: str
    judge: str
    samples: int
    planned: int


class StoredMismatch(_Part):
    """Something that is not the same in all runs, with its value in each."""

    what: str
    values: tuple[str, ...]


class StoredChange(_Part):
    """A sample that was right in one of two runs only."""

    outcome: str
    first: str
    second: str
    sample: str
    change: Literal["lost", "gained"]


class StoredComparison(_Part):
    """The content of `comparison.json`."""

    schema_version: Literal["1"] = COMPARISON_VERSION
    benchmark: str
    data: str
    data_sha256: str
    prompts_version: str
    runs: tuple[StoredRun, ...]
    matched_samples: int
    mismatches: tuple[StoredMismatch, ...]
    headlines: tuple[SummaryFinding, ...]
    figures: tuple[SummaryFigure, ...]
    changed: tuple[StoredChange, ...]


@dataclass(frozen=True)
class WrittenComparison:
    """A comparison and where it lies; `tables` are what a terminal shows."""

    html: Path
    stored: StoredComparison
    headlines: tuple[Finding, ...]
    tables: tuple[Table, ...]


def write_comparison(
    sources: Sequence[FinishedRun | TableRun], design: ComparisonDesign, out: Path, *, published: bool = False
) -> WrittenComparison:
    """Compare runs and write page, JSON and CSV into the folder `out`.

    Args:
        sources: Two or more; one is enough with `published`.
        design: Of their benchmark.
        out: Made where it is not there.
        published: Set the runs beside the paper's models; a `TableRun` has to be made with them.

    Raises:
        SettingError: the runs cannot be paired.
        RunFolderError: a file cannot be written.
    """
    if len(sources) < 2 and not published:
        raise SettingError(
            "a comparison takes two runs or more",
            where="compare",
            found=f"{len(sources)} run",
            next_step="name another run folder, or add --published to set this one beside the paper's models",
        )
    chapters = [chapter_of(source, published=published) for source in sources]
    facts = [chapter.summary.run for chapter in chapters]
    runs = labelled([_compared(source.folder, each, source.table) for source, each in zip(sources, facts, strict=True)])
    found = compare(design, runs) if len(runs) > 1 else None
    results = [chapter.results for chapter in chapters]
    indexes = [FigureIndex(each.figures) for each in results]
    sections: list[Section] = list(comparison_sections(found, _browser(results))) if found else []
    headlines = list(headline_findings(found)) if found else []
    figures = list(comparison_figures(found)) if found else []
    extra: list[Section] = []
    if found and design.across is not None and len(runs) >= RUNS_ACROSS:
        over_runs = tuple(design.across(dict(zip(found.labels, indexes, strict=True))))
        figures.extend(over_runs)
        extra.append(_across_section(over_runs))
    if published:
        rows = beside_paper(design.printed() if design.printed else (), indexes)
        labels = [run.label for run in runs]
        extra.extend(paper_sections(labels, results, rows))
        headlines.extend(paper_findings(labels, rows))
    at = len(sections) - 1 if found and _browser(results) else len(sections)
    joint = Results(tuple(figures), (*sections[:at], *extra, *sections[at:]), tuple(headlines))
    return _write(runs, facts, found, joint, out)


def _compared(folder: Path, facts: SummaryFacts, table: pl.DataFrame) -> ComparedRun:
    return ComparedRun(
        label="",
        folder=real_path(folder).name,
        benchmark=facts.benchmark,
        model=facts.model,
        decoding=facts.decoding,
        judge=facts.judge,
        data=facts.data,
        data_sha256=facts.data_sha256,
        prompts_version=facts.prompts_version,
        plan_sha256=facts.plan_sha256,
        settings=facts.settings,
        forgetscope=facts.forgetscope,
        completeness=facts.completeness,
        planned=facts.planned,
        table=table,
    )


def _browser(results: Sequence[Results]) -> Browser | None:
    """The benchmark's own way of reading its samples."""
    blocks = (block for section in results[0].sections for block in section.blocks)
    return next((block for block in blocks if isinstance(block, Browser)), None)


def _across_section(figures: Sequence[Figure]) -> Section:
    """Correlations over runs, as a table; few runs give wide intervals."""
    keys = list(dict.fromkeys(key for entry in figures for key in entry.factors))

    def factor(key: str) -> Given[Figure]:
        return given(key.capitalize(), lambda entry: str(entry.factors.get(key, "")))

    columns: list[Given[Figure]] = [
        given("Correlation", lambda entry: entry.name),
        *map(factor, keys),
        given("Pearson's r", Interval.of, "number"),
        given("Runs", lambda entry: entry.n, "integer"),
    ]
    return Section(
        "Across the runs",
        (listing("Correlations over runs", figures, columns, slug="across"),),
        intro="Do runs that are higher on one figure are higher on the other? Runs count as independent, which models "
        "of one family are not.",
        slug="across",
    )


def _write(
    runs: Sequence[ComparedRun],
    facts: Sequence[SummaryFacts],
    found: Comparison | None,
    results: Results,
    out: Path,
) -> WrittenComparison:
    stored = _stored(runs, found, results)
    table = joint_table(found.labels, found.matching.tables, found.changes) if found else runs[0].table
    summary = summary_of(_facts(runs, facts, found), table, results.figures, results.headlines)
    make_folder(out)
    _require_no_other(out, stored)
    write_text(out / PAGE_NAME, render_page((Chapter(summary, results, table),)))
    write_text(out / JSON_NAME, stored.model_dump_json(indent=2) + "\n")
    table = figure_table(stored.figures)
    write_text(out / CSV_NAME, csv_text(table.columns, table.rows()))
    tables = tuple(
        block
        for section in results.sections
        for block in section.blocks
        if isinstance(block, Table) and not block.folded and section.slug not in ("runs", "changes")
    )
    return WrittenComparison(out / PAGE_NAME, stored, results.headlines, tables)


class _HeldRun(BaseModel):
    folder: str
    model: str


class _Held(BaseModel):
    """As much of a comparison as says of which runs it is, whatever version wrote it."""

    runs: tuple[_HeldRun, ...]


def _require_no_other(out: Path, stored: StoredComparison) -> None:
    """See that nothing but an earlier comparison of the same runs is written over.

    Raises:
        RunFolderError: the folder holds a comparison of others, or files of these names that are none.
    """
    there = [name for name in (PAGE_NAME, JSON_NAME, CSV_NAME) if (out / name).exists()]
    if not there:
        return
    try:
        held = tuple((run.folder, run.model) for run in read_form(out / JSON_NAME, _Held, "no comparison").runs)
    except (FileNotFoundError, RunFolderError):
        held = ()
    if held != tuple((run.folder, run.model) for run in stored.runs):
        raise RunFolderError(
            "the folder holds another comparison" if held else "this is no comparison, and would be written over",
            where=str(out if held else out / there[0]),
            found=", ".join(folder for folder, _ in held) or None,
            next_step="another folder with --out",
        )


def _stored(runs: Sequence[ComparedRun], found: Comparison | None, results: Results) -> StoredComparison:
    return StoredComparison(
        benchmark=runs[0].benchmark,
        data=runs[0].data,
        data_sha256=runs[0].data_sha256,
        prompts_version=runs[0].prompts_version,
        runs=tuple(
            StoredRun(
                label=run.label,
                folder=run.folder,
                model=run.model,
                decoding=run.decoding,
                judge=run.judge,
                samples=run.table.height,
                planned=run.planned,
            )
            for run in runs
        ),
        matched_samples=found.matching.samples if found else runs[0].table.height,
        mismatches=tuple(
            StoredMismatch(what=entry.what, values=entry.values) for entry in (found.mismatches if found else ())
        ),
        headlines=tuple(SummaryFinding(text=entry.text, verdict=entry.verdict) for entry in results.headlines),
        figures=tuple(stored_figure(entry) for entry in results.figures),
        changed=tuple(
            StoredChange(
                outcome=entry.outcome.name,
                first=runs[0].label,
                second=runs[entry.run].label,
                sample=sample,
                change=change.value,  # type: ignore[arg-type]  # `changed` holds these two alone
            )
            for entry in (found.changes if found else ())
            for sample, change in entry.changed
        ),
    )


def _facts(runs: Sequence[ComparedRun], facts: Sequence[SummaryFacts], found: Comparison | None) -> SummaryFacts:
    """What a page says of all the runs together; what differs between them stands in the table of runs."""
    settings = {
        key: value
        for key, value in runs[0].settings.items()
        if key != "data" and all(run.settings.get(key) == value for run in runs)
    }
    completeness = [run.completeness for run in runs if run.completeness is not None]
    whole = all(each.status == "complete" for each in facts)
    samples = found.matching.samples * len(runs) if found else runs[0].table.height
    return SummaryFacts(
        benchmark=runs[0].benchmark,
        title=f"{facts[0].title}: " + ("a comparison" if found else "beside the paper"),
        model=", ".join(run.label for run in runs),
        decoding="; ".join(dict.fromkeys(run.decoding for run in runs)),
        judge="; ".join(dict.fromkeys(run.judge for run in runs if run.judge)),
        data=runs[0].data,
        data_sha256=runs[0].data_sha256,
        prompts_version=runs[0].prompts_version,
        plan_sha256=", ".join(dict.fromkeys(run.plan_sha256 for run in runs)),
        settings=settings,
        forgetscope=", ".join(dict.fromkeys(run.forgetscope for run in runs)),
        inspect_ai=", ".join(dict.fromkeys(each.inspect_ai for each in facts if each.inspect_ai)),
        python=", ".join(dict.fromkeys(each.python for each in facts)),
        started=now(),
        finished=None,
        status="complete" if whole else "incomplete",
        completeness=min(completeness, default=None),
        completeness_floor=max(each.completeness_floor for each in facts),
        planned=samples,
        samples=samples,
        notes=(),
    )
