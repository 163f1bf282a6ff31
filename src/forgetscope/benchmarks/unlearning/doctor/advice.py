"""The doctor's rules that hold for any method: from what was measured to what should be changed, as pure functions."""

import math
from collections.abc import Sequence

from forgetscope.benchmarks.unlearning.doctor.findings import Cost
from forgetscope.benchmarks.unlearning.grid.cells import CellConfig
from forgetscope.benchmarks.unlearning.methods.advice import Advice, FirstSteps, FormatBudget
from forgetscope.benchmarks.unlearning.settings import GridSettings
from forgetscope.benchmarks.unlearning.training.target import TargetRecord

TRIED_STEPS = 2

SWAMPED_ABOVE = 100.0
"""Gradient of the retain term over that of the forget term from which the forget term no longer matters."""

FEW_STEPS = 10

UNEQUAL_RETAIN = 1.5
"""Unique retain tokens of one subset over another's from which their difference is one of amount as well."""

UNSTABLE_BELOW = 0.05
"""A target below 5 points: relative changes rest on next to nothing (protocols.md, section 4)."""


def advise_on_divergence(trial: FirstSteps) -> list[Advice]:
    """A cell whose loss is no number ends there, with nothing to evaluate."""
    if not trial.diverged:
        return []
    return [
        Advice(
            "stop",
            trial.label,
            f"a loss or gradient is no number within {TRIED_STEPS} steps: the cell ends there",
            "a lower learning rate, or precision float32",
        )
    ]


def advise_on_balance(trials: Sequence[FirstSteps]) -> list[Advice]:
    """One loss term far above the other decides alone where the model goes."""
    swamped = [trial for trial in trials if (trial.gradient_ratio or 0) > SWAMPED_ABOVE]
    compat = [trial for trial in swamped if trial.semantics == "muse-compat"]
    found = [
        Advice(
            "change",
            trial.label,
            f"the retain term's gradient is {_times(trial.gradient_ratio)} the forget term's in the second step",
            "settle the saturation, if that is why, or lower lambda_retain",
        )
        for trial in swamped
        if trial.semantics == "proper"
    ]
    if compat:
        ratios = [trial.gradient_ratio or 0.0 for trial in compat]
        found.append(
            Advice(
                "stop",
                f"{compat[0].corpus} muse-compat",
                f"the retain term works on raw logits; its gradient is {_times(min(ratios))} the forget term's or more"
                f" in {len(compat)} combinations, so that all methods come out alike",
                "semantics proper; muse-compat only to show the flaw",
            )
        )
    return found


def _times(ratio: float | None) -> str:
    return "all there is, against nothing of" if ratio is None or math.isinf(ratio) else f"{ratio:.2g} times"


def advise_on_data(budgets: Sequence[FormatBudget], context: int) -> list[Advice]:
    """Texts that do not fit, steps that are few, retain subsets that differ in amount."""
    found: list[Advice] = []
    for budget in budgets:
        about = f"{budget.corpus} {budget.format}"
        if budget.longest > context:
            found.append(
                Advice(
                    "stop",
                    about,
                    f"a text has {budget.longest} tokens, the model attends to {context}",
                    f"data.chunk_tokens {context - 2} at most",
                )
            )
        if budget.steps < FEW_STEPS:
            found.append(
                Advice(
                    "change",
                    about,
                    f"a cell takes {budget.steps} steps, so the learning rate decides everything",
                    "more epochs, a smaller batch, or several learning_rates",
                )
            )
    sizes = budgets[0].retain_tokens if budgets else {}
    if sizes and max(sizes.values()) > UNEQUAL_RETAIN * min(sizes.values()):
        listed = ", ".join(f"{name} {tokens}" for name, tokens in sizes.items())
        found.append(
            Advice(
                "know",
                f"{budgets[0].corpus} retain subsets",
                f"they differ in unique tokens ({listed}), so their effects are also of amount",
                "data.retain.match_tokens true",
            )
        )
    return found


def advise_on_target(record: TargetRecord) -> list[Advice]:
    """What a target does not know it cannot forget."""
    found: list[Advice] = []
    if not record.passes_gate:
        found.append(Advice("stop", f"target {record.identity}", "it is below its gate", "fit it for more epochs"))
    for name, value in record.knows.items():
        if name.startswith("score.") and value is not None and value < UNSTABLE_BELOW:
            found.append(
                Advice(
                    "change",
                    f"target {record.identity}",
                    f"{name.removeprefix('score.')} is {100 * value:.1f} points: relative changes of it mean nothing",
                    "leave the measure out, or teach the target what it asks for",
                )
            )
    return found


def advise_on_cost(cost: Cost, settings: GridSettings, cells: Sequence[CellConfig]) -> list[Advice]:
    """What the machine has to say."""
    found: list[Advice] = []
    if cost.memory_bytes > cost.available_bytes:
        smaller = (
            "execution.micro_batch_size 1, execution.gradient_checkpointing true, training.lora, or more processes"
        )
        found.append(
            Advice(
                "stop",
                "memory",
                f"a worker needs about {_gb(cost.memory_bytes)}, {_gb(cost.available_bytes)} are free",
                smaller,
            )
        )
    rates = {cell.unlearning.training.learning_rate for cell in cells if cell.unlearning is not None}
    if len(rates) == 1:
        found.append(
            Advice(
                "know",
                "learning rate",
                f"all cells share one ({next(iter(rates)):g}); methods forget to different degrees at the same rate",
                "several learning_rates, and execution.evaluate_epochs: true, compare them at equal forgetting",
            )
        )
    if len(settings.seeds) == 1:
        found.append(Advice("know", "seeds", "one seed: orderings may be those of chance", "three seeds or more"))
    return found


def _gb(size: int) -> str:
    return f"{size / 1e9:.1f} GB"
