"""The doctor's rules: from what was measured to what should be changed. Each is one function of plain records."""

import math
from collections.abc import Sequence

from forgetscope.benchmarks.unlearning.doctor.findings import Advice, Cost, FirstSteps, FormatBudget
from forgetscope.benchmarks.unlearning.grid.cells import CellConfig
from forgetscope.benchmarks.unlearning.grid.configuration import GridSettings
from forgetscope.benchmarks.unlearning.methods import GradientAscent, Npo, SimNpo, read_method
from forgetscope.benchmarks.unlearning.training.losses import SATURATED_BELOW
from forgetscope.benchmarks.unlearning.training.target import TargetRecord

TRIED_STEPS = 2

SWAMPED_ABOVE = 100.0
"""Gradient of the retain term over that of the forget term from which the forget term no longer matters."""

LITTLE_WEIGHT = 0.1
"""A method should let at least this share of the gradient through at the start."""

FEW_STEPS = 10

UNEQUAL_RETAIN = 1.5
"""Unique retain tokens of one subset over another's from which their difference is one of amount as well."""

UNSTABLE_BELOW = 0.05
"""A target below 5 points: relative changes rest on next to nothing (protocols.md, section 4)."""


def advise_on_saturation(trial: FirstSteps, budget: FormatBudget) -> list[Advice]:
    """A loss that has let go of its sequences before it began changes the model by rounding noise alone."""
    method = read_method(trial.settings)
    found: list[Advice] = []
    if isinstance(method, SimNpo) and (trial.saturated or 0) > 0:
        at = method.delta + math.log(1 / SATURATED_BELOW - 1) / method.beta
        enough = math.log(1 / LITTLE_WEIGHT - 1)
        beta = enough / max(budget.nll_highest - method.delta, 1e-9)
        delta = max(0.0, budget.nll_highest - enough / method.beta)
        found.append(
            Advice(
                "stop" if (trial.saturated or 0) >= 0.5 else "change",
                trial.label,
                f"{trial.saturated:.0%} of the sequences have no gradient before the first step: the target gives them"
                f" {budget.nll:.2f} nats a token, SimNPO lets go at {at:.2f}; AdamW still moves every weight, along"
                " rounding noise",
                f"beta {beta:.2g} or delta {delta:.2g} lets a tenth of the gradient through; or leave the combination"
                " out",
            )
        )
    elif (trial.saturated or 0) >= 0.5:
        found.append(
            Advice(
                "stop",
                trial.label,
                f"{trial.saturated:.0%} of the sequences have no gradient before the first step",
                "other settings of the method, or a format the target knows better",
            )
        )
    if isinstance(method, Npo) and (trial.saturated_second or 0) >= 0.5:
        found.append(
            Advice(
                "change",
                trial.label,
                f"one step at this learning rate leaves {trial.saturated_second:.0%} of the next sequences without"
                " gradient: the unlearning ends there",
                "a lower learning rate, or a lower beta",
            )
        )
    return found


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


def advise_on_npo(budgets: Sequence[FormatBudget], trials: Sequence[FirstSteps]) -> list[Advice]:
    """How far NPO goes follows from the length of the texts: it sums over tokens and lets go at a fixed sum."""
    methods = [method for trial in trials if isinstance(method := read_method(trial.settings), Npo)]
    longest = max(budget.tokens / budget.sequences for budget in budgets)
    found: list[Advice] = []
    for beta in sorted({method.beta for method in methods}):
        rise = math.log(1 / SATURATED_BELOW - 1) / beta
        if rise / longest < 1:
            found.append(
                Advice(
                    "know",
                    f"{budgets[0].corpus} NPO",
                    f"it lets go of a sequence once it is {rise:.0f} nats less likely: {rise / longest:.2g} nats a"
                    f" token at the {longest:.0f} tokens of the longest format",
                    f"beta {beta * rise / longest:.2g} lets it go on to 1 nat a token",
                )
            )
    return found


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


def advise_on_ascent(trial: FirstSteps, budget: FormatBudget, vocabulary: int) -> list[Advice]:
    """Gradient ascent knows no end."""
    guess, method = math.log(vocabulary), read_method(trial.settings)
    if not isinstance(method, GradientAscent) or method.nll_cap is not None:
        return []
    if budget.nll >= guess:
        return [
            Advice(
                "change",
                trial.label,
                f"the target gives this format {budget.nll:.1f} nats a token, worse than a blind guess ({guess:.1f}):"
                " there is nothing in it to forget",
                "another format, or a target that knows this one",
            )
        ]
    if trial.forget_nll[1] < guess:
        return []
    return [
        Advice(
            "change",
            trial.label,
            f"after one step the forget texts stand at {trial.forget_nll[1]:.1f} nats a token, beyond a blind guess"
            f" ({guess:.1f}): the model will collapse",
            f"a lower learning rate, nll_cap {guess:.1f}, or training.stop_at_forget_nll",
        )
    ]


def advise_on_endless_ascent(trials: Sequence[FirstSteps], settings: GridSettings, vocabulary: int) -> list[Advice]:
    """What two steps do not show: gradient ascent is slow to start, and then nothing stops it."""
    methods = [read_method(trial.settings) for trial in trials if trial.semantics == "proper"]
    endless = any(isinstance(method, GradientAscent) and method.nll_cap is None for method in methods)
    if not endless or settings.training.stop_at_forget_nll is not None:
        return []
    guess = math.log(vocabulary)
    return [
        Advice(
            "know",
            f"{trials[0].corpus} GA",
            f"nothing in its loss ends it: it may go on past a blind guess ({guess:.1f} nats a token), where a model"
            " babbles about everything",
            f"nll_cap {guess:.1f}, or training.stop_at_forget_nll; then read the gibberish rate",
        )
    ]


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
                "several learning_rates allow a comparison at matched forgetting",
            )
        )
    if len(settings.seeds) == 1:
        found.append(Advice("know", "seeds", "one seed: orderings may be those of chance", "three seeds or more"))
    return found


def _gb(size: int) -> str:
    return f"{size / 1e9:.1f} GB"
