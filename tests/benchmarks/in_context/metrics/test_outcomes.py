"""What became of the samples of every cell and form: planned, missing, and nothing counted twice."""

import polars as pl
import pytest

from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.metrics.outcomes import RUN, outcome_cells, planned_cells
from forgetscope.benchmarks.in_context.metrics.study import DialogueCell
from forgetscope.benchmarks.in_context.plan import make_plan
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.core.errors import DataError
from forgetscope.core.outcomes import Status
from tests.benchmarks.in_context.metrics.small_tables import DP, IF, SR, cell, factors, figures_of, pair, study_of


def test_counts_over_statuses_and_those_missing_sum_to_what_was_planned() -> None:
    rows = cell(2, 1, 0, 0) + pair("x", "cut", "lost") + pair("y", "refused", "unread") + cell(1, 0, 0, 1, SR)
    planned = {"instructional_forgetting noforget native noforget": 7}
    index = figures_of(rows, planned)
    for entry in index.named("outcomes.planned"):
        counts = [index.value(f"outcomes.status.{status.value}", **entry.factors) or 0 for status in Status]
        assert sum(counts) + (index.value("outcomes.missing", **entry.factors) or 0) == entry.value
    here = factors(form="noforget")
    assert index.value("outcomes.planned", **here) == 7
    assert index.value("outcomes.missing", **here) == 2
    assert index.value("outcomes.status.truncated", **here) == 1
    assert index.value("truncated", **here) == pytest.approx(1 / 5)


def test_the_whole_run_is_the_sum_of_its_cells() -> None:
    rows = cell(2, 1, 0, 0) + cell(1, 0, 0, 1, SR, length=500) + pair("x", True, False, probe="neighbour")
    index = figures_of(rows, {"dynamic_preference forget native noforget open": 3})
    whole = index.value("outcomes.planned", **RUN)
    parts = [entry.value for entry in index.named("outcomes.planned") if entry.factors != RUN]
    assert whole == sum(part or 0 for part in parts) == len(rows) + 3
    assert index.value("outcomes.missing", **RUN) == 3


def test_a_planned_cell_that_never_came_is_a_row_of_its_own() -> None:
    index = figures_of(cell(1, 0, 0, 0), {"subtask_revision forget 3000 none": 4})
    lost = factors(SR, 3000, "none", form="forget")
    assert index.value("outcomes.planned", **lost) == index.value("outcomes.missing", **lost) == 4
    assert index.value("outcomes.completeness", **lost) == 0


def test_the_neighbour_question_is_counted_apart() -> None:
    rows = cell(1, 0, 0, 0) + pair("a", True, False, probe="neighbour")
    cells = {tuple(sorted(found.factors)): found.frame.height for found in outcome_cells(study_of(rows))}
    assert sum(cells.values()) == 2
    assert figures_of(rows).value("outcomes.planned", **factors(form="forget", probe="neighbour")) == 1


def test_no_sample_is_in_two_cells() -> None:
    rows = cell(1, 1, 0, 0) + cell(1, 0, 0, 0, DP) + cell(1, 0, 0, 0, DP, question="open")
    rows += pair("a", True, True, probe="neighbour") + cell(1, 0, 0, 0, length=500)
    ids = pl.concat([found.frame["sample_id"] for found in outcome_cells(study_of(rows))])
    assert ids.len() == ids.n_unique() == len(rows)


def test_labels_of_the_plan_are_read_back_as_they_were_written() -> None:
    settings = InContextSettings(
        limit=1, lengths="native,500", strategies="noforget,none", questions="options,open", judged="needed"
    )
    labels = {planned.label: planned.samples for planned in make_plan(settings).cells}
    read = planned_cells(labels)
    assert sum(read.values()) == sum(labels.values())
    assert len(read) == len(labels)
    assert (DialogueCell(DP, 500, "none", "open"), "forget", DialogueProbe.QUERY, "") in read
    assert (DialogueCell(IF, None, "noforget"), "noforget", DialogueProbe.NEIGHBOUR, "") in read


def test_a_label_of_another_benchmark_is_refused() -> None:
    with pytest.raises(DataError, match="no cell of this benchmark; found 'natural \\+ mmlu'"):
        planned_cells({"natural + mmlu": 3})
