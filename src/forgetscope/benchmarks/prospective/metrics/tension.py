"""Pairs of constraints in tension: against the safe pairs, and against what their types do alone (Table 14).

The paper sets a pair against the average safe pair, which is confounded by how hard the types are. The others set it
against the product of its two types' single rates at the same number of problems: what joint compliance would be if
the two constraints did not touch each other. Negative = the pair does worse. Only the `singles` experiment matches
the two sides: every stack of the pair again with each of its constraints alone, topic, parameters, problems and
reminder the same (`tension.gap.matched`). Singles from elsewhere differ in these (`tension.gap.singles`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from forgetscope.benchmarks.prospective.data.conditions import BASELINE, NATURAL, NO_LOAD, Trailing
from forgetscope.benchmarks.prospective.metrics.stacks import PAPER_REMINDERS, by_type
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy, cut_note, outcomes, rate
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure, plain, with_holm
from forgetscope.stats import difference_of_means, estimate_from_sums
from forgetscope.stats.change_test import interval_test

_LOAD_OF = {0: NO_LOAD, 1: "gsm8k_x1", 3: "gsm8k_x3"}


def tension_figures(study: ProspectiveStudy) -> Iterator[Figure]:
    """Joint compliance of each pair, per type in it, and both comparisons; the matched ones are one Holm family."""
    found = list(_pair_figures(study))
    adjusted = iter(with_holm([entry for entry in found if entry.name == "tension.gap.matched"], "pairs"))
    yield from (next(adjusted) if entry.name == "tension.gap.matched" else entry for entry in found)


def _pair_figures(study: ProspectiveStudy) -> Iterator[Figure]:
    frame = study.experiment("tension")
    stacks = study.experiment("stacking").filter(pl.col("trailing").is_in(PAPER_REMINDERS))
    for key, everything in frame.sort("pair").partition_by("pair", as_dict=True).items():
        pair = str(key[0])
        own = everything.filter(pl.col("trailing").is_in(PAPER_REMINDERS))
        counts: tuple[Cell, ...] = (*(int(value) for value in own["problems"].unique().sort()), ALL)
        for count in counts:
            for trailing in (*own["trailing"].unique().sort(), ALL):
                part = own.filter(
                    pl.lit(value=True) if count == ALL else pl.col("problems") == count,
                    pl.lit(value=True) if trailing == ALL else pl.col("trailing") == trailing,
                )
                factors: dict[str, Cell] = {"pair": pair, "problems": count, "trailing": trailing}
                for mode in ("strict", "loose"):
                    found = outcomes(part, mode)
                    name = f"tension.joint.{mode}"
                    estimate = rate(found)
                    label = "both constraints kept, over replies with text"
                    yield figure(name, factors, estimate, excluded=found.excluded, note=cut_note(part), label=label)
        for single, rows in by_type(own).sort("single").partition_by("single", as_dict=True).items():
            found = outcomes(rows, "strict_by_type")
            factors = {"pair": pair, "type": str(single[0])}
            estimate = rate(found)
            yield figure("tension.type.strict", factors, estimate, label="kept, over replies to this pair")
        yield _safe_gap(pair, own, stacks)
        yield from _matched_gap(study, pair, own)
        yield _product_gap(pair, "stacks_of_one", _stacks_of_one(pair, own, stacks))
        yield _product_gap(pair, "load_experiment", _load_experiment(study, pair, own))


def _safe_gap(pair: str, own: pl.DataFrame, stacks: pl.DataFrame) -> Figure:
    """The paper's gap: the pair's joint compliance minus that of the safe stacks of two."""
    safe = stacks.filter(pl.col("constraints") == 2)
    factors: dict[str, Cell] = {"pair": pair}
    method = "paper: pair - safe stacks of two, all problems and reminders"
    if safe.is_empty():
        return plain("tension.gap.safe", factors, None, 0, unit="points", method=method, note="no safe stacks of two")
    first, second = outcomes(own, "strict"), outcomes(safe, "strict")
    estimate = difference_of_means(first.values, first.clusters, second.values, second.clusters)
    excluded = first.excluded + second.excluded
    return figure("tension.gap.safe", factors, estimate, excluded=excluded, unit="points", label=method)


_KEYS = ("item", "problems", "trailing", "repeat")


def _matched_gap(study: ProspectiveStudy, pair: str, own: pl.DataFrame) -> Iterator[Figure]:
    """Mean over settings (problems, reminder) of pair's joint rate - product of its two single rates, same stacks.

    A stack enters a setting when the pair and both singles have text there; `excluded` counts replies of either kind
    that have no such partners. A stack counts with all three parts at all settings. The rates of each
    constraint alone (`tension.single.strict`) are over the same stacks.
    """
    alone = study.experiment("singles").filter(pl.col("pair") == pair, pl.col("trailing").is_in(PAPER_REMINDERS))
    if alone.is_empty():
        return
    names = pair.split("+")
    matched = own.select(*_KEYS, joint=pl.col("strict").cast(pl.Float64))
    for part, name in enumerate(names):
        single = alone.filter(pl.col("type") == name)
        matched = matched.join(single.select(*_KEYS, **{f"single_{part}": pl.col("strict").cast(pl.Float64)}), on=_KEYS)
    matched = matched.drop_nulls().sort(_KEYS)
    excluded = own.height + alone.height - (1 + len(names)) * matched.height
    for part, name in enumerate(names):
        found = outcomes(matched, f"single_{part}")
        factors: dict[str, Cell] = {"pair": pair, "type": name}
        estimate = rate(found)
        yield figure("tension.single.strict", factors, estimate, label="kept alone, over the stacks of this pair")
    items = matched["item"].unique().sort().to_list()
    settings = matched.select("problems", "trailing").unique().sort("problems", "trailing").rows()
    sums = np.zeros((len(items), max(1, len(settings)), 4))
    for item, problems, trailing, _, *values in matched.rows():
        sums[items.index(item), settings.index((problems, trailing))] += (*values, 1.0)

    def statistic(totals: NDArray[np.float64]) -> NDArray[np.float64]:
        cells = totals.reshape(-1, max(1, len(settings)), 4)
        with np.errstate(divide="ignore", invalid="ignore"):
            rates = cells[..., :3] / cells[..., 3:]
        gaps: NDArray[np.float64] = (rates[..., 0] - rates[..., 1] * rates[..., 2]).mean(axis=1)
        return gaps

    name, factors = "tension.gap.matched", {"pair": pair}
    flat = sums.reshape(len(items), 4 * max(1, len(settings)))
    estimate = estimate_from_sums(statistic, flat, n=matched.height, kind="difference")
    label = "pair - product of its two single rates, the same stacks, problems and reminder"
    tested = interval_test(estimate)
    yield figure(name, factors, estimate, excluded=excluded, unit="points", label=label, tested=tested)


@dataclass(frozen=True)
class _Matched:
    """One setting both sides were run at: the pair's replies, and those to each of its types alone."""

    pair: pl.DataFrame
    singles: tuple[pl.DataFrame, ...]


def _stacks_of_one(pair: str, own: pl.DataFrame, stacks: pl.DataFrame) -> list[_Matched]:
    """Singles in the very form of the pair: stacks of one constraint, same problems, same reminder."""
    alone = stacks.filter(pl.col("constraints") == 1)
    return [
        _Matched(part, tuple(cell.filter(pl.col("type") == name) for name in pair.split("+")))
        for key, part in own.partition_by("problems", "trailing", as_dict=True).items()
        for cell in [alone.filter((pl.col("problems") == key[0]) & (pl.col("trailing") == key[1]))]
    ]


def _load_experiment(study: ProspectiveStudy, pair: str, own: pl.DataFrame) -> list[_Matched]:
    """More singles in another form: baseline, natural + GSM8K and natural + 3 x GSM8K, without reminder."""
    plain_pairs = own.filter(pl.col("trailing") == Trailing.NONE.value)
    return [
        _Matched(part, tuple(cell.filter(pl.col("type") == name) for name in pair.split("+")))
        for key, part in plain_pairs.partition_by("problems", as_dict=True).items()
        for load in [_LOAD_OF[int(str(key[0]))]]
        for cell in [study.cell(BASELINE if load == NO_LOAD else NATURAL.name, load)]
    ]


def _product_gap(pair: str, singles: str, settings: Sequence[_Matched]) -> Figure:
    """Mean over the matched settings of (pair's joint rate - product of its types' single rates).

    Pairs and the singles of each type are strata; an item counts with its replies at all settings.
    """
    factors: dict[str, Cell] = {"pair": pair, "singles": singles}
    name, label = "tension.gap.singles", "pair - product of single rates, same number of problems"
    groups = [[outcomes(frame, "strict") for frame in (setting.pair, *setting.singles)] for setting in settings]
    usable = [group for group in groups if all(len(found.values) for found in group)]
    if not usable:
        note = "the types of this pair were not run alone at the same number of problems"
        return plain(name, factors, None, 0, unit="points", method=label, note=note)
    rows: dict[tuple[int, str], NDArray[np.float64]] = {}
    for position, group in enumerate(usable):
        for part, found in enumerate(group):
            for item, value in zip(found.clusters.tolist(), found.values.tolist(), strict=True):
                sums = rows.setdefault((part, item), np.zeros((len(usable), 3, 2)))
                sums[position, part] += (value, 1.0)
    keys = sorted(rows)

    def statistic(totals: NDArray[np.float64]) -> NDArray[np.float64]:
        cells = totals.reshape(-1, len(usable), 3, 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            rates = cells[..., 0] / cells[..., 1]
        gaps: NDArray[np.float64] = (rates[:, :, 0] - rates[:, :, 1] * rates[:, :, 2]).mean(axis=1)
        return gaps

    estimate = estimate_from_sums(
        statistic,
        np.array([rows[key].ravel() for key in keys]),
        n=sum(len(found.values) for group in usable for found in group),
        kind="difference",
        strata=np.array([part for part, _ in keys], dtype=np.int64),
    )
    counts = _items_of(keys, pair)
    return figure(name, factors, estimate, unit="points", label=label, note=counts)


def _items_of(keys: Sequence[tuple[int, str]], pair: str) -> str:
    names: Mapping[int, str] = dict(enumerate(("the pair", *pair.split("+"))))
    return ", ".join(f"{sum(part == number for part, _ in keys)} items of {name}" for number, name in names.items())
