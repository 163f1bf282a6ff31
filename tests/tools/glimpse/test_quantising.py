import numpy as np

from forgetscope.stats import named_stream
from tools.glimpse.quantising import quantised


def test_quantising_is_at_most_half_a_scale_off() -> None:
    matrix = named_stream(1, "matrix").standard_normal((5, 7, 3)).astype(np.float32)
    values, scales = quantised(matrix)
    assert np.abs(values * scales[:, None, None] - matrix).max() <= scales.max() / 2 + 1e-6


def test_quantised_weights_are_contiguous_even_when_the_source_is_not() -> None:
    assert quantised(np.ones((4, 3), np.float32).T)[0].flags["C_CONTIGUOUS"]
