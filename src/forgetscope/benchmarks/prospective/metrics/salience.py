"""What of the reminder prompt does the work: original task dropped, heading, trailing sentence, and their interactions.

The paper's reminder differs from its natural prompt in all three at once. With the eight cells run, each factor's
main effect is the mean change when it alone changes, over the four settings of the other two; with fewer, over the
pairs of cells there are. Positive = compliance rises when the factor is switched on (task: when it is dropped).
"""

from collections.abc import Iterator, Mapping
from itertools import combinations, product

import polars as pl

from forgetscope.benchmarks.prospective.data.conditions import PURE_CELLS, SALIENCE_CELLS, Trailing
from forgetscope.benchmarks.prospective.metrics.study import ALL, SAME_SENDING, ProspectiveStudy, outcomes
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure, with_holm
from forgetscope.stats import clustered_mean
from forgetscope.stats.change_test import change_test

PURE = {cell.name: (not cell.topic, cell.heading, cell.trailing is Trailing.GENERIC) for cell in PURE_CELLS}
"""The same of the eight cells that state the constraint once and in the same words."""
STEPS = {"restated": ("natural", "kept_restated"), "heading_words": ("kept_restated", "kept_heading")}
"""What the heading of a kept prompt is made of: the constraint said a second time, and the words before it."""
FACTORS = ("task_dropped", "heading", "trailing")
Levels = tuple[bool, bool, bool]
LEVELS = {
    cell.name: (not cell.original_task, cell.heading, cell.trailing is Trailing.GENERIC) for cell in SALIENCE_CELLS
}
"""For each cell, whether each factor is on."""


def salience_figures(study: ProspectiveStudy) -> Iterator[Figure]:
    """Main effects and interactions of the factors, per load and pooled, paired within items and runs.

    Of the paper's words (`salience.effect`), of the pure cells (`salience.pure`), and the two steps between the natural
    prompt and the kept one with a heading (`salience.step`). The p-values of the main effects over all loads, which are
    read in words, are one Holm family each.
    """
    yield from _design(study, "salience.effect", LEVELS)
    yield from _design(study, "salience.pure", PURE)
    for step, (before, after) in STEPS.items():
        if before in study.loaded_conditions and after in study.loaded_conditions:
            yield from _effect_figures(study, "salience.step", step, {before: -1.0, after: 1.0}, 1)


def _design(study: ProspectiveStudy, name: str, levels: Mapping[str, Levels]) -> Iterator[Figure]:
    run = {cell: level for cell, level in levels.items() if cell in study.loaded_conditions}
    found: list[Figure] = []
    for size in (1, 2, 3):
        for chosen in combinations(range(3), size):
            weights = contrast_weights(run, chosen)
            if weights:
                effect = " x ".join(FACTORS[factor] for factor in chosen)
                found.extend(_effect_figures(study, name, effect, weights, size))
    read = [entry for entry in found if entry.factors["effect"] in FACTORS and entry.factors["load"] == ALL]
    adjusted = {str(entry.factors["effect"]): entry for entry in with_holm(read, "the three factors")}
    yield from (adjusted[str(entry.factors["effect"])] if entry in read else entry for entry in found)


def contrast_weights(run: Mapping[str, Levels], chosen: tuple[int, ...]) -> dict[str, float]:
    """Weights of the cells for the effect (one factor) or interaction (two or three); empty when cells are missing.

    An interaction of two factors is the effect of the first with the second on, minus with it off; of three, the
    interaction of two with the third on, minus with it off. Averaged over the settings of the other factors for
    which all cells were run.

    Example: with natural and kept_heading run, the heading's weights are +1 for kept_heading, -1 for natural.
    """
    by_levels = {levels: name for name, levels in run.items()}
    others = [factor for factor in range(3) if factor not in chosen]
    blocks: list[dict[str, float]] = []
    for setting in product((False, True), repeat=len(others)):
        block: dict[str, float] = {}
        for levels in product((False, True), repeat=len(chosen)):
            fixed = dict(zip(others, setting, strict=True)) | dict(zip(chosen, levels, strict=True))
            name = by_levels.get((fixed[0], fixed[1], fixed[2]))
            if name is None:
                break
            block[name] = -1.0 if levels.count(False) % 2 else 1.0
        else:
            blocks.append(block)
    return {name: weight / len(blocks) for block in blocks for name, weight in block.items()}


def _effect_figures(
    study: ProspectiveStudy, name: str, effect: str, weights: Mapping[str, float], size: int
) -> Iterator[Figure]:
    frame = pl.concat([study.cell(name, ALL) for name in weights])
    wide = frame.pivot(on="condition", index=list(SAME_SENDING), values="strict", aggregate_function="first")
    combined = pl.sum_horizontal(pl.col(name).cast(pl.Float64) * weight for name, weight in weights.items())
    complete = pl.all_horizontal(pl.col(name).is_not_null() for name in weights)
    units = wide.with_columns(effect=pl.when(complete).then(combined))
    reach = 2.0 ** (size - 1)
    for load in (*study.loads, ALL):
        own = units if load == ALL else units.filter(pl.col("load") == load)
        items = own.group_by("item").agg(pl.col("effect").mean()).sort("item")
        found = outcomes(items, "effect")
        factors: dict[str, Cell] = {"effect": effect, "load": load}
        estimate = clustered_mean(found.values, found.clusters, kind="difference", reach=reach)
        label = f"within items, over {len(weights)} cells"
        tested = change_test(
            found.values,
            found.clusters,
            rng=study.stream(f"{name.replace('salience.effect', 'salience')}.sign_flip", factors),
        )
        yield figure(name, factors, estimate, excluded=found.excluded, unit="points", label=label, tested=tested)
