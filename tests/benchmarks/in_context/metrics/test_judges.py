"""How far judged figures can be trusted: agreement with the rule by hand, and each judge by itself."""

import pytest

from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import FigureIndex
from tests.benchmarks.in_context.metrics.small_tables import SR, cell, factors, figures_of, judged, pair

ROWS = pair("a", True, True) + pair("b", True, False) + pair("c", False, False) + pair("d", True, True)


def quality(index: FigureIndex, name: str, form: str) -> Figure:
    entry = index.get(f"judge.{name}", scenario="instructional_forgetting", form=form)
    assert entry is not None
    return entry


def test_agreement_sensitivity_and_specificity_by_hand() -> None:
    # NoForget by rule: right, right, wrong, right; by the judge: right, wrong, wrong, right
    votes = {
        ("a", "noforget"): [True],
        ("b", "noforget"): [False],
        ("c", "noforget"): [False],
        ("d", "noforget"): [True],
    }
    index = figures_of(judged(ROWS, votes))
    assert quality(index, "agreement", "noforget").value == 0.75
    assert quality(index, "sensitivity", "noforget").value == pytest.approx(2 / 3)
    specificity = quality(index, "specificity", "noforget")
    assert (specificity.value, specificity.n) == (1.0, 1)
    assert index.get("judge.agreement", scenario="instructional_forgetting", form="forget") is None


def test_agreement_is_the_mean_of_sensitivity_and_specificity_weighted_by_their_cases() -> None:
    votes = {(item, "forget"): [item in "ac"] for item in "abcd"}
    index = figures_of(judged(ROWS, votes))
    one, other = quality(index, "sensitivity", "forget"), quality(index, "specificity", "forget")
    agreement = quality(index, "agreement", "forget")
    assert one.value is not None
    assert other.value is not None
    assert agreement.value == pytest.approx((one.value * one.n + other.value * other.n) / agreement.n)


def test_a_judge_that_passes_everything_is_sensitive_and_not_specific() -> None:
    votes = {(item, "forget"): [True] for item in "abcd"}
    index = figures_of(judged(ROWS, votes))
    assert quality(index, "sensitivity", "forget").value == 1.0
    assert quality(index, "specificity", "forget").value == 0.0


def test_verdicts_that_could_not_be_read_are_counted_and_left_out() -> None:
    votes = {("a", "forget"): [True], ("b", "forget"): [True, False]}  # a tie is no verdict
    index = figures_of(judged(ROWS, votes))
    assert quality(index, "unreadable", "forget").value == 0.5
    agreement = quality(index, "agreement", "forget")
    assert (agreement.n, agreement.excluded) == (1, 1)


def test_the_share_a_judge_decided_is_told_for_every_cell() -> None:
    votes = {("b", "forget"): [True], ("b", "noforget"): [True]}
    index = figures_of(judged(ROWS, votes, decides=True) + cell(1, 0, 0, 0, SR))
    assert index.value("judge.decided", **factors()) == 0.25
    assert index.value("judge.decided", **factors(SR)) == 0.0
    assert index.value("fa", **factors()) == 0.75


def test_each_judge_of_a_panel_has_figures_of_its_own() -> None:
    votes = {(item, form): [True, form == "noforget"] for item in "abcd" for form in ("noforget", "forget")}
    index = figures_of(judged(ROWS, votes))
    unanimous = index.get("judge.unanimous")
    assert unanimous is not None
    assert (unanimous.value, unanimous.n) == (0.5, 8)
    for name, fa in (("judge-1", 1.0), ("judge-2", 0.0)):
        assert index.value("by_judge.na", **factors(judge=name)) == 1.0
        assert index.value("by_judge.fa", **factors(judge=name)) == fa
        assert index.value("by_judge.sfrr", **factors(judge=name)) == fa
    # rule right in 5 of 8: the one that passes all agrees on 5; the other on 3 of 4 and 2 of 4
    assert index.value("judge.one.agreement", judge="judge-1") == pytest.approx(5 / 8)
    assert index.value("judge.one.agreement", judge="judge-2") == pytest.approx(5 / 8)


def test_judge_and_rule_are_compared_on_the_ladder_too() -> None:
    votes = {("a", "forget"): [True], ("b", "forget"): [True]}
    rows = [
        {**entry, "leak": "none", "judge_leak": "none" if entry["item"] == "a" else "hint"}
        if entry["judge_status"]
        else entry
        for entry in judged(ROWS, votes)
    ]
    ladder = quality(figures_of(rows), "ladder", "forget")
    assert (ladder.value, ladder.n) == (0.5, 2)


def test_one_judge_is_no_panel_and_no_judge_has_no_figures() -> None:
    alone = figures_of(judged(ROWS, {("a", "forget"): [True]}))
    assert alone.get("judge.unanimous") is None
    assert figures_of(ROWS).named("judge.agreement") == ()
