"""Agreement between raters beyond chance, of yes and no or of several labels: Cohen's kappa of two, Fleiss' of several.

Values equal statsmodels' (`statsmodels.stats.inter_rater`); the intervals leave out the rated subjects one at a time,
which needs the kappas as functions of sums.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from forgetscope.stats.estimate import Estimate
from forgetscope.stats.jackknife import estimate_from_sums
from forgetscope.stats.sums import FloatArray, divide, scored

LEAST_SUBJECTS = 18
"""Below this a kappa has no interval: of ten it holds the truth in 87% of cases at the worst."""

_ONE_ANSWER = "all answers are the same, so none would be by chance"


def cohens_kappa(first: ArrayLike, second: ArrayLike, labels: int = 2) -> Estimate:
    """Cohen's kappa of two raters who each gave the same subjects one label (of two: 1 for yes, 0 for no).

    (agreement - chance agreement) / (1 - chance agreement), chance from both raters' own shares of each label (Cohen,
    1960). 1 = always agree, 0 = as often as by chance. Undefined where both gave one and the same answer throughout,
    and the interval where they always agree.

    Example: yes-yes 4, yes-no 1, no-yes 1, no-no 4: agreement 0.8, by chance 0.5, kappa 0.6.

    Raises:
        ValueError: the raters rated different numbers of subjects, or an answer is no label (0 to `labels` - 1).
    """
    one, other = _answers(first, labels), _answers(second, labels)
    if one.shape != other.shape:
        raise ValueError(f"both raters rate the same subjects, found {len(one)} and {len(other)}")
    sums = np.column_stack([np.ones_like(one), one == other, _is_each(one, labels), _is_each(other, labels)])
    return _named(estimate_from_sums(_cohen, sums.astype(np.float64), n=len(one), kind="unbounded"))


def kappa_of_counts(both_yes: int, only_first: int, only_second: int, both_no: int) -> float | None:
    """Cohen's kappa of a 2 x 2 table; None where it is undefined.

    Example: `kappa_of_counts(4, 1, 1, 4)` is 0.6.
    """
    n = both_yes + only_first + only_second + both_no
    one, other = both_yes + only_first, both_yes + only_second
    row = np.array([[n, both_yes + both_no, n - one, one, n - other, other]], dtype=np.float64)
    value = float(_cohen(row)[0])
    return value if np.isfinite(value) else None


def fleiss_kappa(answers: ArrayLike, labels: int = 2) -> Estimate:
    """Fleiss' kappa of several raters who all rated the same subjects; shape (subjects, raters), 1 = yes, 0 = no.

    (mean share of agreeing pairs of raters - chance) / (1 - chance), chance from the share of each label over all
    answers (Fleiss, 1971). Interval: subjects left out one at a time, with all their answers.

    Example: three raters, answers 111, 110, 000: pairs agree in 1, 1/3, 1, mean 7/9; 5 of 9 yes, chance 41/81,
    kappa (63 - 41) / (81 - 41) = 0.55.

    Raises:
        ValueError: fewer than two raters, or an answer is no label (0 to `labels` - 1).
    """
    table = np.asarray(answers, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] < 2:
        raise ValueError(f"answers have shape (subjects, raters) with two raters or more, found {table.shape}")
    _answers(table.ravel(), labels)
    subjects, raters = table.shape
    given = np.stack([(table == label).sum(axis=1) for label in range(labels)], axis=1).astype(np.float64)
    sums = np.column_stack([np.ones(subjects), (given**2).sum(axis=1), given])
    estimate = estimate_from_sums(lambda t: _fleiss(t, raters), sums, n=subjects, kind="unbounded")
    return _named(estimate)


def fleiss_of_counts(unanimous: int, yes: int, subjects: int) -> float | None:
    """Fleiss' kappa of three raters from how many subjects got one answer from all, and all their yes answers.

    Of two answers by three raters a subject is unanimous or split two to one, so these counts are all that matters.
    """
    agreeing = 9 * unanimous + 5 * (subjects - unanimous)
    value = float(_fleiss(np.array([[subjects, agreeing, 3 * subjects - yes, yes]], dtype=np.float64), 3)[0])
    return value if np.isfinite(value) else None


def _answers(values: ArrayLike, labels: int) -> FloatArray:
    answers = scored(values)
    if not np.isin(answers, np.arange(labels)).all():
        raise ValueError(f"answers are whole numbers from 0 to {labels - 1}; leave out what is none of them")
    return answers


def _is_each(answers: FloatArray, labels: int) -> NDArray[np.bool_]:
    """Whether each answer is each of the labels: (subjects, labels)."""
    return np.equal(answers[:, None], np.arange(labels))


def _cohen(t: FloatArray) -> FloatArray:
    """Columns: subjects, subjects with the same answer, subjects by label of the first, by label of the second."""
    n, same = t[:, 0], t[:, 1]
    one, other = np.split(t[:, 2:], 2, axis=1)
    chance = (one * other).sum(axis=1)
    return divide(n * same - chance, n**2 - chance)


def _fleiss(t: FloatArray, raters: int) -> FloatArray:
    """Columns: subjects, the sum over subjects and labels of answers**2, answers by label."""
    answers = t[:, 0] * raters
    chance = (t[:, 2:] ** 2).sum(axis=1)
    agreeing = (t[:, 1] - answers) * answers / (raters - 1)
    return divide(agreeing - chance, answers**2 - chance)


def _named(estimate: Estimate) -> Estimate:
    """The reason in this module's words; a kappa ends at 1, and has no interval of few subjects."""
    if estimate.value is None and estimate.n:
        return replace(estimate, undefined=_ONE_ANSWER)
    if estimate.value is not None and estimate.n < LEAST_SUBJECTS:
        return replace(estimate, low=None, high=None, undefined=f"fewer than {LEAST_SUBJECTS} subjects")
    return estimate if estimate.high is None else replace(estimate, high=min(1.0, estimate.high))
