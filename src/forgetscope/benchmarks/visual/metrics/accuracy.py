"""The paper's figures: forget and retain accuracy, invalid answers, entropy, change against the baseline."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from forgetscope.benchmarks.visual.data.conditions import CONDITIONS, SUPPRESSIONS, Condition
from forgetscope.benchmarks.visual.metrics.study import LEFT_OUT, PictureOutcomes, Selection, VisualStudy, outcomes_of
from forgetscope.core.outcomes import Account
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import bound_figures, figure, plain
from forgetscope.stats import Estimate, clustered_mean, macro_average
from forgetscope.stats.change_test import ChangeTest, change_test
from forgetscope.stats.jackknife import Kind

CONCEPTS_FOR_SECOND_INTERVAL = 10
"""From so many concepts on, an interval over concepts stands beside the one over pictures."""


def accuracy_figures(study: VisualStudy) -> Iterator[Figure]:
    """Figures of every split, mode and condition; names end with the mode they were scored in."""
    for split in study.splits:
        for mode in study.modes:
            for condition in study.conditions(split, mode):
                forget = Selection(split, mode, condition)
                yield from forget_figures(study, forget)
                if "retain" in CONDITIONS[condition].sides:
                    yield from retain_figures(study, replace(forget, side="retain"))
                if condition is not Condition.BASELINE_NORMAL:
                    yield from change_figures(study, forget)


def forget_figures(study: VisualStudy, selection: Selection) -> Iterator[Figure]:
    """Macro- and micro-accuracy on the forget side, per concept, what could not be read, entropy of the answers."""
    found, factors = study.outcomes(selection), selection.factors
    note = _left_out(found)
    yield figure(
        "forget.macro",
        factors,
        macro(found),
        excluded=found.excluded,
        label="mean over concepts of accuracy",
        note=note,
    )
    yield figure(
        "forget.micro",
        factors,
        micro(found),
        excluded=found.excluded,
        label="accuracy over items",
        note=note,
    )
    yield from bound_figures("forget.micro", factors, _account(study.select(selection)))
    yield plain("chance", factors, found.mean_chance, len(found.items), unit="proportion", method="mean of 1/options")
    concepts = sorted(set(found.concepts.tolist()))
    if len(concepts) >= CONCEPTS_FOR_SECOND_INTERVAL and not found.unscored_concepts:
        means = np.array([found.values[found.concepts == concept].mean() for concept in concepts])
        estimate = clustered_mean(means, concepts)
        yield figure(
            "forget.macro.over_concepts", factors, estimate, label="concepts as the units, as drawn from many more"
        )
    for concept in concepts:
        of = {**factors, "concept": concept}
        part = found.concepts == concept
        estimate = clustered_mean(found.values[part], found.pictures[part])
        yield figure("forget.concept", of, estimate, label="accuracy on one concept")
    frame = study.select(selection)
    yield from _reading_figures(frame, factors)
    yield from _raw_figures(selection, frame)


def _account(frame: pl.DataFrame) -> Account:
    """What became of the samples of a cell, those without a permitted choice left out."""
    kept = frame.filter(~LEFT_OUT)
    return Account.of(kept["status"].to_list(), kept["raw_pass"].to_list())


def _left_out(found: PictureOutcomes) -> str:
    return f"{found.no_permitted_choice} without a permitted choice left out" if found.no_permitted_choice else ""


def macro(found: PictureOutcomes) -> Estimate:
    """Mean over concepts of their accuracy, pictures within concepts the units; undefined where one has no answer."""
    if found.unscored_concepts or not len(found.values):
        return Estimate(None, None, None, len(found.values), "", _undefined(found))
    return _over_concepts(found.values, found.pictures, found.concepts)


def _over_concepts(
    values: NDArray[np.float64],
    pictures: NDArray[np.str_],
    concepts: NDArray[np.str_],
    kind: Kind = "proportion",
) -> Estimate:
    """A mean over concepts, pictures within them the units; one asked about two concepts counts in both."""
    nested = len(set(zip(pictures.tolist(), concepts.tolist(), strict=True))) == len(set(pictures.tolist()))
    return macro_average(values, pictures, concepts, nested=nested, kind=kind)


def _undefined(found: PictureOutcomes) -> str:
    if not len(found.values):
        return "no scored samples"
    return f"no scored answer on {_named(found.unscored_concepts)}"


def _named(concepts: Sequence[str]) -> str:
    """Concepts for a footnote: the first two, and how many more."""
    shown = ", ".join(concepts[:2])
    return f"{shown} and {len(concepts) - 2} more" if len(concepts) > 2 else shown


def micro(found: PictureOutcomes) -> Estimate:
    """Accuracy over items, pictures the units, whatever their concept: many retained concepts have one picture."""
    if not len(found.values):
        return Estimate(None, None, None, 0, "", "no scored samples")
    return clustered_mean(found.values, found.pictures)


def _reading_figures(frame: pl.DataFrame, factors: Mapping[str, Cell]) -> Iterator[Figure]:
    """Invalid and refusal rate over attempted samples; entropy in bits of the chosen index and of the gold index."""
    account = Account.of(frame["status"].to_list(), frame["raw_pass"].to_list())
    attempted = frame.filter(pl.col("status") != "not_sent")
    for name, statuses in (("invalid", ["invalid_format", "truncated"]), ("refused", ["refused", "policy_block"])):
        hit = attempted["status"].is_in(statuses).cast(pl.Float64).to_numpy()
        if len(hit):
            estimate = clustered_mean(hit, attempted["picture"].to_list())
            yield figure(name, factors, estimate, label="share of attempted samples")
    for name, column, rows in (
        ("entropy.predicted", "predicted", frame.filter(pl.col("predicted").is_not_null())),
        ("entropy.gold", "answer", frame),
    ):
        counts = Counter(rows[column].to_list())
        yield plain(
            name,
            factors,
            entropy_bits(counts) if counts else None,
            sum(counts.values()),
            unit="ratio",
            method="bits over option indices; 2 is even over four",
            excluded=account.planned - sum(counts.values()),
        )


def entropy_bits(counts: Mapping[int, int]) -> float:
    """Shannon entropy of a distribution over indices, in bits.

    >>> entropy_bits({0: 1, 1: 1, 2: 1, 3: 1}), entropy_bits({2: 7})
    (2.0, 0.0)
    """
    shares = np.array([count for count in counts.values() if count], dtype=np.float64)
    shares = shares / shares.sum()
    return float(abs((shares * np.log2(shares)).sum()))


def _raw_figures(selection: Selection, frame: pl.DataFrame) -> Iterator[Figure]:
    """The paper's reading: its parser on every reply with text, what it cannot read counts as wrong."""
    read = frame.filter(pl.col("raw_pass").is_not_null())
    if read.is_empty():
        return
    values = read["raw_pass"].cast(pl.Float64).to_numpy()
    concepts = np.array(read["forget_concept"].to_list())
    means = [float(values[concepts == concept].mean()) for concept in sorted(set(concepts.tolist()))]
    yield plain(
        "paper.forget.macro" if selection.side == "forget" else "paper.retain",
        selection.factors,
        float(np.mean(means)) if selection.side == "forget" else float(values.mean()),
        read.height,
        unit="proportion",
        method="the paper's parser, every reply with text",
        excluded=frame.height - read.height,
    )


def retain_figures(study: VisualStudy, selection: Selection) -> Iterator[Figure]:
    """Accuracy on the retain side, over items; under a list also on the items of which no distractor is listed."""
    found, factors = study.outcomes(selection), selection.factors
    yield figure("retain", factors, micro(found), excluded=found.excluded, label="accuracy over items")
    frame = study.select(selection)
    yield from bound_figures("retain", factors, _account(frame))
    yield from _raw_figures(selection, frame)
    baseline = study.outcomes(replace(selection, condition=Condition.BASELINE_NORMAL))
    if selection.condition in SUPPRESSIONS:
        unlisted = outcomes_of(frame.filter(pl.col("listed_choices") == 0))
        yield figure(
            "retain.unlisted",
            factors,
            micro(unlisted),
            excluded=unlisted.excluded,
            label="items with no listed distractor",
        )
        change = paired_change(unlisted, baseline, by_concept=False)
        yield figure(
            "retain.unlisted.change", factors, change, unit="points", label="condition - baseline, no listed distractor"
        )
    if selection.condition is not Condition.BASELINE_NORMAL:
        change = paired_change(found, baseline, by_concept=False)
        tested = paired_test(study, "retain.change", factors, found, baseline)
        label = "condition - baseline on the same items"
        yield figure("retain.change", factors, change, unit="points", label=label, tested=tested)


def change_figures(study: VisualStudy, selection: Selection) -> Iterator[Figure]:
    """Condition minus baseline on the same items of the forget side; negative = suppressed."""
    baseline = replace(selection, condition=Condition.BASELINE_NORMAL)
    found = study.outcomes(selection)
    there = outcomes_of(study.select(baseline))
    factors = selection.factors
    change = paired_change(found, there, by_concept=True)
    yield figure(
        "forget.change",
        factors,
        change,
        excluded=found.excluded,
        unit="points",
        label="condition - baseline on the same items, mean over concepts",
        note=_left_out(found),
        tested=paired_test(study, "forget.change", factors, found, there),
    )


def _concepts(found: PictureOutcomes) -> set[str]:
    """Concepts that were asked about, with a scored answer or without."""
    return {*found.concepts.tolist(), *found.unscored_concepts}


def paired_test(
    study: VisualStudy, name: str, factors: Mapping[str, Cell], here: PictureOutcomes, there: PictureOutcomes
) -> ChangeTest:
    """The test that belongs to `paired_change`: signs flipped over pictures."""
    others = there.by_item
    shared = [place for place, item in enumerate(here.items) if item in others]
    values = [here.values[place] - others[here.items[place]] for place in shared]
    return change_test(values, here.pictures[shared], rng=study.stream(f"{name}.test", factors))


def paired_change(here: PictureOutcomes, there: PictureOutcomes, *, by_concept: bool) -> Estimate:
    """Mean of the differences on shared items, a picture counting with both sides; over concepts where asked."""
    others = there.by_item
    shared = [place for place, item in enumerate(here.items) if item in others]
    if not shared:
        return Estimate(None, None, None, 0, "", "no matched items")
    values = np.array([here.values[place] - others[here.items[place]] for place in shared])
    pictures = here.pictures[shared]
    if by_concept and (missing := sorted(_concepts(here) - set(here.concepts[shared].tolist()))):
        reason = f"no matched items of {_named(missing)}"
        return Estimate(None, None, None, len(shared), "", reason)
    if by_concept:
        return _over_concepts(values, pictures, here.concepts[shared], "difference")
    return clustered_mean(values, pictures, kind="difference")
