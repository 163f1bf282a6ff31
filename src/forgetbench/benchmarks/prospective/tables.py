"""The sample table of a run -> its results: figures, the sections of the report, the headlines."""

import polars as pl

from forgetbench.benchmarks.prospective.metrics import FigureIndex, Study, compute_figures
from forgetbench.benchmarks.prospective.plan import ProspectiveSettings
from forgetbench.benchmarks.prospective.sections.load import load_findings, load_section
from forgetbench.benchmarks.prospective.sections.outcomes import outcome_findings, outcome_section
from forgetbench.figures import Browser, Column, Finding, Results, Section


def prospective_results(table: pl.DataFrame, settings: ProspectiveSettings, *, published: bool = False) -> Results:  # noqa: ARG001
    """All figures of a run and how they are read; with `published`, the paper's models beside it.

    Raises:
        ValueError: the table holds several models.
    """
    study = Study.of(table, settings)
    index = compute_figures(study)
    headlines = headline_findings(study, index)
    sections = [
        outcome_section(study, index),
        Section("What was found", headlines, slug="findings"),
        *([load_section(study, index)] if study.cells else []),
        browser_section(),
    ]
    return Results(tuple(index), tuple(sections), headlines)


def headline_findings(study: Study, index: FigureIndex) -> tuple[Finding, ...]:
    """The few sentences a busy person reads: warnings first, then what was found, at most six."""
    warnings = [entry for entry in outcome_findings(study, index) if entry.verdict == "warning"]
    found = list(load_findings(study, index)) if study.cells else []
    return tuple([*warnings, *found][: max(6, len(warnings))])


def browser_section() -> Section:
    """The samples themselves, to filter and read."""
    return Section(
        "Samples",
        (
            Browser(
                filters=(
                    Column("experiment", "Experiment"),
                    Column("condition", "Condition"),
                    Column("load", "Load"),
                    Column("type", "Type"),
                    Column("category", "Category"),
                    Column("status", "Format"),
                    Column("task_status", "Task"),
                    Column("mechanism", "Mechanism"),
                    Column("trailing", "Trailing"),
                ),
                shown=(
                    Column("sample_id", "Sample"),
                    Column("condition", "Condition"),
                    Column("load", "Load"),
                    Column("type", "Type"),
                    Column("status", "Format"),
                    Column("reason", "Reason"),
                    Column("task_status", "Task"),
                    Column("mechanism", "Mechanism"),
                    Column("evidence", "Evidence"),
                    Column("output_tokens", "Tokens", "integer"),
                ),
            ),
        ),
        intro="Every prompt with its reply, the verdict, why, and where it broke.",
        slug="samples",
    )
