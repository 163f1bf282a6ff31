"""Pearson's r and its interval against values worked out by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.stats.correlation import pearson


def test_the_worked_example() -> None:
    found = pearson([1, 2, 3, 4], [1, 3, 2, 4])
    assert found.value == pytest.approx(0.8)
    assert found.low == pytest.approx(math.tanh(math.atanh(0.8) - 1.959964))
    assert found.high == pytest.approx(math.tanh(math.atanh(0.8) + 1.959964))
    assert found.n == 4


@pytest.mark.parametrize(
    ("first", "second", "value", "reason"),
    [
        ([1, 2], [2, 1], None, "fewer than three"),
        ([1, 2, 4], [2, 1, 1], pytest.approx(-0.756, abs=1e-3), "fewer than four"),
        ([1, 1, 1, 1], [1, 2, 3, 4], None, "first measure is the same"),
        ([1, 2, 3, 4], [0.3] * 4, None, "second measure is the same"),
        ([1, 2, 3, 4], [2, 4, 6, 8], pytest.approx(1), "one line"),
    ],
)
def test_what_cannot_be_said_is_not_said(first: list[float], second: list[float], value: object, reason: str) -> None:
    found = pearson(first, second)
    assert found.value == value
    assert found.low is None
    assert reason in found.undefined


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=4, max_size=20), st.integers(1, 9))
def test_units_of_measurement_do_not_matter(points: list[tuple[int, int]], scale: int) -> None:
    x, y = np.array(points, dtype=float).T
    plain, scaled = pearson(x, y), pearson(scale * x + 3, y / scale)
    if plain.value is None:
        assert scaled.value is None
    else:
        assert scaled.value == pytest.approx(plain.value)
        assert pearson(-x, y).value == pytest.approx(-plain.value)
        assert pearson(y, x).value == pytest.approx(plain.value)
        if plain.low is not None and plain.high is not None:
            assert -1 <= plain.low < plain.value < plain.high <= 1


def test_measures_of_different_units_are_refused() -> None:
    with pytest.raises(ValueError, match="same units"):
        pearson([1, 2, 3], [1, 2])
