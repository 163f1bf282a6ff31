"""Outcomes and completeness: what became of every sample, before anything is concluded from it."""

from forgetbench.benchmarks.prospective.metrics.diagnostics import diagnostic_cells
from forgetbench.benchmarks.prospective.metrics.study import FigureIndex, Study
from forgetbench.benchmarks.prospective.sections.wording import condition_name, counted, load_name, percent, text_column
from forgetbench.figures import Cell, Column, Finding, Interval, Section, Table
from forgetbench.outcomes import LENGTH_LIMITED_ABOVE, Status

_RUN: dict[str, Cell] = {"experiment": "all"}
COMPLETENESS_FLOOR = 0.98

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
    Column("cut_share", "Cut off", "percent"),
    Column("loop_share", "In a loop", "percent", "replies whose end repeats itself"),
    Column("completeness", "Complete", "percent"),
    text_column("mark", "Length-limited"),
    Column("suggested", "Suggested limit", "integer", "tokens, from the lengths of the replies that ended"),
)


_MAY_BE_ABSENT = (Status.REFUSED, Status.INVALID_FORMAT, Status.MODEL_ERROR, Status.NOT_SENT)


def outcome_section(study: Study, index: FigureIndex) -> Section:
    """Warnings first, then one row a cell; outcomes that no sample has are named instead of shown as zeros."""
    rows = [_row(index, factors) for factors, _ in diagnostic_cells(study)]
    absent = [status.value for status in _MAY_BE_ABSENT if not any(row[status.value] for row in rows)]
    nobody = f" No sample ended as {', '.join(absent)}." if absent else ""
    table = Table(
        "What became of the samples",
        tuple(column for column in _COLUMNS if column.key not in absent),
        tuple(rows),
        note=f"A cell with more than {LENGTH_LIMITED_ABOVE:.0%} of its replies cut off is length-limited: its rates "
        f"say as much of the token limit as of the model. Counts over statuses sum to the samples planned.{nobody}",
        slug="outcomes",
    )
    return Section(
        "Outcomes and completeness",
        (*outcome_findings(study, index), table),
        intro="How many samples ended how. Read this before any rate below.",
        slug="outcomes",
    )


def _row(index: FigureIndex, factors: dict[str, Cell]) -> dict[str, Cell | Interval]:
    cut = index.value("outcomes.share.truncated", **factors)
    suggested = index.get("outcomes.suggested_max_tokens", **factors)
    limited = cut is not None and cut > LENGTH_LIMITED_ABOVE
    return {
        "cell": cell_name(factors),
        "planned": _count(index, "outcomes.planned", factors),
        **{status.value: _count(index, f"outcomes.status.{status.value}", factors) for status in Status},
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


def outcome_findings(study: Study, index: FigureIndex) -> tuple[Finding, ...]:
    """What stands between the reader and the figures: cut replies, loops, refusals, losses."""
    planned = _count(index, "outcomes.planned", _RUN)
    if not planned:
        return (Finding("The sample table is empty: nothing was planned.", "warning"),)
    found: list[Finding] = []
    completeness = index.value("outcomes.completeness", **_RUN)
    if completeness is not None and completeness < COMPLETENESS_FLOOR:
        lost = round((1 - completeness) * planned)
        found.append(
            Finding(
                f"{lost} of {planned} samples have no outcome (errors): the run is {percent(completeness)} complete, "
                f"below the floor of {COMPLETENESS_FLOOR:.0%}. Resume it before reading on.",
                "warning",
            )
        )
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


def _length_findings(study: Study, index: FigureIndex) -> list[Finding]:
    marked = [
        cell_name(factors)
        for factors, _ in diagnostic_cells(study)
        if factors != _RUN and (index.value("outcomes.share.truncated", **factors) or 0) > LENGTH_LIMITED_ABOVE
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
