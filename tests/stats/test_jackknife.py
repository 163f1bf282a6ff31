"""The engine: sums by cluster, the jackknife, named streams, and what is undefined."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetscope.stats import Estimate, named_stream
from forgetscope.stats.jackknife import estimate_from_sums, jackknife
from forgetscope.stats.sums import cluster_index, divide, scored, sums_by_cluster


def test_a_stream_depends_on_its_seed_and_its_name_only() -> None:
    first = named_stream(42, "flips/a").integers(0, 10**9, 5)
    assert (first == named_stream(42, "flips/a").integers(0, 10**9, 5)).all()
    assert (first != named_stream(42, "flips/b").integers(0, 10**9, 5)).any()
    assert (first != named_stream(137, "flips/a").integers(0, 10**9, 5)).any()


def test_a_stream_is_the_same_on_every_machine() -> None:
    assert named_stream(42, "items").integers(0, 1000, 4).tolist() == ITEMS_STREAM


ITEMS_STREAM = [997, 426, 125, 711]


@pytest.mark.parametrize(("seed", "purpose"), [(-1, "items"), (1, "")])
def test_a_stream_refuses_a_negative_seed_and_an_empty_name(seed: int, purpose: str) -> None:
    with pytest.raises(ValueError, match=r"seed is zero or positive|needs a name"):
        named_stream(seed, purpose)


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


def columns(values: list[float]) -> np.ndarray:
    return np.column_stack([values, np.ones(len(values))])


def test_the_jackknife_of_a_mean_is_its_usual_variance_and_the_values_themselves() -> None:
    values = [0.0, 1.0, 1.0, 1.0]
    spread = jackknife(_mean, columns(values))
    assert spread.variance == pytest.approx(np.var(values, ddof=1) / 4)
    assert spread.pseudo == pytest.approx(values)


def test_within_strata_the_variance_is_that_of_each_stratum() -> None:
    values, strata = [0.0, 1.0, 1.0, 3.0, 5.0, 3.0], np.array([0, 0, 0, 1, 1, 1])
    sums = np.zeros((6, 4))
    sums[np.arange(6), strata] = values
    sums[np.arange(6), strata + 2] = 1
    spread = jackknife(lambda t: divide(t[:, :2], t[:, 2:]).mean(axis=1), sums, strata)
    assert spread.value == pytest.approx((2 / 3 + 11 / 3) / 2)
    assert spread.variance == pytest.approx((np.var(values[:3], ddof=1) + np.var(values[3:], ddof=1)) / 3 / 4)


def test_a_stratum_of_one_leaves_the_interval_undefined_and_keeps_the_value() -> None:
    strata = np.array([0, 0, 0, 0, 0, 1])
    estimate = estimate_from_sums(_mean, columns([1, 0, 1, 0, 1, 0]), n=6, kind="proportion", strata=strata)
    assert estimate.value == 0.5
    assert (estimate.low, estimate.undefined) == (None, "a group has fewer than two items")


def test_clusters_with_nothing_in_any_sum_are_not_counted() -> None:
    sums = np.concatenate([columns([1, 0, 1, 0, 1, 1]), np.zeros((20, 2))])
    assert estimate_from_sums(_mean, sums, n=6, kind="proportion").clusters == 6


def test_no_cluster_at_all_is_undefined() -> None:
    estimate = estimate_from_sums(_mean, np.zeros((0, 2)), n=0, kind="proportion")
    assert estimate.value is None
    assert estimate.undefined == "no scored samples"


def test_an_unbounded_mean_leans_the_way_its_outcomes_are_skewed() -> None:
    tokens = [30.0, 35, 40, 42, 45, 50, 55, 60, 80, 400]
    found = estimate_from_sums(_mean, columns(tokens), n=10, kind="unbounded")
    assert found.value is not None
    assert (found.high or 0) - found.value > 2 * (found.value - (found.low or 0))


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
