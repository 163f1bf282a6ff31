"""The sample table of a run -> its results: figures, the sections of the report, the headlines."""

import polars as pl

from forgetscope.benchmarks.base import FigureFacts
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.metrics import METRICS, InContextStudy, compute_figures
from forgetscope.benchmarks.in_context.report.choices import bias_findings, choice_section
from forgetscope.benchmarks.in_context.report.dialogues import dialogue_section
from forgetscope.benchmarks.in_context.report.glance import change_findings, glance_findings, glance_section
from forgetscope.benchmarks.in_context.report.groups import group_section
from forgetscope.benchmarks.in_context.report.judges import judge_findings, judge_section
from forgetscope.benchmarks.in_context.report.leaks import leak_findings, leak_section
from forgetscope.benchmarks.in_context.report.lengths import length_section, trend_findings
from forgetscope.benchmarks.in_context.report.names import (
    forest_name,
    length_name,
    probe_name,
    residue_name,
    scenario_name,
    strategy_name,
)
from forgetscope.benchmarks.in_context.report.outcomes import outcome_section, run_findings
from forgetscope.benchmarks.in_context.report.pressure import pressure_section
from forgetscope.benchmarks.in_context.report.profile import run_profile
from forgetscope.benchmarks.in_context.report.published import published_section
from forgetscope.benchmarks.in_context.report.revision import revision_section
from forgetscope.benchmarks.in_context.report.strategies import strategy_findings, strategy_section
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.core.settings import narrowed
from forgetscope.findings.chapters import gathered_beside
from forgetscope.findings.figures import Finding, Results, Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.residue import residue_section
from forgetscope.findings.tables import further_section, label

RESIDUE_LABELS = (
    label("Scenario", "scenario", scenario_name),
    label("Set against", "condition", residue_name),
    label("Asked", "probe", probe_name),
    label("Length", "length", length_name),
    label("Prompt", "strategy", strategy_name),
)

MOST_HEADLINES = 6
"""Findings at the top of the report; warnings come before them and are not counted."""


def results(table: pl.DataFrame, facts: FigureFacts) -> Results:
    """All figures of a run and how they are read; with `facts.published`, the paper's models beside it.

    What was planned and is not in the table counts as lost. Sections whose cells were not run are left out.

    Raises:
        ValueError: the table holds several models.
    """
    study = InContextStudy.of(table, narrowed(facts.settings, InContextSettings), facts.planned)
    index = compute_figures(study)
    chapters = (
        glance_section(study, index),
        group_section(study, index),
        length_section(study, index),
        strategy_section(study, index),
        leak_section(study, index),
        _residues(study, index),
        pressure_section(study, index),
        choice_section(study, index),
        revision_section(study, index),
        judge_section(study, index),
        further_section(index, (metric.table for metric in METRICS.values() if metric.table is not None)),
        published_section(study, index, facts.decoding) if facts.published and study.cells else None,
    )
    present = [section for section in chapters if section is not None]
    headlines = headline_findings(study, index, facts.completeness_floor)
    sections = (
        outcome_section(study, index, facts.completeness_floor),
        *gathered_beside(headlines, present),
        dialogue_section(),
    )
    return Results(tuple(index), sections, headlines, profile=run_profile(study, index))


def _residues(study: InContextStudy, index: FigureIndex) -> Section | None:
    """The residues of the main setting as a forest, and of every setting as a table."""
    main = [key.factors for key in study.main_cells()]
    return residue_section(
        index,
        RESIDUE_LABELS,
        first=lambda row: (
            row["probe"] == DialogueProbe.QUERY.value and any(factors.items() <= row.items() for factors in main)
        ),
        name=lambda row: forest_name(str(row["condition"])),
    )


def headline_findings(study: InContextStudy, index: FigureIndex, floor: float) -> tuple[Finding, ...]:
    """The few sentences a busy person reads: warnings, the rates of each scenario, then what is shown.

    Args:
        study: Of the run.
        index: Its figures.
        floor: The run's completeness floor, 0-1.
    """
    warnings = [entry for entry in run_findings(study, index, floor) if entry.verdict == "warning"]
    changes = [entry for entry in change_findings(study, index) if entry.verdict == "shown"]
    found = [*glance_findings(study, index), *changes, *further_findings(study, index)]
    return (*warnings, *judge_findings(index), *found[:MOST_HEADLINES])


def further_findings(study: InContextStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """What a run shows beside NA, FA and SFRR: trends, prompts, the place on the list; then what leaks."""
    if not study.cells:
        return ()
    tested = [*trend_findings(study, index), *strategy_findings(study, index), *bias_findings(study, index)]
    leaks = [
        finding
        for key in study.main_cells()
        if key.scenario == "instructional_forgetting"
        for finding in leak_findings(index, key)
    ]
    return (*(finding for finding in tested if finding.verdict == "shown"), *leaks)
