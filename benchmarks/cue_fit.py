"""What cues are worth, from things of which one is right: the fit behind the readings that add up points."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize


def fitted_points(
    cues: Sequence[np.ndarray],
    right: Sequence[np.ndarray],
    weights: Sequence[float],
    expected: np.ndarray,
    *,
    pull: float = 1.0,
) -> np.ndarray:
    """The points with which what is right is the likeliest of every group (a softmax over sums of points).

    Args:
        cues: Of each group a row for each of its members, 1 where it has the cue of a column.
        right: Which members of a group are right, at least one.
        weights: What a group counts.
        expected: What one would say beforehand of each cue.
        pull: How strongly the points are pulled towards that.
    """
    matrix, is_right = np.concatenate(cues), np.concatenate(right)
    sizes = [len(group) for group in cues]
    starts, group = np.cumsum([0, *sizes[:-1]]), np.repeat(np.arange(len(sizes)), sizes)
    worth = np.array(weights)

    def loss(points: np.ndarray) -> tuple[float, np.ndarray]:
        sums = matrix @ points
        likely = np.exp(sums - np.maximum.reduceat(sums, starts)[group])
        likely /= np.add.reduceat(likely, starts)[group]
        given = np.add.reduceat(likely * is_right, starts) + 1e-300
        slope = matrix.T @ ((likely - likely * is_right / given[group]) * worth[group]) + pull * (points - expected)
        return float(-(worth * np.log(given)).sum() + pull * ((points - expected) ** 2).sum() / 2), slope

    return minimize(loss, expected, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
