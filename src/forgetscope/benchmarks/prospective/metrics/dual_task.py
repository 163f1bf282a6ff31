"""What the format costs the task: accuracy and its cost under the paper's and the repaired scorer (Table 3, figure 9).

An accuracy is over replies with text. Where the repaired scorer finds no answer to read, the task was not seen to be
done: it counts as not right, and the share of such replies stands beside it (`task.unread`). Costs are task only
minus condition on the same load items in the same run: positive = the format cost accuracy. Clusters are load items
(of a chain, its first problem).
"""

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from forgetscope.benchmarks.prospective.data.conditions import TASK_ONLY
from forgetscope.benchmarks.prospective.metrics.study import (
    ALL,
    SAME_SENDING,
    ProspectiveStudy,
    outcomes,
    rate,
    task_account,
)
from forgetscope.core.outcomes import Status
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import bound_figures, figure, plain
from forgetscope.stats import clustered_mean, macro_average, ratio_of_sums
from forgetscope.stats.change_test import change_test

SCORERS = ("paper", "repaired")
_SUMMARY = "cnn_dailymail"
_KEYS = list(SAME_SENDING)


def task_figures(study: ProspectiveStudy) -> Iterator[Figure]:
    """Accuracy of every loaded cell, and the cost of the format where the task was also run alone."""
    conditions = [name for name in (TASK_ONLY, *study.worked_conditions) if not study.cell(name, ALL).is_empty()]
    for condition in conditions:
        for load in study.loads:
            frame = _scored(study.cell(condition, load))
            if not frame.is_empty():
                yield from accuracy_figures(study, frame, {"condition": condition, "load": load})
        yield from average_accuracy(study, condition)
    if TASK_ONLY not in conditions:
        return
    for condition in study.worked_conditions:
        for load in (*study.loads, ALL):
            alone, under = _scored(study.cell(TASK_ONLY, load)), _scored(study.cell(condition, load))
            if not alone.is_empty() and not under.is_empty():
                yield from cost_figures(study, alone, under, {"condition": condition, "load": load})


def _scored(frame: pl.DataFrame) -> pl.DataFrame:
    """With `paper` and `repaired` as 0/1 over replies with text, and the parts of a chain as their mean."""
    has_text = pl.col("task_paper").is_not_null()
    parts = pl.col("task_parts").list.eval(pl.element().fill_null(value=False).cast(pl.Float64)).list.mean()
    return frame.with_columns(
        paper=pl.col("task_paper").cast(pl.Float64),
        repaired=pl.when(has_text).then(pl.col("task_repaired").fill_null(value=False).cast(pl.Float64)),
        unread=pl.when(has_text).then(pl.col("task_repaired").is_null().cast(pl.Float64)),
        per_problem=pl.when(has_text).then(parts),
        rouge_paper=pl.col("task_score_paper"),
        rouge_repaired=pl.when(has_text).then(pl.col("task_score_repaired").fill_null(0.0)),
    )


def accuracy_figures(study: ProspectiveStudy, frame: pl.DataFrame, factors: dict[str, Cell]) -> Iterator[Figure]:
    """Accuracy under both scorers, completed accuracy, unread replies, problems of a chain, ROUGE-L of summaries."""
    for name, column, label in (
        ("task.accuracy.paper", "paper", "right over replies with text, the paper's scorer"),
        ("task.accuracy.repaired", "repaired", "right over replies with text, repaired scorer, unread = not right"),
        ("task.unread", "unread", "replies with text in which the repaired scorer finds no answer"),
    ):
        found = outcomes(frame, column, cluster="load_item")
        estimate = rate(found)
        yield figure(name, factors, estimate, excluded=found.excluded, label=label)
    name = "task.accuracy.completed"
    done = frame.filter(pl.col("task_status").is_in([Status.CORRECT.value, Status.INCORRECT.value]))
    found = outcomes(
        done.with_columns(right=pl.col("task_status") == Status.CORRECT.value), "right", cluster="load_item"
    )
    estimate = rate(found)
    excluded = frame.height - done.height
    yield figure(name, factors, estimate, excluded=excluded, label="correct / (correct + incorrect), repaired scorer")
    missing = study.missing(str(factors["condition"]), str(factors["load"]))
    yield from bound_figures(name, factors, task_account(frame, missing))
    load = factors["load"]
    graded: tuple[tuple[str, str, str], ...] = ()
    if load in ("gsm8k_x3", "gsm8k_x5"):
        graded = (("task.per_problem", "per_problem", "problems right of all problems of the chains, repaired scorer"),)
    elif load == _SUMMARY:
        graded = (
            ("task.rouge_l.paper", "rouge_paper", "mean ROUGE-L F1 of the whole reply"),
            ("task.rouge_l.repaired", "rouge_repaired", "mean ROUGE-L F1 of the summary part where it can be found"),
        )
    for name, column, label in graded:
        found = outcomes(frame, column, cluster="load_item")
        mean = clustered_mean(found.values, found.clusters)
        yield figure(name, factors, mean, excluded=found.excluded, label=label)


def average_accuracy(study: ProspectiveStudy, condition: str) -> Iterator[Figure]:
    """Table 3's average: unweighted mean over the loads that were run, both scorers.

    The paper does not say which tasks its average holds; ours holds every load of the run.
    """
    frame = _scored(study.cell(condition, ALL))
    for scorer in SCORERS:
        factors: dict[str, Cell] = {"condition": condition, "scorer": scorer}
        kept = frame.filter(pl.col(scorer).is_not_null())
        found = outcomes(kept, scorer, cluster="load_item")
        estimate = macro_average(found.values, found.clusters, kept["load"].to_list(), nested=False)
        label = "unweighted mean over loads"
        excluded = frame.height - kept.height
        yield figure("task.accuracy.average", factors, estimate, excluded=excluded, label=label)


def cost_figures(
    study: ProspectiveStudy, alone: pl.DataFrame, under: pl.DataFrame, factors: dict[str, Cell]
) -> Iterator[Figure]:
    """Cost under both scorers, what of the paper's cost is the parser's doing, and that as a share."""
    columns = ["paper", "repaired", "rouge_paper", "rouge_repaired"]
    pairs = (
        under.select(*_KEYS, "load_item", *columns)
        .join(alone.select(*_KEYS, *columns), on=_KEYS, suffix="_alone")
        .with_columns(**{f"cost_{column}": pl.col(f"{column}_alone") - pl.col(column) for column in columns})
        .with_columns(artefact=pl.col("cost_paper") - pl.col("cost_repaired"))
        .sort(_KEYS)
    )
    missing = under.height - pairs.height
    paper = _mean_of("task.cost.paper", "cost_paper", study, pairs, factors, missing, 1.0)
    yield paper
    yield _mean_of("task.cost.repaired", "cost_repaired", study, pairs, factors, missing, 1.0)
    yield _mean_of("task.artefact", "artefact", study, pairs, factors, missing, 2.0)
    yield _artefact_share(pairs, factors, paper)
    if factors["load"] == _SUMMARY:
        for scorer in SCORERS:
            column = f"cost_rouge_{scorer}"
            yield _mean_of(f"task.cost.rouge_l.{scorer}", column, study, pairs, factors, missing, 1.0)


def _mean_of(
    name: str,
    column: str,
    study: ProspectiveStudy,
    pairs: pl.DataFrame,
    factors: dict[str, Cell],
    missing: int,
    reach: float,
) -> Figure:
    found = outcomes(pairs, column, cluster="load_item")
    estimate = clustered_mean(found.values, found.clusters, kind="difference", reach=reach)
    label = {
        "artefact": "paper's cost - repaired cost, same pairs",
    }.get(column, "task only - condition, same load items and run")
    tested = change_test(found.values, found.clusters, rng=study.stream(f"{name}.sign_flip", factors))
    excluded = found.excluded + missing
    return figure(name, factors, estimate, excluded=excluded, unit="points", label=label, tested=tested)


def _artefact_share(pairs: pl.DataFrame, factors: dict[str, Cell], paper: Figure) -> Figure:
    """The parser's part of the paper's cost; undefined unless that cost is shown to be above zero.

    1 = all of it is the parser's doing, 0 = none, below 0 = the parser hides cost.
    """
    name, label = "task.artefact.share", "(paper's cost - repaired cost) / paper's cost"
    if paper.low is None or paper.low <= 0:
        note = "the cost under the paper's scorer is not shown to be above zero"
        return plain(name, factors, None, paper.n, unit="ratio", method=label, note=note, excluded=paper.excluded)
    kept = pairs.drop_nulls(["cost_paper", "cost_repaired"])
    above, below = outcomes(kept, "artefact", cluster="load_item"), outcomes(kept, "cost_paper", cluster="load_item")
    found = ratio_of_sums(above.values, below.values, above.clusters, kind="unbounded")
    estimate = replace(found, n=kept.height)
    return figure(name, factors, estimate, excluded=paper.excluded, unit="ratio", label=label)
