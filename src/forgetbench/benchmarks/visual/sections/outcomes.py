"""What became of the samples of each cell, before anything is concluded from them."""

from collections.abc import Mapping

from forgetbench.benchmarks.visual.metrics.outcomes import RUN, outcome_cells
from forgetbench.benchmarks.visual.metrics.study import Study
from forgetbench.benchmarks.visual.sections.names import cell_name
from forgetbench.diagnostics.findings import OutcomeWords, outcome_findings, outcome_table
from forgetbench.figures import Finding, Section
from forgetbench.measures import FigureIndex
from forgetbench.outcomes import Status
from forgetbench.phrasing import text_column

WORDS = OutcomeWords(
    correct="Right",
    incorrect="Wrong",
    about_correct="the right option, or the concept's name",
    of_cut="A cut reply is outside every accuracy.",
    of_refusals="A refusal is not forgetting: it is outside every accuracy, and wrong in the paper's reading.",
    possible=(
        Status.REFUSED,
        Status.INVALID_FORMAT,
        Status.MODEL_ERROR,
        Status.NOT_SENT,
        Status.INPUT_ERROR,
        Status.POLICY_BLOCK,
    ),
)


def run_findings(
    study: Study, index: FigureIndex, planned: Mapping[str, int], *, max_tokens: int, floor: float
) -> tuple[Finding, ...]:
    """What stands between the reader and the figures: cut replies, refusals, losses."""
    cells = [cell.factors for cell in outcome_cells(study, planned)]
    return outcome_findings(index, RUN, cells, words=WORDS, max_tokens=max_tokens, floor=floor)


def outcome_section(
    study: Study, index: FigureIndex, planned: Mapping[str, int], findings: tuple[Finding, ...]
) -> Section:
    """Warnings first, then the whole run, then every cell."""
    names = (text_column("cell", "Cell"),)
    cells = [({"cell": cell_name(str(cell.factors["cell"]))}, cell.factors) for cell in outcome_cells(study, planned)]
    return Section(
        "Outcomes and completeness",
        (
            *findings,
            outcome_table(index, names, [({"cell": "whole run"}, RUN)], words=WORDS),
            outcome_table(
                index, names, cells, words=WORDS, title="What became of the samples, every cell", folded=True
            ),
        ),
        intro="How many samples ended how. Read this before any rate below.",
        slug="outcomes",
    )
