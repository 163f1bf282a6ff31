"""SimNPO: NPO without a reference, by the mean over a sequence's tokens."""

import math
from typing import ClassVar, Literal

from pydantic import Field
from torch import Tensor

from forgetscope.benchmarks.unlearning.methods.advice import Advice, FirstSteps, FormatBudget
from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.methods.terms import LossTerms, RawTerms
from forgetscope.benchmarks.unlearning.training import losses

LITTLE_WEIGHT = 0.1
"""It should let at least this share of the gradient through at the start."""


class SimNpo(Method):
    """E3 of `losses` (Fan et al. 2024); their gamma is `beta * delta`."""

    title: ClassVar[str] = "SimNPO"

    kind: Literal["simnpo"] = "simnpo"
    beta: float = Field(default=4.5, gt=0)
    delta: float = Field(default=0.0, ge=0)

    def forget_loss(self, terms: LossTerms) -> Tensor:
        """Mean over the sequences of the effective batch."""
        return losses.simnpo(
            terms.log_probabilities, terms.mask, beta=self.beta, delta=self.delta, sequences=terms.sequences
        )

    def weight(self, nll: Tensor, lengths: Tensor, reference_nll: Tensor) -> Tensor:  # noqa: ARG002
        """Half for text the model is sure of, gone for text that surprises it by 1.6 nats a token (beta 4.5)."""
        return losses.simnpo_weight(nll, lengths, beta=self.beta, delta=self.delta)

    def muse_compat_loss(self, terms: RawTerms) -> Tensor:
        """C3: every raw logit, whichever token came. That code multiplies its gamma by beta too, so it is `delta`."""
        return terms.share * losses.muse_compat_simnpo(terms.logits, beta=self.beta, gamma=self.delta)

    def advice(self, trial: FirstSteps, budget: FormatBudget, vocabulary: int) -> list[Advice]:  # noqa: ARG002
        """A loss that has let go of its sequences before it began changes the model by rounding noise alone."""
        if not trial.saturated:
            return []
        at = self.delta + math.log(1 / losses.SATURATED_BELOW - 1) / self.beta
        enough = math.log(1 / LITTLE_WEIGHT - 1)
        beta = enough / max(budget.nll_highest - self.delta, 1e-9)
        delta = max(0.0, budget.nll_highest - enough / self.beta)
        return [
            Advice(
                "stop" if trial.saturated >= 0.5 else "change",
                trial.label,
                f"{trial.saturated:.0%} of the sequences have no gradient before the first step: the target gives them"
                f" {budget.nll:.2f} nats a token, SimNPO lets go at {at:.2f}; AdamW still moves every weight, along"
                " rounding noise",
                f"beta {beta:.2g} or delta {delta:.2g} lets a tenth of the gradient through; or leave the combination"
                " out",
            )
        ]


METHOD = SimNpo
