"""Does it matter how connector, heading and reminder are worded? Each other phrasing against the first (ours)."""

from collections.abc import Iterator

import polars as pl

from forgetscope.benchmarks.prospective.metrics.study import ALL, SAME_SENDING, ProspectiveStudy, outcomes, rate
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure, plain, with_holm
from forgetscope.stats import clustered_mean
from forgetscope.stats.change_test import change_test


def wording_figures(study: ProspectiveStudy) -> Iterator[Figure]:
    """Compliance of every phrasing over all loads, its difference to the first on the same samples, and the range.

    The p-values of the differences are one Holm family.
    """
    frame = study.experiment("wordings")
    effects: list[Figure] = []
    rates: dict[tuple[str, str], list[float]] = {}
    for (condition, wording), part in (
        frame.sort("condition", "wording").partition_by("condition", "wording", as_dict=True).items()
    ):
        name, _, phrasing = str(wording).partition("=")
        factors: dict[str, Cell] = {"condition": str(condition), "part": name, "phrasing": int(phrasing)}
        found = outcomes(part, "strict")
        entry = figure("wording.compliance", factors, rate(found), excluded=found.excluded, label="over all loads")
        yield entry
        first = outcomes(study.cell(str(condition), ALL), "strict")
        if entry.value is not None and first.mean is not None:
            rates.setdefault((str(condition), name), [first.mean]).append(entry.value)
        effects.append(_effect(study, part, factors))
    yield from with_holm(effects, "all phrasings")
    for (condition, name), values in rates.items():
        width, method = max(values) - min(values), "highest - lowest rate of the phrasings, the first included"
        yield plain(
            "wording.range", {"condition": condition, "part": name}, width, len(values), unit="points", method=method
        )


def _effect(study: ProspectiveStudy, part: pl.DataFrame, factors: dict[str, Cell]) -> Figure:
    """A phrasing minus the first, on the same item, load and run; items weigh the same."""
    keys = list(SAME_SENDING)
    first = study.cell(str(factors["condition"]), ALL).select(*keys, first=pl.col("strict").cast(pl.Float64))
    both = part.join(first, on=keys).with_columns(change=pl.col("strict").cast(pl.Float64) - pl.col("first"))
    items = both.group_by("item").agg(pl.col("change").mean()).sort("item")
    found = outcomes(items, "change")
    estimate = clustered_mean(found.values, found.clusters, kind="difference", reach=1.0)
    tested = change_test(found.values, found.clusters, rng=study.stream("wording.sign_flip", factors))
    excluded = part.height - both["change"].drop_nulls().len()
    label = "phrasing - first, the same item, load and run"
    return figure("wording.effect", factors, estimate, excluded=excluded, unit="points", label=label, tested=tested)
