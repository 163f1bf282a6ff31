"""The truth ratio in two readings, and forget quality against a test computed another way."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.benchmarks.unlearning.evaluation.forget_quality import ks_forget_quality
from forgetscope.benchmarks.unlearning.evaluation.truth_ratio import tofu_truth_ratio_of, truth_ratio_of

LOSSES = st.lists(st.floats(0.1, 9), min_size=1, max_size=5)


@given(st.floats(0.1, 9), LOSSES)
def test_tofu_s_reading_is_at_least_open_unlearning_s_and_the_same_for_one_wrong_answer(
    right: float, wrong: list[float]
) -> None:
    assert tofu_truth_ratio_of(right, wrong) >= truth_ratio_of(right, wrong) * (1 - 1e-9)
    assert tofu_truth_ratio_of(right, wrong[:1]) == pytest.approx(truth_ratio_of(right, wrong[:1]))


def exact_ks_p(first: Sequence[float], second: Sequence[float]) -> float:
    """The share of the ways through the two samples, in order, that part as far as these: counted path by path."""
    n, m = len(first), len(second)

    def parted(order: Sequence[int]) -> float:
        ones = [sum(order[: end + 1]) for end in range(len(order))]
        return max(abs(one / n - (end + 1 - one) / m) for end, one in enumerate(ones))

    pooled = sorted([(value, 1) for value in first] + [(value, 0) for value in second])
    seen = parted([side for _, side in pooled])
    ways: list[list[int]] = [[]]
    for _ in range(n + m):
        ways = [[*way, side] for way in ways for side in (0, 1) if way.count(side) < (m, n)[side]]
    return sum(parted(way) >= seen - 1e-12 for way in ways) / math.comb(n + m, n)


@pytest.mark.parametrize(
    ("ratios", "never_knew"),
    [
        ([0.1, 0.2, 0.3, 0.4], [0.9, 1.0, 1.1, 1.2]),
        ([0.1, 0.5, 0.6, 1.5], [0.2, 0.4, 0.8, 0.9, 1.1]),
        ([0.3, 0.9, 1.3], [0.2, 0.8, 1.0, 1.4]),
    ],
)
def test_forget_quality_is_the_exact_p_of_the_ks_test(ratios: list[float], never_knew: list[float]) -> None:
    assert ks_forget_quality(ratios, never_knew) == pytest.approx(exact_ks_p(ratios, never_knew))


def test_forget_quality_of_the_same_ratios_is_one_and_of_none_undefined() -> None:
    assert ks_forget_quality([0.2, 0.5, 0.9], [0.2, 0.5, 0.9]) == 1.0
    assert ks_forget_quality([], [1.0]) is None
    assert ks_forget_quality([math.inf], [1.0]) is None
