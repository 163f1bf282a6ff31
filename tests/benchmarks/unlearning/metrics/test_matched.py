"""Methods at equal forgetting, and how far they lie apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.benchmarks.unlearning.metrics.change import change_figures
from forgetscope.benchmarks.unlearning.metrics.matched import curves, interpolate, matched_figures
from forgetscope.benchmarks.unlearning.metrics.methods import range_figures
from forgetscope.findings.measures import FigureIndex
from tests.benchmarks.unlearning.metrics.small_grids import KEY, Run, cell, kept, study

SWEEP = (
    Run(cell(learning_rate=1e-5), kept(0.8, 0.8, 0.9, 0.9, 0.9)),
    Run(cell(learning_rate=2e-5), kept(0.2, 0.2, 0.3, 0.3, 0.3)),
    Run(cell(learning_rate=1e-5, method="npo"), kept(0.9, 0.9, 1.0, 1.0, 1.0)),
    Run(cell(learning_rate=2e-5, method="npo"), kept(0.5, 0.5, 0.9, 0.9, 0.9)),
)


def read(forget: list[float], retain: list[float], level: float) -> float:
    """One curve at one level."""
    return float(interpolate(np.array([forget]), np.array([retain]), level)[0])


def test_a_curve_is_read_between_its_points_from_the_target_on() -> None:
    assert read([0.8, 0.4], [0.6, 0.1], 0.6) == pytest.approx(0.35)
    assert read([0.4], [0.1], 0.2) == pytest.approx(0.05)
    assert read([0.4, 0.8], [0.1, 0.6], 0.8) == pytest.approx(0.6)


def test_methods_are_compared_where_all_have_forgotten_as_much() -> None:
    # NPO reaches 0.5, GA goes to 0.8: at 0.5 NPO lost 0.1, GA half of the way from 0.1 to 0.7.
    made = study(*SWEEP)
    index = FigureIndex(change_figures(made))
    found = {entry.factors["method"]: entry for entry in matched_figures(made, index)}
    assert found["npo"].value == pytest.approx(0.1)
    assert found["ga"].value == pytest.approx(0.4)
    assert "Forget is 50.0%" in found["ga"].method


def test_one_cell_a_method_is_no_curve() -> None:
    made = study(Run(KEY, kept(0.5, 0.5, 1, 1, 1)), Run(cell(method="npo"), kept(0.5, 0.5, 1, 1, 1)))
    assert curves(made) == {}
    assert not list(matched_figures(made, FigureIndex(change_figures(made))))


def test_the_range_of_methods_is_their_highest_minus_their_lowest_change() -> None:
    made = study(*(run for run in SWEEP if run.key.learning_rate == 2e-5))
    found = {entry.factors["group"]: entry.value for entry in range_figures(made)}
    assert found == {"forget": pytest.approx(0.3), "retain": pytest.approx(0.6)}


@given(st.lists(st.tuples(st.floats(0.01, 1), st.floats(-1, 1)), min_size=1, max_size=6), st.floats(0, 1))
def test_a_curve_is_what_numpy_reads_from_its_sorted_points(points: list[tuple[float, float]], level: float) -> None:
    across = sorted(round(point[0], 2) + 0.001 * number for number, point in enumerate(points))
    up = [point[1] for point in points]
    level = min(level, across[-1])
    expected = float(np.interp(level, [0, *across], [0, *up]))
    assert read(across[::-1], up[::-1], level) == pytest.approx(expected, abs=1e-9)
