"""Agreement against values worked out by hand, and the paper's own row of fifty replies."""

import pytest

from forgetscope.annotation.agreement import agreement_figures, agreement_findings
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import FigureIndex
from tests.annotation.invented import study_of

CELL = {"topic": "rain", "form": "without"}
JUDGE = {**CELL, "rater": "judge"}


def figures(groups: list[tuple[int, str, str]]) -> FigureIndex:
    return FigureIndex(agreement_figures(study_of(groups)))


def the(index: FigureIndex, name: str, **factors: str) -> Figure:
    found = index.get(name, **factors)
    assert found is not None
    return found


PAPER_ROW = [(42, "y", "yyy"), (1, "y", "nyy"), (2, "y", "nnn"), (3, "n", "yyy"), (2, "n", "nnn")]
"""Fifty replies that give the paper's row IF_NoForget: Tables 12, 13 and 14."""


def test_the_papers_row_of_instructional_forgetting_without_forgetting() -> None:
    index = figures(PAPER_ROW)
    rates = [the(index, "agreement", **JUDGE, **{"with": f"annotator {n}"}) for n in (1, 2, 3)]
    assert [100 * (rate.value or 0) for rate in rates] == pytest.approx([88, 90, 90])
    kappas = [the(index, "agreement.kappa", **JUDGE, **{"with": f"annotator {n}"}).value for n in (1, 2, 3)]
    assert kappas == pytest.approx([0.333, 0.390, 0.390], abs=5e-4)
    assert the(index, "people.fleiss", **CELL).value == pytest.approx(0.916, abs=5e-4)
    mean = the(index, "agreement.mean", **JUDGE)
    assert 100 * (mean.value or 0) == pytest.approx(89.33, abs=5e-3)
    assert mean.low is not None
    assert the(index, "agreement", **JUDGE, **{"with": "majority"}).value == pytest.approx(0.9)
    assert the(index, "agreement.kappa", **JUDGE, **{"with": "majority"}).value == pytest.approx(0.390, abs=5e-4)


def test_the_papers_row_brings_a_warning_of_prevalence() -> None:
    (warning,) = [finding for finding in agreement_findings(study_of(PAPER_ROW)) if finding.verdict == "warning"]
    assert "only 4 of 50 replies wrong (8.0%)" in warning.text
    assert "rests on 4 replies, too few (under 5) to correct for" in warning.text


def test_ten_replies_by_hand() -> None:
    # Judge and annotator 1: 4 both yes, 1 judge alone, 1 annotator alone, 4 both no: agreement 0.8, kappa 0.6.
    index = figures([(4, "y", "yy"), (1, "y", "nn"), (1, "n", "yn"), (4, "n", "nn")])
    assert the(index, "agreement", **JUDGE, **{"with": "annotator 1"}).value == pytest.approx(0.8)
    assert the(index, "agreement.kappa", **JUDGE, **{"with": "annotator 1"}).value == pytest.approx(0.6)
    assert the(index, "agreement", **JUDGE, **{"with": "annotator 2"}).value == pytest.approx(0.9)
    assert the(index, "people.yes", **CELL, by="annotator 1").value == pytest.approx(0.5)
    assert the(index, "people.yes", **CELL, by="annotator 2").value == pytest.approx(0.4)
    majority = the(index, "people.yes", **CELL, by="majority")
    assert majority.value == pytest.approx(4 / 9)
    assert (majority.n, majority.excluded) == (9, 1)


def test_cannot_tell_and_what_was_not_judged_leave_a_reply_out_and_are_counted() -> None:
    index = figures([(6, "y", "yyy"), (2, "y", "y?n"), (1, "n", "-nn"), (1, "-", "nnn")])
    first = the(index, "agreement", **JUDGE, **{"with": "annotator 1"})
    assert (first.value, first.n, first.excluded) == (1.0, 8, 2)
    second = the(index, "agreement", **JUDGE, **{"with": "annotator 2"})
    assert (second.n, second.excluded) == (7, 3)
    assert the(index, "people.cannot_tell", **CELL, by="annotator 2").value == 2
    assert the(index, "people.not_judged", **CELL, by="annotator 1").value == 1
    fleiss = the(index, "people.fleiss", **CELL)
    assert (fleiss.n, fleiss.excluded) == (7, 3)
    # Yes, cannot tell and no have no majority; two no of three with one open have.
    majority = the(index, "people.yes", **CELL, by="majority")
    assert (majority.n, majority.excluded) == (8, 2)


def test_a_majority_is_more_than_half_of_all_annotators() -> None:
    replies = study_of([(1, "y", "yy?"), (1, "y", "y??"), (1, "y", "yynn"), (1, "y", "n")]).replies
    assert [reply.gold for reply in replies] == [True, None, None, False]


def test_no_judge_no_figures_of_a_judge() -> None:
    index = figures([(5, "-", "yy"), (5, "-", "nn")])
    assert index.named("agreement") == ()
    assert the(index, "people.fleiss", **CELL).value == 1


def test_one_annotator_has_no_fleiss_kappa_and_is_said_to_be_alone() -> None:
    study = study_of([(6, "y", "y"), (6, "n", "n")])
    assert FigureIndex(agreement_figures(study)).named("people.fleiss") == ()
    (finding,) = list(agreement_findings(study))
    assert "One annotator alone" in finding.text


def test_all_the_same_answer_leaves_kappa_undefined_and_warns() -> None:
    study = study_of([(20, "y", "yyy")])
    kappa = the(FigureIndex(agreement_figures(study)), "agreement.kappa", **JUDGE, **{"with": "majority"})
    assert kappa.value is None
    assert "all answers are the same" in kappa.note
    (warning,) = list(agreement_findings(study))
    assert "none of 20 replies wrong" in warning.text


def test_missing_answers_are_said() -> None:
    texts = [finding.text for finding in agreement_findings(study_of([(5, "y", "yy-"), (5, "n", "nn-")]))]
    assert "Annotator 3 has not judged 10 of 10 replies." in texts


def test_the_order_of_annotators_changes_no_agreement_among_them() -> None:
    groups = [(4, "y", "yyn"), (3, "y", "ynn"), (5, "n", "nnn"), (6, "y", "yyy")]
    turned = [(count, judge, people[::-1]) for count, judge, people in groups]
    one, other = figures(groups), figures(turned)
    assert the(one, "people.fleiss", **CELL).value == the(other, "people.fleiss", **CELL).value
    assert the(one, "agreement.mean", **JUDGE).value == pytest.approx(the(other, "agreement.mean", **JUDGE).value)
