"""Residue: how much is still there, between a model that was told (1) and one that never was (0).

Three arms of the same items, one probe in each: told (T), deleted (D: after the request, the suppression, the
unlearning) and never told (N), the last under the condition of the told arm and under that of the deleted one, for a
condition may change what is guessed. Protocols, section 5.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainccinv, betaincinv, ndtri

from forgetscope.stats.estimate import Estimate
from forgetscope.stats.intervals import clustered_mean
from forgetscope.stats.jackknife import LEAST_CLUSTERS, normal_quantile
from forgetscope.stats.sums import FloatArray, scored

FLOOR = 0.1
"""What telling must add to the score for there to be something to forget: the lower limit of T - N lies above it."""

MARGIN = 0.05
"""How far two scores may lie apart and count as alike, in units of the score, where a run names no other."""

UNSEEN_PAIRS = 0.5
"""Items that changed one way, and as many that changed the other, counted in besides those seen: where all items agree
the interval would otherwise have no width. By simulation (`benchmarks/residue_coverage.py`) the least that holds 90%
everywhere from ten items."""


@dataclass(frozen=True, slots=True)
class Arms:
    """The score of each item in each arm, 0 to 1, an item's runs averaged: four arrays of shape (items,).

    Attributes:
        told: The thing was said, shown, learned or demanded.
        deleted: And then taken back.
        never_told: It never was; otherwise as `told`.
        never_deleted: It never was; otherwise as `deleted`. The same scores where the condition cannot change guessing.

    Raises:
        ValueError: Lengths differ, or a score lies outside 0 to 1.
    """

    told: FloatArray
    deleted: FloatArray
    never_told: FloatArray
    never_deleted: FloatArray

    @classmethod
    def of(
        cls, told: ArrayLike, deleted: ArrayLike, never_told: ArrayLike, never_deleted: ArrayLike | None = None
    ) -> "Arms":
        """From anything array-like; one never-arm stands for both where the second is left out."""
        without = scored(never_told)
        return cls(scored(told), scored(deleted), without, without if never_deleted is None else scored(never_deleted))

    def __post_init__(self) -> None:
        arms = (self.told, self.deleted, self.never_told, self.never_deleted)
        if len({len(arm) for arm in arms}) != 1:
            raise ValueError(f"every arm has the same items, found {[len(arm) for arm in arms]}")
        if any(((arm < 0) | (arm > 1)).any() for arm in arms):
            raise ValueError("scores lie between 0 and 1")

    @property
    def learned(self) -> FloatArray:
        """T - N_T: what telling adds, by item."""
        return self.told - self.never_told

    @property
    def left(self) -> FloatArray:
        """D - N_D: what of it is left, by item."""
        return self.deleted - self.never_deleted


def residue(arms: Arms, *, floor: float = FLOOR, level: float = 0.95) -> Estimate:
    """(mean D - mean N_D) / (mean T - mean N_T): 1 nothing was forgotten, 0 as if never told, below 0 avoided.

    Fieller's interval (1954) over items: the ratios at which the mean of left - ratio x learned is not told from zero,
    with half an item more that changed either way (as Bonett and Price 2012 do for a difference), as large as the
    changes seen. Undefined where what was learned is not above the floor, and below six items.

    Example: ten items, all 1 when told, none when never told, five of them 1 when deleted: 0.5 [0.11, 0.89].
    """
    learned, left, n = arms.learned, arms.left, len(arms.told)
    method = f"Fieller over items, half an item more each way, {level:.0%}"
    if n == 0:
        return Estimate(None, None, None, 0, "", "no item is scored in all arms")
    added = clustered_mean(learned, np.arange(n), kind="difference", level=level)
    if added.low is None:
        return Estimate(None, None, None, n, method, added.undefined)
    if added.low <= floor:
        return Estimate(None, None, None, n, method, f"what telling adds is not shown to be above {floor:g}")
    value = float(left.mean() / learned.mean())
    ends = _fieller(left, learned, normal_quantile(level))
    if ends is None:
        return Estimate(value, None, None, n, method, "what telling adds is not told from zero")
    return Estimate(value, *ends, n, method)


def _fieller(above: FloatArray, below: FloatArray, quantile: float) -> tuple[float, float] | None:
    """The ends of the ratios that are not refuted; None where they have none."""
    changed = above[above != 0]
    unseen = 2 * UNSEEN_PAIRS * min(1.0, (float(changed @ changed) + 0.5) / (len(changed) + 0.5))
    items = len(above) + 2 * UNSEEN_PAIRS
    scale = quantile**2 * items / (items - 1)
    up, down = float(above.sum()), float(below.sum())
    square = down**2 - scale * (float(below @ below) - down**2 / items)
    cross = up * down - scale * (float(above @ below) - up * down / items)
    constant = up**2 - scale * (float(above @ above) + unseen - up**2 / items)
    inside = cross**2 - square * constant
    if square <= 0 or inside < 0:
        return None
    root = float(np.sqrt(inside))
    return (cross - root) / square, (cross + root) / square


@dataclass(frozen=True, slots=True)
class Rung:
    """One way to ask: its arms, and the item of each of their places."""

    items: tuple[str, ...]
    arms: Arms


def worst_residue(
    rungs: Mapping[str, Rung], stream: np.random.Generator, *, floor: float = FLOOR, draws: int = 2_000
) -> tuple[str, Estimate]:
    """The way to ask with the highest residue, and that residue; the interval draws items and chooses anew each time.

    So the choice is part of its spread. It does not undo that the highest of several lies too high: where all ways to
    ask are alike, what is called the worst overstates each.

    Args:
        rungs: By name. Those whose residue is undefined are left out.
        stream: Draws items, the same ones for every rung.
        floor: As `residue`.
        draws: Of the items.
    """
    found = {name: residue(rung.arms, floor=floor) for name, rung in rungs.items()}
    defined = {name: estimate for name, estimate in found.items() if estimate.value is not None}
    names = sorted({item for name in defined for item in rungs[name].items})
    method = f"highest of {len(defined)}, items drawn {draws} times and the highest chosen anew, 95%"
    if not defined:
        return "", Estimate(None, None, None, 0, "", "no residue is defined")
    worst = max(defined, key=lambda name: defined[name].value or 0.0)
    value = defined[worst].value
    if len(names) < LEAST_CLUSTERS:
        return worst, Estimate(value, None, None, len(names), "", f"fewer than {LEAST_CLUSTERS} items")
    times = stream.multinomial(len(names), [1 / len(names)] * len(names), size=draws)
    ratios = np.stack([_ratios(rungs[name], times, {item: at for at, item in enumerate(names)}) for name in defined])
    highest = np.nanmax(np.where(np.isfinite(ratios), ratios, -np.inf), axis=0)
    kept = highest[np.isfinite(highest)]
    low, high = np.quantile(kept, [0.025, 0.975])
    return worst, Estimate(value, float(low), float(high), len(names), method, draws_dropped=draws - len(kept))


def _ratios(rung: Rung, times: NDArray[np.int64], places: Mapping[str, int]) -> FloatArray:
    weights = times[:, [places[item] for item in rung.items]].astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (weights @ rung.arms.left) / (weights @ rung.arms.learned)


def alike_interval(differences: ArrayLike, *, level: float = 0.90) -> Estimate:
    """The interval of a mean difference that two one-sided tests of likeness are read from (Schuirmann 1987).

    Two scores are alike within a margin, at 5%, where the whole 90% interval lies inside it. With few items the usual
    paired intervals call unlike scores alike up to twice as often as they should, so the shares of items that are
    higher and lower have exact limits (Clopper and Pearson 1934), put together by Zou and Donner (2008) with the
    correlation of two shares of one sample. Differences between -1 and 1 enter as so much of an item.

    Args:
        differences: First score minus second, one an item: (items,).
        level: One minus twice the level of each of the two tests.

    Example: 59 items without a difference: 0 [-0.0495, 0.0495]; with 58 a margin of 0.05 cannot be shown.
    """
    found = scored(differences)
    n = len(found)
    if n == 0:
        return Estimate(None, None, None, 0, "", "no item is scored in both arms")
    value = float(found.mean())
    if n < LEAST_CLUSTERS:
        return Estimate(value, None, None, n, "", f"fewer than {LEAST_CLUSTERS} items")
    low, high = _alike_ends(float(found.clip(0).sum()), float((-found).clip(0).sum()), n, level)
    return Estimate(value, low, high, n, f"exact limits of items higher and lower, {level:.0%}")


def _alike_ends(more: float, less: float, n: int, level: float) -> tuple[float, float]:
    share, other = more / n, less / n
    low, high = _exact_limits(more, n, level)
    other_low, other_high = _exact_limits(less, n, level)
    apart = (1 - share) * (1 - other)
    tied = -float(np.sqrt(share * other / apart)) if apart > 0 else -1.0

    def half(one: float, two: float) -> float:
        return float(np.sqrt(max(0.0, one**2 + two**2 - 2 * tied * one * two)))

    difference = share - other
    return (
        max(-1.0, difference - half(share - low, other_high - other)),
        min(1.0, difference + half(high - share, other - other_low)),
    )


def _exact_limits(count: float, n: int, level: float) -> tuple[float, float]:
    """Clopper and Pearson's limits of a share; a count need not be whole."""
    tail = (1 - level) / 2
    low = float(betaincinv(count, n - count + 1, tail)) if count > 0 else 0.0
    return low, float(betainccinv(count + 1, n - count, tail)) if count < n else 1.0


def items_to_be_alike(margin: float = MARGIN, *, guessed: float = 0.0, power: float = 0.8, most: int = 100_000) -> int:
    """Items with which two arms that are alike are shown to be, in `power` of repetitions.

    Args:
        margin: How far apart they may be.
        guessed: Share of items with the thing in either arm without having been told, independently; 0 to 1.
        power: Chance wanted; the mean difference of repetitions taken as normal.
        most: Where the search ends.

    Example: 59 where nothing is guessed, 176 at 2%, 1,316 at 25% (four options).

    Raises:
        ValueError: A margin that is not between 0 and 1.
    """
    if not 0 < margin < 1:
        raise ValueError(f"a margin lies between 0 and 1, found {margin}")
    one_way = guessed * (1 - guessed)
    spread = float(-ndtri((1 - power) / 2)) * float(np.sqrt(2 * one_way))

    def too_wide(n: int) -> float:
        return _alike_ends(one_way * n, one_way * n, n, 0.9)[1] + spread / float(np.sqrt(n)) - margin

    few, enough = LEAST_CLUSTERS, most
    while few < enough:
        between = (few + enough) // 2
        few, enough = (few, between) if too_wide(between) <= 0 else (between + 1, enough)
    return enough
