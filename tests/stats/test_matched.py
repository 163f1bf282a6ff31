"""Two runs over the same units: the difference, its interval and its test."""

import numpy as np
import pytest

from forgetscope.stats import (
    MatchedSide,
    matched_difference,
    mcnemar,
    named_stream,
    paired_difference,
    sign_flip_permutation,
)


def _sides(seed: int, units: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, units), rng.integers(0, 2, units), np.arange(units)


def test_a_difference_by_hand() -> None:
    ones = np.ones(3)
    found = matched_difference(
        MatchedSide([1, 0, 0], ones), MatchedSide([1, 1, 0], ones), [0, 1, 2], rng=named_stream(1, "hand")
    )
    assert [found.first, found.second] == pytest.approx([1 / 3, 2 / 3])
    assert found.estimate.value == pytest.approx(1 / 3)
    assert found.p_value == 1.0


def test_the_test_of_single_pairs_is_the_exact_mcnemar_test() -> None:
    for seed in range(5):
        first, second, cluster = _sides(seed, 14)
        ones = np.ones(14)
        found = matched_difference(
            MatchedSide(first, ones), MatchedSide(second, ones), cluster, rng=named_stream(1, "x")
        )
        counts = [int(((first == one) & (second == two)).sum()) for one, two in ((1, 1), (1, 0), (0, 1), (0, 0))]
        assert found.p_value == pytest.approx(mcnemar(*counts).exact_p)


def test_with_repeats_the_test_is_the_sign_flip_over_clusters() -> None:
    first, second, _ = _sides(3, 24)
    cluster = np.repeat(np.arange(8), 3)
    ones = np.ones(24)
    found = matched_difference(MatchedSide(first, ones), MatchedSide(second, ones), cluster, rng=named_stream(1, "x"))
    means = (second - first).reshape(8, 3).mean(axis=1)
    assert found.p_value == pytest.approx(sign_flip_permutation(means, rng=named_stream(1, "y")))


def test_the_interval_is_that_of_a_paired_difference() -> None:
    first, second, cluster = _sides(4, 60)
    ones = np.ones(60)
    found = matched_difference(
        MatchedSide(first, ones), MatchedSide(second, ones), cluster, rng=named_stream(1, "x")
    ).estimate
    known = paired_difference(second, cluster, first, cluster)
    assert found.value == pytest.approx(known.value)
    assert [found.low, found.high] == pytest.approx([known.low, known.high], abs=0.02)


def test_a_run_and_itself_do_not_differ_and_the_interval_has_a_width() -> None:
    first, _, cluster = _sides(5, 40)
    side = MatchedSide(first, np.ones(40))
    found = matched_difference(side, side, cluster, rng=named_stream(1, "x"))
    assert (found.estimate.value, found.p_value) == (0.0, 1.0)
    assert found.estimate.low == pytest.approx(-(found.estimate.high or 0))
    assert found.estimate.high is not None
    assert found.estimate.high > 0


def test_exchanging_the_runs_changes_the_sign_alone() -> None:
    first, second, cluster = _sides(6, 12)
    one, two = MatchedSide(first, np.ones(12)), MatchedSide(second, np.ones(12))
    there = matched_difference(one, two, cluster, rng=named_stream(1, "x"))
    back = matched_difference(two, one, cluster, rng=named_stream(1, "x"))
    assert there.estimate.value == pytest.approx(-(back.estimate.value or 0))
    assert there.p_value == back.p_value


def test_a_conditional_rate_has_each_runs_own_denominator() -> None:
    found = matched_difference(
        MatchedSide([1, 1, 0, 0], [1, 1, 1, 0]),
        MatchedSide([1, 0, 0, 0], [1, 0, 0, 1]),
        range(4),
        rng=named_stream(1, "x"),
    )
    assert [found.first, found.second] == pytest.approx([2 / 3, 0.5])


def test_a_mean_over_groups_weighs_groups_the_same() -> None:
    ones = np.ones(5)
    found = matched_difference(
        MatchedSide([0, 0, 0, 0, 0], ones),
        MatchedSide([1, 1, 1, 1, 0], ones),
        range(5),
        group=["a", "a", "a", "a", "b"],
        rng=named_stream(1, "x"),
    )
    assert found.second == 0.5


def test_without_units_or_with_an_empty_denominator_nothing_is_defined() -> None:
    empty = matched_difference(MatchedSide([], []), MatchedSide([], []), [], rng=named_stream(1, "x"))
    assert (empty.estimate.value, empty.p_value, empty.estimate.undefined) == (None, None, "no matched units")
    none_right = matched_difference(
        MatchedSide([1, 0], [1, 1]), MatchedSide([0, 0], [0, 0]), [0, 1], rng=named_stream(1, "x")
    )
    assert (none_right.estimate.value, none_right.p_value, none_right.second) == (None, None, None)


def test_sides_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="one entry for each matched unit"):
        matched_difference(MatchedSide([1], [1]), MatchedSide([1, 1], [1, 1]), [0], rng=named_stream(1, "x"))


def test_under_no_difference_few_tests_are_below_five_percent() -> None:
    rng = np.random.default_rng(7)
    hits = 0
    for trial in range(200):
        first, second = rng.integers(0, 2, (2, 12))
        ones = np.ones(12)
        found = matched_difference(
            MatchedSide(first, ones), MatchedSide(second, ones), range(12), rng=named_stream(trial, "x")
        )
        hits += (found.p_value or 1.0) <= 0.05
    assert hits <= 20
