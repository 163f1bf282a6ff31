"""What a right answer to a revised instruction is, under the readings the paper leaves open, and what was done."""

from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.benchmarks.in_context.report.settings import SETTING, tables_of
from forgetscope.benchmarks.in_context.scoring.revision import READINGS
from forgetscope.findings.figures import Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.tables import Factors, label, rate

_READING_NAMES = {
    "": "not all old subtasks (Forget form; used above)",
    "without_clause": "old subtasks do not matter",
    "none_of_original": "no old subtask (Forget form)",
    "clause_both_forms": "not all old subtasks (both forms)",
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
        "Readings of subtask revision",
        (
            *tables_of(
                study,
                index,
                "NA, FA and SFRR by reading of a right answer",
                readings,
                [
                    label("Reading", lambda row: _READING_NAMES[str(row.get("reading", ""))]),
                    SETTING,
                    *(rate(name.upper(), (f"reading.{name}", name)) for name in ("na", "fa", "sfrr")),
                ],
                slug="readings",
            ),
            *tables_of(
                study,
                index,
                "Replies that did every subtask of a kind, Forget form",
                cells,
                [
                    SETTING,
                    rate("Common", "subtasks.all_done", "of both instructions", subtasks="common"),
                    rate("New", "subtasks.all_done", "of the revised instruction", subtasks="revised_only"),
                    rate("Old", "subtasks.all_done", "given up by it: not all may be done", subtasks="original_only"),
                    rate("Common, first answer", "subtasks.all_done", "before the revision", subtasks="first_common"),
                ],
                slug="subtasks",
            ),
        ),
        intro="How much the result depends on what counts as a right answer to a revised instruction. The paper leaves "
        "open whether an answer that still does all of the old subtasks is right; here it is not, in the Forget form.",
        slug="revision",
    )
