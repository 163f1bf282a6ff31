"""What a right answer to a revised instruction is, under the readings the paper leaves open, and what was done."""

from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.benchmarks.in_context.report.settings import SETTING, tables_of
from forgetscope.benchmarks.in_context.scoring.revision import READINGS
from forgetscope.findings.figures import Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.tables import Factors, label, rate

_READING_NAMES = {
    "": "the protocol's",
    "without_clause": "without the clause on old subtasks",
    "none_of_original": "none of the old subtasks done",
    "clause_both_forms": "the clause in both forms",
}


def revision_section(study: InContextStudy, index: FigureIndex) -> Section | None:
    """Subtask revision under the readings of its last clause; None where no item was scored in both forms."""
    keys = [key for key in study.cells if key.scenario == Scenario.SUBTASK_REVISION.value]
    if not any(entry.value is not None for entry in index.named("reading.fa")):
        return None
    cells = [key.factors for key in keys]
    readings: list[Factors] = [
        {**cell, **({"reading": reading} if reading else {})} for cell in cells for reading in ("", *READINGS)
    ]
    return Section(
        "What revision means",
        (
            *tables_of(
                study,
                index,
                "Readings of a right answer",
                readings,
                [
                    label("reading", lambda row: _READING_NAMES[str(row.get("reading", ""))]),
                    SETTING,
                    *(rate(name.upper(), (f"reading.{name}", name)) for name in ("na", "fa", "sfrr")),
                ],
                note="The paper does not say whether an answer that still does all old subtasks is right; the protocol "
                "says it is not, in the Forget form.",
                slug="readings",
            ),
            *tables_of(
                study,
                index,
                "Answers that did all subtasks of a kind, in the Forget form",
                cells,
                [
                    SETTING,
                    rate("common", "subtasks.all_done", subtasks="common"),
                    rate("new", "subtasks.all_done", subtasks="revised_only"),
                    rate("old (should not all be)", "subtasks.all_done", subtasks="original_only"),
                    rate("common, in the first answer", "subtasks.all_done", subtasks="first_common"),
                ],
                slug="subtasks",
            ),
        ),
        slug="revision",
    )
