"""What became of the samples of each cell and form, before anything is concluded from them."""

from forgetscope.benchmarks.in_context.metrics.outcomes import RUN, outcome_cells
from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.benchmarks.in_context.report.names import (
    arm_name,
    form_name,
    length_name,
    probe_name,
    scenario_name,
    strategy_name,
)
from forgetscope.benchmarks.in_context.settings import NATIVE
from forgetscope.core.outcomes import Status
from forgetscope.diagnostics.findings import OutcomeWords, outcome_findings, outcome_table
from forgetscope.findings.figures import Cell, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.tables import Factors, label

WORDS = OutcomeWords(
    correct="Right",
    incorrect="Wrong",
    about_correct="in the NoForget form recalled, carried out or followed; in the Forget form forgotten, revised or "
    "changed",
    of_cut="Replies cut off are left out of NA, FA and SFRR; the paper's reading, in a table of its own, counts them.",
    of_refusals="A refusal is not forgetting: it is left out of NA, FA and SFRR; the paper's reading counts it.",
    possible=(
        Status.REFUSED,
        Status.INVALID_FORMAT,
        Status.JUDGE_UNPARSEABLE,
        Status.JUDGE_ERROR,
        Status.MODEL_ERROR,
        Status.NOT_SENT,
    ),
)


def run_findings(study: InContextStudy, index: FigureIndex, floor: float) -> tuple[Finding, ...]:
    """What stands between the reader and the figures: cut replies, loops, refusals, losses."""
    cells = [cell.factors for cell in outcome_cells(study)]
    return outcome_findings(index, RUN, cells, words=WORDS, max_tokens=study.settings.max_tokens, floor=floor)


def outcome_section(study: InContextStudy, index: FigureIndex, floor: float) -> Section:
    """Warnings first, then a row for each scenario and form of the main setting, then every cell.

    Args:
        study: Of the run.
        index: Its figures.
        floor: The run's completeness floor, 0-1.
    """
    cells = [cell.factors for cell in outcome_cells(study)]
    here = [factors for factors in cells if _is_main(study, factors)]
    tables: list[Table] = []
    if here:
        tables.append(outcome_table(index, _NAMES, [*here, RUN], words=WORDS))
    if len(here) < len(cells):
        title = "Samples by outcome: every length and prompt"
        tables.append(outcome_table(index, (*_NAMES, *_SETTING), cells, words=WORDS, title=title, folded=True))
    return Section(
        "Outcomes and completeness",
        (*run_findings(study, index, floor), *tables),
        intro="How many samples ended how.",
        slug="outcomes",
    )


def _is_main(study: InContextStudy, factors: dict[str, Cell]) -> bool:
    if not study.cells:
        return False
    length, strategy, _ = study.main_setting
    return factors["length"] == (NATIVE if length is None else length) and factors["strategy"] == strategy


def _scenario_words(factors: Factors) -> str:
    if factors == RUN:
        return "whole run"
    parts = [
        scenario_name(str(factors["scenario"])),
        probe_name(str(factors["probe"])) if "probe" in factors else "",
        "open question" if "question" in factors else "",
        arm_name(str(factors["arm"])) if "arm" in factors else "",
    ]
    return ", ".join(filter(None, parts))


_NAMES = (
    label("Scenario", _scenario_words),
    label("Form", lambda factors: None if factors == RUN else form_name(str(factors["form"]))),
)
_SETTING = (label("Length", "length", length_name), label("Prompt", "strategy", strategy_name))
