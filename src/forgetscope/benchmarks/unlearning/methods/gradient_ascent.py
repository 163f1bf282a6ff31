"""Gradient ascent: make the forget text less likely, without limit unless one is set."""

from typing import ClassVar, Literal

from pydantic import Field
from torch import Tensor

from forgetscope.benchmarks.unlearning.methods.base import ForgetTerms, Method
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

    def forget_loss(self, terms: ForgetTerms) -> Tensor:
        """Minus the cross-entropy, mean over the tokens of the effective batch."""
        log_probabilities = terms.log_probabilities
        if self.nll_cap is not None:
            log_probabilities = log_probabilities.clamp_min(-self.nll_cap)
        return losses.gradient_ascent(log_probabilities, terms.mask, tokens=terms.tokens)
