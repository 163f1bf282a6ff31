"""Weights in eight bits, as the package stores them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def quantised(matrix: NDArray[np.floating[Any]]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A matrix (rows, ...) as int8 with one scale for each row: at most half a scale off anywhere.

    >>> values, scale = quantised(np.array([[1.0, -2.0], [0.0, 0.0]]))
    >>> (values * scale[:, None]).round(2).tolist()
    [[1.01, -2.0], [0.0, 0.0]]
    """
    flat = np.abs(matrix.reshape(len(matrix), -1)).max(axis=1)
    scale = np.where(flat > 0, flat / 127, 1.0).astype(np.float32)
    shape = (-1, *([1] * (matrix.ndim - 1)))
    return np.rint(matrix / scale.reshape(shape)).astype(np.int8, order="C"), scale
