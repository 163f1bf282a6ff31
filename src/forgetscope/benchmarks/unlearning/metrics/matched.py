"""Methods at equal forgetting: what each has lost besides by the time all have forgotten as much.

At one learning rate methods differ in how far they went, so a table at one rate compares strength with gentleness. The
curve of a method joins its cells over learning rate, epochs and lambda in the plane of Forget and Retain change, sorted
by Forget, straight lines between; the paper has no such curve. It starts at the target: nothing forgotten or lost.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from forgetscope.benchmarks.unlearning.metrics.resampled import Changes, SharedItems, mean_change
from forgetscope.benchmarks.unlearning.metrics.study import (
    FORGET_MEASURES,
    MEASURES,
    RETAIN_MEASURES,
    CellKey,
    UnlearningStudy,
)
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import FigureIndex, figure
from forgetscope.stats.sums import FloatArray, divide


@dataclass(frozen=True, order=True)
class MatchedCells:
    """The cells among which methods are compared: one row of Table 1, whatever the learning rate."""

    corpus: str
    semantics: str
    forget_format: str
    retain_subset: str

    @property
    def factors(self) -> dict[str, Cell]:
        """The factors of its figures."""
        return dict(vars(self))


def curves(study: UnlearningStudy) -> dict[MatchedCells, dict[str, tuple[CellKey, ...]]]:
    """The cells of each method's curve, where there are at least two methods with at least two cells each."""
    found: defaultdict[MatchedCells, defaultdict[str, list[CellKey]]] = defaultdict(lambda: defaultdict(list))
    for key in study.cells:
        place = MatchedCells(key.corpus, key.semantics, key.forget_format, key.retain_subset)
        found[place][key.method].append(key)
    return {
        place: {method: tuple(cells) for method, cells in methods.items()}
        for place, methods in found.items()
        if len(methods) > 1 and all(len(cells) > 1 for cells in methods.values())
    }


def interpolate(forget: FloatArray, retain: FloatArray, level: float) -> FloatArray:
    """Retain change where a curve from (0, 0) through these points has this Forget change.

    A curve a row, shape (curves, points); beyond its ends the last stretch goes on.

    The method that reaches the level just so would else have no value without any one item.
    """
    across, up = (np.pad(part, ((0, 0), (1, 0))) for part in (forget, retain))
    order = np.argsort(across, axis=1, kind="stable")
    across, up = np.take_along_axis(across, order, axis=1), np.take_along_axis(up, order, axis=1)
    after = np.clip((across <= level).sum(axis=1), 1, across.shape[1] - 1)[:, None]
    left, right = (np.take_along_axis(across, place, axis=1)[:, 0] for place in (after - 1, after))
    low, high = (np.take_along_axis(up, place, axis=1)[:, 0] for place in (after - 1, after))
    found: FloatArray = np.where(right == left, high, low + (high - low) * divide(level - left, right - left))
    return found


def matched_figures(study: UnlearningStudy, index: FigureIndex) -> Iterator[Figure]:
    """For each place the level all methods reach, and each method's Retain change there.

    The level is the least of the methods' highest Forget changes; the interval holds it.
    """
    for place, methods in curves(study).items():
        reached = {
            method: [index.value("group", **key.factors, group="forget") for key in cells]
            for method, cells in methods.items()
        }
        known = {method: [value for value in values if value is not None] for method, values in reached.items()}
        if not all(known.values()):
            continue
        level = min(max(values) for values in known.values())
        if level <= 0:
            continue
        for method, cells in methods.items():
            defined = [key for key, value in zip(cells, reached[method], strict=True) if value is not None]
            yield _at_level(study, place, method, defined, level, len(cells) - len(defined))


def _at_level(
    study: UnlearningStudy, place: MatchedCells, method: str, cells: Sequence[CellKey], level: float, excluded: int
) -> Figure:
    factors: dict[str, Cell] = {**place.factors, "method": method}

    def statistic(changes: Changes) -> FloatArray:
        forget = np.stack([mean_change(changes, key, FORGET_MEASURES) for key in cells], axis=1)
        retain = np.stack([mean_change(changes, key, RETAIN_MEASURES) for key in cells], axis=1)
        return interpolate(forget, retain, level)

    items = SharedItems.of(study, [(key, measure) for key in cells for measure in MEASURES])
    estimate = items.estimate(statistic)
    label = f"Retain change where Forget is {100 * level:.1f}%, interpolated over {len(cells)} cells"
    return figure("matched.retain", factors, estimate, excluded=excluded, label=label)
