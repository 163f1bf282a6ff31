"""What a plan would cost and could find, before anything is sent."""

from collections.abc import Mapping
from dataclasses import dataclass

from forgetscope.benchmarks.base import Plan, PlannedCell
from forgetscope.running.costs.prices import Price, Tokens, cost, required_price
from forgetscope.stats.power import detectable_paired

CHANGING = 0.2
"""Share of items taken to change between two runs, or two conditions, when a plan says what it could find."""


@dataclass(frozen=True, slots=True)
class HighestCost:
    """US dollars of a plan with one model: of its prompts, and of replies that all reach the limit. Without judges."""

    model: str
    prompts: float
    replies: float

    @property
    def total(self) -> float:
        """Both together."""
        return self.prompts + self.replies


def highest_costs(plan: Plan, model: str | None, prices: Mapping[str, Price]) -> tuple[HighestCost, ...]:
    """The cost of a plan with a model, or without one named, with every model that has a price; none without prices.

    Raises:
        SettingError: prices are given and the model has none.
    """
    if not prices:
        return ()
    priced = prices if model is None else {model: required_price(prices, model, "--prices")}
    return tuple(
        HighestCost(
            name,
            cost(price, Tokens(input=plan.prompt_tokens)),
            cost(price, Tokens(output=plan.calls * plan.max_tokens)),
        )
        for name, price in priced.items()
    )


BYTES_A_SAMPLE, BYTES_A_TOKEN = 4000, 3
"""Of a log, packed: what a sample takes beside its prompt, and a token of it (measured: 2 to 4 of prose)."""

CPU_SECONDS_A_SAMPLE, CPU_SECONDS_A_TOKEN = 0.02, 2e-6
"""Of one core, beside the model: to send a sample, log it, read it back and score it."""


@dataclass(frozen=True, slots=True)
class OwnCost:
    """What a run takes beside its models: bytes of its logs, seconds of one core. To a factor of two."""

    log_bytes: float
    seconds: float


def own_cost(plan: Plan) -> OwnCost:
    """What a run of a plan takes on this machine beside its models; prompts are logged once for each sample."""
    samples, tokens = plan.samples, plan.prompt_tokens
    return OwnCost(
        BYTES_A_SAMPLE * samples + BYTES_A_TOKEN * tokens,
        CPU_SECONDS_A_SAMPLE * samples + CPU_SECONDS_A_TOKEN * tokens,
    )


def detectable_in(cell: PlannedCell) -> float | None:
    """The smallest paired difference found over a cell's items, in proportions; None for too few items."""
    return detectable_paired(cell.pairs, CHANGING)


PROMPT_TOKENS_PER_SECOND = 1500.0
"""Prompt reading of SmolLM2-135M on two cores; a rough figure for estimates."""


def estimated_seconds(model: str, samples: int, prompt_tokens: int, max_tokens: int) -> float | None:
    """Seconds for a run whose replies all reach the limit; None where the model's speed is not known."""
    if model.startswith("forgetscope/reference/"):
        return samples * 0.02
    if model.startswith(("forgetscope/smollm2", "forgetscope/gguf")):
        from forgetscope.models.local import estimated_tokens_per_second

        return samples * max_tokens / estimated_tokens_per_second() + prompt_tokens / PROMPT_TOKENS_PER_SECOND
    return None
