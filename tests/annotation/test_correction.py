"""Corrected accuracies, SFRR and WR come back to what people would say of the whole run."""

from pathlib import Path

import polars as pl
import pytest

from forgetscope.annotation.agreement import agreement_figures
from forgetscope.annotation.answers import AnnotationStudy, match_answers
from forgetscope.annotation.correction import correction_figures
from forgetscope.annotation.sampling import Drawn, draw_sample
from forgetscope.annotation.tables import study_tables
from forgetscope.core.errors import DataError
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import FigureIndex
from forgetscope.stats import named_stream
from tests.annotation.invented import DESIGN, NO, UNSURE, YES, annotation, drawn, row, table

SENSITIVITY, SPECIFICITY = 0.9, 0.75
TRUTH = {(True, True): 0.4, (True, False): 0.3, (False, True): 0.1, (False, False): 0.2}
"""True shares of pairs: SFRR 4/7, WR 0.1, right without 0.7, right with 0.5."""


def a_run(items: int, seed: int = 1) -> tuple[pl.DataFrame, dict[str, bool]]:
    """A run whose judge errs at fixed rates, and what is true of each sample; the light items are judged right."""
    draw = named_stream(seed, "a run")
    rows, truth = [], {}
    pairs = list(TRUTH)
    for number in range(items):
        chosen = pairs[draw.choice(len(pairs), p=list(TRUTH.values()))]
        for form, right in zip(DESIGN.forms, chosen, strict=True):
            said = bool(draw.random() < (SENSITIVITY if right else 1 - SPECIFICITY))
            entry = row(f"i{number:04d}", form, kind=("light", "heavy")[number % 4 == 0], judge=said)
            truth[str(entry["sample_id"])] = right
            rows.append(entry | {"status": "correct" if said else "incorrect"})
    return table(rows), truth


def answered(run: pl.DataFrame, of: Drawn, truth: dict[str, bool], annotators: int = 3) -> AnnotationStudy:
    """People who are always right."""
    said = {sample_id: YES if right else NO for sample_id, right in truth.items()}
    given = [annotation(of, number, said) for number in range(1, annotators + 1)]
    return match_answers(run, DESIGN, given, Path("run"))


def the(index: FigureIndex, name: str, **factors: str) -> Figure:
    found = index.get(name, topic="rain", rater="judge", **factors)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def index() -> FigureIndex:
    run, truth = a_run(3000)
    of = draw_sample(run, DESIGN, per_cell=800, seed=7)
    return FigureIndex(correction_figures(answered(run, of, truth)))


def test_accuracies_come_back_to_the_truth(index: FigureIndex) -> None:
    for form, true in (("without", 0.7), ("with", 0.5)):
        own, corrected = the(index, "rate", form=form), the(index, "rate.corrected", form=form)
        assert own.value == pytest.approx(SENSITIVITY * true + (1 - SPECIFICITY) * (1 - true), abs=0.03)
        assert corrected.value == pytest.approx(true, abs=0.04)
        assert corrected.low is not None
        assert corrected.high is not None
        assert corrected.low < true < corrected.high
        assert the(index, "rate.sensitivity", form=form).value == pytest.approx(SENSITIVITY, abs=0.03)
        assert the(index, "rate.specificity", form=form).value == pytest.approx(SPECIFICITY, abs=0.05)


def test_sfrr_and_wr_come_back_to_the_truth_and_name_their_matrix(index: FigureIndex) -> None:
    sfrr, wr = the(index, "sfrr.corrected"), the(index, "wr.corrected")
    assert sfrr.value == pytest.approx(4 / 7, abs=0.06)
    assert wr.value == pytest.approx(0.1, abs=0.05)
    assert "estimated from pairs" in sfrr.method
    assert the(index, "wr").value == pytest.approx(0.18, abs=0.03)  # What the judge alone would say.


def test_a_small_sample_leaves_sfrr_uncorrected_or_says_what_it_assumes() -> None:
    run, truth = a_run(100)
    few = FigureIndex(correction_figures(answered(run, draw_sample(run, DESIGN, per_cell=8, seed=1), truth)))
    assert the(few, "sfrr.corrected").value is None
    assert the(few, "sfrr.corrected").method.startswith("left uncorrected")
    assert the(few, "sfrr").value is not None
    some = FigureIndex(correction_figures(answered(run, draw_sample(run, DESIGN, per_cell=30, seed=1), truth)))
    entry = the(some, "sfrr.corrected")
    assert entry.value is not None
    assert "independent given the truth" in entry.note
    assert "fewer than 5" in entry.note


def test_weights_are_items_of_the_stratum_to_one_that_was_answered() -> None:
    run, truth = a_run(80)
    of = draw_sample(run, DESIGN, per_cell=20, seed=1)
    study = answered(run, of, truth)
    known = study.validation("rain", "with", "judge")
    drawn_by = {stratum.name: stratum.drawn for stratum in of.strata}
    assert drawn_by == {"heavy": 5, "light": 15}
    heavy, light = 20 / 5, 60 / 15
    assert set(known.weight) == {heavy, light}
    assert known.weight.sum() == pytest.approx(80)
    # Replies without a majority leave their stratum's weight to the others.
    said = {sample_id: YES if right else NO for sample_id, right in truth.items()}
    unsure = of.rows.filter(kind="light", form="with")["sample_id"].to_list()[:5]
    said |= dict.fromkeys(unsure, UNSURE)
    fewer = match_answers(run, DESIGN, [annotation(of, 1, said)], Path("run")).validation("rain", "with", "judge")
    assert len(fewer.gold) == 15
    assert set(fewer.weight) == {20 / 5, 60 / 10}


def test_a_rater_without_verdicts_has_no_figures() -> None:
    run, truth = a_run(40)
    found = FigureIndex(correction_figures(answered(run, draw_sample(run, DESIGN, per_cell=10, seed=1), truth)))
    assert {entry.factors["rater"] for entry in found} == {"judge"}


def test_answers_of_another_run_are_refused() -> None:
    run, truth = a_run(40)
    other = drawn()
    with pytest.raises(DataError, match="20 of 20 replies are not of this run"):
        match_answers(run, DESIGN, [annotation(other, 1, {})], Path("run"))
    with pytest.raises(DataError, match="no annotations"):
        match_answers(run, DESIGN, [], Path("run"))
    assert len(truth) == 80


def test_tables_show_what_was_computed() -> None:
    run, truth = a_run(60)
    study = answered(run, draw_sample(run, DESIGN, per_cell=20, seed=1), truth)
    whole = FigureIndex([*agreement_figures(study), *correction_figures(study)])
    tables = list(study_tables(study, whole))
    assert [entry.slug for entry in tables] == ["people", "judge-agreement", "judge-agreement-kappa", "rates", "pairs"]
    for entry in tables:
        keys = {column.key for column in entry.columns}
        assert all(set(line) <= keys for line in entry.rows)
    assert [line["drawn"] for line in tables[0].rows] == [20, 20]
