"""The sample table of a run -> its results: figures, verdicts, the sections of the report, the headlines."""

from collections.abc import Iterator

import polars as pl

from forgetscope.benchmarks.base import FigureFacts
from forgetscope.benchmarks.visual.data.loading import EMBEDDED
from forgetscope.benchmarks.visual.metrics.accuracy import accuracy_figures
from forgetscope.benchmarks.visual.metrics.asked_otherwise import asked_otherwise_figures
from forgetscope.benchmarks.visual.metrics.corrections import agreement_over_variants, correction_figures
from forgetscope.benchmarks.visual.metrics.outcomes import diagnostic_figures
from forgetscope.benchmarks.visual.metrics.pooled import pooled_figures
from forgetscope.benchmarks.visual.metrics.residue import visual_residues
from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.benchmarks.visual.metrics.verdicts import N_MIN, N_MIN_EMBEDDED, concept_verdicts
from forgetscope.benchmarks.visual.plan import settings_data
from forgetscope.benchmarks.visual.report.cases import case_section, evidence_gallery, pictures_of
from forgetscope.benchmarks.visual.report.evidence import evidence_section, verdict_section
from forgetscope.benchmarks.visual.report.levels import headline_findings, level_section
from forgetscope.benchmarks.visual.report.names import CONDITION, CONDITION_NAMES, setting_columns
from forgetscope.benchmarks.visual.report.outcomes import outcome_section, run_findings
from forgetscope.benchmarks.visual.report.profile import run_profile
from forgetscope.benchmarks.visual.report.published import published_section
from forgetscope.benchmarks.visual.report.suppression import suppression_section
from forgetscope.benchmarks.visual.report.thumbnails import thumbnails
from forgetscope.benchmarks.visual.settings import VisualSettings
from forgetscope.core.errors import UserError
from forgetscope.core.settings import narrowed
from forgetscope.findings.figures import Browser, Choice, Column, Figure, Gallery, Results, Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.residue import residue_section

_CONDITIONS = {name.value: said for name, said in CONDITION_NAMES.items()}

MOST_HEADLINES = 4
"""Findings at the top of the report; warnings come before them and are not counted."""


def results(table: pl.DataFrame, facts: FigureFacts) -> Results:
    """All figures of a run and how they are read; with `facts.published`, the paper's models beside it.

    Raises:
        ValueError: the table holds several models.
    """
    settings = narrowed(facts.settings, VisualSettings)
    study = VisualStudy.of(table, settings, facts.planned)
    index = FigureIndex(_figures(study))
    verdicts = tuple(concept_verdicts(study, N_MIN_EMBEDDED if settings.data == EMBEDDED else N_MIN))
    outcomes = run_findings(study, index, facts.completeness_floor)
    opened, trail = case_section(study, verdicts), evidence_gallery(study, verdicts)
    pictures, missing = _pictures(study, facts.data_sha256, opened, trail)
    residues = residue_section(index, (*setting_columns(study), CONDITION))
    chapters = (
        level_section(study, index, verdicts),
        opened,
        suppression_section(study, index),
        evidence_section(study, index),
        *((residues,) if residues else ()),
        verdict_section(verdicts, trail),
        *((published_section(study, index),) if facts.published else ()),
    )
    found = headline_findings(study, index, verdicts)
    headlines = (*(entry for entry in outcomes if entry.verdict == "warning"), *found[:MOST_HEADLINES])
    sections = (
        outcome_section(study, index, outcomes),
        *chapters,
        browser_section(missing),
    )
    return Results(tuple(index), sections, headlines, pictures, run_profile(index, study.modes[0]))


def _pictures(study: VisualStudy, data_sha256: str, opened: Section, trail: Gallery) -> tuple[dict[str, str], str]:
    """Small pictures for the report, and in words which are missing."""
    if not data_sha256:
        return {}, ""
    try:
        data = settings_data(study.settings)
    except UserError as error:
        return {}, f"The pictures are not shown: {error}."
    if data_sha256 != data.sha256:
        return {}, "The pictures are not shown: the data have changed since the run."
    galleries = (*(block for block in opened.blocks if isinstance(block, Gallery)), trail)
    first = (name for gallery in galleries for name in pictures_of(gallery) if name)
    shown, over = thumbnails(study.frame, data, first)
    return shown, f"{over:,} of the pictures are left out to keep the page small." if over else ""


def _figures(study: VisualStudy) -> Iterator[Figure]:
    yield from diagnostic_figures(study)
    yield from pooled_figures(study)
    yield from accuracy_figures(study)
    yield from correction_figures(study)
    yield from agreement_over_variants(study)
    yield from asked_otherwise_figures(study)
    yield from visual_residues(study)


def browser_section(missing: str = "") -> Section:
    """Every question with its picture and its reply, to filter, read and set side by side; what is missing in words."""
    return Section(
        "Samples",
        (
            Browser(
                filters=(
                    Column("split", "Split"),
                    Column("side", "Side"),
                    Column("condition", "Condition", names=_CONDITIONS),
                    Column("control", "Control"),
                    Column("probe", "Probe"),
                    Column("mode", "Mode"),
                    Column("role", "Role"),
                    Column("phrasing", "Wording"),
                    Column("order", "Order"),
                    Column("axis", "Axis"),
                    Column("forget_concept", "Concept"),
                    Column("status", "Status"),
                ),
                shown=(
                    Column("sample_id", "Sample"),
                    Column("condition", "Condition", names=_CONDITIONS),
                    Column("control", "Control"),
                    Column("forget_concept", "Concept"),
                    Column("predicted_label", "Chosen"),
                    Column("status", "Status"),
                ),
                together=("split", "item", "role", "control", "probe", "mode", "phrasing", "order"),
                apart=Column("condition", "Condition", names=_CONDITIONS),
                choices=(Choice("Options", "choices", "predicted", (Column("answer", "right"),), is_counted=True),),
                picture=("split", "image"),
            ),
        ),
        intro=" ".join(
            ("What the model saw, was asked and answered; side by side in all conditions.", missing)
        ).strip(),
        slug="samples",
    )
