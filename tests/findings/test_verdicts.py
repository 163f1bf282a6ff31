"""The one rule of badges: what is shown, what is not, and that badge and clause cannot say different things."""

import ast
import itertools
from pathlib import Path

import numpy as np
import pytest

import forgetscope
from forgetscope.findings.figures import Figure
from forgetscope.findings.phrasing import basis
from forgetscope.findings.verdicts import Support, claim_answer, p_words
from forgetscope.stats import named_stream
from forgetscope.stats.change_test import change_test, changing_items

SURE = Support(0.1, 0.3, items=30, p=0.001, changed=12)

GRID = [
    Support(low, high, items, p, changed)
    for (low, high), items, p, changed in itertools.product(
        ((0.1, 0.3), (-0.3, -0.1), (-0.1, 0.2), (0.0, 0.2), (None, None)),
        (0, 5, 9, 10, 30),
        (None, 0.001, 0.05, 0.0501, 0.125, 1.0),
        (None, 0, 5, 6, 20),
    )
]


def test_a_sure_difference_is_shown_and_says_nothing_more() -> None:
    finding = SURE.finding("It fell by 20.0 points")
    assert (finding.text, finding.verdict) == ("It fell by 20.0 points.", "shown")


@pytest.mark.parametrize(
    ("support", "text", "badge"),
    [
        (Support(0.1, 0.3, 9, 0.001, 9), "; too few: a difference needs 10 items", "too few"),
        (Support(-0.1, 0.3, 30, 0.2, 12), "; undecided: the interval holds zero", "undecided"),
        (Support(0.01, 0.3, 30, 0.03, 5), "; undecided: only 5 items changed, and a test needs 6", "undecided"),
        (Support(0.01, 0.3, 30, 0.125, 8), "; undecided: p is above 0.05", "undecided"),
        (Support(None, None, 30), "; undecided: there is no interval", "undecided"),
    ],
)
def test_the_clause_says_what_is_missing(support: Support, text: str, badge: str) -> None:
    assert (support.clause, support.verdict) == (text, badge)


@pytest.mark.parametrize("support", GRID)
def test_shown_has_everything_and_every_other_badge_stands_in_its_sentence(support: Support) -> None:
    finding = support.finding("It moved")
    has_all = (
        support.low is not None
        and support.high is not None
        and not support.low <= 0 <= support.high
        and support.items >= 10
        and (support.p is None or support.p <= 0.05)
        and (support.changed is None or support.changed >= 6)
    )
    assert (finding.verdict == "shown") == has_all
    assert has_all or finding.verdict in finding.text


def test_what_a_difference_rests_on_is_told_in_the_direction_it_has() -> None:
    fell = Figure("x", {}, -0.786, 60, low=-0.841, high=-0.733, p=0.0001)
    assert basis(fell) == "95% interval 73.3 to 84.1, p < 0.001, 60 items"


def test_a_p_above_the_threshold_is_never_written_as_the_threshold() -> None:
    assert [p_words(p) for p in (0.0001, 0.05, 0.0502, 0.125)] == ["p < 0.001", "p 0.050", "p 0.0505", "p 0.125"]


@pytest.mark.parametrize(
    ("support", "margin", "of_some_cases", "answer"),
    [
        (SURE, None, False, "holds"),
        (Support(-0.3, -0.1, 30), None, False, "fails"),
        (Support(-0.3, -0.1, 30), None, True, "undecided"),
        (Support(0.1, 0.3, 9), None, False, "undecided"),
        (Support(0.1, 0.3, 30, p=0.125), None, False, "undecided"),
        (Support(-0.02, 0.03, 30), 0.05, False, "holds"),
        (Support(-0.02, 0.03, 8), 0.05, False, "undecided"),
        (Support(-0.2, 0.2, 30), 0.05, False, "undecided"),
        (Support(0.06, 0.2, 30), 0.05, False, "fails"),
    ],
)
def test_a_claim_holds_fails_or_is_undecided(
    support: Support, margin: float | None, *, of_some_cases: bool, answer: str
) -> None:
    assert claim_answer(support, margin=margin, is_of_some_cases=of_some_cases) == answer


def test_signs_are_flipped_over_items_and_runs_of_one_item_count_once() -> None:
    tested = change_test([1, 0, 1], ["a", "a", "b"], rng=named_stream(1, "x"))
    assert (tested.p, tested.changed) == (0.5, 2)
    six = change_test(np.ones(6), np.arange(6), rng=named_stream(1, "x"))
    assert six.p == pytest.approx(2 / 64), "the fewest changed items of which a test can be sure"
    assert change_test([], [], rng=named_stream(1, "x")).p is None


def test_a_trend_is_seen_only_in_items_that_change() -> None:
    assert changing_items([1, 1, 1, 0, 0, 1], ["a", "a", "b", "b", "c", "c"]) == 2


def test_no_sentence_is_given_its_badge_by_hand() -> None:
    """`shown` comes from `Support` alone; no `Finding` in the package is written with it."""
    package = Path(forgetscope.__file__).parent
    by_hand = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Finding"
        and any(isinstance(part, ast.Constant) and part.value == "shown" for part in ast.walk(node))
    }
    assert by_hand - {"benchmarks/visual/report/levels.py", "benchmarks/visual/report/evidence.py"} == set()
