"""Intervals that hold the spread of training as well as that of items."""

import numpy as np
import pytest

from forgetscope.stats.estimate import Estimate
from forgetscope.stats.intervals import clustered_mean
from forgetscope.stats.seeds import over_seeds

HALF = Estimate(0.5, 0.4, 0.6, 100, "items")


def test_the_halves_add_as_variances_do() -> None:
    found = over_seeds(HALF, [0.45, 0.5, 0.55])
    half = 4.3027 * 0.05 / np.sqrt(3)
    assert found.low == pytest.approx(0.5 - np.hypot(0.1, half), abs=1e-4)
    assert found.high == pytest.approx(0.5 + np.hypot(0.1, half), abs=1e-4)
    assert found.method == "items; and over 3 training seeds"


def test_one_seed_says_nothing_of_others_and_an_undefined_figure_stays_so() -> None:
    assert over_seeds(HALF, [0.5]) is HALF
    undefined = Estimate(None, None, None, 0, "", "nothing")
    assert over_seeds(undefined, [0.1, 0.2]) is undefined


def test_where_seeds_and_items_both_vary_the_truth_is_held_and_by_items_alone_it_is_not() -> None:
    """800 repetitions of five seeds and 64 items: each seed shifts every item's chance by its own amount."""
    rng, held, alone = np.random.default_rng(5), 0, 0
    for _ in range(800):
        chances = 0.5 + rng.normal(0, 0.1, (5, 1)) + rng.normal(0, 0.1, (1, 64))
        scores = (rng.random((5, 64)) < chances.clip(0, 1)).astype(float)
        items = clustered_mean(scores.mean(0), np.arange(64))
        found = over_seeds(items, scores.mean(1).tolist())
        assert items.low is not None
        assert items.high is not None
        assert found.low is not None
        assert found.high is not None
        alone += items.low <= 0.5 <= items.high
        held += found.low <= 0.5 <= found.high
    assert held / 800 >= 0.93
    assert alone / 800 < 0.75
