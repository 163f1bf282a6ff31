"""How often each interval holds the truth, by simulation: the table of docs/concepts.md.

    python benchmarks/interval_coverage.py [--draws 1000] [--write]

For every design that figures of this package have, outcomes are drawn from known truths over a grid (rates from 2 to
95 per cent, items that differ little or much, one run or three) and the share of 95% intervals that hold the truth is
counted. The table shows the mean over the grid and its lowest point. `--write` puts the table into docs/concepts.md.
"""

import argparse
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forgetscope.stats import (
    Estimate,
    MatchedSide,
    clustered_mean,
    contrast_of_groups,
    difference_of_means,
    macro_average,
    matched_difference,
    named_stream,
    paired_difference,
    ratio_of_sums,
    trend_over_levels,
    wilson,
)

PAGE = Path(__file__).parents[1] / "docs" / "concepts.md"
BEGIN, END = "<!-- coverage: begin, written by benchmarks/interval_coverage.py -->", "<!-- coverage: end -->"

SIZES = (6, 10, 18, 30, 60, 120)
RATES = (0.05, 0.1, 0.3, 0.5, 0.7, 0.9)
PAIRS = ((0.1, 0.1), (0.3, 0.3), (0.5, 0.5), (0.9, 0.9), (0.9, 0.6), (0.8, 0.1), (0.95, 0.05), (0.2, 0.15))
ALIKE = (0.0, 0.3, 0.8)
"""Correlation of the runs of an item: 0 says that items do not differ, 1 that all runs of an item agree."""

Array = NDArray[np.float64]
Drawn = tuple[Estimate, float]
"""An estimate and the truth it was drawn from."""
Design = Callable[[np.random.Generator, int], Iterator[Callable[[], Drawn]]]
"""From a stream and a number of items to the points of its grid, each of which draws an estimate."""


def runs(rng: np.random.Generator, rates: Array, repeats: int, alike: float) -> Array:
    """Outcomes (items, repeats) of items whose own rates scatter around `rates`."""
    if alike > 0 and repeats > 1:
        spread = (1 - alike) / alike
        rates = rng.beta(rates * spread, (1 - rates) * spread)
    return (rng.random((len(rates), repeats)) < rates[:, None]).astype(float)


def rate_of_items(rng: np.random.Generator, n: int) -> Iterator[Callable[[], Drawn]]:
    for rate in RATES:
        yield lambda rate=rate: (wilson(int((rng.random(n) < rate).sum()), n), rate)


def rate_of_three_runs(rng: np.random.Generator, n: int) -> Iterator[Callable[[], Drawn]]:
    items = np.repeat(np.arange(n), 3)
    for rate in RATES:
        for alike in ALIKE:
            yield lambda rate=rate, alike=alike: (
                clustered_mean(runs(rng, np.full(n, rate), 3, alike).ravel(), items),
                rate,
            )


def mean_of_scores(rng: np.random.Generator, n: int) -> Iterator[Callable[[], Drawn]]:
    """ROUGE-L and the like: real values between 0 and 1."""
    for mean in (0.1, 0.3, 0.6, 0.9):
        for even in (1.0, 4.0, 20.0):
            yield lambda mean=mean, even=even: (
                clustered_mean(rng.beta(mean * even, (1 - mean) * even, n), np.arange(n)),
                mean,
            )


def conditional_rate(rng: np.random.Generator, n: int) -> Iterator[Callable[[], Drawn]]:
    """SFRR with one run and three: n items that were right without the interference at least once."""
    for repeats in (1, 3):
        for rate in (0.05, 0.3, 0.7, 0.95):
            for known in (0.5, 0.9):

                def draw(repeats: int = repeats, rate: float = rate, known: float = known) -> Drawn:
                    right = runs(rng, np.full(4 * n, known), repeats, 0.3)
                    kept = right * runs(rng, np.full(4 * n, rate), repeats, 0.3)
                    told = np.flatnonzero(right.sum(axis=1))[:n]
                    return ratio_of_sums(kept[told].sum(axis=1), right[told].sum(axis=1), np.arange(len(told))), rate

                yield draw


def change_on_items(rng: np.random.Generator, n: int) -> Iterator[Callable[[], Drawn]]:
    yield from _changes(rng, n, 1)


def change_on_items_of_three_runs(rng: np.random.Generator, n: int) -> Iterator[Callable[[], Drawn]]:
    yield from _changes(rng, n, 3)


def _changes(rng: np.random.Generator, n: int, repeats: int) -> Iterator[Callable[[], Drawn]]:
    items = np.repeat(np.arange(n), repeats)
    for before, after in PAIRS:
        for alike in ALIKE:

            def draw(before: float = before, after: float = after, alike: float = alike) -> Drawn:
                own = rng.random(n)  # an item that is easy before is easy after
                one = _tied(rng, own, before, repeats, alike)
                other = _tied(rng, own, after, repeats, alike)
                return paired_difference(one.ravel(), items, other.ravel(), items), before - after

            yield draw


def _tied(rng: np.random.Generator, own: Array, rate: float, repeats: int, alike: float) -> Array:
    """Outcomes whose items keep their rank from one condition to another with probability `alike`."""
    rank = np.where(rng.random((len(own), repeats)) < alike, own[:, None], rng.random((len(own), repeats)))
    return (rank < rate).astype(float)


def difference_half_shared(rng: np.random.Generator, n: int) -> Iterator[Callable[[], Drawn]]:
    for before, after in PAIRS:
        for alike in (0.0, 0.5):

            def draw(before: float = before, after: float = after, alike: float = alike) -> Drawn:
                own = rng.random(n + n // 2)
                one, other = (_tied(rng, own, rate, 1, alike).ravel() for rate in (before, after))
                first, second = np.arange(n), np.arange(n // 2, n + n // 2)
                return difference_of_means(one[first], first, other[second], second), before - after

            yield draw


def average_of_groups(rng: np.random.Generator, n: int) -> Iterator[Callable[[], Drawn]]:
    """Three groups (scenarios) that share n items."""
    yield from _averages(rng, n, 3)


def average_of_six_item_groups(rng: np.random.Generator, n: int) -> Iterator[Callable[[], Drawn]]:
    """As many groups of six (types) as n items give."""
    yield from _averages(rng, n, max(1, n // 6))


def _averages(rng: np.random.Generator, n: int, groups: int) -> Iterator[Callable[[], Drawn]]:
    size = n // groups
    if size < 2:
        return
    of = np.repeat(np.arange(groups), size)
    for rate in RATES:
        for scatter in (0.0, 0.3):
            for repeats in (1, 3):
                rates = np.clip(rate + np.linspace(-scatter, scatter, groups), 0.01, 0.99)

                def draw(rates: Array = rates, repeats: int = repeats) -> Drawn:
                    outcomes = runs(rng, rates[of], repeats, 0.3)
                    items = np.repeat(np.arange(len(of)), repeats)
                    return macro_average(outcomes.ravel(), items, np.repeat(of, repeats)), float(rates.mean())

                yield draw


def difference_of_runs(rng: np.random.Generator, n: int) -> Iterator[Callable[[], Drawn]]:
    """`compare`: a rate of two models on the same items."""
    for before, after in PAIRS:
        for alike in (0.3, 0.8):

            def draw(before: float = before, after: float = after, alike: float = alike) -> Drawn:
                own = rng.random(n)
                one, other = (_tied(rng, own, rate, 1, alike).ravel() for rate in (before, after))
                sides = MatchedSide(one, np.ones(n)), MatchedSide(other, np.ones(n))
                return matched_difference(*sides, np.arange(n), rng=rng, permutations=1).estimate, after - before

            yield draw


def contrast(rng: np.random.Generator, n: int) -> Iterator[Callable[[], Drawn]]:
    first = np.arange(n) < n // 2
    for one, other in PAIRS:

        def draw(one: float = one, other: float = other) -> Drawn:
            drops = (rng.random(n) < np.where(first, one, other)).astype(float)
            return contrast_of_groups(drops, first, rng=rng, permutations=1).estimate, one - other

        yield draw


def trend(rng: np.random.Generator, n: int) -> Iterator[Callable[[], Drawn]]:
    levels = np.array([0.0, 1.0, 3.0, 5.0])
    for start, slope in ((0.9, -0.1), (0.6, -0.05), (0.5, 0.0), (0.3, 0.1)):
        rates = start + slope * levels

        def draw(rates: Array = rates, slope: float = slope) -> Drawn:
            table = (rng.random((n, 4)) < rates).astype(float)
            items = np.repeat(np.arange(n), 4)
            tested = trend_over_levels(table.ravel(), items, np.tile(levels, n), rng=rng, permutations=1)
            return tested.estimate, slope

        yield draw


def tokens(rng: np.random.Generator, n: int) -> Iterator[Callable[[], Drawn]]:
    """Lengths of replies: log-normal, their standard deviation a third or two thirds of the mean."""
    for sigma in (0.3, 0.6):
        yield lambda sigma=sigma: (
            clustered_mean(np.exp(rng.normal(0, sigma, n)), np.arange(n), kind="unbounded"),
            float(np.exp(sigma**2 / 2)),
        )


DESIGNS: dict[str, Design] = {
    "rate, one run an item": rate_of_items,
    "rate, three runs an item": rate_of_three_runs,
    "mean of scores from 0 to 1": mean_of_scores,
    "conditional rate (SFRR)": conditional_rate,
    "average of three groups": average_of_groups,
    "average of groups of six": average_of_six_item_groups,
    "change on the same items, one run": change_on_items,
    "change on the same items, three runs": change_on_items_of_three_runs,
    "difference, half of the items shared": difference_half_shared,
    "difference of two models": difference_of_runs,
    "contrast of two groups of items": contrast,
    "slope over four levels": trend,
    "mean tokens": tokens,
}


def coverage(design: Design, n: int, draws: int, name: str) -> tuple[float, float] | None:
    """Mean and lowest share of intervals that hold the truth, over the design's grid; None where it has no point."""
    rng = named_stream(0, f"coverage {name} {n}")
    shares = []
    for point in design(rng, n):
        held = counted = 0
        for _ in range(draws):
            estimate, truth = point()
            if estimate.low is None or estimate.high is None:
                continue
            counted += 1
            held += estimate.low - 1e-9 <= truth <= estimate.high + 1e-9
        if counted >= draws / 10:
            shares.append(held / counted)
    return (float(np.mean(shares)), min(shares)) if shares else None


def main() -> None:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    lines = ["| design | " + " | ".join(f"{n} items" for n in SIZES) + " |", "|---" * (len(SIZES) + 1) + "|"]
    for name, design in DESIGNS.items():
        cells = []
        for n in SIZES:
            found = coverage(design, n, given.draws, name)
            cells.append("" if found is None else f"{100 * found[0]:.1f} ({100 * found[1]:.0f})")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    if given.write:
        page = PAGE.read_text(encoding="utf-8")
        body = "\n".join([BEGIN, *lines, END])
        PAGE.write_text(re.sub(f"{re.escape(BEGIN)}.*{re.escape(END)}", lambda _: body, page, flags=re.DOTALL), "utf-8")


if __name__ == "__main__":
    main()
