"""How often a residue's interval holds the truth, and each word is said wrongly: tables of docs/design/residue.md.

    python benchmarks/residue_coverage.py [--draws 1000] [--sizes 12,18,30,60,120] [--write]

Items are drawn in three arms from known rates: told 0.4 to 1, never told 0 to 0.25, the residue 0 to 1, an item's
outcomes in the arms alike or not. The first table counts the intervals that hold the residue; draws without one (what
telling adds is not shown to be above the floor) are left out, and points where most are. The second says how often
each word is said where the truth is at the edge of what the word denies, and where the word is true.
"""

import argparse
import re
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forgetscope.findings.residue import Word, read_residue
from forgetscope.stats import named_stream
from forgetscope.stats.residue import MARGIN, Arms, items_to_be_alike, residue

PAGE = Path(__file__).parents[1] / "docs" / "design" / "residue.md"
SIZES = (12, 18, 30, 60, 120)
TOLD, SHARES, NEVER = (0.4, 0.6, 0.8, 0.95, 1.0), (0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0), (0.0, 0.02, 0.1, 0.25)
ALIKE = (0.0, 0.5, 0.9)
"""How alike an item's outcomes are over the arms: 0 says that items do not differ, 1 that its rank decides alone."""

LEAST_DEFINED = 0.5
"""Points of the grid at which fewer draws have an interval are left out."""


def drawn(rng: np.random.Generator, rates: tuple[float, float, float, float], items: int, alike: float) -> Arms:
    """Three arms of so many items, told, deleted, and never told twice."""
    own = rng.random(items)

    def arm(rate: float) -> NDArray[np.float64]:
        rank = np.where(rng.random(items) < alike, own, rng.random(items))
        return (rank < rate).astype(np.float64)

    return Arms(*(arm(rate) for rate in rates))


def coverage(items: int, draws: int) -> tuple[float, float, int]:
    """Mean and lowest share of intervals that hold the residue, and the points of the grid."""
    held: list[float] = []
    for told, share, never, alike in product(TOLD, SHARES, NEVER, ALIKE):
        rng = named_stream(1, f"residue {items} {told} {share} {never} {alike}")
        rates = (told, never + share * (told - never), never, never)
        found = [residue(drawn(rng, rates, items, alike)) for _ in range(draws)]
        ends = [(one.low, one.high) for one in found if one.low is not None and one.high is not None]
        if len(ends) >= LEAST_DEFINED * draws:
            held.append(sum(low - 1e-9 <= share <= high + 1e-9 for low, high in ends) / len(ends))
    return float(np.mean(held)), min(held), len(held)


def said(word: Word, rates: tuple[float, float, float, float], items: int, draws: int) -> float:
    """The share of draws in which a word is said."""
    rng = named_stream(2, f"{word} {items} {rates}")
    return sum(read_residue(drawn(rng, rates, items, 0.3)).word == word for _ in range(draws)) / draws


CASES: tuple[tuple[str, Word, tuple[float, float, float, float]], ...] = (
    ("D = N, nothing guessed", "as if never told", (0.9, 0.0, 0.0, 0.0)),
    ("D = N, 2% guessed", "as if never told", (0.9, 0.02, 0.02, 0.02)),
    ("D = N, 25% guessed", "as if never told", (0.9, 0.25, 0.25, 0.25)),
    ("D 5 points above N, 0% guessed (wrong)", "as if never told", (0.9, 0.05, 0.0, 0.0)),
    ("D 5 points above N, 2% guessed (wrong)", "as if never told", (0.9, 0.07, 0.02, 0.02)),
    ("D = N, 2% guessed (wrong)", "still there", (0.9, 0.02, 0.02, 0.02)),
    ("D = N, 25% guessed (wrong)", "still there", (0.9, 0.25, 0.25, 0.25)),
    ("D 20 points above N, 2% guessed", "still there", (0.9, 0.22, 0.02, 0.02)),
    ("D = N, 25% guessed (wrong)", "avoided", (0.9, 0.25, 0.25, 0.25)),
    ("D nothing, 25% guessed", "avoided", (0.9, 0.0, 0.25, 0.25)),
    ("T 10 points above N, as the floor (wrong)", "still there", (0.35, 0.35, 0.25, 0.25)),
)


def tables(sizes: tuple[int, ...], draws: int) -> str:
    """Both tables as Markdown."""
    lines = ["| items | mean coverage, % | lowest, % | points |", "|---|---|---|---|"]
    for items in sizes:
        mean, lowest, points = coverage(items, draws)
        lines.append(f"| {items} | {100 * mean:.1f} | {100 * lowest:.1f} | {points} |")
    lines += ["", f"| truth | word | {' | '.join(map(str, sizes))} |", "|---|---|" + "---|" * len(sizes)]
    for truth, word, rates in CASES:
        shares = " | ".join(f"{100 * said(word, rates, items, 2 * draws):.1f}" for items in sizes)
        lines.append(f"| {truth} | {word} | {shares} |")
    needed = ", ".join(f"{items_to_be_alike(guessed=share):,} at {share:.0%}" for share in (0.0, 0.02, 0.1, 0.25))
    return "\n".join(
        [*lines, "", f"Items for *as if never told* within {MARGIN:.0%}, power 80%, by what is guessed: {needed}."]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    made = tables(tuple(map(int, given.sizes.split(","))), given.draws)
    print(made)
    if given.write:
        begin, end = "<!-- simulated: begin -->", "<!-- simulated: end -->"
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(
            re.sub(f"{begin}.*{end}", lambda _: f"{begin}\n{made}\n{end}", text, flags=re.S), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
