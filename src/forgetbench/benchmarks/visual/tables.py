"""The sample table of a run -> its results: figures, verdicts, the sections of the report, the headlines."""

from collections.abc import Iterator, Mapping

import polars as pl

from forgetbench.benchmarks.base import RunFacts
from forgetbench.benchmarks.visual.data import EMBEDDED
from forgetbench.benchmarks.visual.metrics.accuracy import accuracy_figures
from forgetbench.benchmarks.visual.metrics.corrections import agreement_over_variants, correction_figures
from forgetbench.benchmarks.visual.metrics.outcomes import diagnostic_figures
from forgetbench.benchmarks.visual.metrics.pooled import pooled_figures
from forgetbench.benchmarks.visual.metrics.study import Study
from forgetbench.benchmarks.visual.metrics.verdicts import N_MIN, N_MIN_EMBEDDED, concept_verdicts
from forgetbench.benchmarks.visual.sections.evidence import evidence_section, verdict_section
from forgetbench.benchmarks.visual.sections.levels import headline_findings, level_section
from forgetbench.benchmarks.visual.sections.outcomes import outcome_section, run_findings
from forgetbench.benchmarks.visual.sections.published import published_section
from forgetbench.benchmarks.visual.sections.suppression import suppression_section
from forgetbench.figures import Browser, Column, Figure, Results, Section
from forgetbench.measures import FigureIndex

MOST_HEADLINES = 4
"""Findings at the top of the report; warnings come before them and are not counted."""


def visual_results(table: pl.DataFrame, facts: RunFacts, seed: int) -> Results:
    """All figures of a run and how they are read; with `facts.published`, the paper's models beside it.

    Raises:
        ValueError: the table holds several models.
    """
    study = Study.of(table, seed)
    limit = facts.settings.max_tokens
    index = FigureIndex(_figures(study, facts.planned, limit))
    n_min = N_MIN_EMBEDDED if facts.settings.data == EMBEDDED else N_MIN
    verdicts = tuple(concept_verdicts(study, n_min))
    outcomes = run_findings(study, index, facts.planned, max_tokens=limit, floor=facts.completeness_floor)
    chapters = (
        level_section(study, index, verdicts),
        suppression_section(study, index),
        evidence_section(study, index),
        verdict_section(verdicts),
        *((published_section(study, index, facts),) if facts.published else ()),
    )
    found = headline_findings(study, index, verdicts)
    headlines = (*(entry for entry in outcomes if entry.verdict == "warning"), *found[:MOST_HEADLINES])
    sections = (
        outcome_section(study, index, facts.planned, outcomes),
        *chapters,
        browser_section(),
    )
    return Results(tuple(index), sections, headlines)


def _figures(study: Study, planned: Mapping[str, int], max_tokens: int) -> Iterator[Figure]:
    yield from diagnostic_figures(study, planned, max_tokens)
    yield from pooled_figures(study)
    yield from accuracy_figures(study)
    yield from correction_figures(study)
    yield from agreement_over_variants(study)


def browser_section() -> Section:
    """Every question with its reply, to filter and read."""
    return Section(
        "Samples",
        (
            Browser(
                filters=(
                    Column("split", "Split"),
                    Column("side", "Side"),
                    Column("condition", "Condition"),
                    Column("control", "Control"),
                    Column("probe", "Probe"),
                    Column("axis", "Axis"),
                    Column("forget_concept", "Concept"),
                    Column("status", "Status"),
                ),
                shown=(
                    Column("sample_id", "Sample"),
                    Column("condition", "Condition"),
                    Column("control", "Control"),
                    Column("forget_concept", "Concept"),
                    Column("predicted_label", "Chosen"),
                    Column("status", "Status"),
                ),
            ),
        ),
        intro="What the model was asked and what it answered.",
        slug="samples",
    )
