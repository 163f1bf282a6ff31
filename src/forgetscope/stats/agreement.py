"""Agreement between raters of yes and no beyond chance: Cohen's kappa of two, Fleiss' kappa of several.

Values equal statsmodels' (`statsmodels.stats.inter_rater`); the intervals leave out the rated subjects one at a time,
which needs the kappas as functions of sums.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from forgetscope.stats.estimate import Estimate
from forgetscope.stats.jackknife import estimate_from_sums
from forgetscope.stats.sums import FloatArray, divide, scored

LEAST_SUBJECTS = 18
"""Below this a kappa has no interval: of ten it holds the truth in 87% of cases at the worst."""

_ONE_ANSWER = "all answers are the same, so none would be by chance"


def cohens_kappa(first: ArrayLike, second: ArrayLike) -> Estimate:
    """Cohen's kappa of two raters who each said yes (1) or no (0) of the same subjects.

    (agreement - chance agreement) / (1 - chance agreement), chance from both raters' own shares of yes (Cohen, 1960).
    1 = always agree, 0 = as often as by chance. Undefined where both gave one and the same answer throughout, and the
    interval where they always agree.

    Example: yes-yes 4, yes-no 1, no-yes 1, no-no 4: agreement 0.8, by chance 0.5, kappa 0.6.

    Raises:
        ValueError: the raters rated different numbers of subjects, or an answer is neither 0 nor 1.
    """
    one, other = _answers(first), _answers(second)
    if one.shape != other.shape:
        raise ValueError(f"both raters rate the same subjects, found {len(one)} and {len(other)}")
    sums = np.column_stack([np.ones_like(one), one, other, one * other])
    return _named(estimate_from_sums(_cohen, sums, n=len(one), kind="unbounded"))


def kappa_of_counts(both_yes: int, only_first: int, only_second: int, both_no: int) -> float | None:
    """Cohen's kappa of a 2 x 2 table; None where it is undefined.

    Example: `kappa_of_counts(4, 1, 1, 4)` is 0.6.
    """
    n = both_yes + only_first + only_second + both_no
    row = np.array([[n, both_yes + only_first, both_yes + only_second, both_yes]], dtype=np.float64)
    value = float(_cohen(row)[0])
    return value if np.isfinite(value) else None


def fleiss_kappa(answers: ArrayLike) -> Estimate:
    """Fleiss' kappa of several raters who all rated the same subjects; shape (subjects, raters), 1 = yes, 0 = no.

    (mean share of agreeing pairs of raters - chance) / (1 - chance), chance from the share of yes over all answers
    (Fleiss, 1971). Interval: subjects left out one at a time, with all their answers.

    Example: three raters, answers 111, 110, 000: pairs agree in 1, 1/3, 1, mean 7/9; 5 of 9 yes, chance 41/81,
    kappa (63 - 41) / (81 - 41) = 0.55.

    Raises:
        ValueError: fewer than two raters, or an answer is neither 0 nor 1.
    """
    table = np.asarray(answers, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] < 2:
        raise ValueError(f"answers have shape (subjects, raters) with two raters or more, found {table.shape}")
    _answers(table.ravel())
    raters = table.shape[1]
    yes = table.sum(axis=1)
    sums = np.column_stack([np.ones_like(yes), yes, yes**2 + (raters - yes) ** 2])
    estimate = estimate_from_sums(lambda t: _fleiss(t, raters), sums, n=len(yes), kind="unbounded")
    return _named(estimate)


def fleiss_of_counts(unanimous: int, yes: int, subjects: int) -> float | None:
    """Fleiss' kappa of three raters from how many subjects got one answer from all, and all their yes answers.

    Of two answers by three raters a subject is unanimous or split two to one, so these counts are all that matters.
    """
    agreeing = 9 * unanimous + 5 * (subjects - unanimous)
    value = float(_fleiss(np.array([[subjects, yes, agreeing]], dtype=np.float64), 3)[0])
    return value if np.isfinite(value) else None


def _answers(values: ArrayLike) -> FloatArray:
    answers = scored(values)
    if not np.isin(answers, (0.0, 1.0)).all():
        raise ValueError("answers are 1 (yes) or 0 (no); leave out what is neither")
    return answers


def _cohen(t: FloatArray) -> FloatArray:
    """Columns: subjects, yes of the first, yes of the second, yes of both."""
    n, one, other, both = t[:, 0], t[:, 1], t[:, 2], t[:, 3]
    chance = one * other + (n - one) * (n - other)
    return divide(n * (n - one - other + 2 * both) - chance, n**2 - chance)


def _fleiss(t: FloatArray, raters: int) -> FloatArray:
    """Columns: subjects, their yes answers, the sum over subjects of yes**2 + no**2."""
    answers = t[:, 0] * raters
    chance = t[:, 1] ** 2 + (answers - t[:, 1]) ** 2
    agreeing = (t[:, 2] - answers) * answers / (raters - 1)
    return divide(agreeing - chance, answers**2 - chance)


def _named(estimate: Estimate) -> Estimate:
    """The reason in this module's words; a kappa ends at 1, and has no interval of few subjects."""
    if estimate.value is None and estimate.n:
        return replace(estimate, undefined=_ONE_ANSWER)
    if estimate.value is not None and estimate.n < LEAST_SUBJECTS:
        return replace(estimate, low=None, high=None, undefined=f"fewer than {LEAST_SUBJECTS} subjects")
    return estimate if estimate.high is None else replace(estimate, high=min(1.0, estimate.high))
