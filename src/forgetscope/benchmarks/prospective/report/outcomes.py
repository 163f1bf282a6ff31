"""Outcomes and completeness: what became of every sample, before anything is concluded from it."""

from forgetscope.benchmarks.prospective.metrics.study import ProspectiveStudy
from forgetscope.benchmarks.prospective.report.wording import condition_name, load_name
from forgetscope.core.outcomes import Status
from forgetscope.diagnostics.findings import (
    OutcomeWords,
    count_of,
    kept_columns,
    nobody,
    outcome_findings,
    outcome_table,
)
from forgetscope.findings.figures import Cell, Column, Finding, Interval, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import bounds_words, counted, text_column

_RUN: dict[str, Cell] = {"experiment": "all"}

_WORDS = OutcomeWords(
    correct="Kept",
    incorrect="Broken",
    about_correct="status correct: the format was kept (task only: the task was right)",
    of_cut="A cut reply keeps its raw verdict, so rates of what stands at the end of a reply are too low.",
    of_refusals="A refusal keeps its raw verdict (it may well hold no comma), so read the completed rates beside "
    "the paper's.",
)

_TASK_COLUMNS = (
    text_column("cell", "Cell"),
    Column("planned", "Planned", "integer", "samples with a load"),
    Column("correct", "Correct", "integer", "repaired scorer"),
    Column("incorrect", "Incorrect", "integer"),
    Column("truncated", "Cut off", "integer"),
    Column("refused", "Refused", "integer"),
    Column("invalid_format", "No answer", "integer", "the repaired scorer finds none"),
    Column("model_error", "Errors", "integer"),
    Column("not_sent", "Not sent", "integer"),
    Column("missing", "Missing", "integer", "planned, and not in the logs"),
    Column("completed", "Completed", "percent", "correct / (correct + incorrect)"),
    Column("bounds", "Bounds", "text", "if all outside the completed rate had been wrong, or right"),
)


def outcome_section(study: ProspectiveStudy, index: FigureIndex, floor: float) -> Section:
    """Warnings first, then one row a cell, for the format and for the load.

    Outcomes that no sample has are named instead of shown as zeros. `floor` is the run's completeness floor, 0-1.
    """
    rows = [({"cell": cell_name(cell.factors)}, cell.factors) for cell in study.diagnostic_cells]
    table = outcome_table(index, (text_column("cell", "Cell"),), rows, words=_WORDS)
    tasks = task_outcome_table(study, index)
    return Section(
        "Outcomes and completeness",
        (*run_findings(study, index, floor), table, *((tasks,) if tasks.rows else ())),
        intro="How many samples ended how. Read this before any rate below.",
        slug="outcomes",
    )


def run_findings(study: ProspectiveStudy, index: FigureIndex, floor: float) -> tuple[Finding, ...]:
    """What stands between the reader and the figures: cut replies, loops, refusals, losses."""
    cells = [cell.factors for cell in study.diagnostic_cells if cell.factors != _RUN]
    return outcome_findings(index, _RUN, cells, words=_WORDS, max_tokens=study.settings.max_tokens, floor=floor)


def task_outcome_table(study: ProspectiveStudy, index: FigureIndex) -> Table:
    """What became of the load, of the same samples: a second account, because a sample is scored on two aspects."""
    rows: list[dict[str, Cell | Interval]] = []
    for cell in study.diagnostic_cells:
        if not cell.has_task:
            continue
        factors = cell.factors
        rows.append(
            {
                "cell": cell_name(factors),
                "planned": count_of(index, "outcomes.task.planned", factors),
                **{status.value: count_of(index, f"outcomes.task.status.{status.value}", factors) for status in Status},
                "missing": count_of(index, "outcomes.task.missing", factors),
                "completed": index.interval("outcomes.task.completed", **factors),
                "bounds": bounds_words(index, "outcomes.task.completed", factors),
            }
        )
    return Table(
        "What became of the load",
        kept_columns(_TASK_COLUMNS, rows),
        tuple(rows),
        note="The task of the same replies, by the repaired scorer; samples without a load are not in it."
        + nobody(rows, _WORDS.possible, "task"),
        slug="task-outcomes",
    )


def cell_name(factors: dict[str, Cell]) -> str:
    """A cell of the diagnostics in words."""
    if factors["experiment"] == "all":
        return "whole run"
    if factors["experiment"] != "load":
        return f"{factors['experiment']}, {counted(int(factors['problems'] or 0), 'problem')}"
    load, condition = str(factors["load"]), condition_name(str(factors["condition"]))
    return condition if load == "none" else f"{condition} + {load_name(load)}"
