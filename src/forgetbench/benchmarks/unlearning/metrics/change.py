"""S_change: what unlearning took from the target, per measure and for the two groups of Table 1.

`S_change = (target - unlearned) / target x 100` (caption of Table 1), signed: positive = lost. Forget is the mean of
the verbatim and knowledge changes on the forget set (higher = better forgotten), Retain the mean of the low, high and
world changes (lower = better kept); the paper does not define its means, these are ours. A group with an undefined
member (target 0) is undefined. The change of the group's mean stands beside it: where one member's target is small,
its relative change swings the mean of changes and not the change of means.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from forgetbench.benchmarks.unlearning.metrics.study import (
    FORGET_MEASURES,
    MEASURES,
    RETAIN_MEASURES,
    CellKey,
    Scores,
    Study,
)
from forgetbench.figures import Cell, Figure
from forgetbench.measures import figure, plain
from forgetbench.stats import Estimate, cluster_bootstrap
from forgetbench.stats.resampling import FloatArray, divide

UNSTABLE_BELOW = 0.05
"""A target below 5 points: its relative change rests on next to nothing."""

GROUPS = {"forget": FORGET_MEASURES, "retain": RETAIN_MEASURES}


def s_change(target: float, unlearned: float) -> float | None:
    """(target - unlearned) / target as a proportion; None where the target scores 0.

    >>> s_change(0.8, 0.2), s_change(0.5, 0.6), s_change(0.0, 0.1)
    (0.75, -0.19999999999999996, None)
    """
    return None if target == 0 else (target - unlearned) / target


def group_change(changes: Sequence[float | None]) -> float | None:
    """The mean of the members' changes; None with an undefined member.

    >>> group_change([0.5, 0.7]), group_change([0.5, None])
    (0.6, None)
    """
    known = [change for change in changes if change is not None]
    return sum(known) / len(known) if len(known) == len(changes) and known else None


def change_figures(study: Study) -> Iterator[Figure]:
    """For every cell: the five measures, their changes, and the two groups, each with its interval and per seed."""
    for key in study.cells:
        scores = {measure: study.scores(key, measure) for measure in MEASURES}
        for measure, found in scores.items():
            yield from _measure_figures(study, key, measure, found)
        for group, members in GROUPS.items():
            yield _group_figure(study, key, group, {name: scores[name] for name in members})
            yield _of_means(key, group, [scores[name] for name in members])
            yield from _seed_figures(study, key, group, members)
    yield from _target_figures(study)


def _measure_figures(study: Study, key: CellKey, measure: str, found: Scores) -> Iterator[Figure]:
    factors: dict[str, Cell] = {**key.factors, "measure": measure}
    yield _mean(study, "score", factors, found.unlearned, found.excluded)
    estimate = _change_estimate(study, "change", factors, {measure: found})
    target = float(found.target.mean()) if len(found.target) else 0.0
    note = f"unstable: the target scores {100 * target:.1f}" if len(found.target) and target < UNSTABLE_BELOW else ""
    yield figure("change", factors, estimate, excluded=found.excluded, label="(target - unlearned) / target", note=note)


def _target_figures(study: Study) -> Iterator[Figure]:
    for corpus in study.corpora_with_target:
        some = next((key for key in study.cells if key.corpus == corpus), None)
        if some is None:
            continue
        for measure in MEASURES:
            found = study.scores(some, measure)
            yield _mean(study, "target", {"corpus": corpus, "measure": measure}, found.target, found.excluded)


def _mean(study: Study, name: str, factors: Mapping[str, Cell], values: FloatArray, excluded: int) -> Figure:
    sums = np.column_stack([values, np.ones_like(values)])
    estimate = cluster_bootstrap(
        lambda t: divide(t[:, 0], t[:, 1]), sums, n=len(values), seed=study.stream(name, factors)
    )
    return figure(name, factors, estimate, excluded=excluded, label="mean ROUGE-L F1")


def _change_estimate(study: Study, name: str, factors: Mapping[str, Cell], scores: Mapping[str, Scores]) -> Estimate:
    """The mean of the measures' changes, items resampled within each measure together with their target."""
    members = list(scores)
    rows: list[FloatArray] = []
    strata: list[int] = []
    for place, member in enumerate(members):
        found = scores[member]
        sums = np.zeros((len(found.items), 2 * len(members)))
        sums[:, 2 * place], sums[:, 2 * place + 1] = found.target, found.unlearned
        rows.append(sums)
        strata.extend([place] * len(found.items))
    empty = [member for member in members if not len(scores[member].items)]
    zero = [member for member in members if len(scores[member].items) and not scores[member].target.any()]
    if empty or zero:
        reason = f"nothing was scored in {', '.join(empty)}" if empty else f"the target scores 0 in {', '.join(zero)}"
        return Estimate(None, None, None, len(strata), "cluster bootstrap", reason)

    def statistic(t: FloatArray) -> FloatArray:
        changes = divide(t[:, 0::2] - t[:, 1::2], t[:, 0::2])
        result: FloatArray = changes.mean(axis=1)
        return result

    return cluster_bootstrap(
        statistic,
        np.concatenate(rows),
        n=len(strata),
        seed=study.stream(name, factors),
        strata=np.array(strata, dtype=np.int64),
    )


def _group_figure(study: Study, key: CellKey, group: str, scores: Mapping[str, Scores]) -> Figure:
    factors: dict[str, Cell] = {**key.factors, "group": group}
    estimate = _change_estimate(study, "group", factors, scores)
    return figure(
        "group", factors, estimate, excluded=sum(found.excluded for found in scores.values()), label="mean of changes"
    )


def _of_means(key: CellKey, group: str, scores: Sequence[Scores]) -> Figure:
    factors: dict[str, Cell] = {**key.factors, "group": group}
    defined = all(len(found.items) for found in scores)
    target = float(np.mean([found.target.mean() for found in scores])) if defined else 0.0
    unlearned = float(np.mean([found.unlearned.mean() for found in scores])) if defined else 0.0
    return plain(
        "group.of_means",
        factors,
        s_change(target, unlearned) if defined else None,
        sum(len(found.items) for found in scores),
        unit="proportion",
        method="change of the mean of the measures",
        note="" if defined and target else "nothing was scored, or the target scores 0",
    )


def _seed_figures(study: Study, key: CellKey, group: str, members: Sequence[str]) -> Iterator[Figure]:
    """The group's change for each training seed: the spread over seeds is what another training run may give."""
    seeds = study.seeds(key)
    if len(seeds) < 2:
        return
    for seed in seeds:
        changes: list[float | None] = []
        for member in members:
            found = study.scores(key, member, seed)
            known = len(found.items) > 0
            changes.append(s_change(float(found.target.mean()), float(found.unlearned.mean())) if known else None)
        yield plain(
            "group.seed",
            {**key.factors, "group": group, "seed": seed},
            group_change(changes),
            1,
            unit="proportion",
            method="one training seed",
        )
