"""What load costs and what the reminder gives back: deltas, effect sizes, tests, gains (Tables 1 and 8, figures 3, 4).

All differences are in proportions (0.05 = 5 points). A *delta* is reference minus condition: positive = compliance
was lost. A *gain* is positive where the second template keeps more.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from forgetscope.benchmarks.prospective.data.conditions import (
    BASELINE,
    CELLS,
    CONTROLS,
    NATURAL,
    NO_LOAD,
    REMINDER,
    REMINDER_PER_CONSTRAINT,
    unloaded_name,
)
from forgetscope.benchmarks.prospective.metrics.study import ALL, SAME_SENDING, ProspectiveStudy, cut_note, outcomes
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure, plain
from forgetscope.stats import (
    cohens_h,
    difference_of_means,
    estimate_from_sums,
    holm,
    matched_item_means,
    mcnemar,
    paired_difference,
    sign_flip_permutation,
    size_of_h,
)
from forgetscope.stats.change_test import change_test

_NONE = NO_LOAD
Combine = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""From the groups' rates, shape (rows, groups), to the figure of each row."""


def contrast_figures(study: ProspectiveStudy) -> Iterator[Figure]:
    """Every delta and gain the run has both sides of, with its tests."""
    found: list[Figure] = []
    p_values: list[Figure] = []
    for condition in study.loaded_conditions:
        for load in (*study.loads, ALL):
            if study.cell(condition, load).is_empty():
                continue
            for against in references(study, condition):
                factors: dict[str, Cell] = {"condition": condition, "load": load, "against": against}
                found.extend(paired_figures(study, study.cell(against, _NONE), study.cell(condition, load), factors))
                tests = list(test_figures(study, condition, load, against))
                found.extend(tests)
                p_values.extend(entry for entry in tests if entry.name == "delta.p" and load != ALL)
            if not study.cell(BASELINE, _NONE).is_empty():
                found.extend(paper_figures(study, condition, load))
                found.extend(loose_figures(study, condition, load))
    corrected = list(adjusted_figures(p_values))
    yield from _with_tests([*found, *corrected])
    for condition in study.loaded_conditions:
        yield from average_delta(study, condition)
    yield from gain_figures(study, NATURAL.name, REMINDER.name, "gain")
    yield from gain_figures(study, REMINDER.name, REMINDER_PER_CONSTRAINT.name, "gain.per_constraint")
    for control in CONTROLS:
        yield from gain_figures(study, NATURAL.name, control.name, f"control.{control.name}")


def _with_tests(found: Sequence[Figure]) -> Iterator[Figure]:
    """Each paired delta with its p-value: of a single load Holm's, of all loads together the plain one."""
    tests = {(entry.name, frozenset(entry.factors.items())): entry for entry in found if entry.unit == "p"}
    for entry in found:
        if entry.name == "delta.paired":
            key = frozenset(entry.factors.items())
            test = tests.get(("delta.p.holm", key), tests["delta.p", key])
            yield replace(entry, p=test.value, test=test.method)
        else:
            yield entry


def adjusted_figures(p_values: Sequence[Figure]) -> Iterator[Figure]:
    """Holm's correction, in two families: all comparisons with the baseline (Table 8), and all with the condition's
    own prompt without load. Each is over conditions and loads; the pooled row is in neither.
    """
    for family, chosen in (
        ("with the baseline", [entry for entry in p_values if entry.factors["against"] == BASELINE]),
        ("with the same prompt without load", [entry for entry in p_values if entry.factors["against"] != BASELINE]),
    ):
        count = sum(entry.value is not None for entry in chosen)
        for entry, adjusted in zip(chosen, holm([entry.value for entry in chosen]), strict=True):
            method = f"Holm over the {count} comparisons {family} (conditions x loads)"
            yield plain("delta.p.holm", entry.factors, adjusted, entry.n, unit="p", method=method, note=entry.note)


def references(study: ProspectiveStudy, condition: str) -> tuple[str, ...]:
    """What a loaded condition is set against: the paper's baseline, and the same prompt without load."""
    found = dict.fromkeys((BASELINE, unloaded_name(CELLS[condition])))
    return tuple(name for name in found if not study.cell(name, _NONE).is_empty())


def paired_figures(
    study: ProspectiveStudy,
    reference: pl.DataFrame,
    frame: pl.DataFrame,
    factors: dict[str, Cell],
    *,
    sides: bool = True,
) -> Iterator[Figure]:
    """The headline delta: mean over items of (the item's rate in the reference - its rate under the condition).

    Each item weighs the same however many runs and loads it has. `excluded` counts the condition's items that have no
    match, or that enter with some of their runs missing; the note says how many of the latter. With `sides` (whole
    cells), items planned and absent from the table are in it too, and the two rates on the matched items beside it.
    """
    first, second = outcomes(reference, "strict"), outcomes(frame, "strict")
    estimate = paired_difference(first.values, first.clusters, second.values, second.clusters)
    short = items_with_missing_runs(study, frame, reference)
    present = frame["item"].n_unique()
    planned = study.planned_items(str(factors["condition"]), str(factors["load"])) if sides else present
    excluded = max(present, planned) - estimate.n + short
    late = f"items that enter with some of their runs missing: {short}" if short else ""
    notes = (cut_note(pl.concat([reference, frame])), late)
    note = "; ".join(part for part in notes if part)
    labels, means_first, means_second = matched_item_means(first.values, first.clusters, second.values, second.clusters)
    tested = change_test(means_first - means_second, labels, rng=study.stream("delta.sign_flip", factors))
    label = "paired by item"
    yield figure(
        "delta.paired", factors, estimate, excluded=excluded, unit="points", label=label, note=note, tested=tested
    )
    if not sides:
        return
    for side, means in (("reference", means_first), ("condition", means_second)):
        yield plain(
            f"delta.paired.{side}",
            factors,
            float(means.mean()) if labels else None,
            len(labels),
            unit="proportion",
            method=f"mean over matched items of the item's rate, {side} side",
            note="" if labels else "no matched items",
        )


def items_with_missing_runs(study: ProspectiveStudy, frame: pl.DataFrame, reference: pl.DataFrame) -> int:
    """Items with a match that lack a scored reply in some run under a load they meet."""
    kept = reference.filter(pl.col("strict").is_not_null())["item"]
    scored = frame.group_by("item", "load").agg(runs=pl.col("strict").is_not_null().sum())
    by_item = scored.group_by("item").agg(
        any=pl.col("runs").sum() > 0, short=(pl.col("runs") < study.sent_per_item).any()
    )
    return by_item.filter(pl.col("any") & pl.col("short") & pl.col("item").is_in(kept.to_list())).height


def paper_figures(study: ProspectiveStudy, condition: str, load: str) -> Iterator[Figure]:
    """The paper's delta (overall baseline - condition, all items) and Cohen's h of the same two percentages."""
    factors: dict[str, Cell] = {"condition": condition, "load": load}
    first = outcomes(study.cell(BASELINE, _NONE), "strict")
    frame = study.cell(condition, load)
    second = outcomes(frame, "strict")
    estimate = difference_of_means(first.values, first.clusters, second.values, second.clusters)
    label = "paper: overall baseline - condition"
    excluded = first.excluded + second.excluded
    yield figure("delta.paper", factors, estimate, excluded=excluded, unit="points", label=label)
    n = len(first.values) + len(second.values)
    if first.mean is None or second.mean is None:
        yield plain("delta.cohens_h", factors, None, n, unit="h", method="Cohen's h", note="no scored samples")
        return
    h = cohens_h(first.mean, second.mean)
    yield plain(
        "delta.cohens_h", factors, h, n, unit="h", method="overall baseline against condition", note=size_of_h(h)
    )


def loose_figures(study: ProspectiveStudy, condition: str, load: str) -> Iterator[Figure]:
    """The two deltas with the baseline where any of IFEval's eight variants of a reply counts (section 5.1)."""
    first, second = outcomes(study.cell(BASELINE, _NONE), "loose"), outcomes(study.cell(condition, load), "loose")
    sides = (first.values, first.clusters, second.values, second.clusters)
    factors: dict[str, Cell] = {"condition": condition, "load": load}
    for name, estimate, label in (
        ("delta.loose.paired", paired_difference(*sides), "paired by item, loose"),
        ("delta.loose.paper", difference_of_means(*sides), "paper: overall baseline - condition, loose"),
    ):
        excluded = first.excluded + second.excluded
        yield figure(name, factors, estimate, excluded=excluded, unit="points", label=label)


def test_figures(study: ProspectiveStudy, condition: str, load: str, against: str) -> Iterator[Figure]:
    """Is the paired delta zero? Exact McNemar for one run, sign flips over items for several.

    `delta.p` is the test this project reports. Beside it, against the baseline only: McNemar exact and corrected where
    each item has one pair; otherwise McNemar on all pooled pairs, labelled *paper*, which takes the runs of an item as
    independent.
    """
    factors: dict[str, Cell] = {"condition": condition, "load": load, "against": against}
    first = outcomes(study.cell(against, _NONE), "strict")
    second = outcomes(study.cell(condition, load), "strict")
    pairs = pairs_of(study.cell(against, _NONE), study.cell(condition, load))
    note = "" if pairs else "no matched items"
    table = mcnemar(*(pairs.count(cell) for cell in ((1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0))))
    if second.clusters_repeat:
        labels, means_first, means_second = matched_item_means(
            first.values, first.clusters, second.values, second.clusters
        )
        p = sign_flip_permutation(means_first - means_second, rng=study.stream("delta.sign_flip", factors))
        method = "sign-flip permutation over item means, two-sided"
        yield plain("delta.p", factors, p, len(labels), unit="p", method=method, note=note)
        name, label = "delta.mcnemar.pooled", "paper: McNemar over the pooled pairs of all runs"
    else:
        p = table.exact_p if pairs else None
        method = "exact McNemar, two-sided"
        yield plain("delta.p", factors, p, len(pairs), unit="p", method=method, note=note)
        name, label = "delta.mcnemar", "McNemar on matched items"
    if load == ALL or against != BASELINE:
        return
    factors = {"condition": condition, "load": load}
    for form, value in (("exact", table.exact_p), ("corrected", table.corrected_p)):
        counts = f"{table.b} kept in the baseline only, {table.c} under the condition only"
        yield plain(
            f"{name}.{form}",
            factors,
            value if pairs else None,
            len(pairs),
            unit="p",
            method=f"{label}, {form}; {counts}",
            note=note,
        )


def pairs_of(reference: pl.DataFrame, frame: pl.DataFrame) -> list[tuple[float, float]]:
    """Each scored reply of a cell with that to its item's prompt without load, of the same run where runs have one."""
    keys = ["item", "repeat", *(["run"] if reference["seed"].is_not_null().any() else [])]
    first, second = (
        side.filter(pl.col("strict").is_not_null()).select(*keys, pl.col("strict").cast(pl.Float64))
        for side in (reference, frame)
    )
    return second.join(first, on=keys, suffix="_reference").select("strict_reference", "strict").rows()


def average_delta(study: ProspectiveStudy, condition: str) -> Iterator[Figure]:
    """The paper's average per model: unweighted mean over loads of the overall baseline minus the condition."""
    baseline = study.cell(BASELINE, _NONE)
    if baseline.is_empty():
        return
    groups = [baseline, *(study.cell(condition, load) for load in study.loads)]
    yield _average("delta.average", study, condition, groups, lambda means: means[:, 0] - means[:, 1:].mean(axis=1))


def gain_figures(study: ProspectiveStudy, first: str, second: str, name: str) -> Iterator[Figure]:
    """Second template minus first under the same load: paired and as the paper has it; and the average.

    `gain.paired` joins the two templates' samples on item, load and run, so that both sides answered the same
    questions, then weighs items the same; `excluded` counts samples of either side without such a partner, those
    planned and missing from the table among them.
    """
    if first not in study.loaded_conditions or second not in study.loaded_conditions:
        return
    for load in (*study.loads, ALL):
        factors: dict[str, Cell] = {"load": load}
        low, high = outcomes(study.cell(first, load), "strict"), outcomes(study.cell(second, load), "strict")
        pairs = matched_samples(study.cell(second, load), study.cell(first, load))
        above, below = outcomes(pairs, "strict"), outcomes(pairs, "strict_right")
        paired = paired_difference(above.values, above.clusters, below.values, below.clusters)
        planned = sum(study.cell(one, load).height + study.missing(one, load) for one in (first, second))
        excluded = planned - 2 * pairs.height
        label = f"{second} - {first}, the same item, load and run; excluded: samples of either side without a partner"
        _, kept, lost = matched_item_means(above.values, above.clusters, below.values, below.clusters)
        tested = change_test(kept - lost, np.arange(len(kept)), rng=study.stream(f"{name}.sign_flip", factors))
        yield figure(f"{name}.paired", factors, paired, excluded=excluded, unit="points", label=label, tested=tested)
        overall = difference_of_means(high.values, high.clusters, low.values, low.clusters)
        label = f"{second} - {first}, all samples"
        excluded = low.excluded + high.excluded
        yield figure(f"{name}.paper", factors, overall, excluded=excluded, unit="points", label=label)
    groups = [study.cell(condition, load) for condition in (first, second) for load in study.loads]
    half = len(study.loads)
    yield _average(
        f"{name}.average",
        study,
        second,
        groups,
        lambda means: means[:, half:].mean(axis=1) - means[:, :half].mean(axis=1),
    )


def matched_samples(left: pl.DataFrame, right: pl.DataFrame) -> pl.DataFrame:
    """Scored samples of both sides with the same item, load and run seed: `strict` and `strict_right`."""
    keys = list(SAME_SENDING)
    first, second = (side.filter(pl.col("strict").is_not_null()).select(*keys, "strict") for side in (left, right))
    return first.join(second, on=keys).sort(keys)


def _average(
    name: str, study: ProspectiveStudy, condition: str, groups: Sequence[pl.DataFrame], combine: Combine
) -> Figure:
    """A combination of the groups' rates, a difference; an item counts with all its groups."""
    found = [outcomes(frame, "strict") for frame in groups]
    items = sorted({item for group in found for item in group.clusters.tolist()})
    position = {item: index for index, item in enumerate(items)}
    sums = np.zeros((len(items), len(found), 2))
    for column, group in enumerate(found):
        where = [position[item] for item in group.clusters.tolist()]
        np.add.at(sums, (where, column, 0), group.values)
        np.add.at(sums, (where, column, 1), 1.0)
    size = len(found)

    def statistic(totals: NDArray[np.float64]) -> NDArray[np.float64]:
        cells = totals.reshape(-1, size, 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            return combine(cells[:, :, 0] / cells[:, :, 1])

    factors: dict[str, Cell] = {"condition": condition}
    estimate = estimate_from_sums(
        statistic,
        sums.reshape(len(items), size * 2),
        n=sum(len(group.values) for group in found),
        kind="difference",
    )
    excluded = sum(group.excluded for group in found)
    label = f"unweighted mean over the {len(study.loads)} loads that were run"
    return figure(name, factors, estimate, excluded=excluded, unit="points", label=label)
