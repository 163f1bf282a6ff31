"""The sample table of a run -> its results: figures, verdicts, the sections of the report, the headlines."""

from collections.abc import Iterator

import polars as pl

from forgetbench.benchmarks.base import RunFacts
from forgetbench.benchmarks.visual.metrics.accuracy import accuracy_figures
from forgetbench.benchmarks.visual.metrics.corrections import agreement_over_variants, correction_figures
from forgetbench.benchmarks.visual.metrics.study import Study
from forgetbench.benchmarks.visual.metrics.verdicts import N_MIN, N_MIN_EMBEDDED, concept_verdicts
from forgetbench.benchmarks.visual.sections.evidence import evidence_section, verdict_findings, verdict_section
from forgetbench.benchmarks.visual.sections.suppression import suppression_findings, suppression_section
from forgetbench.figures import Browser, Column, Figure, Results, Section
from forgetbench.measures import FigureIndex


def visual_results(table: pl.DataFrame, facts: RunFacts, seed: int) -> Results:
    """All figures of a run and how they are read.

    Raises:
        ValueError: the table holds several models.
    """
    study = Study.of(table, seed)
    index = FigureIndex(_figures(study))
    n_min = N_MIN_EMBEDDED if facts.settings.data == "embedded" else N_MIN
    verdicts = tuple(concept_verdicts(study, n_min))
    sections = (
        suppression_section(study, index),
        evidence_section(study, index),
        verdict_section(verdicts),
        browser_section(),
    )
    headlines = (*suppression_findings(study, index), *verdict_findings(verdicts))
    return Results(tuple(index), sections, headlines)


def _figures(study: Study) -> Iterator[Figure]:
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
