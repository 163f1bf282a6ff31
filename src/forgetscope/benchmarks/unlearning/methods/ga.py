"""Gradient ascent: make the forget text less likely, without limit unless one is set."""

import math
from typing import ClassVar, Literal

from pydantic import Field
from torch import Tensor

from forgetscope.benchmarks.unlearning.methods.advice import Advice, FirstSteps, FormatBudget, Outlook
from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.methods.terms import LossTerms
from forgetscope.benchmarks.unlearning.training import losses


class GradientAscent(Method):
    """E1 of `losses`. Nothing stops it: the only one of the three that can ruin the model by itself.

    Attributes:
        nll_cap: Tokens with a negative log-likelihood above this, in nats, give no more gradient; None as published.
            The logarithm of the vocabulary's size is that of a blind guess.
    """

    title: ClassVar[str] = "GA"

    kind: Literal["ga"] = "ga"
    nll_cap: float | None = Field(default=None, gt=0)

    def forget_loss(self, terms: LossTerms) -> Tensor:
        """Minus the cross-entropy, mean over the tokens of the effective batch."""
        log_probabilities = terms.log_probabilities
        if self.nll_cap is not None:
            log_probabilities = log_probabilities.clamp_min(-self.nll_cap)
        return losses.gradient_ascent(log_probabilities, terms.mask, tokens=terms.tokens)

    def advice(self, trial: FirstSteps, budget: FormatBudget, vocabulary: int) -> list[Advice]:
        """Gradient ascent knows no end."""
        guess = math.log(vocabulary)
        if self.nll_cap is not None:
            return []
        if budget.nll >= guess:
            return [
                Advice(
                    "change",
                    trial.label,
                    f"the target gives this format {budget.nll:.1f} nats a token, worse than a blind guess"
                    f" ({guess:.1f}): there is nothing in it to forget",
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

    def advice_beforehand(self, outlook: Outlook) -> list[Advice]:
        """What two steps do not show: it is slow to start, and then nothing stops it."""
        if self.nll_cap is not None or outlook.has_stop:
            return []
        guess = math.log(outlook.vocabulary)
        return [
            Advice(
                "know",
                f"{outlook.budgets[0].corpus} GA",
                f"nothing in its loss ends it: it may go on past a blind guess ({guess:.1f} nats a token), where a"
                " model babbles about everything",
                f"nll_cap {guess:.1f}, or training.stop_at_forget_nll; then read the gibberish rate",
            )
        ]


METHOD = GradientAscent
