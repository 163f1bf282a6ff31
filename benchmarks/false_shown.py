"""How often a sentence is *shown* where there is nothing to show, by simulation: the second table of docs/concepts.md.

    python benchmarks/false_shown.py [--draws 3000] [--write]

For each kind of finding, outcomes are drawn without any effect over a grid (rates, items alike or not), and the rule of
`forgetscope.findings.verdicts` is asked: interval, test, ten items, six that changed. The table shows the share called
*shown*, mean over the grid and highest point.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping
from itertools import product

import numpy as np
from interval_coverage import PAGE, Array, Points, Stream, changes_apart, tied, write_between
from scipy.stats import binomtest

from forgetscope.findings.verdicts import Support
from forgetscope.stats import (
    Estimate,
    MatchedSide,
    clustered_mean,
    contrast_of_groups,
    difference_of_means,
    estimate_from_sums,
    matched_difference,
    mcnemar,
    named_stream,
    paired_difference,
    trend_over_levels,
)
from forgetscope.stats.change_test import change_test, changing_items, interval_test
from forgetscope.stats.sums import divide

SIZES = (6, 12, 30, 90)
RATES = (0.1, 0.3, 0.5, 0.8, 0.95)
ALIKE = (0.0, 0.5, 0.8)

Template = Callable[[Stream, int], Iterator[Callable[[], bool]]]
"""From a stream and a number of items to the points of a grid, each of which says whether a draw is shown."""


def is_shown(found: Estimate, items: int, changed: int | None, test: Callable[[], float | None]) -> bool:
    """The rule; the test is only made where the rest is passed."""
    if Support(found.low, found.high, items, None, changed).verdict != "shown":
        return False
    return Support(found.low, found.high, items, test(), changed).verdict == "shown"


def _sides(rng: Stream, n: int, runs: int, asked: Callable[[Array, Array], bool]) -> Iterator[Callable[[], bool]]:
    for rate, alike in product(RATES, ALIKE):

        def draw(rate: float = rate, alike: float = alike) -> bool:
            own = rng.random(n)
            return asked(tied(rng, own, rate, runs, alike), tied(rng, own, rate, runs, alike))

        yield draw


def paired_once(rng: Stream, n: int) -> Iterator[Callable[[], bool]]:
    """With and without the request, one run: exact McNemar."""

    def asked(one: Array, other: Array) -> bool:
        a, b, items = one.ravel(), other.ravel(), np.arange(n)
        counts = [int(((a == x) & (b == y)).sum()) for x, y in ((1, 1), (1, 0), (0, 1), (0, 0))]
        return is_shown(
            paired_difference(a, items, b, items), n, counts[1] + counts[2], lambda: mcnemar(*counts).exact_p
        )

    yield from _sides(rng, n, 1, asked)


def paired_often(rng: Stream, n: int) -> Iterator[Callable[[], bool]]:
    """Load, reminder, task costs, three runs: signs flipped over items."""
    items = np.repeat(np.arange(n), 3)

    def asked(one: Array, other: Array) -> bool:
        away = (one - other).mean(axis=1)
        found = paired_difference(one.ravel(), items, other.ravel(), items)
        return is_shown(found, n, int((away != 0).sum()), lambda: change_test(away, np.arange(n), rng=rng).p)

    yield from _sides(rng, n, 3, asked)


def two_sfrr(rng: Stream, n: int) -> Iterator[Callable[[], bool]]:
    """`compare`: SFRR of two models, the models exchanged within items."""
    for rate, known in product(RATES, (0.6, 0.9)):

        def draw(rate: float = rate, known: float = known) -> bool:
            own = rng.random(n)
            right = [tied(rng, own, known, 1, 0.5).ravel() for _ in range(2)]
            kept = [tied(rng, own, rate, 1, 0.5).ravel() * one for one in right]
            sides = [MatchedSide(above, below) for above, below in zip(kept, right, strict=True)]
            found = matched_difference(*sides, np.arange(n), rng=rng, permutations=1).estimate
            counts, changed = int((right[0] + right[1] > 0).sum()), (kept[0] != kept[1]) | (right[0] != right[1])
            return is_shown(
                found,
                counts,
                int(changed.sum()),
                lambda: matched_difference(*sides, np.arange(n), rng=rng, permutations=2_000).p_value,
            )

        yield draw


def different_items(rng: Stream, n: int) -> Iterator[Callable[[], bool]]:
    """Stacks of few and of many constraints, terminal constraints and others: labels permuted over items."""
    half = n // 2

    def asked(one: Array, other: Array) -> bool:
        a, b = one[:half].ravel(), other[half:].ravel()
        found = difference_of_means(a, np.arange(half), b, np.arange(half, n))
        first = np.arange(n) < half
        return is_shown(
            found,
            n,
            None,
            lambda: contrast_of_groups(np.concatenate([a, b]), first, rng=rng, permutations=2_000).p_value,
        )

    yield from _sides(rng, n, 1, asked)


def over_levels(rng: Stream, n: int) -> Iterator[Callable[[], bool]]:
    """A trend over four lengths or loads: an item's levels permuted."""
    items, levels = np.tile(np.arange(n), 4), np.repeat([0.0, 1.0, 3.0, 5.0], n)
    for rate, alike in product(RATES, ALIKE):

        def draw(rate: float = rate, alike: float = alike) -> bool:
            own = rng.random(n)
            found = np.concatenate([tied(rng, own, rate, 1, alike).ravel() for _ in range(4)])
            estimate = trend_over_levels(found, items, levels, rng=rng, permutations=1).estimate
            return is_shown(
                estimate,
                n,
                changing_items(found, items),
                lambda: trend_over_levels(found, items, levels, rng=rng, permutations=2_000).p_value,
            )

        yield draw


def against_product(rng: Stream, n: int) -> Iterator[Callable[[], bool]]:
    """Tension: joint rate less the product of single rates, Student's t from the interval."""
    for one, two in ((0.9, 0.9), (0.5, 0.8), (0.95, 0.3), (0.7, 0.7)):

        def draw(one: float = one, two: float = two) -> bool:
            own = rng.random(n)
            parts = [tied(rng, own, share, 1, 0.3).ravel() for share in (one * two, one, two)]
            estimate = estimate_from_sums(
                lambda t: divide(t[:, 0], t[:, 3]) - divide(t[:, 1] * t[:, 2], t[:, 3] ** 2),
                np.column_stack([*parts, np.ones(n)]),
                n=n,
                kind="difference",
            )
            return is_shown(estimate, n, None, lambda: interval_test(estimate).p)

        yield draw


def first_place(rng: Stream, n: int) -> Iterator[Callable[[], bool]]:
    """The first option is chosen more often than a quarter of the time: two forms, exact on one choice an item."""
    for alike in ALIKE:

        def draw(alike: float = alike) -> bool:
            chosen = tied(rng, rng.random(n), 0.25, 2, alike)
            found = clustered_mean(chosen.ravel(), np.repeat(np.arange(n), 2))
            if found.value is None or found.low is None or found.high is None:
                return False
            shifted = Estimate(found.value - 0.25, found.low - 0.25, found.high - 0.25, n, found.method)
            return is_shown(shifted, n, None, lambda: float(binomtest(int(chosen[:, 0].sum()), n, 0.25).pvalue))

        yield draw


def unlearning_claim(rng: Stream, n: int) -> Iterator[Callable[[], bool]]:
    """A claim of a paper about two cells that keep the same, n items in three measures."""
    points: Points = changes_apart(rng, n // 3, 1)
    point = next(points)  # the first point of the grid has no difference

    def draw() -> bool:
        found = point()[0]
        return is_shown(found, n, None, lambda: interval_test(found).p)

    yield draw


TEMPLATES: Mapping[str, Template] = {
    "same items, one run (exact McNemar)": paired_once,
    "same items, three runs (sign flips)": paired_often,
    "two models' SFRR (models exchanged)": two_sfrr,
    "different items (labels permuted)": different_items,
    "trend over four levels (levels permuted)": over_levels,
    "joint rate against a product (t)": against_product,
    "first place above a quarter (exact binomial)": first_place,
    "paper's claim of two unlearned cells (t)": unlearning_claim,
}


def false_shown(name: str, n: int, draws: int) -> tuple[float, float]:
    """Mean and highest share of draws without effect that are called shown, over the grid.

    The four highest points are drawn anew, each as often as all were: the highest of a dozen is high by chance.
    """
    points = list(TEMPLATES[name](named_stream(0, f"false shown {name} {n}"), n))
    each = -(-draws // len(points))
    shares = [float(np.mean([point() for _ in range(each)])) for point in points]
    highest = np.argsort(shares)[-4:]
    return float(np.mean(shares)), max(float(np.mean([points[at]() for _ in range(draws)])) for at in highest)


def main() -> None:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=3000)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    lines = ["| finding | " + " | ".join(f"{n} items" for n in SIZES) + " |", "|---" * (len(SIZES) + 1) + "|"]
    for name in TEMPLATES:
        found = [false_shown(name, n, given.draws) for n in SIZES]
        lines.append(f"| {name} | " + " | ".join(f"{100 * mean:.1f} ({100 * most:.1f})" for mean, most in found) + " |")
        print(lines[-1], flush=True)
    if given.write:
        write_between(PAGE, "false-shown", lines)


if __name__ == "__main__":
    main()
