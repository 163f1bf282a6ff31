"""What a right answer to a revised instruction is, under the readings the paper leaves open, and what was done."""

from collections.abc import Mapping

from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.metrics.study import DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.settings import SETTING, tables_of
from forgetscope.benchmarks.in_context.scoring.rules.revision import READINGS
from forgetscope.findings.figures import Cell, Column, Interval, Section
from forgetscope.findings.measures import FigureIndex

_READING_NAMES = {
    "": "the protocol's",
    "without_clause": "without the clause on old subtasks",
    "none_of_original": "none of the old subtasks done",
    "clause_both_forms": "the clause in both forms",
}
_MEASURES = (Column("na", "NA", "percent"), Column("fa", "FA", "percent"), Column("sfrr", "SFRR", "percent"))

Rows = list[tuple[DialogueCell, Mapping[str, Cell | Interval]]]


def revision_section(study: InContextStudy, index: FigureIndex) -> Section | None:
    """Subtask revision under the readings of its last clause; None where no item was scored in both forms."""
    keys = [key for key in study.cells if key.scenario == Scenario.SUBTASK_REVISION.value]
    if not any(entry.value is not None for entry in index.named("reading.fa")):
        return None
    return Section(
        "What revision means",
        (
            *tables_of(
                study,
                "Readings of a right answer",
                (Column("reading", "reading"), SETTING, *_MEASURES),
                [(key, _reading(index, key, reading)) for key in keys for reading in ("", *READINGS)],
                note="The paper does not say whether an answer that still does all old subtasks is right; the protocol "
                "says it is not, in the Forget form.",
                slug="readings",
            ),
            *tables_of(
                study,
                "Answers that did all subtasks of a kind, in the Forget form",
                (
                    SETTING,
                    Column("common", "common", "percent"),
                    Column("revised_only", "new", "percent"),
                    Column("original_only", "old (should not all be)", "percent"),
                    Column("first_common", "common, in the first answer", "percent"),
                ),
                [(key, _done(index, key)) for key in keys],
                slug="subtasks",
            ),
        ),
        slug="revision",
    )


def _reading(index: FigureIndex, key: DialogueCell, reading: str) -> dict[str, Cell | Interval]:
    factors: dict[str, Cell] = {**key.factors, "reading": reading} if reading else dict(key.factors)
    prefix = "reading." if reading else ""
    measures = {column.key: index.interval(f"{prefix}{column.key}", **factors) for column in _MEASURES}
    return {"reading": _READING_NAMES[reading], **measures}


def _done(index: FigureIndex, key: DialogueCell) -> dict[str, Cell | Interval]:
    return {
        name: index.interval("subtasks.all_done", **key.factors, subtasks=name)
        for name in ("common", "revised_only", "original_only", "first_common")
    }
