"""The sample table of a run -> its results: figures, the sections of the report, the headlines."""

import polars as pl

from forgetscope.benchmarks.base import FigureFacts
from forgetscope.benchmarks.prospective.data.conditions import TASK_ONLY
from forgetscope.benchmarks.prospective.metrics import ProspectiveStudy, compute_figures
from forgetscope.benchmarks.prospective.metrics.study import ALL
from forgetscope.benchmarks.prospective.report.dual_task import dual_task_section, task_findings
from forgetscope.benchmarks.prospective.report.load import load_findings, load_section
from forgetscope.benchmarks.prospective.report.mechanisms import mechanism_section, token_section
from forgetscope.benchmarks.prospective.report.outcomes import outcome_section, run_findings
from forgetscope.benchmarks.prospective.report.profile import run_profile
from forgetscope.benchmarks.prospective.report.published import published_section
from forgetscope.benchmarks.prospective.report.salience import effect_findings, salience_section
from forgetscope.benchmarks.prospective.report.stacks import stacking_findings, stacking_section
from forgetscope.benchmarks.prospective.report.types import type_section
from forgetscope.benchmarks.prospective.report.wording import condition_name, load_name
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.core.settings import narrowed
from forgetscope.findings.chapters import gathered_beside
from forgetscope.findings.figures import Browser, Column, Finding, Results, Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, percent
from forgetscope.findings.residue import residue_section
from forgetscope.findings.tables import label

MOST_HEADLINES = 4


def results(table: pl.DataFrame, facts: FigureFacts) -> Results:
    """All figures of a run and how they are read; with `facts.published`, the paper's models beside it.

    What was planned and is not in the table counts as lost. Sections whose conditions were not run are left out, or
    say so in one sentence.

    Raises:
        ValueError: the table holds several models.
    """
    study = ProspectiveStudy.of(table, narrowed(facts.settings, ProspectiveSettings), facts.planned)
    index = compute_figures(study)
    chapters = (
        load_section(study, index),
        salience_section(study, index),
        residue_section(
            index,
            (label("Prompt", "condition", condition_name), label("Load", "load", load_name)),
            is_to_be_kept=True,
            first=lambda row: row["load"] == ALL,
        ),
        type_section(study, index),
        dual_task_section(study, index),
        stacking_section(study, index),
        mechanism_section(study, index),
        token_section(study, index),
        published_section(study, index) if facts.published else None,
    )
    present = [section for section in chapters if section is not None]
    headlines = headline_findings(study, index, facts.completeness_floor)
    sections = (
        outcome_section(study, index, facts.completeness_floor),
        *gathered_beside(headlines, present),
        browser_section(),
    )
    return Results(tuple(index), sections, headlines, profile=run_profile(index))


def headline_findings(study: ProspectiveStudy, index: FigureIndex, floor: float) -> tuple[Finding, ...]:
    """The few sentences a busy person reads: warnings first, then what was found, four in all."""
    warnings = [entry for entry in run_findings(study, index, floor) if entry.verdict == "warning"]
    found = [
        *(load_findings(study, index) if study.loaded_conditions else ()),
        *task_findings(study, index)[:1],
        *stacking_findings(index)[:1],
        *effect_findings(index),
    ]
    if not found:
        found = [_without_load(study, index)]
    return tuple([*warnings, *found][: max(MOST_HEADLINES, len(warnings) + 1)])


def _without_load(study: ProspectiveStudy, index: FigureIndex) -> Finding:
    """What a run without load and stacks can say."""
    for condition, load in study.cells:
        entry = index.get("compliance.strict.paper", condition=condition, load=load)
        if entry is not None and entry.value is not None:
            return Finding(
                f"Strict compliance was {percent(entry.value)} ({condition_name(condition)}, "
                f"{counted(entry.n, 'reply', 'replies')}). Nothing was run under load, so nothing can be said of "
                "forgetting."
            )
    accuracy = index.get("task.accuracy.average", condition=TASK_ONLY, scorer="repaired")
    if accuracy is not None and accuracy.value is not None:
        return Finding(
            f"Without a constraint, task accuracy was {percent(accuracy.value)} (repaired scorer, mean over loads). No "
            "constraint was run, so nothing can be said of forgetting."
        )
    tense = index.named("tension.joint.strict")
    pooled = [entry for entry in tense if entry.factors["problems"] == ALL and entry.factors["trailing"] == ALL]
    if any(entry.value is not None for entry in pooled):
        listed = ", ".join(
            f"{str(entry.factors['pair']).replace('+', ' with ')} {percent(entry.value or 0.0)}" for entry in pooled
        )
        return Finding(f"Joint compliance of pairs in tension: {listed}.")
    return Finding("No reply could be scored, so there is nothing to say.")


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
                    Column("output_tokens", "Tokens", "integer"),
                ),
            ),
        ),
        intro="Every prompt with its reply, what became of it, and where it broke its constraint.",
        slug="samples",
    )
