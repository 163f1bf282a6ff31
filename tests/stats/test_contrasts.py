"""Trends over ordered conditions and contrasts between groups of items."""

import numpy as np
import pytest

from forgetscope.stats import contrast_of_groups, named_stream, trend_over_levels


def stream() -> np.random.Generator:
    return named_stream(42, "test")


def test_the_slope_by_hand() -> None:
    tested = trend_over_levels([1, 0, 1, 1], ["A", "A", "B", "B"], [0, 1, 0, 1], rng=stream())
    assert tested.estimate.value == pytest.approx(-0.5)
    assert (tested.estimate.n, tested.estimate.clusters) == (4, 2)
    # Item A may be permuted, item B does not change: both arrangements are as far from zero.
    assert tested.p_value == 1


def test_on_full_tables_the_slope_is_that_of_the_condition_means() -> None:
    rng = np.random.default_rng(2)
    table = rng.integers(0, 2, (40, 4)).astype(float)
    scores = np.array([0.0, 1, 3, 5])
    tested = trend_over_levels(table.ravel(), np.repeat(np.arange(40), 4), np.tile(scores, 40), rng=stream())
    assert tested.estimate.value == pytest.approx(np.polyfit(scores, table.mean(axis=0), 1)[0])


def test_harder_conditions_on_easy_items_only_do_not_bend_the_slope() -> None:
    # Every item is as good at 3 problems as at 0, but only the good half is asked 3 problems.
    good, poor = [1.0] * 30, [0.0] * 30
    values = good + poor + good
    items = list(range(60)) + list(range(30))
    scores = [0] * 60 + [3] * 30
    tested = trend_over_levels(values, items, scores, rng=stream())
    assert tested.estimate.value == 0
    assert tested.estimate.clusters == 30


def test_a_clear_trend_is_found_and_its_interval_lies_below_zero() -> None:
    rng = np.random.default_rng(4)
    rates = np.array([0.95, 0.8, 0.6, 0.3])
    table = (rng.random((60, 4)) < rates).astype(float)
    tested = trend_over_levels(table.ravel(), np.repeat(np.arange(60), 4), np.tile([1, 2, 3, 5], 60), rng=stream())
    assert tested.p_value is not None
    assert tested.p_value < 0.001
    assert (tested.estimate.high or 0) < 0
    assert (tested.estimate.value or 0) < -0.1


def test_without_a_trend_the_permutation_test_keeps_its_level() -> None:
    rng = np.random.default_rng(6)
    rejections = 0
    for _ in range(200):
        rates = rng.beta(1, 1, size=(30, 1))
        table = (rng.random((30, 3)) < rates).astype(float)
        tested = trend_over_levels(
            table.ravel(),
            np.repeat(np.arange(30), 3),
            np.tile([1, 3, 5], 30),
            rng=rng,
            permutations=200,
        )
        rejections += tested.p_value is not None and tested.p_value <= 0.05
    assert rejections / 200 < 0.1


def test_items_seen_at_one_level_only_leave_the_trend_undefined() -> None:
    tested = trend_over_levels([1, 0], ["A", "B"], [0, 1], rng=stream())
    assert (tested.estimate.value, tested.p_value) == (None, None)
    assert tested.estimate.undefined == "no scored samples"


def test_the_contrast_by_hand() -> None:
    tested = contrast_of_groups([1, 0, 0, 0], [True, True, False, False], rng=stream())
    assert tested.estimate.value == 0.5
    # Wherever the one drop lands, the two means differ by a half.
    assert tested.p_value == 1


def test_swapping_the_groups_turns_the_contrast_around() -> None:
    drops, terminal = np.array([1, 1, 0, 0.5, 0, 0]), np.array([1, 1, 1, 0, 0, 0], dtype=bool)
    there = contrast_of_groups(drops, terminal, rng=stream())
    back = contrast_of_groups(drops, ~terminal, rng=stream())
    assert there.estimate.value == pytest.approx(-(back.estimate.value or 0))


def test_a_large_contrast_is_found() -> None:
    rng = np.random.default_rng(8)
    drops = np.concatenate([rng.integers(0, 2, 18), np.zeros(12)])
    tested = contrast_of_groups(drops, np.arange(30) < 18, rng=stream())
    assert tested.p_value is not None
    assert tested.p_value < 0.05
    assert (tested.estimate.low or 0) > 0


def test_groups_without_any_spread_have_an_interval_that_leaves_room_for_one_that_differs() -> None:
    tested = contrast_of_groups([1] * 6 + [0] * 6, [True] * 6 + [False] * 6, rng=stream())
    assert tested.estimate.value == 1
    assert 0.4 < (tested.estimate.low or 0) < 0.8
    # 2 of the 924 ways to choose six of twelve items are as extreme.
    assert tested.p_value == pytest.approx(2 / 924, abs=0.002)


def test_a_group_of_one_item_has_neither_interval_nor_p_value() -> None:
    tested = contrast_of_groups([1, 0, 0], [True, False, False], rng=stream())
    assert (tested.estimate.low, tested.p_value) == (None, None)


def test_one_label_per_item_is_needed() -> None:
    with pytest.raises(ValueError, match="one group label per item"):
        contrast_of_groups([1, 0], [True], rng=stream())


def test_a_trend_that_is_the_same_in_every_item_has_an_interval() -> None:
    """Twelve items that all fall from 1 to 0 over two levels: sure, and no resample would differ."""
    items = [f"i{n}" for n in range(12)] * 2
    found = trend_over_levels([1.0] * 12 + [0.0] * 12, items, [0.0] * 12 + [2.0] * 12, rng=np.random.default_rng(1))
    assert found.estimate.value == pytest.approx(-0.5)
    assert found.estimate.low == pytest.approx(-0.5)
    assert found.estimate.high is not None
    assert -0.5 < found.estimate.high < 0
