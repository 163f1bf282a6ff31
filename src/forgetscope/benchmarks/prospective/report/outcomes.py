"""Outcomes and completeness: what became of every sample, before anything is concluded from it."""

from forgetscope.benchmarks.prospective.metrics.study import ProspectiveStudy
from forgetscope.benchmarks.prospective.report.wording import condition_name, load_name
from forgetscope.diagnostics.findings import OutcomeWords, account_columns, nobody, outcome_findings, outcome_table
from forgetscope.findings.figures import Cell, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted
from forgetscope.findings.tables import Factors, bounds, label, rate, table, tally

_RUN: dict[str, Cell] = {"experiment": "all"}

_WORDS = OutcomeWords(
    correct="Kept",
    incorrect="Broken",
    about_correct="the constraint was kept (task only: the task was right)",
    of_cut="The paper's reading counts a reply that was cut off as it stands, so constraints on the end of a reply "
    "come out too low.",
    of_refusals="The paper's reading counts a refusal as it stands (it may well hold no comma): read the completed "
    "rates beside it.",
)


def outcome_section(study: ProspectiveStudy, index: FigureIndex, floor: float) -> Section:
    """Warnings first, then one row a cell, for the format and for the load.

    Outcomes that no sample has are named instead of shown as zeros. `floor` is the run's completeness floor, 0-1.
    """
    cells = [cell.factors for cell in study.diagnostic_cells]
    samples, tasks = outcome_table(index, (_CELL,), cells, words=_WORDS), task_outcome_table(study, index)
    return Section(
        "Outcomes and completeness",
        (*run_findings(study, index, floor), samples, *((tasks,) if tasks.rows else ())),
        intro="How many samples ended how.",
        slug="outcomes",
    )


def run_findings(study: ProspectiveStudy, index: FigureIndex, floor: float) -> tuple[Finding, ...]:
    """What stands between the reader and the figures: cut replies, loops, refusals, losses."""
    cells = [cell.factors for cell in study.diagnostic_cells if cell.factors != _RUN]
    return outcome_findings(index, _RUN, cells, words=_WORDS, max_tokens=study.settings.max_tokens, floor=floor)


def task_outcome_table(study: ProspectiveStudy, index: FigureIndex) -> Table:
    """What became of the load, of the same samples: a second account, because a sample is scored on two aspects."""
    rows = [cell.factors for cell in study.diagnostic_cells if cell.has_task]
    aspect = "outcomes.task"
    return table(
        index,
        "Tasks by outcome",
        rows,
        [
            _CELL,
            tally("Planned", f"{aspect}.planned", "samples with a load"),
            tally("Correct", f"{aspect}.status.correct", "repaired scorer"),
            tally("Incorrect", f"{aspect}.status.incorrect"),
            tally("Cut off", f"{aspect}.status.truncated"),
            *account_columns(aspect),
            rate("Completed", f"{aspect}.completed", "correct / (correct + incorrect)"),
            bounds("Bounds", f"{aspect}.completed", "if every other reply had been wrong, or right"),
        ],
        note="The task in the same replies, by the repaired scorer; samples without a task are left out."
        + nobody(index, rows, _WORDS.possible, "task", aspect),
        slug="task-outcomes",
    )


def cell_name(factors: Factors) -> str:
    """A cell of the diagnostics in words."""
    if factors["experiment"] == "all":
        return "whole run"
    if factors["experiment"] != "load":
        return f"{factors['experiment']}, {counted(int(factors['problems'] or 0), 'problem')}"
    load, condition = str(factors["load"]), condition_name(str(factors["condition"]))
    return condition if load == "none" else f"{condition} + {load_name(load)}"


_CELL = label("Cell", cell_name)
