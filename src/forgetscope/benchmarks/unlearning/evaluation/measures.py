"""The measures by name, and a model put to those its settings ask for."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from forgetscope.benchmarks.unlearning.evaluation.attacks import (
    relearned,
    relearned_elsewhere,
    rounded_4,
    rounded_8,
)
from forgetscope.benchmarks.unlearning.evaluation.base import LIKELIHOOD_SCHEMA, SAMPLE_SCHEMA, Measured, Subject
from forgetscope.benchmarks.unlearning.evaluation.knowledge import knowledge, paraphrases
from forgetscope.benchmarks.unlearning.evaluation.likelihood import likelihood
from forgetscope.benchmarks.unlearning.evaluation.privacy import membership_auc
from forgetscope.benchmarks.unlearning.evaluation.relearning import relearning
from forgetscope.benchmarks.unlearning.evaluation.truth_ratio import truth_ratio
from forgetscope.benchmarks.unlearning.evaluation.utility import utility
from forgetscope.benchmarks.unlearning.evaluation.verbatim import retain_verbatim, verbatim
from forgetscope.benchmarks.unlearning.settings import MeasureName
from forgetscope.core.results import build_table

MEASURES: Mapping[MeasureName, Callable[[Subject], Measured]] = {
    "verbatim": verbatim,
    "knowledge": knowledge,
    "likelihood": likelihood,
    "paraphrases": paraphrases,
    "retain_verbatim": retain_verbatim,
    "truth_ratio": truth_ratio,
    "relearning": relearning,
    "utility": utility,
    "rounded_8": rounded_8,
    "rounded_4": rounded_4,
    "relearned": relearned,
    "relearned_elsewhere": relearned_elsewhere,
}

GENERATING: frozenset[MeasureName] = frozenset(
    {
        *("verbatim", "knowledge", "paraphrases", "retain_verbatim"),
        *("rounded_8", "rounded_4", "relearned", "relearned_elsewhere"),
    }
)
"""Measures whose samples are counted as lost where there is no model; the others then give nothing."""

COLLAPSED_ABOVE = 0.5
"""Share of gibberish among the answers about what should be kept from which a model counts as collapsed."""


@dataclass(frozen=True)
class Evaluation:
    """What an evaluation gives, measures and all: see `Measured`."""

    samples: pl.DataFrame
    likelihoods: pl.DataFrame
    figures: dict[str, float | None]
    by_question: dict[str, dict[str, float]]


def evaluate(subject: Subject) -> Evaluation:
    """The subject put to every measure its settings ask for."""
    names = [name for name in subject.settings.measures if not subject.failure or name in GENERATING]
    measured = [MEASURES[name](subject) for name in names]
    samples = build_table([row for one in measured for row in one.samples], SAMPLE_SCHEMA)
    likelihoods = pl.DataFrame(
        [row for one in measured for row in one.likelihoods], schema=LIKELIHOOD_SCHEMA, orient="row"
    )
    figures = {name: value for one in measured for name, value in one.figures.items()}
    by_question = {name: values for one in measured for name, values in one.by_question.items()}
    figures = {**_of_samples(samples), **_of_likelihoods(likelihoods), **figures}
    return Evaluation(samples, likelihoods, figures, by_question)


def _of_samples(samples: pl.DataFrame) -> dict[str, float | None]:
    """Mean score and share of gibberish of each measure, and whether the model has collapsed."""
    figures: dict[str, float | None] = {}
    babbled: defaultdict[str, list[bool]] = defaultdict(list)
    for (measure,), part in samples.group_by("measure", maintain_order=True):
        scores = part["score"].drop_nulls()
        figures[f"score.{measure}"] = float(scores.sum()) / len(scores) if len(scores) else None
        gibberish = part["gibberish"].drop_nulls().to_list()
        figures[f"gibberish.{measure}"] = sum(gibberish) / len(gibberish) if gibberish else None
        if measure in ("knowledge_low", "knowledge_high", "knowledge_world", "knowledge_retain"):
            babbled["kept"] += gibberish
    if babbled["kept"]:
        share = sum(babbled["kept"]) / len(babbled["kept"])
        figures["gibberish.kept"] = share
        figures["collapsed"] = float(share > COLLAPSED_ABOVE)
    return figures


def _of_likelihoods(rows: pl.DataFrame) -> dict[str, float | None]:
    """Areas under the curve of the two membership attacks, where there are holdout texts."""
    forget, holdout = (rows.filter(pl.col("kind") == kind) for kind in ("forget", "holdout"))
    if not len(forget) or not len(holdout):
        return {}
    by_loss = membership_auc(
        (forget["nll"] / forget["tokens"]).to_list(), (holdout["nll"] / holdout["tokens"]).to_list()
    )
    return {"auc.loss": by_loss, "auc.min_k": membership_auc(forget["min_k"].to_list(), holdout["min_k"].to_list())}
