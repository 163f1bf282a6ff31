"""S_change: what unlearning took from the target, per measure and for the two groups of Table 1.

`S_change = (target - unlearned) / target x 100` (caption of Table 1), signed: positive = lost. Forget is the mean of
the verbatim and knowledge changes on the forget set (higher = better forgotten), Retain the mean of the low, high and
world changes (lower = better kept); the paper does not define its means, these are ours. A group with an undefined
member (target 0) is undefined. The change of the group's mean stands beside it: where one member's target is small,
its relative change swings the mean of changes and not the change of means.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from forgetscope.benchmarks.unlearning.metrics.resampled import SharedItems, mean_change
from forgetscope.benchmarks.unlearning.metrics.study import (
    FORGET_MEASURES,
    MEASURES,
    RETAIN_MEASURES,
    CellKey,
    Scores,
    UnlearningStudy,
)
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure, plain
from forgetscope.stats import Estimate, clustered_mean
from forgetscope.stats.sums import FloatArray

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


def change_figures(study: UnlearningStudy) -> Iterator[Figure]:
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


def _measure_figures(study: UnlearningStudy, key: CellKey, measure: str, found: Scores) -> Iterator[Figure]:
    factors: dict[str, Cell] = {**key.factors, "measure": measure}
    yield _mean("score", factors, found.unlearned, found.excluded)
    estimate = _change_estimate(study, key, [measure])
    note = _unstable({measure: found})
    yield figure("change", factors, estimate, excluded=found.excluded, label="(target - unlearned) / target", note=note)


def _target_figures(study: UnlearningStudy) -> Iterator[Figure]:
    for corpus in study.corpora_with_target:
        for measure in MEASURES:
            found = study.target_scores(corpus, measure)
            yield _mean("target", {"corpus": corpus, "measure": measure}, found.target, found.excluded)


def _mean(name: str, factors: Mapping[str, Cell], values: FloatArray, excluded: int) -> Figure:
    estimate = clustered_mean(values, np.arange(len(values)))
    return figure(name, factors, estimate, excluded=excluded, label="mean ROUGE-L F1")


def _change_estimate(study: UnlearningStudy, key: CellKey, members: Sequence[str]) -> Estimate:
    items = SharedItems.of(study, [(key, measure) for measure in members])
    return items.estimate(lambda changes: mean_change(changes, key, members))


def _unstable(scores: Mapping[str, Scores]) -> str:
    """Which measures' targets are so low that their changes rest on next to nothing; empty for none."""
    low = [
        f"{100 * found.target.mean():.1f} in {measure}"
        for measure, found in scores.items()
        if len(found.items) and 0 < found.target.mean() < UNSTABLE_BELOW
    ]
    return f"unstable: the target scores {', '.join(low)}" if low else ""


def _group_figure(study: UnlearningStudy, key: CellKey, group: str, scores: Mapping[str, Scores]) -> Figure:
    factors: dict[str, Cell] = {**key.factors, "group": group}
    estimate = _change_estimate(study, key, list(scores))
    excluded = sum(found.excluded for found in scores.values())
    return figure("group", factors, estimate, excluded=excluded, label="mean of changes", note=_unstable(scores))


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


def _seed_figures(study: UnlearningStudy, key: CellKey, group: str, members: Sequence[str]) -> Iterator[Figure]:
    """The group's change for each training seed and its spread: what another training run may give."""
    seeds = study.seeds(key)
    if len(seeds) < 2:
        return
    factors: dict[str, Cell] = {**key.factors, "group": group}
    found = [group_change(_seed_changes(study, key, members, seed)) for seed in seeds]
    for seed, value in zip(seeds, found, strict=True):
        note = "" if value is not None else "a member is undefined"
        row = {**factors, "seed": seed}
        yield plain("group.seed", row, value, 1, unit="proportion", method="one training seed", note=note)
    known = [value for value in found if value is not None]
    whole = len(known) == len(found)
    for name, value, method in (
        ("spread", float(np.std(known, ddof=1)) if whole else None, "standard deviation over training seeds"),
        ("lowest", min(known) if whole else None, "lowest of the training seeds"),
        ("highest", max(known) if whole else None, "highest of the training seeds"),
    ):
        note = "" if whole else "undefined for a seed"
        yield plain(f"group.seeds.{name}", factors, value, len(found), unit="points", method=method, note=note)


def _seed_changes(study: UnlearningStudy, key: CellKey, members: Sequence[str], seed: int) -> list[float | None]:
    scores = [study.scores(key, member, seed) for member in members]
    return [
        s_change(float(found.target.mean()), float(found.unlearned.mean())) if len(found.items) else None
        for found in scores
    ]
