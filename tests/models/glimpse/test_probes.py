import numpy as np
import pytest

from forgetscope.models.glimpse.probes import fit_probe, probed
from forgetscope.stats import named_stream

CENTRES = np.eye(4, 10) * 5


def _drawn(name: str) -> tuple[np.ndarray, np.ndarray]:
    stream = named_stream(1, name)
    labels = np.arange(120) % 4
    return CENTRES[labels] + stream.standard_normal((120, 10)), labels


def test_a_probe_finds_what_is_there_and_its_control_does_not() -> None:
    result = probed(_drawn("fit"), _drawn("test"), 4, seed=0)
    assert result.accuracy > 0.95
    assert abs(result.control - result.chance) < 0.15


def test_a_probe_finds_nothing_where_nothing_is() -> None:
    noise, labels = named_stream(2, "noise").standard_normal((400, 6)), np.arange(400) % 4
    result = probed((noise[:200], labels[:200]), (noise[200:], labels[200:]), 4, seed=0, controls=2)
    assert abs(result.accuracy - 0.25) < 0.12


def test_scale_and_shift_of_the_inputs_change_nothing() -> None:
    states, labels = _drawn("fit")
    one, other = fit_probe(states, labels, 4), fit_probe(states * 50 + 3, labels, 4)
    assert (one.predict(states) == other.predict(states * 50 + 3)).mean() > 0.99


def test_labels_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="labels"):
        fit_probe(np.zeros((2, 3)), np.array([0, 4]), 4)
    with pytest.raises(ValueError, match="labels"):
        fit_probe(np.zeros((0, 3)), np.array([], np.int64), 4)
