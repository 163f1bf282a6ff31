"""Rates as an imperfect rater gives them, corrected for its errors where people answered a sample of the same replies.

People's answer (gold) on a validation set says how often the rater errs; the rater's answers on the whole population
give the rate to be corrected. One rate: Rogan and Gladen (1978). Rates of pairs, such as P(right in B | right in A):
the matrix of how pairs are misclassified, inverted. Both samples make the interval.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from forgetscope.stats.estimate import Estimate
from forgetscope.stats.intervals import ratio_of_sums, wilson
from forgetscope.stats.sums import FloatArray, divide

LEAST_IN_CLASS = 5
"""Validated replies in each class below which error rates are not estimated (protocols.md, section 1)."""

BoolArray = NDArray[np.bool_]
Matrix = Literal["estimated", "product", "none"]

_SINGULAR = 1e-9


@dataclass(frozen=True)
class Validation:
    """What people and a rater said of the same replies.

    Attributes:
        gold: People's answer; shape (replies,), or (replies, 2) for pairs of replies.
        rated: The rater's, of the same shape.
        weight: How many of the population each stands for, by its stratum; shape (replies,).
    """

    gold: BoolArray
    rated: BoolArray
    weight: FloatArray

    def __post_init__(self) -> None:
        n = len(self.gold)
        if self.rated.shape != self.gold.shape or self.weight.shape != (n,):
            raise ValueError("gold, ratings and weights are of the same replies")

    @property
    def effective(self) -> float:
        """Replies that would say as much if all had the same weight (Kish 1965)."""
        return float(self.weight.sum() ** 2 / (self.weight @ self.weight))


def sensitivity(validation: Validation) -> Estimate:
    """P(rater says yes | people say yes), weighted by stratum."""
    return _given(validation, validation.gold, validation.rated)


def specificity(validation: Validation) -> Estimate:
    """P(rater says no | people say no), weighted by stratum."""
    return _given(validation, ~validation.gold, ~validation.rated)


def _given(validation: Validation, condition: BoolArray, event: BoolArray) -> Estimate:
    weight = validation.weight[condition]
    if np.allclose(weight, weight[:1]):
        return wilson(int((condition & event).sum()), int(condition.sum()))
    return ratio_of_sums(weight * event[condition], weight, np.arange(len(weight)))


def rogan_gladen(
    validation: Validation, population: ArrayLike, *, seed: np.random.Generator, draws: int = 10_000
) -> Estimate:
    """The population's true rate from the rater's: (rate + specificity - 1) / (sensitivity + specificity - 1).

    Clipped to 0-1, in every draw too. Undefined where sensitivity + specificity is 1 or less (the rater is no
    better than chance), or people said yes, or no, of fewer than five. Source: Rogan and Gladen, 1978. Interval: the
    three rates drawn from their Jeffreys posteriors (Brown, Cai and DasGupta 2001), which leave room for errors that a
    few validated replies happened not to show; weighted replies count as Kish's effective number.

    Example: sensitivity 0.9, specificity 0.8, rate 0.55: (0.55 - 0.2) / 0.7 = 0.5.

    Args:
        validation: One answer a reply.
        population: The rater's answer (1 yes, 0 no) on every reply the rate is of.
        seed: The stream of this purpose.
        draws: Draws of the three rates.
    """
    rated = np.asarray(population, dtype=np.float64)
    method = f"Rogan-Gladen, its three rates drawn {draws} times from Jeffreys posteriors, 95%"
    reason = _too_few(validation.gold) or ("no replies" if not len(rated) else "")
    if reason:
        return Estimate(None, None, None, len(rated), method, reason)
    gold, said, weight = validation.gold, validation.rated, validation.weight
    shares = [(rated, np.ones_like(rated)), (said[gold], weight[gold]), (~said[~gold], weight[~gold])]
    value = float(_corrected(*(np.array([_share(hits, of)]) for hits, of in shares))[0])
    if not np.isfinite(value):
        return Estimate(None, None, None, len(rated), method, "sensitivity + specificity is 1 or less")
    values = _corrected(*(_drawn(hits, of, draws, seed) for hits, of in shares))
    return _percentiles(value, values, n=len(rated), method=method)


def _share(hits: ArrayLike, weight: FloatArray) -> float:
    return float(np.asarray(hits, dtype=np.float64) @ weight / weight.sum())


def _drawn(hits: ArrayLike, weight: FloatArray, draws: int, seed: np.random.Generator) -> FloatArray:
    """A weighted share drawn from its Jeffreys posterior."""
    share, n = _share(hits, weight), float(weight.sum() ** 2 / (weight @ weight))
    return seed.beta(share * n + 0.5, (1 - share) * n + 0.5, draws)


def _corrected(rate: FloatArray, sens: FloatArray, spec: FloatArray) -> FloatArray:
    better = sens + spec - 1
    return np.clip(divide(rate + spec - 1, np.where(better > _SINGULAR, better, 0.0)), 0.0, 1.0)


def _too_few(gold: BoolArray) -> str:
    for answer, count in (("right", int(gold.sum())), ("wrong", int((~gold).sum()))):
        if count < LEAST_IN_CLASS:
            return f"people called {count} of {len(gold)} replies {answer}, fewer than {LEAST_IN_CLASS}"
    return ""


@dataclass(frozen=True)
class PairCorrection:
    """What became of the figures of pairs, and by which matrix.

    Attributes:
        kept: P(second right | first right), such as SFRR.
        gained: P(first wrong and second right), such as WR.
        matrix: `estimated` from validated pairs; `product` of the two replies' own matrices, which takes their errors
            as independent given the truth; `none`: left uncorrected, and `reason` says why.
        reason: Why not the estimated matrix; empty where it is that.
    """

    kept: Estimate
    gained: Estimate
    matrix: Matrix
    reason: str


def correct_pairs(
    validation: Validation, population: ArrayLike, *, seed: np.random.Generator, draws: int = 10_000
) -> PairCorrection:
    """P(second right | first right) and P(only second right) of a population of pairs, corrected for a rater's errors.

    With q the shares of the four observed pairs and M[observed, true] their misclassification, the true shares solve
    M p = q; negative ones are set to 0 and all scaled to sum 1, in every draw too. M is estimated from validated
    pairs where people gave each of the four true pairs at least five times; else it is the product of the two replies'
    own matrices where both can be estimated; else nothing is corrected. Interval: errors and observed shares drawn from
    Dirichlet posteriors whose priors weigh one reply in all (Perks 1947; with two outcomes Jeffreys'), which leave room
    for errors that a few validated pairs happened not to show.

    Args:
        validation: Pairs, shape (pairs, 2).
        population: The rater's answers on every pair; shape (pairs, 2).
        seed: The stream of this purpose.
        draws: Draws of errors and population together.
    """
    observed = np.asarray(population, dtype=np.bool_).reshape(-1, 2)
    method = f"drawn {draws} times from posteriors of both, 95%"
    matrix, reason = _which_matrix(validation, observed)
    if matrix == "none":
        left = Estimate(None, None, None, len(observed), f"left uncorrected; {method}", reason)
        return PairCorrection(left, left, matrix, reason)
    code = _code(validation.gold) * 4 + _code(validation.rated)
    joint = np.bincount(code, weights=validation.weight, minlength=16).astype(np.float64)[None]
    whole = np.bincount(_code(observed), minlength=4).astype(np.float64)[None]
    first = _true_pairs(joint, whole, matrix)
    drawn = joint * validation.effective / validation.weight.sum() + (1 / 4 if matrix == "estimated" else 1 / 8)
    shapes = (draws, 16), (draws, 4)
    true = _true_pairs(seed.gamma(drawn, size=shapes[0]), seed.gamma(whole + 1 / 4, size=shapes[1]), matrix)
    words = "estimated from pairs" if matrix == "estimated" else "product of the two forms' matrices"
    label = f"misclassification matrix, {words}; {method}"

    def estimate(value: FloatArray, values: FloatArray) -> Estimate:
        if not np.isfinite(value[0]):
            return Estimate(None, None, None, len(observed), label, "the matrix cannot be inverted, or nothing is kept")
        return _percentiles(float(value[0]), values, n=len(observed), method=label)

    return PairCorrection(
        estimate(divide(first[:, 3], first[:, 3] + first[:, 2]), divide(true[:, 3], true[:, 3] + true[:, 2])),
        estimate(first[:, 1], true[:, 1]),
        matrix,
        reason,
    )


def _which_matrix(validation: Validation, observed: BoolArray) -> tuple[Matrix, str]:
    if not len(observed):
        return "none", "no pairs"
    counts = np.bincount(_code(validation.gold), minlength=4)
    if counts.min() >= LEAST_IN_CLASS:
        return "estimated", ""
    few = (
        f"the rarest of the four pairs occurs {counts.min()} times among people's answers, fewer than {LEAST_IN_CLASS}"
    )
    for place, which in enumerate(("first", "second")):
        reason = _too_few(validation.gold[:, place])
        if reason:
            return "none", f"{few}; {which} form: {reason}"
    return "product", few


def _code(pairs: BoolArray) -> NDArray[np.int64]:
    """0 wrong-wrong, 1 only the second right, 2 only the first right, 3 right-right."""
    return 2 * pairs[:, 0].astype(np.int64) + pairs[:, 1].astype(np.int64)


def _true_pairs(joint: FloatArray, observed: FloatArray, matrix: Matrix) -> FloatArray:
    """Shares of the four true pairs, shape (rows, 4); nan where a reply's rater is no better than chance.

    Args:
        joint: Weighted validation counts, columns true * 4 + observed; shape (rows, 16).
        observed: Population counts of the observed pairs; shape (rows, 4).
        matrix: How M is made.
    """
    counts = joint.reshape(-1, 2, 2, 2, 2)  # true first, true second, observed first, observed second
    first, second = (_errors(counts.sum(axis=axes)) for axes in ((2, 4), (1, 3)))
    if matrix == "estimated":
        errors = _errors(joint.reshape(-1, 4, 4))
    else:
        errors = np.einsum("rab,rcd->racbd", first, second).reshape(-1, 4, 4)
    shares = divide(observed, observed.sum(axis=1, keepdims=True))
    better = np.minimum(first[:, 0, 0] + first[:, 1, 1], second[:, 0, 0] + second[:, 1, 1]) - 1 > _SINGULAR
    usable: BoolArray = better & np.isfinite(errors).all(axis=(1, 2))
    invertible = np.abs(np.linalg.det(np.where(usable[:, None, None], errors, 0.0))) > _SINGULAR
    true = np.full(shares.shape, np.nan)
    true[invertible] = np.linalg.solve(errors[invertible], shares[invertible][:, :, None])[:, :, 0]
    clipped = np.clip(true, 0.0, None)
    return divide(clipped, clipped.sum(axis=1, keepdims=True))


def _errors(joint: FloatArray) -> FloatArray:
    """P(observed | true) as matrices [observed, true], from counts of [true, observed]; nan for a class without any."""
    return divide(joint, joint.sum(axis=2, keepdims=True)).transpose(0, 2, 1)


def _percentiles(value: float, drawn: FloatArray, *, n: int, method: str) -> Estimate:
    """A value with the middle 95% of its draws; those that are not finite are dropped and counted.

    Undefined where that is more than half of them.
    """
    usable = drawn[np.isfinite(drawn)]
    dropped = len(drawn) - len(usable)
    if dropped * 2 > len(drawn):
        reason = f"a denominator was zero in {dropped} of {len(drawn)} draws"
        return Estimate(value, None, None, n, method, reason, dropped)
    low, high = np.quantile(usable, [0.025, 0.975])
    return Estimate(value, float(low), float(high), n, method, "", dropped)
