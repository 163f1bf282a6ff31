"""Methods at equal forgetting: what each still knows by the time a quarter, half, three quarters have been forgotten.

At one learning rate methods differ in how far they went, so a table at one rate compares strength with gentleness. Here
a training is followed epoch by epoch from the target (0) towards the retain-only model (1) on one measure of the forget
side, and read where it first passes a level, on a straight line between two epochs. A level that it never passes is
"not reached". Where a method was trained at several rates or betas, one is chosen on a quarter of the questions, which
then take no part in any method's figures.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import polars as pl

from forgetscope.benchmarks.unlearning.metrics.matched import MatchedCells
from forgetscope.benchmarks.unlearning.metrics.study import (
    FORGET_MEASURES,
    RETAIN_MEASURES,
    RETAIN_ONLY,
    TARGET,
    CellKey,
    cell_order,
)
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure, plain
from forgetscope.stats import Estimate, estimate_from_sums
from forgetscope.stats.seeds import over_seeds
from forgetscope.stats.sums import FloatArray, divide

LEVELS = (0.25, 0.5, 0.75)
"""Of the way from the target to the retain-only model."""

CHOOSING = "knowledge_forget"
"""The measure by which a method's rate and beta are chosen."""

HELD_OUT = 4
"""One question in so many is held out to choose by."""

Point = tuple[int, int]
"""A training seed and how many epochs of it are done; of a model evaluated as it is (0, 0)."""

Owner = CellKey | tuple[str, str]
"""A cell, or corpus and role of a model evaluated as it is."""

Scores = Mapping[tuple[Owner, str], Mapping[Point, Mapping[str, float]]]


def is_held_out(item: str) -> bool:
    """Whether a question is among those that settings are chosen by: the same ones everywhere."""
    return int(hashlib.sha256(item.encode()).hexdigest(), 16) % HELD_OUT == 0


def scores_by_point(samples: pl.DataFrame, epochs: pl.DataFrame | None, keys: Mapping[str, CellKey | str]) -> Scores:
    """Scores by model and measure, then by seed and epoch, then by item.

    Args:
        samples: Of all finished cells.
        epochs: Scores after earlier epochs: `cell`, `epoch`, `seed`, `measure`, `item`, `score`.
        keys: By cell id the cell without its seed; of a model evaluated as it is, its corpus.
    """
    found: defaultdict[tuple[Owner, str], defaultdict[Point, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    columns = ("cell", "method", "seed", "measure", "item", "score")
    for cell, method, seed, measure, item, score in samples.select(columns).drop_nulls("score").iter_rows():
        key = keys[cell]
        if isinstance(key, CellKey):
            found[key, measure][seed, int(key.epochs)][item] = score
        else:
            found[(key, method), measure][0, 0][item] = score
    if epochs is not None:
        columns = ("cell", "seed", "epoch", "measure", "item", "score")
        for cell, seed, epoch, measure, item, score in epochs.select(columns).drop_nulls("score").iter_rows():
            followed = keys.get(cell)
            if isinstance(followed, CellKey):
                found[followed, measure][seed, epoch][item] = score
    return found


@dataclass(frozen=True)
class _Curve:
    """One training of a method, by seed: sums over items of everything the figures need.

    Attributes:
        sums: (items, columns), an item's columns of other measures zero.
        strata: The measure of each item, by number.
        way: By seed, the columns of the forget measure after each epoch; `ends`: those of target and retain-only model.
        kept: By seed and retain measure, the columns after each epoch, with the target's.
    """

    sums: FloatArray
    strata: np.ndarray
    ends: tuple[int, int]
    way: Mapping[int, Sequence[int]]
    kept: Mapping[int, Sequence[tuple[int, Sequence[int]]]]

    def followed(self, totals: FloatArray, seed: int) -> tuple[FloatArray, FloatArray]:
        """How far the seed's training had gone after each epoch, and the share of what should be kept that it still
        answers: (rows, epochs + 1) each, from the target on."""
        told, never = (totals[:, [end]] for end in self.ends)
        way = divide(told - totals[:, list(self.way[seed])], told - never)
        shares = [divide(totals[:, list(columns)], totals[:, [target]]) for target, columns in self.kept[seed]]
        kept: FloatArray = np.mean(shares, axis=0)
        return np.pad(way, ((0, 0), (1, 0))), np.pad(kept, ((0, 0), (1, 0)), constant_values=1.0)

    def retained(self, level: float) -> tuple[Estimate, list[float | None]]:
        """What is still answered where the level is passed, mean over seeds; and of each seed, None: not passed."""
        whole = self.sums.sum(axis=0, keepdims=True)
        by_seed: list[float | None] = []
        for seed in self.way:
            way, kept = self.followed(whole, seed)
            by_seed.append(float(where_passed(way, kept, level)[0]) if way.max() >= level else None)
        n = len(self.sums)
        missed = by_seed.count(None)
        if missed:
            reason = f"not reached by {missed} of {len(by_seed)} seeds" if len(by_seed) > 1 else "not reached"
            return Estimate(None, None, None, n, "", reason), by_seed

        def statistic(totals: FloatArray) -> FloatArray:
            found = [where_passed(*self.followed(totals, seed), level) for seed in self.way]
            mean: FloatArray = np.mean(found, axis=0)
            return mean

        estimate = estimate_from_sums(statistic, self.sums, n=n, kind="unbounded", strata=self.strata)
        return over_seeds(estimate, [value for value in by_seed if value is not None]), by_seed

    def furthest(self) -> float:
        """The furthest it went, mean over seeds."""
        whole = self.sums.sum(axis=0, keepdims=True)
        return float(np.mean([self.followed(whole, seed)[0].max() for seed in self.way]))


def where_passed(way: FloatArray, kept: FloatArray, level: float) -> FloatArray:
    """What is kept where each training first passes the level, on a straight line between epochs: (rows,).

    A row that never does, as one item more or less may bring about, has what is kept at its end.

    Args:
        way, kept: (rows, epochs + 1), from the target on.
        level: Above 0.
    """
    passed = way >= level
    after = np.where(passed.any(axis=1), passed.argmax(axis=1), way.shape[1] - 1)
    rows = np.arange(len(way))
    before = np.maximum(after - 1, 0)
    share = np.clip(divide(level - way[rows, before], way[rows, after] - way[rows, before]), 0, 1)
    share = np.where(np.isfinite(share), share, 1.0)
    found: FloatArray = kept[rows, before] + share * (kept[rows, after] - kept[rows, before])
    return found


def _curve(scores: Scores, key: CellKey, measure: str, *, held_out: bool | None) -> _Curve | None:
    """The training of a cell on one forget measure; None where a model or a measure is missing.

    Args:
        scores: Of everything.
        key: The cell.
        measure: Of the forget side.
        held_out: Only questions that are held out, only the others, or None: all.
    """
    columns: dict[tuple[str, Point | str], int] = {}
    blocks: list[tuple[list[tuple[str, Point | str]], list[Mapping[str, float]]]] = []
    points = sorted(set.intersection(*(set(scores.get((key, one), {})) for one in (measure, *RETAIN_MEASURES))))
    for one in (measure, *RETAIN_MEASURES):
        as_is = [TARGET, RETAIN_ONLY] if one == measure else [TARGET]
        models = [scores.get(((key.corpus, role), one), {}).get((0, 0)) for role in as_is]
        found = [*models, *(scores[key, one][point] for point in points)] if points else []
        if not found or any(part is None for part in found):
            return None
        names: list[tuple[str, Point | str]] = [*((one, name) for name in as_is), *((one, point) for point in points)]
        columns.update({name: len(columns) + place for place, name in enumerate(names)})
        blocks.append((names, [part for part in found if part is not None]))
    rows, strata = [], []
    for number, (names, parts) in enumerate(blocks):
        for item in sorted(set.intersection(*(set(part) for part in parts))):
            if held_out is not None and names[0][0] != "verbatim" and is_held_out(item) != held_out:
                continue
            row = np.zeros(len(columns))
            row[[columns[name] for name in names]] = [part[item] for part in parts]
            rows.append(row)
            strata.append(number)
    if len(set(strata)) < len(blocks):
        return None
    by_seed = {seed: list(part) for seed, part in groupby(points, key=lambda point: point[0])}
    return _Curve(
        np.array(rows),
        np.array(strata),
        (columns[measure, TARGET], columns[measure, RETAIN_ONLY]),
        {seed: [columns[measure, point] for point in part] for seed, part in by_seed.items()},
        {
            seed: [(columns[one, TARGET], [columns[one, point] for point in part]) for one in RETAIN_MEASURES]
            for seed, part in by_seed.items()
        },
    )


def equal_figures(scores: Scores) -> Iterator[Figure]:
    """`equal.retained` of every method at every level, on verbatim text and on knowledge; `equal.furthest` of each.

    Args:
        scores: As `scores_by_point` gives them.
    """
    places: defaultdict[MatchedCells, defaultdict[str, list[CellKey]]] = defaultdict(lambda: defaultdict(list))
    for key in sorted({owner for owner, _ in scores if isinstance(owner, CellKey)}, key=cell_order):
        place = MatchedCells(key.corpus, key.semantics, key.forget_format, key.retain_subset)
        places[place][key.method.partition(" (")[0]].append(key)
    for place, methods in places.items():
        held_out = False if any(len(keys) > 1 for keys in methods.values()) else None
        for method, keys in methods.items():
            chosen = keys[0] if len(keys) == 1 else max(keys, key=lambda key: _promise(scores, key))
            for measure in FORGET_MEASURES:
                curve = _curve(scores, chosen, measure, held_out=held_out)
                if curve is not None:
                    factors: dict[str, Cell] = {**place.factors, "method": method, "probe": measure}
                    yield from _of_curve(curve, factors, _dose(chosen, keys))


def _promise(scores: Scores, key: CellKey) -> tuple[int, float]:
    """How many levels it reaches on the held-out questions, and the mean of what it keeps there."""
    curve = _curve(scores, key, CHOOSING, held_out=True)
    if curve is None:
        return 0, 0.0
    found = [curve.retained(level)[0].value for level in LEVELS]
    reached = [value for value in found if value is not None]
    return len(reached), float(np.mean(reached)) if reached else curve.furthest()


def _dose(chosen: CellKey, keys: Iterable[CellKey]) -> str:
    said = f"{chosen.method}, rate {chosen.learning_rate:g}, lambda {chosen.lambda_retain:g}, {chosen.epochs:g} epochs"
    others = len(list(keys)) - 1
    return f"{said}, chosen on held-out questions among {others + 1}" if others else said


def _of_curve(curve: _Curve, factors: Mapping[str, Cell], dose: str) -> Iterator[Figure]:
    furthest = curve.furthest()
    for level in LEVELS:
        estimate, _ = curve.retained(level)
        label = f"share of the target's score on the retain questions, {level:.0%} of the way to the retain-only model"
        note = f"at most {furthest:.0%} of the way" if estimate.value is None else ""
        yield figure("equal.retained", {**factors, "level": level}, estimate, note=note, label=f"{label}; {dose}")
    yield plain("equal.furthest", factors, furthest, len(curve.sums), unit="proportion", method=dose)
