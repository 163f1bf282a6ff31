"""Outcomes and completeness: what became of every sample, before anything is concluded from it."""

from forgetbench.benchmarks.prospective.metrics.study import Study
from forgetbench.benchmarks.prospective.sections.wording import condition_name, load_name
from forgetbench.figures import Cell, Column, Finding, Interval, Section, Table
from forgetbench.measures import FigureIndex
from forgetbench.outcomes import LENGTH_LIMITED_ABOVE, Status
from forgetbench.phrasing import bounds_words, counted, percent, text_column

_RUN: dict[str, Cell] = {"experiment": "all"}

_COLUMNS = (
    text_column("cell", "Cell"),
    Column("planned", "Planned", "integer"),
    Column("correct", "Kept", "integer", "status correct: the format was kept (task only: the task was right)"),
    Column("incorrect", "Broken", "integer"),
    Column(
        "truncated", "Cut off", "integer", "stopped by the token limit; their raw verdict still counts as the paper's"
    ),
    Column("refused", "Refused", "integer"),
    Column("invalid_format", "No answer", "integer", "an empty reply, or one the parser cannot read"),
    Column("model_error", "Errors", "integer"),
    Column("not_sent", "Not sent", "integer", "longer than the context window"),
    Column("missing", "Missing", "integer", "planned, and not in the logs"),
    Column("cut_share", "Cut off", "percent"),
    Column("loop_share", "In a loop", "percent", "replies whose end repeats itself"),
    Column("completeness", "Complete", "percent"),
    text_column("mark", "Length-limited"),
    Column("suggested", "Suggested limit", "integer", "tokens, from the lengths of the replies that ended"),
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

_MAY_BE_ABSENT = ("refused", "invalid_format", "model_error", "not_sent", "missing")


def outcome_section(study: Study, index: FigureIndex, floor: float) -> Section:
    """Warnings first, then one row a cell, for the format and for the load.

    Outcomes that no sample has are named instead of shown as zeros. `floor` is the run's completeness floor, 0-1.
    """
    rows = [_row(index, cell.factors) for cell in study.diagnostic_cells]
    absent = [name for name in _MAY_BE_ABSENT if not any(row[name] for row in rows)]
    nobody = f" No sample is {', '.join(absent)}." if absent else ""
    table = Table(
        "What became of the samples",
        tuple(column for column in _COLUMNS if column.key not in absent),
        tuple(rows),
        note=f"A cell with more than {LENGTH_LIMITED_ABOVE:.0%} of its replies cut off is length-limited: its rates "
        f"say as much of the token limit as of the model. Counts over statuses and those missing sum to the samples "
        f"planned.{nobody}",
        slug="outcomes",
    )
    tasks = task_outcome_table(study, index)
    return Section(
        "Outcomes and completeness",
        (*outcome_findings(study, index, floor), table, *((tasks,) if tasks.rows else ())),
        intro="How many samples ended how. Read this before any rate below.",
        slug="outcomes",
    )


def task_outcome_table(study: Study, index: FigureIndex) -> Table:
    """What became of the load, of the same samples: a second account, because a sample is scored on two aspects."""
    rows: list[dict[str, Cell | Interval]] = []
    for cell in study.diagnostic_cells:
        if not cell.has_task:
            continue
        factors = cell.factors
        rows.append(
            {
                "cell": cell_name(factors),
                "planned": _count(index, "outcomes.task.planned", factors),
                **{status.value: _count(index, f"outcomes.task.status.{status.value}", factors) for status in Status},
                "missing": _count(index, "outcomes.task.missing", factors),
                "completed": index.interval("outcomes.task.completed", **factors),
                "bounds": bounds_words(index, "outcomes.task.completed", factors),
            }
        )
    absent = [name for name in _MAY_BE_ABSENT if not any(row[name] for row in rows)]
    return Table(
        "What became of the load",
        tuple(column for column in _TASK_COLUMNS if column.key not in absent),
        tuple(rows),
        note="The task of the same replies, by the repaired scorer; samples without a load are not in it."
        + (f" No task is {', '.join(absent)}." if absent else ""),
        slug="task-outcomes",
    )


def _row(index: FigureIndex, factors: dict[str, Cell]) -> dict[str, Cell | Interval]:
    cut = index.value("outcomes.share.truncated", **factors)
    suggested = index.get("outcomes.suggested_max_tokens", **factors)
    limited = cut is not None and cut > LENGTH_LIMITED_ABOVE
    return {
        "cell": cell_name(factors),
        "planned": _count(index, "outcomes.planned", factors),
        **{status.value: _count(index, f"outcomes.status.{status.value}", factors) for status in Status},
        "missing": _count(index, "outcomes.missing", factors),
        "cut_share": cut,
        "loop_share": index.value("outcomes.share.looped", **factors),
        "completeness": index.value("outcomes.completeness", **factors),
        "mark": "yes" if limited else "",
        "suggested": None if suggested is None or suggested.value is None else int(suggested.value),
    }


def cell_name(factors: dict[str, Cell]) -> str:
    """A cell of the diagnostics in words."""
    if factors["experiment"] == "all":
        return "whole run"
    if factors["experiment"] != "load":
        return f"{factors['experiment']}, {counted(int(factors['problems'] or 0), 'problem')}"
    load, condition = str(factors["load"]), condition_name(str(factors["condition"]))
    return condition if load == "none" else f"{condition} + {load_name(load)}"


def _count(index: FigureIndex, name: str, factors: dict[str, Cell]) -> int:
    return int(index.value(name, **factors) or 0)


def outcome_findings(study: Study, index: FigureIndex, floor: float) -> tuple[Finding, ...]:
    """What stands between the reader and the figures: cut replies, loops, refusals, losses."""
    planned = _count(index, "outcomes.planned", _RUN)
    if not planned:
        return (Finding("The sample table is empty: nothing was planned.", "warning"),)
    found = _completeness_findings(index, planned, floor)
    found.extend(_length_findings(study, index))
    refused = index.get("outcomes.share.refused", **_RUN)
    if refused is not None and refused.value is not None and refused.value > LENGTH_LIMITED_ABOVE:
        found.append(
            Finding(
                f"{percent(refused.value)} of the replies were refusals. A refusal keeps its raw verdict (it may well "
                "hold no comma), so read the completed rates beside the paper's.",
                "warning",
            )
        )
    unread = index.value("outcomes.share.invalid_format", **_RUN)
    if unread is not None and unread > LENGTH_LIMITED_ABOVE:
        found.append(Finding(f"{percent(unread)} of the replies were empty or had no answer to read.", "warning"))
    unsent = _count(index, "outcomes.status.not_sent", _RUN)
    if unsent:
        found.append(
            Finding(
                f"{unsent} of {planned} samples were longer than the model's context window and not sent.", "warning"
            )
        )
    if not found:
        found.append(
            Finding(f"All {planned} samples have an outcome, and no more than 5% of the replies were cut off.")
        )
    return tuple(found)


def _completeness_findings(index: FigureIndex, planned: int, floor: float) -> list[Finding]:
    """How many samples were lost or never came back, and whether the run may be read all the same."""
    completeness, missing = index.value("outcomes.completeness", **_RUN), _count(index, "outcomes.missing", _RUN)
    if completeness is None or completeness >= 1:
        return []
    lost = round((1 - completeness) * planned)
    parts = (f"{lost - missing} lost to errors", f"{missing} not in the logs")
    why = ", ".join(part for part in parts if not part.startswith("0 "))
    said = f"{lost} of {planned} samples have no outcome ({why}): the run is {percent(completeness)} complete"
    if completeness < floor:
        return [Finding(f"{said}, below the floor of {100 * floor:g}%. Resume it before reading on.", "warning")]
    return [Finding(f"{said}, which its floor of {100 * floor:g}% allows.")]


def _length_findings(study: Study, index: FigureIndex) -> list[Finding]:
    marked = [
        cell_name(cell.factors)
        for cell in study.diagnostic_cells
        if cell.factors != _RUN
        and (index.value("outcomes.share.truncated", **cell.factors) or 0) > LENGTH_LIMITED_ABOVE
    ]
    cut, looped = index.get("outcomes.share.truncated", **_RUN), index.get("outcomes.share.looped", **_RUN)
    if not marked or cut is None or cut.value is None:
        return []
    loops = f" {percent(looped.value)} of the replies end in a loop." if looped is not None and looped.value else ""
    suggested = index.get("outcomes.suggested_max_tokens", **_RUN)
    advice = ""
    if suggested is not None:
        tokens = "" if suggested.value is None else f" Suggested limit: {suggested.value:.0f} tokens"
        advice = f"{tokens} ({suggested.note})." if tokens else f" No limit is suggested: {suggested.note}."
    return [
        Finding(
            f"Length-limited: {percent(cut.value)} of the replies were cut off at {study.settings.max_tokens} tokens "
            f"({counted(len(marked), 'cell')} above 5%). A cut reply keeps its raw verdict, so rates "
            f"of what stands at the end of a reply are too low.{loops}{advice}",
            "warning",
        )
    ]
