"""Figures of the models themselves: how likely texts are to them, what their training did, what an attacker would see.

They come from the results of cells, not from samples. A cell trained with several seeds is their mean; where one of
them is undefined, so is the mean.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from forgetscope.benchmarks.unlearning.evaluation.forget_quality import FORGET_RATIOS, ks_forget_quality
from forgetscope.benchmarks.unlearning.evaluation.privacy import privacy_leakage
from forgetscope.benchmarks.unlearning.grid.cells import CellResult, TrainingSummary
from forgetscope.benchmarks.unlearning.metrics.study import MEASURES, CellKey
from forgetscope.findings.figures import Cell, Figure, Unit
from forgetscope.findings.measures import plain

MEASURED: Mapping[str, tuple[Unit, str]] = {
    "nll.forget": ("ratio", "nats a token of the forget chunks, raw"),
    "nll.forget_format": ("ratio", "nats a token of the forget texts as trained on"),
    "nll.retain_low": ("ratio", "nats a token of the retain chunks of low entanglement"),
    "nll.retain_high": ("ratio", "nats a token of the retain chunks of high entanglement"),
    "nll.retain": ("ratio", "nats a token of the retain chunks in neither subset"),
    "nll.holdout": ("ratio", "nats a token of text no model has seen"),
    "extraction_strength.forget": ("proportion", "mean share of a forget chunk completed by greedy decoding"),
    "saturated": ("proportion", "share of forget sequences without gradient after training"),
    "gibberish.kept": ("proportion", "share of answers about what should be kept that are gibberish"),
    "auc.loss": ("proportion", "area under the ROC curve, forget against holdout, by loss"),
    "auc.min_k": ("proportion", "area under the ROC curve, forget against holdout, by Min-K"),
    "auc.min_k_plus": ("proportion", "area under the ROC curve, forget against holdout, by Min-K%++"),
    "truth_ratio.forget": ("ratio", "mean of min(R, 1/R) over the forget questions, R as open-unlearning has it"),
    "truth_ratio_tofu.forget": ("ratio", "mean of min(R, 1/R) over the forget questions, R as TOFU's paper has it"),
    "relearning.nll.before": ("ratio", "nats a token of the watched forget chunks"),
    "relearning.nll.after": ("ratio", "nats a token of the watched forget chunks after relearning others"),
    "relearning.recovered": ("proportion", "share of the rise over the target that relearning undoes"),
}
"""Figures that a cell's evaluation leaves, with their unit and what they are."""


NOT_KEPT = "truth ratios of single questions were not kept when these cells were run"

BETWEEN = ("privacy_leakage", "forget_quality", "ks_target")
"""Figures of a cell beside another model, by name."""

ELSEWHERE = ("gibberish.", "extraction_strength.", "collapsed")
"""Figures of a cell that stand in no table of models: the sample table has them too, or they follow from others."""


def further_figures(results: Sequence[CellResult]) -> tuple[str, ...]:
    """Names of what cells were measured by beyond `MEASURED` and the five measures: yours too, if you added one."""
    shown = {*MEASURED, *(f"score.{measure}" for measure in MEASURES)}
    names = dict.fromkeys(name for result in results for name in result.figures)
    return tuple(name for name in names if name not in shown and not name.startswith(ELSEWHERE))


def model_figures(results: Sequence[CellResult], keys: Mapping[str, CellKey | str]) -> Iterator[Figure]:
    """`model.NAME` of every unlearned cell and `training.NAME` of its training; `model.as_is.NAME` of the others.

    Args:
        results: Of finished cells.
        keys: By cell id the cell without its seed; of a model evaluated as it is, its corpus.
    """
    groups: defaultdict[tuple[str, CellKey | str], list[CellResult]] = defaultdict(list)
    for result in results:
        groups[result.config.role, keys[result.id]].append(result)
    never_knew = {key: found for (role, key), found in groups.items() if role == "retain_only"}
    targets = {key: found for (role, key), found in groups.items() if role == "target"}
    for (role, key), found in groups.items():
        factors: dict[str, Cell] = {"corpus": key, "role": role} if isinstance(key, str) else key.factors
        name = "model" if isinstance(key, CellKey) else "model.as_is"
        further: Mapping[str, tuple[Unit, str]] = {
            figure: ("proportion", "mean ROUGE-L F1") if figure.startswith("score.") else ("ratio", "as measured")
            for figure in further_figures(found)
        }
        for figure, (unit, what) in {**MEASURED, **further}.items():
            if any(figure in result.figures for result in found):
                yield _mean(f"{name}.{figure}", factors, [result.figures.get(figure) for result in found], unit, what)
        if isinstance(key, CellKey):
            yield from _training_figures(factors, [result.training for result in found if result.training])
        if role != "retain_only":
            corpus = key if isinstance(key, str) else key.corpus
            yield from _leakage(f"{name}.privacy_leakage", factors, found, never_knew.get(corpus, []))
            yield from _forget_quality(f"{name}.forget_quality", factors, found, never_knew.get(corpus, []))
        if isinstance(key, CellKey) and key.corpus not in never_knew:
            yield from _forget_quality("model.ks_target", factors, found, targets.get(key.corpus, []))


def _mean(name: str, factors: Mapping[str, Cell], values: Sequence[float | None], unit: Unit, what: str) -> Figure:
    known = [value for value in values if value is not None]
    whole = len(known) == len(values)
    value = sum(known) / len(known) if known and whole else None
    note = "" if whole else f"undefined for {len(values) - len(known)} of {len(values)} models"
    return plain(name, factors, value, len(known), unit=unit, method=what, excluded=len(values) - len(known), note=note)


def _training_figures(factors: Mapping[str, Cell], runs: Sequence[TrainingSummary]) -> Iterator[Figure]:
    fields: Mapping[str, tuple[Unit, str, Sequence[float | None]]] = {
        "steps": ("count", "optimiser steps", [run.steps for run in runs]),
        "unique_retain_tokens": ("tokens", "of the KL texts, each once", [run.unique_retain_tokens for run in runs]),
        "nll_first": ("ratio", "nats a token of the forget texts, first epoch", [run.forget_nll_first for run in runs]),
        "nll_last": ("ratio", "nats a token of the forget texts, last epoch", [run.forget_nll_last for run in runs]),
        "saturated_first": ("proportion", "without gradient, first epoch", [run.saturated_first for run in runs]),
        "saturated_last": ("proportion", "without gradient, last epoch", [run.saturated_last for run in runs]),
        "gradient_ratio": ("ratio", "retain over forget, median of steps", [run.gradient_ratio for run in runs]),
    }
    for name, (unit, what, values) in fields.items():
        if any(value is not None for value in values):
            yield _mean(f"training.{name}", factors, values, unit, what)


def _leakage(
    name: str, factors: Mapping[str, Cell], found: Sequence[CellResult], never_knew: Sequence[CellResult]
) -> Iterator[Figure]:
    """MUSE's PrivLeak by Min-K, against the model that never knew the forget side."""
    if not never_knew:
        return
    ideal = never_knew[0].figures.get("auc.min_k")
    values = [privacy_leakage(result.figures.get("auc.min_k"), ideal) for result in found]
    yield _mean(name, factors, values, "ratio", "(area - area of the retain-only model) / that area, by Min-K")


def _forget_quality(
    name: str, factors: Mapping[str, Cell], found: Sequence[CellResult], beside: Sequence[CellResult]
) -> Iterator[Figure]:
    """p of the Kolmogorov-Smirnov test of the forget questions' truth ratios, against those of another model.

    TOFU's forget quality where that model never knew; a cell of several seeds has their mean.
    """
    if not beside or not any(FORGET_RATIOS in result.figures for result in found):
        return
    what = "p of a two-sided KS test of truth ratios"
    ratios = [result.by_question.get(FORGET_RATIOS, {}) for result in (beside[0], *found)]
    if not all(ratios):
        note = NOT_KEPT
    elif len({frozenset(one) for one in ratios}) > 1:
        note = "not every forget question has a truth ratio of both models"
    else:
        other, *own = (list(one.values()) for one in ratios)
        yield _mean(name, factors, [ks_forget_quality(one, other) for one in own], "p", what)
        return
    yield plain(name, factors, None, 0, unit="p", method=what, note=note)
