"""The sample table of a run -> its results: figures, the sections of the report, the headlines."""

import polars as pl

from forgetbench.benchmarks.base import RunFacts
from forgetbench.benchmarks.in_context.metrics import Study, compute_figures
from forgetbench.benchmarks.in_context.plan import InContextSettings
from forgetbench.benchmarks.in_context.sections.changes import length_section, strategy_section
from forgetbench.benchmarks.in_context.sections.details import (
    choice_section,
    judge_section,
    leak_section,
    revision_section,
)
from forgetbench.benchmarks.in_context.sections.glance import glance_findings, glance_section
from forgetbench.benchmarks.in_context.sections.published import published_section
from forgetbench.figures import Browser, Column, Finding, Results, Section
from forgetbench.measures import FigureIndex
from forgetbench.outcomes import LENGTH_LIMITED_ABOVE
from forgetbench.phrasing import percent


def in_context_results(table: pl.DataFrame, settings: InContextSettings, facts: RunFacts) -> Results:
    """All figures of a run and how they are read.

    Raises:
        ValueError: the table holds several models.
    """
    study = Study.of(table, settings, facts.planned)
    index = compute_figures(study)
    chapters = (
        glance_section(study, index),
        length_section(study, index),
        strategy_section(index),
        leak_section(study, index),
        choice_section(study, index),
        revision_section(study, index),
        judge_section(index),
        published_section(study, index, facts.decoding) if facts.published else None,
        browser_section(),
    )
    present = tuple(section for section in chapters if section is not None)
    return Results(tuple(index), present, (*length_warnings(index, settings), *glance_findings(study, index)))


def length_warnings(index: FigureIndex, settings: InContextSettings) -> tuple[Finding, ...]:
    """A warning where replies were cut off by the token limit."""
    cut = [entry for entry in index.named("truncated") if entry.value is not None and entry.n]
    limited = [entry for entry in cut if (entry.value or 0) > LENGTH_LIMITED_ABOVE]
    if not limited:
        return ()
    share = sum((entry.value or 0) * entry.n for entry in cut) / sum(entry.n for entry in cut)
    return (
        Finding(
            f"Length-limited: {percent(share)} of the replies were cut off at {settings.max_tokens} tokens "
            f"({len(limited)} of {len(cut)} cells above 5%); they are left out of NA, FA and SFRR. "
            "A higher --max-tokens lets more of them end.",
            "warning",
        ),
    )


def browser_section() -> Section:
    """The dialogues themselves, to filter and read."""
    return Section(
        "Dialogues",
        (
            Browser(
                filters=(
                    Column("scenario", "Scenario"),
                    Column("form", "Form"),
                    Column("length", "Length"),
                    Column("strategy", "Prompt"),
                    Column("kind", "Kind"),
                    Column("probe", "Asked"),
                    Column("status", "Status"),
                    Column("leak", "Leak"),
                    Column("chosen", "Chosen"),
                    Column("decided_by", "Decided by"),
                ),
                shown=(
                    Column("sample_id", "Sample"),
                    Column("scenario", "Scenario"),
                    Column("form", "Form"),
                    Column("status", "Status"),
                    Column("leak", "Leak"),
                    Column("chosen", "Chosen"),
                    Column("reask_status", "Asked again"),
                    Column("context_tokens", "Context", "integer"),
                ),
            ),
        ),
        intro="Every dialogue with its reply and verdict. Filler turns are left out here; the logs have them.",
        slug="samples",
    )
