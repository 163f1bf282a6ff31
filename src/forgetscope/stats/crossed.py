"""A linear mixed model with crossed random effects: does a condition matter when items and models are a sample of many?

Intervals over items take the models as they are. Here items, load items and models are random and crossed, and
how much the condition does may differ from model to model, so that the interval is of models like these. The outcome
is 0 or 1 and the model linear in it: effects are differences of proportions, as everywhere else in a report.

Fitted by restricted maximum likelihood over the ratios of variances, in the sums that a penalised least squares needs.
statsmodels has both a binomial and a linear mixed model; neither could be relied on here (`docs/design/comparison.md`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from forgetscope.stats.estimate import Estimate
from forgetscope.stats.sums import FloatArray, IntArray, cluster_index, scored

if TYPE_CHECKING:  # half a second of CPU, and few reports compare conditions across models
    from scipy import sparse

_LOWEST, _HIGHEST = -12.0, 8.0
"""Of the logarithm of a variance over the residual's: at e**-12 there is none, at e**8 nothing but it."""
_STARTS = (-3.0, 0.0, 4.0)
_RIDGE = 1e-10
_NO_SPREAD = 1e-5
"""Standard error below which there is nothing to judge an effect by."""


@dataclass(frozen=True, slots=True)
class CrossedModel:
    """What the model says.

    Attributes:
        reference: The level that the others are set against.
        effects: Level minus reference in proportions, by level.
        spreads: Standard deviation of each random effect and of the `residual`, in proportions.
        samples: How many entered.
    """

    reference: str
    effects: Mapping[str, Estimate]
    spreads: Mapping[str, float]
    samples: int


def crossed_effects(
    right: ArrayLike,
    level: Sequence[str],
    effects: Mapping[str, Sequence[str | None]],
    *,
    degrees: int,
    confidence: float = 0.95,
) -> CrossedModel:
    """Each level against the first, with crossed random effects.

    Args:
        right: One outcome a sample, 0 or 1.
        level: The condition of each sample; the first that occurs is the reference.
        effects: By name, the group of each sample (item, load item, model, model and condition together); None for a
            sample that is in no group of this kind.
        degrees: Of Student's t for the intervals: models minus one, because the models are the fewest.
        confidence: Coverage aimed at.

    No effects: fewer than two levels, or no degree of freedom. No interval: levels or random effects explain every
    outcome, so that no spread is left to judge an effect by.

    Raises:
        ValueError: Entries are of different numbers.
    """
    outcome = scored(right)
    names = list(dict.fromkeys(level))
    if len(level) != len(outcome):
        raise ValueError(f"one level for each outcome is expected: {len(outcome)} and {len(level)}")
    contrasts = [(np.asarray(level) == name).astype(np.float64) for name in names[1:]]
    fixed = np.column_stack([np.ones(len(outcome)), *contrasts])
    indicators, of_effect = _indicators(effects, len(outcome))
    method = f"linear mixed model, REML, t with {degrees} degrees of freedom, {confidence:.0%}"
    if len(names) < 2 or degrees < 1:
        return CrossedModel(names[0] if names else "", {}, {}, len(outcome))
    problem = _Problem(outcome, fixed, indicators, of_effect)
    ratios = problem.best_ratios()
    solved = problem.solve(ratios)
    quantile = float(-stdtrit(degrees, (1 - confidence) / 2))
    found: dict[str, Estimate] = {}
    for place, name in enumerate(names[1:], start=1):
        value = float(solved.fixed[place])
        error = float(np.sqrt(solved.variance * solved.covariance[place, place]))
        half = quantile * error
        if error < _NO_SPREAD or np.log(ratios).max() > _HIGHEST - 1:
            found[name] = Estimate(
                value, None, None, len(outcome), method, "nothing is left unexplained to judge it by"
            )
        else:
            found[name] = Estimate(value, value - half, value + half, len(outcome), method)
    deviations = np.sqrt(solved.variance * ratios)
    spreads = dict(zip(effects, map(float, deviations), strict=True))
    return CrossedModel(names[0], found, {**spreads, "residual": float(np.sqrt(solved.variance))}, len(outcome))


def _indicators(effects: Mapping[str, Sequence[str | None]], samples: int) -> "tuple[sparse.csr_array, IntArray]":
    """One column a group of each random effect, shape (samples, groups), and the number of each column's effect."""
    from scipy import sparse

    parts, numbers = [], []
    for number, groups in enumerate(effects.values()):
        if len(groups) != samples:
            raise ValueError(f"one group for each outcome is expected: {samples} and {len(groups)}")
        rows = np.flatnonzero([group is not None for group in groups])
        index, count = cluster_index(np.array([group for group in groups if group is not None]), len(rows))
        parts.append(sparse.csr_array((np.ones(len(rows)), (rows, index)), shape=(samples, count)))
        numbers.append(np.full(count, number))
    return sparse.hstack(parts, format="csr"), np.concatenate(numbers).astype(np.int64)


@dataclass(frozen=True, slots=True)
class _Solved:
    fixed: FloatArray
    covariance: FloatArray
    variance: float
    deviance: float


class _Problem:
    """The sums of a mixed model, and its solution for given ratios of variances."""

    def __init__(self, outcome: FloatArray, fixed: FloatArray, groups: "sparse.csr_array", of_effect: IntArray) -> None:
        self._samples, self._columns = fixed.shape
        self._of_effect = of_effect
        self._effects = int(of_effect.max()) + 1
        both = np.column_stack([fixed, outcome])
        self._groups = (groups.T @ groups).toarray()
        self._mixed = groups.T @ both
        self._both = both.T @ both

    def solve(self, ratios: FloatArray) -> _Solved:
        """Generalised least squares with variance 1 + sum of ratio x same group, profiled over the residual's."""
        from scipy import linalg

        scale = np.sqrt(ratios[self._of_effect])
        system = np.eye(len(scale)) + scale[:, None] * self._groups * scale
        factor = linalg.cholesky(system, lower=True)
        half = linalg.solve_triangular(factor, scale[:, None] * self._mixed, lower=True)
        reduced = self._both - half.T @ half
        inside = reduced[:-1, :-1] + _RIDGE * np.eye(self._columns)
        covariance = np.linalg.inv(inside)
        beta = covariance @ reduced[:-1, -1]
        left = max(float(reduced[-1, -1] - reduced[:-1, -1] @ beta), 1e-12)
        free = self._samples - self._columns
        _, log_fixed = np.linalg.slogdet(inside)
        deviance = 2 * float(np.log(np.diag(factor)).sum()) + float(log_fixed) + free * float(np.log(left / free))
        return _Solved(beta, covariance, left / free, deviance)

    def best_ratios(self) -> FloatArray:
        """The ratios with the highest restricted likelihood, of several starts."""
        from scipy import optimize

        tried = [
            optimize.minimize(
                lambda logs: self.solve(np.exp(logs)).deviance,
                np.full(self._effects, start),
                method="L-BFGS-B",
                bounds=[(_LOWEST, _HIGHEST)] * self._effects,
            )
            for start in _STARTS
        ]
        best: FloatArray = np.exp(min(tried, key=lambda found: float(found.fun)).x)
        return best
