"""Outcomes checked, and summed over their clusters."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def scored(values: ArrayLike) -> FloatArray:
    """The values as floats, refusing nan: what could not be scored is left out by the caller, never marked by nan.

    Raises:
        ValueError: A value is nan or infinite, or the array has more than one axis.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"one value per sample is expected, found an array of shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("values must be finite: leave unscored samples out before computing a statistic")
    return array


def cluster_index(labels: ArrayLike, expected: int) -> tuple[IntArray, int]:
    """For each sample the number of its cluster (0, 1, ... in sorted order of the labels), and how many there are.

    Raises:
        ValueError: There is not one label per value.
    """
    array = np.asarray(labels)
    if array.shape != (expected,):
        raise ValueError(f"one label per value is expected: {expected} values, labels of shape {array.shape}")
    if expected == 0:
        return np.zeros(0, dtype=np.int64), 0
    distinct, index = np.unique(array, return_inverse=True)
    return index.astype(np.int64), len(distinct)


def sums_by_cluster(values: FloatArray, index: IntArray, clusters: int) -> FloatArray:
    """The sum of the values in each cluster, shape (clusters,)."""
    return np.bincount(index, weights=values, minlength=clusters)[:clusters].astype(np.float64)


def divide(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Elementwise quotient; nan where the denominator is zero, without a warning."""
    quotient = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient
