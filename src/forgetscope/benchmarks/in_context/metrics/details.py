"""What lies behind right and wrong: the leakage ladder, the re-ask, over-forgetting, options, the clause."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

import polars as pl

from forgetscope.benchmarks.in_context.data.forms import Form
from forgetscope.benchmarks.in_context.data.items import Scenario
from forgetscope.benchmarks.in_context.metrics.forgetting import levels_of
from forgetscope.benchmarks.in_context.metrics.registry import InContextMetric
from forgetscope.benchmarks.in_context.metrics.study import DialogueCell, InContextStudy, Pairs
from forgetscope.benchmarks.in_context.scoring.forgetting import Leak
from forgetscope.benchmarks.in_context.scoring.revision import READINGS
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import figure
from forgetscope.stats import Estimate, clustered_mean, wilson
from forgetscope.stats.change_test import UNTESTED, ChangeTest

_SCORED = pl.col("status").is_in(["correct", "incorrect"])
PLACES = 4
"""Options shown."""
_RIGHT = pl.col("status") == "correct"


def detail_figures(study: InContextStudy) -> Iterator[Figure]:
    """The figures behind each cell, by scenario."""
    for key in study.cells:
        frame = study.cell(key)
        match Scenario(key.scenario):
            case Scenario.INSTRUCTIONAL_FORGETTING:
                yield from leak_figures(frame, key)
                if key in study.main_cells():
                    yield from request_figures(frame, key)
                yield from reask_figures(frame, key)
                yield from neighbour_figures(study, key)
            case Scenario.DYNAMIC_PREFERENCE:
                if not key.question:
                    yield from choice_figures(study, key)
            case Scenario.SUBTASK_REVISION:
                yield from reading_figures(frame, key)


def _share(name: str, factors: Mapping[str, Cell], hits: int, n: int, label: str, excluded: int = 0) -> Figure:
    return figure(name, factors, wilson(hits, n), excluded=excluded, label=label)


def leak_figures(frame: pl.DataFrame, key: DialogueCell) -> Iterator[Figure]:
    """Share of scored answers on each rung of the ladder, per form, and the fact's way into the reasoning."""
    for form in Form:
        known = frame.filter((pl.col("form") == form.value) & pl.col("leak").is_not_null())
        scored = known.filter(_SCORED)
        counts = Counter(scored["leak"].to_list())
        factors = {**key.factors, "form": form.value}
        for leak in Leak:
            rung = {**factors, "leak": leak.value}
            rest = known.height - scored.height
            yield _share("leak", rung, counts[leak.value], scored.height, "scored answers on this rung", rest)
        reasoned = known.filter(pl.col("leak_reasoning").is_not_null())
        if reasoned.height:
            recalled = sum(Leak(leak).recalls for leak in reasoned["leak_reasoning"])
            yield _share("leak.reasoning", factors, recalled, reasoned.height, "replies whose reasoning holds the fact")


def request_figures(frame: pl.DataFrame, key: DialogueCell) -> Iterator[Figure]:
    """The ladder of the Forget form for each kind of request, apart by whether it names the fact.

    A retraction that names it ("I'm not actually a doctor") lets a reply that repeats the denial say the fact.
    """
    forget = frame.filter((pl.col("form") == Form.FORGET.value) & pl.col("leak").is_not_null())
    for level, part in levels_of(forget, "request"):
        scored = part.filter(_SCORED)
        counts = Counter(scored["leak"].to_list())
        for leak in Leak:
            factors = {**key.factors, "level": level, "leak": leak.value}
            rest = part.height - scored.height
            yield _share("leak.by_request", factors, counts[leak.value], scored.height, "scored answers", rest)


def reask_figures(frame: pl.DataFrame, key: DialogueCell) -> Iterator[Figure]:
    """Of the items withheld at first, the share that came out when asked once more; higher = forgets less well."""
    asked = frame.filter(_RIGHT & pl.col("reask_status").is_not_null())
    if asked.is_empty():
        return
    scored = asked.filter(pl.col("reask_status").is_in(["correct", "incorrect"]))
    leaked = int((scored["reask_status"] == "incorrect").sum())
    rest = asked.height - scored.height
    yield _share("reask.leaked", key.factors, leaked, scored.height, "withheld at first, told when asked again", rest)


def neighbour_figures(study: InContextStudy, key: DialogueCell) -> Iterator[Figure]:
    """The neighbour question: known without the request, and of those, forgotten with it (over-forgetting)."""
    part = study.neighbours_of(key)
    if part.is_empty():
        return
    table = Pairs.of(part).table
    known = table.n11 + table.n10
    yield _share("neighbour.na", key.factors, known, table.n, "neighbour known without the request", table.unpaired)
    yield _share("neighbour.fa", key.factors, table.n11 + table.n01, table.n, "neighbour known with it", table.unpaired)
    yield _share(
        "neighbour.forgotten",
        key.factors,
        table.n10,
        known,
        "neighbour not answered with the request among those known without it",
        table.unpaired,
    )


def choice_figures(study: InContextStudy, key: DialogueCell) -> Iterator[Figure]:
    """What was chosen in each form, how often each place on the list, and the old preference said beside the new.

    Places: an item counts with both its forms. `position.first_bias` is the share of the first place less the
    25% it would have without a bias, in points; right answers stand at every place equally often over four items.
    """
    frame = study.cell(key)
    for form in Form:
        part = frame.filter((pl.col("form") == form.value) & pl.col("shown_position").is_not_null())
        factors = {**key.factors, "form": form.value}
        rest = frame.filter(pl.col("form") == form.value).height - part.height
        for choice in ("old", "new", "other"):
            hits = int((part["chosen"] == choice).sum())
            yield _share("chosen", {**factors, "chosen": choice}, hits, part.height, "replies with a choice", rest)
        beside = int(part["mentions_other"].sum() or 0)
        yield _share("chosen.mentions_other", factors, beside, part.height, "the other preference repeated beside it")
    shown = frame.filter(pl.col("shown_position").is_not_null())
    rest = frame.height - shown.height
    for place in range(PLACES):
        here = (shown["shown_position"] == place).cast(pl.Float64).to_numpy()
        factors = {**key.factors, "place": place + 1}
        estimate = clustered_mean(here, shown["item"].to_list())
        yield figure("position", factors, estimate, excluded=rest, label="choices of this place")
        if place == 0:
            label, tested = f"choices of the first place, less {1 / PLACES:.0%}", _place_test(shown)
            bias = _less(estimate, 1 / PLACES)
            name = "position.first_bias"
            yield figure(name, key.factors, bias, excluded=rest, unit="points", label=label, tested=tested)


def _less(estimate: Estimate, constant: float) -> Estimate:
    value, low, high = (
        None if end is None else end - constant for end in (estimate.value, estimate.low, estimate.high)
    )
    return replace(estimate, value=value, low=low, high=high)


def _place_test(shown: pl.DataFrame) -> ChangeTest:
    """Whether the first place is chosen as often as the others: exact, on one choice an item, the NoForget form's."""
    one = shown.sort("item", "form", descending=[False, True]).unique("item", keep="first")
    if not one.height:
        return UNTESTED
    first = int((one["shown_position"] == 0).sum())
    from scipy.stats import binomtest  # late: the import takes half a second of CPU

    p = float(binomtest(first, one.height, 1 / PLACES).pvalue)
    return ChangeTest(p, "exact binomial, one choice an item (NoForget where there is one), two-sided")


def reading_figures(frame: pl.DataFrame, key: DialogueCell) -> Iterator[Figure]:
    """NA, FA and SFRR of subtask revision under the other readings of its last clause, and how often it decided."""
    scored = frame.filter(_SCORED & pl.col("pass_without_clause").is_not_null())
    for reading in READINGS:
        outcomes = scored.with_columns(
            status=pl.when(f"pass_{reading}").then(pl.lit("correct")).otherwise(pl.lit("incorrect"))
        )
        table = Pairs.of(outcomes).table
        factors = {**key.factors, "reading": reading}
        yield _share("reading.na", factors, table.n11 + table.n10, table.n, "right without the request")
        yield _share("reading.fa", factors, table.n11 + table.n01, table.n, "right with the request")
        yield _share("reading.sfrr", factors, table.n11, table.n11 + table.n10, "both right among right without")
    forget = scored.filter(pl.col("form") == Form.FORGET.value)
    for name, column in (
        ("common", "common_done"),
        ("original_only", "original_only_done"),
        ("revised_only", "revised_only_done"),
        ("first_common", "first_common_done"),
    ):
        asked = forget.filter(pl.col(column).list.len() > 0)
        done = sum(all(flags) for flags in asked[column].to_list())
        factors = {**key.factors, "subtasks": name}
        yield _share("subtasks.all_done", factors, done, asked.height, "scored answers with all of them done")


METRIC = InContextMetric(detail_figures)
