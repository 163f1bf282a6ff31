"""How often each interval holds the truth, by simulation: the table of docs/concepts.md.

    python benchmarks/interval_coverage.py [--draws 3000] [--sizes 6,10,18] [--only WORD] [--write]

For every design that figures of this package have, outcomes are drawn from known truths over a grid (rates from 5 to
95 per cent, items that differ little or much) and the share of 95% intervals that hold the truth is counted, one run
an item and three. The table shows the mean over the grid and its lowest point; draws without an interval are left out.
"""

import argparse
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forgetscope.benchmarks.in_context.metrics.forgetting import sfrr_average
from forgetscope.benchmarks.unlearning.metrics.claims import LEAST_OF_A_SLOPE
from forgetscope.benchmarks.unlearning.metrics.resampled import Changes, SharedItems
from forgetscope.benchmarks.unlearning.metrics.study import RETAIN_MEASURES, CellKey
from forgetscope.stats import (
    Estimate,
    MatchedSide,
    clustered_mean,
    contrast_of_groups,
    difference_of_means,
    estimate_from_sums,
    macro_average,
    matched_difference,
    named_stream,
    paired_difference,
    ratio_of_sums,
    smaller,
    trend_over_levels,
    wilson,
)
from forgetscope.stats.agreement import cohens_kappa, fleiss_kappa
from forgetscope.stats.misclassification import Validation, correct_pairs, rogan_gladen
from forgetscope.stats.sums import divide

PAGE = Path(__file__).parents[1] / "docs" / "concepts.md"
SIZES = (6, 10, 18, 60)
RATES = tuple(number / 20 for number in range(1, 20))
PAIRS = ((0.1, 0.1), (0.3, 0.3), (0.5, 0.5), (0.9, 0.9), (0.9, 0.6), (0.8, 0.1), (0.95, 0.05), (0.2, 0.15))
ALIKE = (0.0, 0.3, 0.8)
"""How alike the outcomes of an item are: 0 says that items do not differ, 1 that all of an item's agree."""

Array = NDArray[np.float64]
Stream = np.random.Generator
Drawn = tuple[Estimate, float]
"""An estimate and the truth it was drawn from."""
Points = Iterator[Callable[[], Drawn]]
"""The points of a grid; a call draws one estimate."""
Design = Callable[[Stream, int, int], Points]
"""From a stream, a number of items and runs an item to the points of its grid."""


def tied(rng: Stream, own: Array, rate: Array | float, runs: int, alike: float) -> Array:
    """Outcomes (items, runs), 0 or 1: an item's rank `own` decides with probability `alike`, under all conditions."""
    rank = np.where(rng.random((len(own), runs)) < alike, own[:, None], rng.random((len(own), runs)))
    return (rank < np.broadcast_to(np.reshape(rate, (-1, 1)), rank.shape)).astype(float)


def rate(rng: Stream, n: int, runs: int) -> Points:
    items = np.repeat(np.arange(n), runs)
    for share, alike in product(RATES, ALIKE if runs > 1 else (0.0,)):

        def draw(share: float = share, alike: float = alike) -> Drawn:
            found = tied(rng, rng.random(n), share, runs, alike).ravel()
            return wilson(int(found.sum()), n) if runs == 1 else clustered_mean(found, items), share

        yield draw


def scores(rng: Stream, n: int, _: int) -> Points:
    """ROUGE-L and the like: real values between 0 and 1."""
    for mean, even in product(RATES[1::2], (1.0, 2.0, 4.0, 10.0, 20.0)):
        yield lambda mean=mean, even=even: (
            clustered_mean(rng.beta(mean * even, (1 - mean) * even, n), np.arange(n)),
            mean,
        )


def conditional(rng: Stream, n: int, runs: int) -> Points:
    """SFRR: n items that were right without the request at least once."""
    for share, known in product(RATES, (0.5, 0.9)):

        def draw(share: float = share, known: float = known) -> Drawn:
            right = tied(rng, rng.random(4 * n), known, runs, 0.3)
            kept = right * tied(rng, rng.random(4 * n), share, runs, 0.3)
            told = np.flatnonzero(right.sum(axis=1))[:n]
            return ratio_of_sums(kept[told].sum(axis=1), right[told].sum(axis=1), np.arange(len(told))), share

        yield draw


def groups_of_six(rng: Stream, n: int, runs: int) -> Points:
    yield from _averages(rng, n, runs, max(1, n // 6))


def three_groups(rng: Stream, n: int, runs: int) -> Points:
    yield from _averages(rng, n, runs, 3)


def _averages(rng: Stream, n: int, runs: int, groups: int) -> Points:
    """The mean over groups (types, concepts, scenarios) of n items in all."""
    of = np.repeat(np.arange(groups), n // groups)
    for share, scatter in product(RATES, (0.0, 0.3, 0.45)):
        rates = np.clip(share + np.linspace(-scatter, scatter, groups), 0.01, 0.99)

        def draw(rates: Array = rates) -> Drawn:
            found = tied(rng, rng.random(len(of)), rates[of], runs, 0.3).ravel()
            items = np.repeat(np.arange(len(of)), runs)
            return macro_average(found, items, np.repeat(of, runs)), float(rates.mean())

        yield draw


def three_conditionals(rng: Stream, n: int, _: int) -> Points:
    """The mean of three scenarios' SFRR, n items that were right without the request in all."""
    for share, scatter in product(RATES, (0.0, 0.45)):
        rates = np.clip(share + np.array([-scatter, 0.0, scatter]), 0.01, 0.99)

        def draw(rates: Array = rates) -> Drawn:
            known = np.ones(n // 3)
            arrays = {str(place): (known, (rng.random(n // 3) < one).astype(float)) for place, one in enumerate(rates)}
            return sfrr_average(arrays), float(rates.mean())

        yield draw


def shared_groups(rng: Stream, n: int, runs: int) -> Points:
    """The mean over three loads, every one of which holds all items."""
    for share, alike in product(RATES, ALIKE):

        def draw(share: float = share, alike: float = alike) -> Drawn:
            own = rng.random(n)
            found = np.concatenate([tied(rng, own, share, runs, alike).ravel() for _ in range(3)])
            items = np.tile(np.repeat(np.arange(n), runs), 3)
            return macro_average(found, items, np.repeat(np.arange(3), n * runs), nested=False), share

        yield draw


def _two_sides(rng: Stream, n: int, runs: int, made: Callable[[Array, Array], Estimate]) -> Points:
    for (before, after), alike in product(PAIRS, ALIKE):

        def draw(before: float = before, after: float = after, alike: float = alike) -> Drawn:
            own = rng.random(n)
            one, other = (tied(rng, own, share, runs, alike) for share in (before, after))
            return made(one, other), before - after

        yield draw


def change(rng: Stream, n: int, runs: int) -> Points:
    items = np.repeat(np.arange(n), runs)
    yield from _two_sides(rng, n, runs, lambda a, b: paired_difference(a.ravel(), items, b.ravel(), items))


def half_shared(rng: Stream, n: int, runs: int) -> Points:
    first, second = (np.repeat(np.arange(start, start + 2 * n // 3), runs) for start in (0, n - 2 * n // 3))
    part = 2 * n // 3

    def made(a: Array, b: Array) -> Estimate:
        return difference_of_means(a[:part].ravel(), first, b[n - part :].ravel(), second)

    yield from _two_sides(rng, n, runs, made)


def two_models(rng: Stream, n: int, runs: int) -> Points:
    """`compare`: a rate of two models on the same items."""
    ones, items = np.ones(n * runs), np.repeat(np.arange(n), runs)

    def made(a: Array, b: Array) -> Estimate:
        sides = MatchedSide(b.ravel(), ones), MatchedSide(a.ravel(), ones)
        return matched_difference(*sides, items, rng=rng, permutations=1).estimate

    yield from _two_sides(rng, n, runs, made)


def two_conditionals(rng: Stream, n: int, _: int) -> Points:
    """`compare`, or two strategies: the difference of two SFRR, n items of which most were right without it."""
    for (one, two), known in product(PAIRS, (0.7, 0.95)):

        def draw(one: float = one, two: float = two, known: float = known) -> Drawn:
            own = rng.random(n)
            right = [tied(rng, own, known, 1, 0.5).ravel() for _ in range(2)]
            ranks = rng.random(n)
            kept = [tied(rng, ranks, share, 1, 0.5).ravel() * was for share, was in zip((one, two), right, strict=True)]
            sides = [MatchedSide(above, below) for above, below in zip(kept, right, strict=True)]
            return matched_difference(*sides, np.arange(n), rng=rng, permutations=1).estimate, two - one

        yield draw


def groups_apart(rng: Stream, n: int, runs: int) -> Points:
    """Terminal against other constraints: the drops of two groups of items."""
    first = np.arange(n) < n // 2

    def made(a: Array, b: Array) -> Estimate:
        drops = np.where(first, a.mean(axis=1), b.mean(axis=1))
        return contrast_of_groups(drops, first, rng=rng, permutations=1).estimate

    yield from _two_sides(rng, n, runs, made)


def slope(rng: Stream, n: int, runs: int) -> Points:
    levels = np.array([0.0, 1.0, 3.0, 5.0])
    for (start, step), alike in product(((0.9, -0.1), (0.6, -0.05), (0.5, 0.0), (0.3, 0.1)), ALIKE):

        def draw(start: float = start, step: float = step, alike: float = alike) -> Drawn:
            own = rng.random(n)
            found = np.concatenate([tied(rng, own, start + step * level, runs, alike).ravel() for level in levels])
            items = np.tile(np.repeat(np.arange(n), runs), 4)
            of_level = np.repeat(levels, n * runs)
            return trend_over_levels(found, items, of_level, rng=rng, permutations=1).estimate, step

        yield draw


def interaction(rng: Stream, n: int, runs: int) -> Points:
    """Two factors of a prompt together less apart, or what the parser adds to a cost: a difference of differences."""
    for (before, after), alike in product(PAIRS, ALIKE):

        def draw(before: float = before, after: float = after, alike: float = alike) -> Drawn:
            own = rng.random(n)
            one, two, three, four = (tied(rng, own, share, runs, alike) for share in (before, after, 0.5, 0.4))
            found = ((one - two) - (three - four)).ravel()
            items = np.repeat(np.arange(n), runs)
            return clustered_mean(found, items, kind="difference", reach=2.0), before - after - 0.1

        yield draw


def joint_and_product(rng: Stream, n: int, _: int) -> Points:
    """Tension: the joint rate of two constraints less the product of their single rates, on the same stacks."""
    for joint, (one, two) in product((0.1, 0.4, 0.7), ((0.9, 0.9), (0.5, 0.8), (0.95, 0.3))):

        def draw(joint: float = joint, one: float = one, two: float = two) -> Drawn:
            own = rng.random(n)
            parts = [tied(rng, own, share, 1, 0.3).ravel() for share in (joint, one, two)]
            sums = np.column_stack([*parts, np.ones(n)])
            found = estimate_from_sums(
                lambda t: divide(t[:, 0], t[:, 3]) - divide(t[:, 1] * t[:, 2], t[:, 3] ** 2),
                sums,
                n=n,
                kind="difference",
            )
            return found, joint - one * two

        yield draw


def tokens(rng: Stream, n: int, _: int) -> Points:
    """Lengths of replies: log-normal, their standard deviation a third or two thirds of the mean."""
    for sigma in (0.2, 0.3, 0.4, 0.5, 0.6):
        yield lambda sigma=sigma: (
            clustered_mean(np.exp(rng.normal(0, sigma, n)), np.arange(n), kind="unbounded"),
            float(np.exp(sigma**2 / 2)),
        )


CELLS = tuple(CellKey("news", "proper", "raw", "low", f"m{number}", 1e-5, 1.0, 5.0) for number in range(9))


def unlearned_items(rng: Stream, n: int, measures: tuple[str, ...], kept: Array) -> SharedItems:
    """Cells that keep these shares (cells, measures) of the target, n items a measure."""
    cells = CELLS[: len(kept)]
    columns = [(measure, cell) for measure in measures for cell in (None, *cells)]
    place = {column: number for number, column in enumerate(columns)}
    sums = np.zeros((n * len(measures), len(columns)))
    for number, measure in enumerate(measures):
        rows = slice(number * n, (number + 1) * n)
        target = rng.beta(4, 2, n)
        sums[rows, place[measure, None]] = target
        for cell, share in zip(cells, kept[:, number], strict=True):
            left = rng.beta(6 * share, 6 * (1 - share), n) if share < 1 else np.ones(n)
            sums[rows, place[measure, cell]] = target * left
    return SharedItems(place, sums, np.repeat(np.arange(len(measures)), n), "")


def change_of_measure(rng: Stream, n: int, _: int) -> Points:
    """S_change of one measure."""
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        yield lambda share=share: (
            unlearned_items(rng, n, ("verbatim",), np.array([[share]])).estimate(lambda of: of(CELLS[0], "verbatim")),
            1 - share,
        )


def changes_apart(rng: Stream, n: int, _: int) -> Points:
    """The Retain change of one cell less another's: three measures."""

    def apart(of: Changes) -> Array:
        return np.mean([of(CELLS[0], measure) - of(CELLS[1], measure) for measure in RETAIN_MEASURES], axis=0)

    for one, two in ((0.9, 0.9), (0.5, 0.5), (0.2, 0.2), (0.5, 0.8), (0.2, 0.9)):
        kept = np.array([[one] * 3, [two] * 3])
        yield lambda kept=kept, truth=two - one: (
            unlearned_items(rng, n, RETAIN_MEASURES, kept).estimate(apart),
            truth,
        )


def smaller_gain(rng: Stream, n: int, _: int) -> Points:
    """The smaller of two gains."""
    measures = ("verbatim", "knowledge_low")
    for one, two in ((0.2, 0.2), (0.5, 0.5), (0.8, 0.8), (0.5, 0.4), (0.8, 0.6), (0.9, 0.3), (0.6, 0.2)):

        def draw(one: float = one, two: float = two) -> Drawn:
            items = unlearned_items(rng, n, measures, np.array([[one, two]]))
            sides = [items.estimate(lambda of, name=name: of(CELLS[0], name)) for name in measures]
            return smaller(*sides), 1 - max(one, two)

        yield draw


def slope_over_cells(rng: Stream, n: int, _: int) -> Points:
    """Slope of one change on another over nine cells."""
    measures = ("verbatim", "knowledge_low")

    def fitted(forget: Array, retain: Array) -> Array:
        away = forget - forget.mean(axis=1, keepdims=True)
        return (away * retain).sum(axis=1) / (away**2).sum(axis=1)

    def of_cells(of: Changes) -> Array:
        forget, retain = (np.stack([of(cell, measure) for cell in CELLS], axis=1) for measure in measures)
        return fitted(forget, retain)

    for reach, jitter in product((0.25, 0.35), (0.0, 0.1, 0.5)):
        first = np.linspace(0.5 - reach, 0.5 + reach, 9)
        second = np.clip(first + jitter * np.sin(7.0 * np.arange(9)), 0.05, 0.95)
        truth, kept = float(fitted(first[None], second[None])[0]), np.column_stack([first, second])
        yield lambda kept=kept, truth=truth: (
            unlearned_items(rng, n, measures, kept).estimate(of_cells, least=LEAST_OF_A_SLOPE),
            truth,
        )


def kappa_of_two(rng: Stream, n: int, _: int) -> Points:
    for yes, wrong in product((0.5, 0.8), (0.1, 0.25)):

        def draw(yes: float = yes, wrong: float = wrong) -> Drawn:
            truth = rng.random(n) < yes
            one, two = (truth ^ (rng.random(n) < wrong) for _ in range(2))
            said = yes * (1 - wrong) + (1 - yes) * wrong
            agree, chance = (1 - wrong) ** 2 + wrong**2, said**2 + (1 - said) ** 2
            return cohens_kappa(one, two), (agree - chance) / (1 - chance)

        yield draw


def kappa_of_three(rng: Stream, n: int, _: int) -> Points:
    for yes, wrong in product((0.5, 0.8), (0.1, 0.25)):

        def draw(yes: float = yes, wrong: float = wrong) -> Drawn:
            truth = rng.random(n) < yes
            said = yes * (1 - wrong) + (1 - yes) * wrong
            agree, chance = (1 - wrong) ** 2 + wrong**2, said**2 + (1 - said) ** 2
            return fleiss_kappa(truth[:, None] ^ (rng.random((n, 3)) < wrong)), (agree - chance) / (1 - chance)

        yield draw


def corrected_rate(rng: Stream, n: int, _: int) -> Points:
    """A judge's rate over ten times the n replies that people answered, corrected by what they said."""
    for yes, errors in product((0.3, 0.6, 0.85), ((0.95, 0.9), (0.8, 0.8))):

        def draw(yes: float = yes, errors: tuple[float, float] = errors) -> Drawn:
            gold = rng.random(11 * n) < yes
            rated = np.where(gold, rng.random(11 * n) < errors[0], rng.random(11 * n) >= errors[1])
            known = Validation(gold[:n], rated[:n], np.ones(n))
            return rogan_gladen(known, rated[n:], seed=rng, draws=1_000), yes

        yield draw


def corrected_pairs(rng: Stream, n: int, _: int) -> Points:
    """SFRR by a judge over ten times the n pairs that people answered, corrected."""
    for first, kept in product((0.6, 0.8), (0.3, 0.7)):

        def draw(first: float = first, kept: float = kept) -> Drawn:
            without = rng.random(11 * n) < first
            gold = np.column_stack([without, np.where(without, rng.random(11 * n) < kept, rng.random(11 * n) < 0.3)])
            rated = np.where(gold, rng.random(gold.shape) < 0.95, rng.random(gold.shape) >= 0.9)
            known = Validation(gold[:n], rated[:n], np.ones(n))
            return correct_pairs(known, rated[n:], seed=rng, draws=1_000).kept, kept

        yield draw


DESIGNS: Mapping[str, tuple[Design, tuple[int, ...]]] = {
    "rate": (rate, (1, 3)),
    "mean of scores from 0 to 1 (ROUGE-L)": (scores, (1,)),
    "conditional rate (SFRR)": (conditional, (1, 3)),
    "average of groups of six (types, concepts)": (groups_of_six, (1, 3)),
    "average of three groups (scenarios)": (three_groups, (1, 3)),
    "average of three conditional rates": (three_conditionals, (1,)),
    "average of three conditions, the same items": (shared_groups, (1, 3)),
    "change on the same items": (change, (1, 3)),
    "difference, half of the items shared": (half_shared, (1, 3)),
    "difference of two models": (two_models, (1, 3)),
    "difference of two conditional rates": (two_conditionals, (1,)),
    "difference of two groups of items": (groups_apart, (1, 3)),
    "difference of differences": (interaction, (1, 3)),
    "joint rate less a product of rates": (joint_and_product, (1,)),
    "slope over four levels": (slope, (1, 3)),
    "mean tokens": (tokens, (1,)),
    "S_change of a measure": (change_of_measure, (1,)),
    "S_change of three measures, two cells apart": (changes_apart, (1,)),
    "smaller of two S_changes": (smaller_gain, (1,)),
    "slope of S_change over nine cells": (slope_over_cells, (1,)),
    "Cohen's kappa": (kappa_of_two, (1,)),
    "Fleiss' kappa of three": (kappa_of_three, (1,)),
    "judge's rate corrected by people": (corrected_rate, (1,)),
    "judge's SFRR corrected by people": (corrected_pairs, (1,)),
}


def coverage(name: str, runs: int, n: int, draws: int) -> tuple[float, float] | None:
    """Mean and lowest share of intervals that hold the truth, over the design's grid; None without any interval.

    The four lowest points are drawn anew, each a quarter as often as all were: the lowest of many is low by chance.
    """
    rng = named_stream(0, f"coverage {name} {runs} {n}")
    points = list(DESIGNS[name][0](rng, n, runs))
    each = -(-draws // len(points))
    shares = [(share, place) for place, point in enumerate(points) if (share := held(point, each)) is not None]
    again = [held(points[place], draws // 4) for _, place in sorted(shares)[:4]]
    known = [share for share in again if share is not None]
    return (float(np.mean([share for share, _ in shares])), min(known)) if known else None


def held(point: Callable[[], Drawn], draws: int) -> float | None:
    """The share of intervals that hold the truth; None where three in four draws have no interval."""
    found = [
        estimate.low - 1e-9 <= truth <= estimate.high + 1e-9
        for estimate, truth in (point() for _ in range(draws))
        if estimate.low is not None and estimate.high is not None
    ]
    return float(np.mean(found)) if len(found) >= draws / 4 else None


def write_between(page: Path, name: str, lines: list[str]) -> None:
    """Put lines between the markers of this name, `<!-- NAME: begin ... -->` and `<!-- NAME: end -->`."""
    text, begin, end = page.read_text(encoding="utf-8"), rf"<!-- {name}: begin[^>]*-->\n", rf"<!-- {name}: end -->"
    body = "".join(f"{line}\n" for line in lines)
    page.write_text(re.sub(f"({begin}).*?({end})", lambda m: m[1] + body + m[2], text, flags=re.DOTALL), "utf-8")


def main() -> None:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=3000)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--only", default="", help="designs with this word")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    lines = ["| design | runs | " + " | ".join(f"{n} items" for n in sizes) + " |", "|---" * (len(sizes) + 2) + "|"]
    for name, (_, repeats) in DESIGNS.items():
        for runs in repeats if given.only in name else ():
            found = [coverage(name, runs, n, given.draws) for n in sizes]
            cells = ["" if one is None else f"{100 * one[0]:.1f} ({100 * one[1]:.0f})" for one in found]
            lines.append(f"| {name} | {runs} | " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    if given.write:
        write_between(PAGE, "coverage", lines)


if __name__ == "__main__":
    main()
