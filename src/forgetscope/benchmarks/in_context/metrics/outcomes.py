"""What became of the samples of every cell and form, of the neighbour questions, and of the whole run."""

import re
from collections.abc import Iterator, Mapping

import polars as pl

from forgetscope.benchmarks.in_context.data.forms import Arm, Form
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.data.scenarios import PreferenceQuestion
from forgetscope.benchmarks.in_context.metrics.registry import InContextMetric
from forgetscope.benchmarks.in_context.metrics.study import SCENARIOS, DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.settings import NATIVE
from forgetscope.core.errors import DataError
from forgetscope.core.outcomes import Status
from forgetscope.diagnostics.outcomes import OutcomeCell, outcome_figures
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure
from forgetscope.stats import wilson

RUN: dict[str, Cell] = {"scenario": "all"}
"""The factors of the whole run's outcome figures."""

PlannedForm = tuple[DialogueCell, str, DialogueProbe, str]
"""A cell, a form, what is asked, and what arm it is of."""

_LABEL = re.compile(
    rf"(?P<scenario>{'|'.join(SCENARIOS)}) (?P<form>{'|'.join(Form)}) (?P<length>{NATIVE}|\d+) (?P<strategy>\w+)"
    rf"(?P<open> {PreferenceQuestion.OPEN.value})?(?: (?P<probe>{'|'.join(DialogueProbe)}))?"
    rf"(?: (?P<arm>{'|'.join(filter(None, Arm))}))?"
)


def diagnostic_figures(study: InContextStudy) -> Iterator[Figure]:
    """Outcomes of every cell, with the share of replies cut off and its interval, and of the whole run."""
    for cell in outcome_cells(study):
        yield from outcome_figures(cell, study.settings.max_tokens)
        cut = cell.account.counts.get(Status.TRUNCATED, 0)
        yield figure("truncated", cell.factors, wilson(cut, cell.account.attempted), label="replies cut off")
    yield from outcome_figures(whole_run(study), study.settings.max_tokens)


def outcome_cells(study: InContextStudy) -> tuple[OutcomeCell, ...]:
    """Every cell and form that was planned or has samples.

    Cells of another question than the item's own have `probe` as factor, those of what the forms are set against
    `arm`.
    """
    frames: dict[PlannedForm, pl.DataFrame] = {}
    for key in study.cells:
        for form in Form:
            part = study.cell(key).filter(pl.col("form") == form.value)
            if part.height:
                frames[key, form.value, DialogueProbe.QUERY, ""] = part
    for key in study.cells:
        for form in Form:
            part = study.neighbours_of(key).filter(pl.col("form") == form.value)
            if part.height and not key.question:
                frames[key, form.value, DialogueProbe.NEIGHBOUR, ""] = part
    for key, against in study.set_against.items():
        for (form_name, arm), part in against.partition_by("form", "arm", as_dict=True).items():
            frames[key, str(form_name), DialogueProbe.QUERY, str(arm)] = part
    for (key, probe), asked in study.pressed.items():
        for (form_name, arm), part in asked.partition_by("form", "arm", as_dict=True).items():
            frames[key, str(form_name), probe, str(arm)] = part
    planned = planned_cells(study.planned)
    empty = study.frame.clear()
    return tuple(
        OutcomeCell(
            {**key.factors, "form": form}
            | ({"probe": probe.value} if probe is not DialogueProbe.QUERY else {})
            | ({"arm": arm} if arm else {}),
            frames.get((key, form, probe, arm), empty),
            max(planned.get((key, form, probe, arm), 0), frames.get((key, form, probe, arm), empty).height),
        )
        for key, form, probe, arm in dict.fromkeys((*frames, *planned))
    )


def whole_run(study: InContextStudy) -> OutcomeCell:
    """All samples of the run, those of cells that never came among the planned ones."""
    return OutcomeCell(RUN, study.frame, sum(cell.planned for cell in outcome_cells(study)))


def planned_cells(labels: Mapping[str, int]) -> dict[PlannedForm, int]:
    """Samples planned per cell, form, question and arm, from the labels of the plan.

    Raises:
        DataError: a label is none of `plan.cell_label`.
    """
    planned: dict[PlannedForm, int] = {}
    for label, count in labels.items():
        read = _LABEL.fullmatch(label)
        if read is None:
            raise DataError("no cell of this benchmark", where="what was planned", found=label)
        length = None if read["length"] == NATIVE else int(read["length"])
        question = PreferenceQuestion.OPEN.value if read["open"] else ""
        key = DialogueCell(read["scenario"], length, read["strategy"], question)
        asked = DialogueProbe(read["probe"] or DialogueProbe.QUERY)
        planned[key, read["form"], asked, read["arm"] or ""] = count
    return planned


METRIC = InContextMetric(diagnostic_figures)
