"""Paired tests and effect sizes: hand-computed values, SciPy and statsmodels beside them."""

import itertools
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from forgetscope.stats import cohens_h, holm, mcnemar, named_stream, sign_flip_permutation, size_of_h

COUNTS = st.integers(0, 60)


def test_mcnemar_by_hand() -> None:
    test = mcnemar(50, 1, 7, 32)
    assert (test.b, test.c, test.statistic) == (1, 7, 25 / 8)
    assert test.exact_p == pytest.approx(2 * (1 + 8) / 2**8)
    assert test.corrected_p == pytest.approx(0.0771, abs=1e-4)


def test_without_discordant_pairs_there_is_no_evidence() -> None:
    test = mcnemar(80, 0, 0, 10)
    assert (test.exact_p, test.corrected_p, test.statistic) == (1, 1, 0)


def test_as_many_gained_as_lost_is_no_evidence_under_either_form() -> None:
    assert (mcnemar(10, 3, 3, 0).exact_p, mcnemar(10, 3, 3, 0).corrected_p) == (1, 1)


@settings(deadline=None, max_examples=50)
@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_mcnemar_agrees_with_statsmodels_wherever_something_differs(a: int, b: int, c: int, d: int) -> None:
    ours = mcnemar(a, b, c, d)
    if b + c:
        assert ours.exact_p == pytest.approx(min(1, statsmodels_mcnemar([[a, b], [c, d]], exact=True).pvalue))
    if b != c:
        assert ours.corrected_p == pytest.approx(statsmodels_mcnemar([[a, b], [c, d]], exact=False).pvalue)
    assert mcnemar(d, c, b, a).exact_p == pytest.approx(ours.exact_p)


def test_mcnemar_refuses_negative_counts() -> None:
    with pytest.raises(ValueError, match="zero or positive"):
        mcnemar(1, -1, 0, 0)


def test_sign_flips_by_hand() -> None:
    assert sign_flip_permutation([1, 1, 1], rng=np.random.default_rng(0)) == 0.25
    # Sums of +-1 +-2: 3, 1, -1, -3; observed 1: all four are at least as far from zero.
    assert sign_flip_permutation([2, -1], rng=np.random.default_rng(0)) == 1


def test_items_that_do_not_differ_change_nothing_and_no_items_give_no_p_value() -> None:
    rng = np.random.default_rng(0)
    assert sign_flip_permutation([1, 1, 1] + [0] * 500, rng=rng) == 0.25
    assert sign_flip_permutation([0, 0], rng=rng) == 1
    assert sign_flip_permutation([], rng=rng) is None


def test_exact_sign_flips_agree_with_scipy() -> None:
    differences = np.array([1, 1 / 3, -2 / 3, 1, 1 / 3, 1 / 3, -1 / 3, 2 / 3])
    theirs = stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert sign_flip_permutation(differences, rng=np.random.default_rng(0)) == pytest.approx(theirs.pvalue)


def test_on_single_runs_sign_flips_are_mcnemars_exact_test() -> None:
    differences = [1] * 9 + [-1] * 3 + [0] * 78
    expected = mcnemar(78, 9, 3, 0).exact_p
    assert sign_flip_permutation(differences, rng=np.random.default_rng(0)) == pytest.approx(expected)


def test_drawn_sign_flips_come_close_to_the_exact_test_and_never_reach_zero() -> None:
    differences = [1] * 22 + [-1] * 9
    drawn = sign_flip_permutation(differences, rng=named_stream(1, "flips"), permutations=20_000)
    assert drawn == pytest.approx(mcnemar(0, 22, 9, 0).exact_p, abs=0.006)
    assert sign_flip_permutation([1] * 90, rng=named_stream(1, "flips"), permutations=999) == 1 / 1000


def test_sign_flips_keep_their_level_when_nothing_differs() -> None:
    rng = np.random.default_rng(5)
    rejections = 0
    for _ in range(300):
        differences = rng.integers(0, 2, (40, 3)).mean(axis=1) - rng.integers(0, 2, (40, 3)).mean(axis=1)
        p = sign_flip_permutation(differences, rng=rng, permutations=500)
        rejections += p is not None and p <= 0.05
    assert rejections / 300 < 0.09


def test_cohens_h_by_hand() -> None:
    assert cohens_h(0.5, 0.25) == pytest.approx(np.pi / 2 - np.pi / 3)
    assert cohens_h(1, 0) == pytest.approx(np.pi)


@settings(deadline=None, max_examples=50)
@given(st.floats(0, 1), st.floats(0, 1))
def test_cohens_h_turns_its_sign_with_its_arguments_and_has_their_order(first: float, second: float) -> None:
    assert cohens_h(first, second) == pytest.approx(-cohens_h(second, first))
    assert (cohens_h(first, second) >= 0) == (first >= second)


def test_cohens_h_refuses_percentages() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        cohens_h(86.1, 82.2)


@pytest.mark.parametrize(
    ("h", "word"), [(0.19, "negligible"), (-0.2, "small"), (0.5, "medium"), (-0.79, "medium"), (0.8, "large")]
)
def test_effect_sizes_have_cohens_names(h: float, word: str) -> None:
    assert size_of_h(h) == word


def test_holm_by_hand_with_undefined_members_left_where_they_are() -> None:
    # Sorted 0.01 * 3, 0.03 * 2, max(0.06, 0.04 * 1).
    assert holm([0.01, None, 0.04, 0.03]) == [pytest.approx(0.03), None, pytest.approx(0.06), pytest.approx(0.06)]
    assert holm([None, None]) == [None, None]
    assert holm([]) == []


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=18))
def test_holm_never_lowers_a_p_value_and_keeps_the_order(p_values: list[float]) -> None:
    adjusted = [p for p in holm(p_values) if p is not None]
    assert all(after >= before - 1e-12 for before, after in zip(p_values, adjusted, strict=True))
    ranked = [adjusted[i] for i in np.argsort(p_values, kind="stable")]
    assert all(a <= b + 1e-12 for a, b in itertools.pairwise(ranked))


@settings(deadline=None, max_examples=20)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=18))
def test_holm_is_statsmodels_holm(p_values: list[float]) -> None:
    with mock.patch("gc.collect"):  # theirs collects garbage at every call
        theirs = multipletests(p_values, method="holm")[1].tolist()
    assert holm(p_values) == pytest.approx(theirs)
