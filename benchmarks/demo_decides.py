"""How often the demo tells two models of known truth apart, by how many items it asks: drawn anew from a demo's tables.

    python benchmarks/demo_decides.py [runs/demo] [--draws 1000]

Items are drawn with replacement from those that the demo asked, the same for both models. Decided is a draw in which
the 95% intervals of the two residues do not meet, as the demo's first page says it (`report/lead.py`). With the sizes
of `cli/demo.py` that is .99 or more.
"""

import argparse
from pathlib import Path

import numpy as np
import polars as pl

from forgetscope.benchmarks.in_context.data.scenarios import Scenario
from forgetscope.benchmarks.in_context.metrics.residue import DESIGNS, measure
from forgetscope.findings.residue import read_residue
from forgetscope.stats.residue import Arms

SIZES = (12, 20, 32, 48, 100, 192)


def main() -> None:
    """Print a row a benchmark and size."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("demo", type=Path, nargs="?", default=Path("runs/demo"))
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if not given.demo.is_dir():
        print(f"skipped: no demo at {given.demo}; make demo")
        return
    chance = np.random.default_rng(given.seed)
    print("| benchmark | items drawn | of | decided |\n|---|--:|--:|--:|")
    for benchmark, members, arms_of in (
        ("in-context", ("murmur-obedient", "murmur-stubborn"), dialogue_arms),
        ("visual", ("glimpse-obedient", "glimpse-stubborn"), picture_arms),
    ):
        obedient, stubborn = (
            arms_of(pl.read_parquet(given.demo / f"{benchmark}-{member}" / "samples.parquet")) for member in members
        )
        asked = len(obedient.told)
        for size in (*(size for size in SIZES if size < asked), asked):
            found = sum(is_decided(obedient, stubborn, chance.integers(0, asked, size)) for _ in range(given.draws))
            print(f"| {benchmark} | {size} | {asked} | {found / given.draws:.3f} |", flush=True)


def is_decided(obedient: Arms, stubborn: Arms, items: np.ndarray) -> bool:
    """Whether the intervals of the two residues do not meet over these items."""
    low, high = (read_residue(drawn(arms, items)).residue for arms in (obedient, stubborn))
    return low.high is not None and high.low is not None and low.high < high.low


def drawn(arms: Arms, items: np.ndarray) -> Arms:
    """The scores of items that were drawn, each as its own; those beyond a model's own items once round."""
    chosen = items % len(arms.told)
    return Arms(*(scores[chosen] for scores in (arms.told, arms.deleted, arms.never_told, arms.never_deleted)))


def dialogue_arms(table: pl.DataFrame) -> Arms:
    """The arms of the request to forget a fact."""
    measured = measure(DESIGNS[Scenario.INSTRUCTIONAL_FORGETTING][0], table)
    if measured is None:
        raise SystemExit("the run has not all arms")
    return measured.rung.arms


def picture_arms(table: pl.DataFrame) -> Arms:
    """The arms of the soft suppression text."""
    scored = table.filter(pl.col("status").is_in(["correct", "incorrect"]), pl.col("side") == "forget")
    right = (
        scored.with_columns(right=(pl.col("status") == "correct").cast(pl.Float64))
        .group_by("picture", "condition", "control")
        .agg(pl.col("right").mean())
    )
    conditions = {
        "told": ("baseline_normal", "none"), "deleted": ("unlearn_soft", "none"),
        "never_told": ("baseline_normal", "no_image"), "never_deleted": ("unlearn_soft", "no_image"),
    }  # fmt: skip
    scores = {
        name: dict(
            right.filter(pl.col("condition") == condition, pl.col("control") == control)
            .select("picture", "right")
            .iter_rows()
        )
        for name, (condition, control) in conditions.items()
    }
    pictures = sorted(set.intersection(*(set(found) for found in scores.values())))
    return Arms(**{name: np.array([found[picture] for picture in pictures]) for name, found in scores.items()})


if __name__ == "__main__":
    main()
