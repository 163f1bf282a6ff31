"""SatImp: tokens count by how likely they still are (saturation) and by how unlikely they already are (importance)."""

from typing import ClassVar, Literal

from pydantic import Field
from torch import Tensor

from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.methods.terms import LossTerms
from forgetscope.benchmarks.unlearning.training import losses


class SatImp(Method):
    """``mean over tokens of p^beta1 (1 - p)^beta2 log p``, the weights held fixed (Yang et al. 2025, arXiv:2505.11953).

    A token the model is sure of hardly counts either: text known word for word, p near 1, is slow to begin with.

    Attributes:
        beta1, beta2: 5 and 1, as the authors have them in open-unlearning; with beta2 0 it is WGA.
    """

    title: ClassVar[str] = "SatImp"

    kind: Literal["satimp"] = "satimp"
    beta1: float = Field(default=5.0, ge=0)
    beta2: float = Field(default=1.0, ge=0)

    def forget_loss(self, terms: LossTerms) -> Tensor:
        """Mean over the tokens of the effective batch."""
        likely = terms.log_probabilities.detach().exp()
        weights = likely**self.beta1 * (1 - likely).clamp_min(0) ** self.beta2
        return losses.gradient_ascent(weights * terms.log_probabilities, terms.mask, tokens=terms.tokens)


METHOD = SatImp
