"""The engine: weights, named streams, what is dropped and what is undefined."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetscope.stats import Estimate, cluster_bootstrap, named_stream
from forgetscope.stats.resampling import NO_SPREAD, bootstrap_weights, cluster_index, divide, scored, sums_by_cluster


def test_a_stream_depends_on_its_seed_and_its_name_only() -> None:
    first = named_stream(42, "bootstrap/a").integers(0, 10**9, 5)
    assert (first == named_stream(42, "bootstrap/a").integers(0, 10**9, 5)).all()
    assert (first != named_stream(42, "bootstrap/b").integers(0, 10**9, 5)).any()
    assert (first != named_stream(137, "bootstrap/a").integers(0, 10**9, 5)).any()


def test_a_stream_is_the_same_on_every_machine() -> None:
    assert named_stream(42, "items").integers(0, 1000, 4).tolist() == ITEMS_STREAM


ITEMS_STREAM = [997, 426, 125, 711]


@pytest.mark.parametrize(("seed", "purpose"), [(-1, "items"), (1, "")])
def test_a_stream_refuses_a_negative_seed_and_an_empty_name(seed: int, purpose: str) -> None:
    with pytest.raises(ValueError, match=r"seed is zero or positive|needs a name"):
        named_stream(seed, purpose)


def test_every_resample_draws_as_many_clusters_as_asked() -> None:
    weights = bootstrap_weights(7, 6, 200, np.random.default_rng(0))
    assert weights.shape == (200, 7)
    assert (weights.sum(axis=1) == 6).all()
    assert (weights >= 0).all()


def test_nan_is_refused_because_unscored_samples_are_left_out_and_not_marked() -> None:
    with pytest.raises(ValueError, match="leave unscored samples out"):
        scored([1.0, float("nan")])


def test_one_cluster_label_per_value_is_needed() -> None:
    with pytest.raises(ValueError, match="3 values, labels of shape"):
        cluster_index(["a", "b"], 3)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(-5, 5)), min_size=1))
def test_the_sums_of_the_clusters_add_up_to_the_sum_of_the_values(rows: list[tuple[str, int]]) -> None:
    index, clusters = cluster_index([label for label, _ in rows], len(rows))
    sums = sums_by_cluster(scored([value for _, value in rows]), index, clusters)
    assert len(sums) == len({label for label, _ in rows})
    assert sums.sum() == sum(value for _, value in rows)


def _mean(totals: np.ndarray) -> np.ndarray:
    return divide(totals[:, 0], totals[:, 1])


def test_strata_with_one_cluster_leave_the_interval_undefined_and_keep_the_value() -> None:
    sums = np.array([[1.0, 1.0], [0.0, 1.0], [1.0, 1.0]])
    estimate = cluster_bootstrap(_mean, sums, n=3, seed=named_stream(1, "x"), strata=np.array([0, 0, 1]))
    assert estimate.value == pytest.approx(2 / 3)
    assert estimate.low is None
    assert estimate.undefined == "a group has fewer than two clusters"


def test_a_statistic_that_mostly_divides_by_zero_has_no_interval_but_a_count_of_what_was_dropped() -> None:
    sums = np.array([[1.0, 1.0]] + [[0.0, 0.0]] * 3)
    estimate = cluster_bootstrap(_mean, sums, n=1, seed=named_stream(1, "x"), resamples=1000)
    # A resample of 4 misses the one informative cluster with probability (3/4)**4 = 0.316.
    assert estimate.resamples_dropped == pytest.approx(316, abs=60)
    assert estimate.undefined == NO_SPREAD
    sparse = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]] + [[0.0, 0.0, 0.0]] * 3)
    both = cluster_bootstrap(
        lambda t: divide(t[:, 0], t[:, 1]) + divide(t[:, 0], t[:, 2]),
        sparse,
        n=2,
        seed=named_stream(1, "x"),
        resamples=1000,
    )
    assert both.low is None
    assert "a denominator was zero in" in both.undefined


def test_no_cluster_at_all_is_undefined() -> None:
    estimate = cluster_bootstrap(_mean, np.zeros((0, 2)), n=0, seed=named_stream(1, "x"))
    assert estimate.value is None
    assert estimate.undefined == "no scored samples"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.5, 0.1, None, 3, "m", "why"), "two ends or none"),
        ((None, 0.1, 0.2, 3, "m"), "needs a value"),
        ((0.5, None, None, 3, "m"), "says why"),
        ((0.5, 0.1, 0.9, 3, "m", "why"), "says why"),
    ],
)
def test_an_estimate_cannot_be_half_an_interval_or_silent_about_a_missing_one(
    arguments: tuple[float, float, float, int, str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Estimate(*arguments)
