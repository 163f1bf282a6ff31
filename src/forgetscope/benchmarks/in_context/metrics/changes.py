"""What a prompt strategy changes, and how the figures move with context length."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from forgetscope.benchmarks.in_context.metrics.registry import InContextMetric
from forgetscope.benchmarks.in_context.metrics.study import DialogueCell, InContextStudy, Pairs
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure, holm_figure, with_holm
from forgetscope.stats import estimate_from_sums, mcnemar, paired_difference, trend_over_levels
from forgetscope.stats.change_test import ChangeTest, changing_items, mcnemar_test
from forgetscope.stats.sums import FloatArray, divide

REFERENCE_STRATEGY = "noforget"


def strategy_figures(study: InContextStudy) -> Iterator[Figure]:
    """Change of NA, FA and SFRR against the plain role prompt on the same items; positive = higher than with it.

    FA's exact McNemar p-values are one Holm family over all cells compared.
    """
    compared = [
        (key, reference)
        for key in study.cells
        if key.strategy != REFERENCE_STRATEGY
        and (reference := DialogueCell(key.scenario, key.length, REFERENCE_STRATEGY, key.question)) in study.cells
    ]
    found: list[Figure] = []
    for key, reference in compared:
        factors: Mapping[str, Cell] = {**key.factors, "against": REFERENCE_STRATEGY}
        here, there = study.pairs(key), study.pairs(reference)
        for name, values, others in (
            ("strategy.na", here.noforget, there.noforget),
            ("strategy.fa", here.forget, there.forget),
        ):
            a, b = _scored(here.items, values), _scored(there.items, others)
            estimate = paired_difference(list(a.values()), list(a), list(b.values()), list(b))
            both = a.keys() & b.keys()
            test = mcnemar(*(sum((a[i], b[i]) == pair for i in both) for pair in ((1, 1), (1, 0), (0, 1), (0, 0))))
            label, tested = "against the plain role prompt, paired by item", mcnemar_test(test, len(both))
            found.append(figure(name, factors, estimate, unit="points", label=label, tested=tested))
        found.append(_sfrr_change(here, there, factors))
    adjusted = with_holm([entry for entry in found if entry.name == "strategy.fa"], "all cells compared")
    known = {frozenset(entry.factors.items()): entry for entry in adjusted}
    yield from (known[frozenset(entry.factors.items())] if entry.name == "strategy.fa" else entry for entry in found)
    yield from (holm_figure(entry) for entry in adjusted)


def _scored(items: Sequence[str], values: Sequence[bool | None]) -> dict[str, float]:
    return {item: float(value) for item, value in zip(items, values, strict=True) if value is not None}


def _sfrr_change(here: Pairs, there: Pairs, factors: Mapping[str, Cell]) -> Figure:
    """SFRR under one strategy minus SFRR under the other; an item counts with its samples under both."""
    items = sorted({*here.both_scored.items, *there.both_scored.items})
    place = {item: row for row, item in enumerate(items)}
    sums = np.zeros((len(items), 4))
    for offset, pairs in ((0, here.both_scored), (2, there.both_scored)):
        without, with_ = pairs.arrays
        rows = [place[item] for item in pairs.items]
        sums[rows, offset] = without * with_
        sums[rows, offset + 1] = without
    estimate = estimate_from_sums(
        lambda t: divide(t[:, 0], t[:, 1]) - divide(t[:, 2], t[:, 3]),
        sums,
        n=len(items),
        kind="difference",
    )
    return figure("strategy.sfrr", factors, estimate, unit="points", label="difference of two SFRR on the same items")


def length_figures(study: InContextStudy) -> Iterator[Figure]:
    """Trend of NA, FA and SFRR over the controlled lengths, per scenario and strategy: change per doubling.

    NA and FA: slope within items, so that items left out at short lengths distort nothing; p-value by permuting an
    item's lengths. SFRR: slope of the cells' SFRR, an item counting with all its lengths; no p-value, for the items
    it is computed over change with length. Holm over the p-values of all trends.
    """
    trends: list[Figure] = []
    rest: list[Figure] = []
    for keys in _curves(study):
        factors: Mapping[str, Cell] = {name: value for name, value in keys[0].factors.items() if name != "length"}
        for name in ("na", "fa"):
            values, items, doublings = _at_lengths(study, keys, name)
            tested = trend_over_levels(values, items, doublings, rng=study.stream(f"trend.{name}", factors))
            change = ChangeTest(tested.p_value, "permuted within items", changing_items(values, items))
            label = "change per doubling of the length"
            trends.append(figure(f"trend.{name}", factors, tested.estimate, unit="points", label=label, tested=change))
        rest.append(_sfrr_trend(study, keys, factors))
    adjusted = with_holm(trends, "all trends")
    yield from (*adjusted, *rest, *(holm_figure(entry) for entry in adjusted))


def _curves(study: InContextStudy) -> Iterator[list[DialogueCell]]:
    """Cells that differ in length alone, where there are at least three lengths."""
    groups: dict[tuple[str, str, str], list[DialogueCell]] = {}
    for key in study.cells:
        if key.length is not None:
            groups.setdefault((key.scenario, key.strategy, key.question), []).append(key)
    yield from (keys for keys in groups.values() if len(keys) >= 3)


def _at_lengths(
    study: InContextStudy, keys: Sequence[DialogueCell], name: str
) -> tuple[FloatArray, list[str], FloatArray]:
    values: list[float] = []
    items: list[str] = []
    doublings: list[float] = []
    for key in keys:
        pairs = study.pairs(key)
        found = _scored(pairs.items, pairs.noforget if name == "na" else pairs.forget)
        values.extend(found.values())
        items.extend(found)
        doublings.extend([_doublings(key)] * len(found))
    return np.array(values), items, np.array(doublings)


def _doublings(key: DialogueCell) -> float:
    if key.length is None:
        raise ValueError("the native length is no controlled length")
    return float(np.log2(key.length))


def _sfrr_trend(study: InContextStudy, keys: Sequence[DialogueCell], factors: Mapping[str, Cell]) -> Figure:
    tables = [study.pairs(key).both_scored for key in keys]
    items = sorted({item for pairs in tables for item in pairs.items})
    row_of = {item: row for row, item in enumerate(items)}
    sums = np.zeros((len(items), 2 * len(keys)))
    for place, pairs in enumerate(tables):
        without, with_ = pairs.arrays
        rows = [row_of[item] for item in pairs.items]
        sums[rows, 2 * place] = without * with_
        sums[rows, 2 * place + 1] = without
    x = np.array([_doublings(key) for key in keys])
    x = x - x.mean()

    def slope(t: FloatArray) -> FloatArray:
        result: FloatArray = divide(t[:, 0::2], t[:, 1::2]) @ x / float(x @ x)
        return result

    estimate = estimate_from_sums(slope, sums, n=len(items), kind="unbounded")
    return figure("trend.sfrr", factors, estimate, unit="points", label="change of SFRR per doubling of the length")


STRATEGIES_METRIC = InContextMetric(strategy_figures)
LENGTHS_METRIC = InContextMetric(length_figures)
