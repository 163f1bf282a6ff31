"""NA, FA, SFRR and what belongs to them, per cell, per level of a factor, and averaged over the scenarios."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.metrics.registry import InContextMetric
from forgetscope.benchmarks.in_context.metrics.study import AVERAGE, SCENARIOS, DialogueCell, InContextStudy, Pairs
from forgetscope.core.outcomes import Account, Status
from forgetscope.findings.figures import Cell, Figure, Unit
from forgetscope.findings.measures import bound_figures, figure, plain
from forgetscope.findings.phrasing import counted
from forgetscope.stats import Estimate, macro_average, mcnemar, paired_difference, wilson
from forgetscope.stats.change_test import UNTESTED, change_test, mcnemar_test
from forgetscope.stats.intervals import mean_of_ratios
from forgetscope.stats.jackknife import Kind

FACTORS = {
    "instructional_forgetting": ("kind", "said_by", "request_kind", "request", "query_kind", "memory_cue"),
    "subtask_revision": ("kind",),
    "dynamic_preference": ("kind",),
}
"""The columns whose levels get figures of their own (protocols.md, section 1)."""

_PAIRED = "items with both forms scored"
LOST = {
    Status.TRUNCATED.value: "cut off",
    Status.REFUSED.value: "refused",
    Status.INVALID_FORMAT.value: "without an answer that can be read",
    Status.JUDGE_UNPARSEABLE.value: "with a verdict that could not be read",
    Status.JUDGE_ERROR.value: "without a verdict",
    Status.MODEL_ERROR.value: "lost to errors",
    Status.NOT_SENT.value: "not sent",
}
"""What became of samples that were not scored."""


def forgetting_figures(study: InContextStudy) -> Iterator[Figure]:
    """Figures of every cell, of the averages over scenarios, and of the levels of factors.

    Every factor has figures in the main setting; `kind` (what is forgotten, what the revision did, how a preference
    is expressed) has them everywhere.
    """
    for key in study.cells:
        frame, factors = study.cell(key), key.factors
        yield from pair_figures(Pairs.of(frame), factors, unscored=unscored_words(frame))
        yield from form_figures(frame, factors)
        yield from raw_figures(frame, factors)
        for factor in FACTORS[key.scenario] if key in study.main_cells() else ("kind",):
            for level, part in levels_of(frame, factor):
                at_level: dict[str, Cell] = {**factors, "factor": factor, "level": level}
                words = unscored_words(part)
                yield from pair_figures(Pairs.of(part), at_level, prefix="by_factor.", unscored=words)
    for length, strategy, question in study.settings_run:
        keys = study.cells_at(length, strategy)
        if not question and {key.scenario for key in keys} == set(SCENARIOS):
            factors = DialogueCell(AVERAGE, length, strategy).factors
            yield from average_figures(study, {key.scenario: study.pairs(key) for key in keys}, factors)
            raw = {key.scenario: Pairs.of(study.cell(key), "raw_pass") for key in keys}
            yield from average_figures(study, raw, factors, prefix="paper.")


def levels_of(frame: pl.DataFrame, factor: str) -> Iterator[tuple[str, pl.DataFrame]]:
    """The levels of a factor with their samples, in order; samples without one are left out."""
    parts = frame.drop_nulls(factor).partition_by(factor, as_dict=True)
    for (level,), part in sorted(parts.items(), key=lambda entry: str(entry[0])):
        yield ("yes" if level else "no") if isinstance(level, bool) else str(level), part


def unscored_words(frame: pl.DataFrame) -> str:
    """Why no item of some samples has both forms scored: "no item could be scored in both forms (3 of 4 replies cut
    off)".
    """
    counts = Counter(frame["status"].to_list())
    lost = [(count, LOST[status]) for status, count in counts.most_common() if status in LOST]
    listed = ", ".join(
        f"{count} of {counted(frame.height, 'reply', 'replies')} {word}" if not place else f"{count} {word}"
        for place, (count, word) in enumerate(lost)
    )
    return f"no item could be scored in both forms{f' ({listed})' if listed else ''}"


def pair_figures(
    pairs: Pairs,
    factors: Mapping[str, Cell],
    *,
    prefix: str = "",
    unscored: str = "no item could be scored in both forms",
) -> Iterator[Figure]:
    """NA, FA, SFRR with its bounds, NA - FA with McNemar's test, WR and both right, over items with both forms.

    Where there is no such item they are undefined, and `unscored` says why.
    """
    table = pairs.table
    rest = table.unpaired

    def rate(name: str, successes: int, n: int, what: str) -> Figure:
        estimate = wilson(successes, n)
        if not n:
            why = "nothing was right without the request" if table.n else unscored
            estimate = replace(estimate, undefined=why)
        return figure(f"{prefix}{name}", factors, estimate, excluded=rest, label=what)

    yield rate("na", table.n11 + table.n10, table.n, f"right without the request, {_PAIRED}")
    yield rate("fa", table.n11 + table.n01, table.n, f"right with the request, {_PAIRED}")
    yield rate("sfrr", table.n11, table.n11 + table.n10, "right with the request among those right without it")
    yield rate("wr", table.n01, table.n, f"wrong without, right with the request, {_PAIRED}")
    yield rate("both", table.n11, table.n, f"right in both forms, {_PAIRED}")
    yield from _sfrr_bounds(pairs, f"{prefix}sfrr", factors)
    without, with_ = pairs.arrays
    items = np.arange(len(without))
    name = f"{prefix}drop"
    drop = paired_difference(without, items, with_, items)
    if not table.n:
        drop = replace(drop, undefined=unscored)
    test = mcnemar(table.n11, table.n10, table.n01, table.n00)
    tested = mcnemar_test(test, table.n)
    yield figure(name, factors, drop, excluded=rest, unit="points", label="NA - FA, paired by item", tested=tested)
    for kind, p in (("exact", test.exact_p), ("corrected", test.corrected_p)):
        yield plain(
            f"{name}.p.{kind}",
            factors,
            p if table.n else None,
            table.n,
            unit="p",
            method=f"McNemar, {kind}, two-sided",
            excluded=rest,
        )


def _sfrr_bounds(pairs: Pairs, name: str, factors: Mapping[str, Cell]) -> Iterator[Figure]:
    bounds = pairs.table.sfrr_bounds
    for end, value in zip(("lowest", "highest"), bounds or (None, None), strict=True):
        yield plain(
            f"{name}.{end}",
            factors,
            value,
            len(pairs.items),
            unit="proportion",
            method=f"{end} SFRR there could be with every item scored",
            note="" if bounds else "no item could enter",
        )


def form_figures(frame: pl.DataFrame, factors: Mapping[str, Cell]) -> Iterator[Figure]:
    """The accuracy of each form over all its scored samples, paired or not, and its bounds."""
    for form, name in ((Form.NOFORGET, "all_valid.na"), (Form.FORGET, "all_valid.fa")):
        part = frame.filter(pl.col("form") == form.value)
        account = Account.of(part["status"].to_list(), part["raw_pass"].to_list())
        right = sum(status == "correct" for status in part["status"])
        estimate = wilson(right, account.scored)
        yield figure(name, factors, estimate, excluded=part.height - account.scored, label="all scored samples")
        yield from bound_figures(name, factors, account)


def raw_figures(frame: pl.DataFrame, factors: Mapping[str, Cell]) -> Iterator[Figure]:
    """The paper's reading: every reply with text counts, cut ones and refusals too."""
    pairs = Pairs.of(frame, "raw_pass")
    table, label = pairs.table, "every reply with text"
    for name, successes, n in (
        ("paper.na", table.n11 + table.n10, table.n),
        ("paper.fa", table.n11 + table.n01, table.n),
        ("paper.sfrr", table.n11, table.n11 + table.n10),
        ("paper.wr", table.n01, table.n),
    ):
        yield figure(name, factors, wilson(successes, n), excluded=table.unpaired, label=label)
    without, with_ = pairs.arrays
    items = np.arange(len(without))
    drop = paired_difference(without, items, with_, items)
    yield figure("paper.drop", factors, drop, excluded=table.unpaired, unit="points", label=label)


def average_figures(
    study: InContextStudy, scenarios: Mapping[str, Pairs], factors: Mapping[str, Cell], *, prefix: str = ""
) -> Iterator[Figure]:
    """Unweighted means over the three scenarios (ICF-Bench, table 11); an undefined member leaves them undefined."""
    arrays = {name: pairs.arrays for name, pairs in scenarios.items()}
    rest = sum(pairs.table.unpaired for pairs in scenarios.values())
    group = np.concatenate([np.full(len(without), name) for name, (without, _) in arrays.items()])
    without = np.concatenate([pair[0] for pair in arrays.values()])
    with_ = np.concatenate([pair[1] for pair in arrays.values()])
    items = np.arange(len(without))
    empty = [name for name, (found, _) in arrays.items() if not len(found)]
    kinds: tuple[tuple[str, np.ndarray, Kind], ...] = (
        ("na", without, "proportion"),
        ("fa", with_, "proportion"),
        ("drop", without - with_, "difference"),
        ("wr", (1 - without) * with_, "proportion"),
        ("both", without * with_, "proportion"),
    )
    for name, values, kind in kinds:
        estimate = (
            _undefined(len(items), f"no item of {_listed(empty)} could be scored in both forms")
            if empty
            else macro_average(values, items, group, kind=kind)
        )
        is_drop, label = name == "drop", "mean of the three scenarios"
        sizes = np.array([np.sum(group == scenario) for scenario in group])
        weighted = values / sizes
        tested = change_test(weighted, items, rng=study.stream(f"{prefix}drop.p", factors)) if is_drop else UNTESTED
        unit: Unit = "points" if is_drop else "proportion"
        yield figure(f"{prefix}{name}", factors, estimate, excluded=rest, unit=unit, label=label, tested=tested)
    sfrr = sfrr_average(arrays)
    yield figure(f"{prefix}sfrr", factors, sfrr, excluded=rest, label="mean of the three scenarios' SFRR")


def sfrr_average(arrays: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> Estimate:
    """The mean of the scenarios' SFRR, items being of their scenario; undefined where one of them is."""
    nothing = [name for name, (without, _) in arrays.items() if without.sum() == 0]
    scenario = np.repeat(np.arange(len(arrays)), [len(without) for without, _ in arrays.values()])
    if nothing:
        return _undefined(len(scenario), f"nothing was right without the request in {_listed(nothing)}")
    right = np.zeros((len(scenario), len(arrays)))
    kept = np.zeros_like(right)
    for place, (without, with_) in enumerate(arrays.values()):
        right[scenario == place, place] = without
        kept[scenario == place, place] = without * with_
    return mean_of_ratios(kept, right, n=len(scenario), kind="proportion", strata=scenario)


def _listed(scenarios: Sequence[str]) -> str:
    return ", ".join(name.replace("_", " ") for name in scenarios)


def _undefined(n: int, why: str) -> Estimate:
    return Estimate(None, None, None, n, "mean of the three scenarios", why)


METRIC = InContextMetric(forgetting_figures)
