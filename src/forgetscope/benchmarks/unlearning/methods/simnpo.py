"""SimNPO: NPO without a reference, by the mean over a sequence's tokens."""

from typing import ClassVar, Literal

from pydantic import Field
from torch import Tensor

from forgetscope.benchmarks.unlearning.methods.base import ForgetTerms, Method, RawTerms
from forgetscope.benchmarks.unlearning.training import losses


class SimNpo(Method):
    """E3 of `losses` (Fan et al. 2024); their gamma is `beta * delta`."""

    title: ClassVar[str] = "SimNPO"

    kind: Literal["simnpo"] = "simnpo"
    beta: float = Field(default=4.5, gt=0)
    delta: float = Field(default=0.0, ge=0)

    def forget_loss(self, terms: ForgetTerms) -> Tensor:
        """Mean over the sequences of the effective batch."""
        return losses.simnpo(
            terms.log_probabilities, terms.mask, beta=self.beta, delta=self.delta, sequences=terms.sequences
        )

    def weight(self, nll: Tensor, lengths: Tensor, reference_nll: Tensor) -> Tensor:  # noqa: ARG002
        """Half for text the model is sure of, gone for text that surprises it by 1.6 nats a token (beta 4.5)."""
        return losses.simnpo_weight(nll, lengths, beta=self.beta, delta=self.delta)

    def muse_compat_loss(self, terms: RawTerms) -> Tensor:
        """C3: every raw logit, whichever token came."""
        gamma = self.beta * self.delta
        return terms.share * losses.muse_compat_simnpo(terms.logits, beta=self.beta, gamma=gamma)
