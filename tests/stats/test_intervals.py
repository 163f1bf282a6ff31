"""Intervals against hand-computed values, SciPy and statsmodels, and against their own promise of coverage."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from forgetscope.stats import (
    clustered_mean,
    difference_of_means,
    macro_average,
    paired_difference,
    ratio_of_sums,
    wilson,
)
from forgetscope.stats.jackknife import wilson_ends

# Wilson


def test_wilson_by_hand() -> None:
    # z = 1.96, n = 10, p = 0.8: centre (0.8 + 3.84/20) / 1.384, half-width 1.96/1.384 * sqrt(0.016 + 3.84/400).
    estimate = wilson(8, 10)
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((0.8, 0.4902, 0.9433), abs=1e-4)


def test_wilson_of_all_right_has_the_closed_form_n_over_n_plus_z_squared() -> None:
    assert wilson(10, 10).low == pytest.approx(10 / (10 + stats.norm.isf(0.025) ** 2))
    assert wilson(10, 10).high == 1


@settings(deadline=None, max_examples=50)
@given(st.integers(6, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_agrees_with_statsmodels_contains_the_rate_and_mirrors(counts: tuple[int, int]) -> None:
    successes, n = counts
    estimate = wilson(successes, n)
    low, high = proportion_confint(successes, n, method="wilson")
    assert estimate.low == pytest.approx(max(0, low), abs=1e-12)
    assert estimate.high == pytest.approx(min(1, high), abs=1e-12)
    assert estimate.value is not None
    assert estimate.low is not None
    assert estimate.high is not None
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
    assert wilson(n - successes, n).low == pytest.approx(1 - estimate.high, abs=1e-12)


def test_wilson_of_nothing_is_undefined_and_of_five_samples_has_no_interval() -> None:
    assert wilson(0, 0).value is None
    assert wilson(0, 0).undefined == "no scored samples"
    few = wilson(5, 5)
    assert (few.value, few.low, few.undefined) == (1.0, None, "fewer than 6 samples")
    assert wilson(6, 6).low is not None


def test_wilson_refuses_more_successes_than_samples() -> None:
    with pytest.raises(ValueError, match="between 0 and n"):
        wilson(3, 2)


# Means of clustered outcomes


def test_the_mean_is_over_samples_and_the_units_are_clusters() -> None:
    estimate = clustered_mean([1, 1, 0, 0, 0, 1, 1, 0], ["A", "A", "A", "B", "C", "D", "E", "F"])
    assert (estimate.value, estimate.n, estimate.clusters) == (0.5, 8, 6)


def test_a_mean_of_single_samples_is_nearly_wilsons() -> None:
    ours = clustered_mean([1.0] * 70 + [0.0] * 20, np.arange(90))
    assert (ours.low, ours.high) == pytest.approx((wilson(70, 90).low, wilson(70, 90).high), abs=0.002)


def test_repeating_every_sample_three_times_leaves_the_interval_as_wide_as_it_was() -> None:
    outcomes = np.array([1.0] * 70 + [0.0] * 20)
    once = clustered_mean(outcomes, np.arange(90))
    thrice = clustered_mean(np.repeat(outcomes, 3), np.repeat(np.arange(90), 3))
    assert (once.low, once.high) == pytest.approx((thrice.low, thrice.high))


@settings(deadline=None, max_examples=50)
@given(st.permutations(list(range(12))))
def test_neither_order_nor_the_names_of_clusters_change_the_value(order: list[int]) -> None:
    outcomes = np.array([1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 1])
    cluster = np.repeat(np.arange(6), 2)
    plain = clustered_mean(outcomes, cluster)
    shuffled = clustered_mean(outcomes[order], cluster[order])
    assert (plain.low, plain.high) == pytest.approx((shuffled.low, shuffled.high))
    renamed = clustered_mean(outcomes, np.array(["d", "a", "c", "b", "f", "e"])[cluster])
    assert renamed.value == plain.value


def test_agreeing_clusters_get_wilson_with_as_many_units_as_clusters_not_samples() -> None:
    estimate = clustered_mean([1] * 30, np.repeat(np.arange(10), 3))
    assert (estimate.low, estimate.high) == pytest.approx((wilson(10, 10).low, 1))


def test_five_clusters_however_many_samples_have_no_interval() -> None:
    estimate = clustered_mean([1, 0, 1] * 5, np.repeat(np.arange(5), 3))
    assert estimate.value == pytest.approx(2 / 3)
    assert (estimate.low, estimate.undefined) == (None, "fewer than 6 items")


def test_no_samples_leave_value_and_interval_undefined() -> None:
    estimate = clustered_mean([], [])
    assert (estimate.value, estimate.n, estimate.undefined) == (None, 0, "no scored samples")


# Ratios


def test_items_without_a_denominator_say_nothing_of_a_conditional_rate() -> None:
    holds, both = [1] * 8 + [0] * 5, [1] * 5 + [0] * 8
    estimate = ratio_of_sums(both, holds, np.arange(13))
    assert (estimate.value, estimate.n, estimate.clusters) == (5 / 8, 8, 8)
    assert estimate.low == ratio_of_sums(both[:8], holds[:8], np.arange(8)).low


def test_a_conditional_rate_nobody_qualifies_for_is_undefined() -> None:
    estimate = ratio_of_sums([0, 0], [0, 0], [1, 2])
    assert (estimate.value, estimate.undefined) == (None, "zero denominator")


def test_a_conditional_rate_with_five_qualifying_items_has_no_interval() -> None:
    estimate = ratio_of_sums([1] * 5 + [0] * 20, [1] * 5 + [0] * 20, range(25))
    assert (estimate.value, estimate.low, estimate.undefined) == (1, None, "fewer than 6 items")


# Differences


def test_the_unmatched_difference_uses_all_samples_and_the_paired_one_matched_items_only() -> None:
    # Baseline on items A, B, C: 1, 1, 0; condition on A alone: 0.
    arguments = ([1, 1, 0], ["A", "B", "C"], [0], ["A"])
    assert difference_of_means(*arguments).value == pytest.approx(2 / 3)
    paired = paired_difference(*arguments)
    assert (paired.value, paired.n, paired.low) == (1, 1, None)


def test_the_paired_difference_weighs_items_alike_however_many_runs_they_have() -> None:
    estimate = paired_difference([1, 1, 1], ["A", "B", "C"], [1, 0, 0, 1], ["A", "A", "A", "B"])
    assert estimate.value == pytest.approx(((1 - 1 / 3) + 0) / 2)
    assert (estimate.n, estimate.clusters) == (2, 2)


def test_no_matched_item_says_so() -> None:
    estimate = paired_difference([1], ["A"], [0], ["B"])
    assert (estimate.value, estimate.undefined) == (None, "no matched items")


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=6, max_size=20))
def test_swapping_the_conditions_turns_the_difference_and_its_interval_around(pairs: list[tuple[bool, bool]]) -> None:
    first, second = [int(a) for a, _ in pairs], [int(b) for _, b in pairs]
    items = list(range(len(pairs)))
    there = paired_difference(first, items, second, items)
    back = paired_difference(second, items, first, items)
    assert there.value == pytest.approx(-(back.value or 0))
    assert there.low == pytest.approx(-(back.high or 0))


def test_one_run_an_item_gives_bonett_and_prices_interval() -> None:
    # 20 items, 9 lost and 2 gained: p12 = 10/22, p21 = 3/22, difference 7/22, variance (13/22 - 49/484) / 22.
    items = np.arange(20)
    estimate = paired_difference([1] * 9 + [0] * 2 + [1] * 9, items, [0] * 9 + [1] * 2 + [1] * 9, items)
    half = stats.norm.isf(0.025) * np.sqrt((13 / 22 - 49 / 484) / 22)
    assert estimate.value == pytest.approx(7 / 20)
    assert (estimate.low, estimate.high) == pytest.approx((7 / 22 - half, 7 / 22 + half))


def test_items_that_never_change_leave_room_for_one_that_would_each_way() -> None:
    items = np.arange(90)
    estimate = paired_difference(np.ones(90), items, np.ones(90), items)
    half = stats.norm.isf(0.025) * np.sqrt(2 / 92 / 92)
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((0, -half, half))


def test_a_total_drop_has_an_interval_that_stops_at_one() -> None:
    items = np.arange(90)
    estimate = paired_difference(np.ones(90), items, np.zeros(90), items)
    assert (estimate.value, estimate.high) == (1, 1)
    assert 0.9 < (estimate.low or 0) < 1


def test_pairing_narrows_the_interval_of_correlated_outcomes() -> None:
    rng = np.random.default_rng(3)
    first = (rng.random(90) < 0.6).astype(float)
    second = np.where(rng.random(90) < 0.1, 1 - first, first)
    items = np.arange(90)
    paired = difference_of_means(first, items, second, items)
    apart = difference_of_means(first, items, second, items + 1000)
    assert paired.value == apart.value
    assert (paired.high or 0) - (paired.low or 0) < 0.7 * ((apart.high or 0) - (apart.low or 0))


# Macro-averages


def test_a_macro_average_weighs_groups_alike() -> None:
    estimate = macro_average([1, 1, 1, 0, 0, 1], range(6), ["X"] * 4 + ["Y"] * 2)
    assert (estimate.value, estimate.n, estimate.clusters) == (0.625, 6, 6)
    assert estimate.low is not None
    assert estimate.low < 0.625 < (estimate.high or 0)


def test_a_nested_macro_average_refuses_a_cluster_in_two_groups() -> None:
    with pytest.raises(ValueError, match="nested=False"):
        macro_average([1, 0], ["A", "A"], ["X", "Y"])


def test_a_crossed_macro_average_that_hangs_on_one_item_has_no_interval() -> None:
    outcomes, items, groups = [1, 0, 1, 0, 1, 0, 1], [0, 1, 2, 3, 4, 5, 5], ["X"] * 6 + ["Y"]
    estimate = macro_average(outcomes, items, groups, nested=False)
    assert estimate.value == pytest.approx(0.75)
    assert (estimate.low, estimate.undefined) == (None, "it hangs on a single item")


def test_groups_that_differ_without_any_spread_inside_vary_as_groups_with_one_more_of_either_kind_would() -> None:
    # Shares 7/8 and 1/8 of six items each: variance (7/64 / 6 + 7/64 / 6) / 4, standard error 0.095.
    estimate = macro_average([1] * 6 + [0] * 6, range(12), ["X"] * 6 + ["Y"] * 6)
    assert estimate.value == 0.5
    assert estimate.high == pytest.approx(wilson_ends(0.5, 0.25 / (7 / 64 / 6 / 2), 0.95)[1])


def test_scores_well_inside_the_scale_have_an_interval_about_as_wide_as_students_t() -> None:
    scores = np.random.default_rng(0).beta(12, 8, 30)
    found, t = clustered_mean(scores, np.arange(30)), stats.t.isf(0.025, 29) * scores.std(ddof=1) / np.sqrt(30)
    assert found.high is not None
    assert found.low is not None
    assert 1.0 < (found.high - found.low) / (2 * t) < 1.15


def test_groups_that_all_agree_get_wilson_over_the_clusters() -> None:
    estimate = macro_average([1] * 8, range(8), np.repeat(["X", "Y"], 4))
    assert estimate.low == pytest.approx(wilson(8, 8).low)


# The promise of an interval


def test_cluster_intervals_cover_about_95_percent_where_ignoring_clusters_covers_far_less() -> None:
    rng = np.random.default_rng(11)
    covered = naive = 0
    trials = 300
    for _ in range(trials):
        rates = rng.beta(2, 1, size=90)  # mean 2/3, items differ a great deal
        outcomes = (rng.random((90, 3)) < rates[:, None]).astype(float).ravel()
        clustered = clustered_mean(outcomes, np.repeat(np.arange(90), 3))
        plain = clustered_mean(outcomes, np.arange(270))
        covered += (clustered.low or 0) <= 2 / 3 <= (clustered.high or 0)
        naive += (plain.low or 0) <= 2 / 3 <= (plain.high or 0)
    assert 0.91 <= covered / trials <= 0.985
    assert naive < covered


def test_nested_macro_intervals_cover_about_95_percent_with_six_items_a_type() -> None:
    rng = np.random.default_rng(12)
    rates = rng.uniform(0.3, 0.95, size=15)
    truth = rates.mean()
    types = np.repeat(np.arange(15), 6)
    trials = 400
    covered = 0
    for _ in range(trials):
        outcomes = (rng.random(90) < rates[types]).astype(float)
        estimate = macro_average(outcomes, np.arange(90), types)
        covered += (estimate.low or 0) <= truth <= (estimate.high or 0)
    assert 0.92 <= covered / trials <= 0.985
