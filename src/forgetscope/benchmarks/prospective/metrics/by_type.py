"""Which constraints are forgotten (Table 2): types, categories, slopes over load, chains, terminal or avoidance."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from forgetscope.benchmarks.prospective.data.conditions import BASELINE, CONSTRAINT_ONLY, NO_LOAD
from forgetscope.benchmarks.prospective.metrics.contrasts import paired_figures
from forgetscope.benchmarks.prospective.metrics.study import ALL, LOAD_ORDER, ProspectiveStudy, cut_note, outcomes, rate
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure, plain
from forgetscope.stats import contrast_of_groups, holm, matched_item_means, trend_over_levels
from forgetscope.stats.change_test import ChangeTest, changing_items

_NONE = NO_LOAD
TEMPLATES = {"natural": BASELINE, "reminder": CONSTRAINT_ONLY}
"""The paper's two templates, each with its own prompt without load."""

CHAINS = {"gsm8k_x1": 1, "gsm8k_x3": 3, "gsm8k_x5": 5}
AVOIDANCE = {"table_5": ("no_comma",), "with_forbidden_words": ("no_comma", "forbidden_words")}
"""What counts as avoidance: Table 5's category, or the two types the paper's section 5.2 names."""


def type_figures(study: ProspectiveStudy) -> Iterator[Figure]:
    """Rates and paired deltas of each type and category for the two templates, slopes, contrasts, chains."""
    for level in ("type", "category"):
        for condition, unloaded in TEMPLATES.items():
            yield from _group_figures(study, level, condition, unloaded)
    for condition, unloaded in TEMPLATES.items():
        yield from slope_figures(study, condition, unloaded)
        yield from avoidance_contrasts(study, condition, unloaded)
        yield from chain_trend(study, condition)


def _group_figures(study: ProspectiveStudy, level: str, condition: str, unloaded: str) -> Iterator[Figure]:
    """The figures of one template at one level of grouping."""
    reference = _groups(study.cell(unloaded, _NONE), level)
    for name, frame in reference.items():
        yield _rate(frame, {"condition": unloaded, "load": _NONE, level: name})
    if condition not in study.loaded_conditions:
        return
    for load in (*study.loads, ALL):
        for name, frame in _groups(study.cell(condition, load), level).items():
            factors: dict[str, Cell] = {"condition": condition, "load": load, level: name}
            yield _rate(frame, factors)
            if name in reference:
                against = factors | {"against": unloaded}
                yield from paired_figures(study, reference[name], frame, against, sides=False)


def _groups(frame: pl.DataFrame, level: str) -> dict[str, pl.DataFrame]:
    return {str(key[0]): group for key, group in frame.sort(level).partition_by(level, as_dict=True).items()}


def _rate(frame: pl.DataFrame, factors: dict[str, Cell]) -> Figure:
    found = outcomes(frame, "strict")
    estimate = rate(found)
    return figure(
        "compliance.strict.paper",
        factors,
        estimate,
        excluded=found.excluded,
        note=cut_note(frame),
        label="raw passes over replies with text",
    )


def slope_figures(study: ProspectiveStudy, condition: str, unloaded: str) -> Iterator[Figure]:
    """Per type, the change of compliance per step of load (none, TriviaQA, MMLU, GSM8K x1, x3, x5, CNN/DailyMail).

    Within items; negative = compliance falls with load. The order is the paper's operational one, not a scale.
    Undefined without the prompt without load, its first step.
    """
    if condition not in study.loaded_conditions:
        return
    start = study.cell(unloaded, _NONE)
    frame = pl.concat([start, study.cell(condition, ALL)])
    frame = frame.filter(pl.col("load").is_in(LOAD_ORDER))
    tests: list[Figure] = []
    for name, group in _groups(frame, "type").items():
        factors: dict[str, Cell] = {"condition": condition, "type": name}
        if start.is_empty():
            method, note = "change per step of the load order", f"{unloaded}, its first step, was not run"
            yield plain("slope.load", factors, None, 0, unit="points", method=method, note=note)
            continue
        steps = group.with_columns(step=pl.col("load").replace_strict(dict(zip(LOAD_ORDER, range(7), strict=True))))
        yield from _trend("slope.load", study, steps, "step", factors, tests, "per step of the load order")
    adjusted = holm([entry.value for entry in tests])
    for entry, value in zip(tests, adjusted, strict=True):
        yield plain(
            "slope.load.p.holm", entry.factors, value, entry.n, unit="p", method="Holm over types", note=entry.note
        )


def chain_trend(study: ProspectiveStudy, condition: str) -> Iterator[Figure]:
    """Change of compliance for each further problem of a chain (x1, x3, x5), within items."""
    chains = [load for load in CHAINS if load in study.loads]
    if condition not in study.loaded_conditions or len(chains) < 2:
        return
    frame = pl.concat([study.cell(condition, load) for load in chains])
    steps = frame.with_columns(step=pl.col("load").replace_strict(CHAINS, return_dtype=pl.Int64))
    yield from _trend("trend.chain", study, steps, "step", {"condition": condition}, [], "per problem of the chain")


def _trend(
    name: str,
    study: ProspectiveStudy,
    frame: pl.DataFrame,
    step: str,
    factors: dict[str, Cell],
    tests: list[Figure],
    per: str,
) -> Iterator[Figure]:
    scored = frame.filter(pl.col("strict").is_not_null())
    tested = trend_over_levels(
        scored["strict"].cast(pl.Float64).to_numpy(),
        np.asarray(scored["item"].to_list(), dtype=np.str_),
        scored[step].cast(pl.Float64).to_numpy(),
        rng=study.stream(name, factors),
        permutations=2_000,
    )
    excluded = frame.height - scored.height
    changed = changing_items(scored["strict"].cast(pl.Float64).to_numpy(), scored["item"].to_list())
    change = ChangeTest(tested.p_value, "levels permuted within items, two-sided", changed)
    yield figure(name, factors, tested.estimate, excluded=excluded, unit="points", label=f"change {per}", tested=change)
    p = plain(
        f"{name}.p",
        factors,
        tested.p_value,
        tested.estimate.n,
        unit="p",
        method="levels permuted within items, two-sided",
        note="" if tested.p_value is not None else "fewer than two items seen at several levels",
    )
    tests.append(p)
    yield p


def avoidance_contrasts(study: ProspectiveStudy, condition: str, unloaded: str) -> Iterator[Figure]:
    """Does load cost terminal constraints more than avoidance constraints? Positive = terminal ones lose more."""
    if condition not in study.loaded_conditions:
        return
    reference, frame = study.cell(unloaded, _NONE), study.cell(condition, ALL)
    kinds = dict(frame.select("item", "category").iter_rows())
    types = dict(frame.select("item", "type").iter_rows())
    first, second = outcomes(reference, "strict"), outcomes(frame, "strict")
    items, before, under = matched_item_means(first.values, first.clusters, second.values, second.clusters)
    drops = dict(zip(items, (before - under).tolist(), strict=True))
    for rule, avoiding in AVOIDANCE.items():
        chosen = [item for item in items if kinds[item] == "terminal" or types[item] in avoiding]
        terminal = [kinds[item] == "terminal" for item in chosen]
        factors: dict[str, Cell] = {"condition": condition, "avoidance": rule}
        name = "contrast.terminal_avoidance"
        label = f"mean drop of terminal items - mean drop of {' and '.join(avoiding)} items"
        if not any(terminal) or all(terminal):
            note = "no items of one of the two kinds"
            yield plain(name, factors, None, len(chosen), unit="points", method=label, note=note)
            continue
        tested = contrast_of_groups(
            [drops[item] for item in chosen], terminal, rng=study.stream(name, factors), permutations=2_000
        )
        by_kinds = ChangeTest(tested.p_value, "kinds permuted over items, two-sided")
        yield figure(name, factors, tested.estimate, unit="points", label=label, tested=by_kinds)
        yield plain(
            f"{name}.p",
            factors,
            tested.p_value,
            len(chosen),
            unit="p",
            method="kinds permuted over items, two-sided",
            note="" if tested.p_value is not None else "fewer than two items of one kind",
        )
