"""Negative preference optimisation: push the forget text down relative to the target, less and less as it falls."""

from typing import ClassVar, Literal

from pydantic import Field
from torch import Tensor

from forgetscope.benchmarks.unlearning.methods.base import ForgetTerms, Method, RawTerms
from forgetscope.benchmarks.unlearning.training import losses


class Npo(Method):
    """E2 of `losses` (Zhang et al. 2024)."""

    title: ClassVar[str] = "NPO"

    kind: Literal["npo"] = "npo"
    beta: float = Field(default=0.1, gt=0)

    def forget_loss(self, terms: ForgetTerms) -> Tensor:
        """Mean over the sequences of the effective batch."""
        return losses.npo(
            terms.log_probabilities, terms.mask, terms.reference_nll, beta=self.beta, sequences=terms.sequences
        )

    def weight(self, nll: Tensor, lengths: Tensor, reference_nll: Tensor) -> Tensor:  # noqa: ARG002
        """Half at the start, towards 0 as the sequence becomes less likely than it was."""
        return losses.npo_weight(nll, reference_nll, beta=self.beta)

    def muse_compat_loss(self, terms: RawTerms) -> Tensor:
        """C2: the difference of raw logits in place of the log-ratio of the text."""
        return terms.share * losses.muse_compat_npo(terms.logits, terms.reference_logits, beta=self.beta)
