"""Weighted gradient ascent: a token counts by how likely it still is, so that what is forgotten is let go."""

from typing import ClassVar, Literal

from pydantic import Field
from torch import Tensor

from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.methods.terms import LossTerms
from forgetscope.benchmarks.unlearning.training import losses


class Wga(Method):
    """``mean over tokens of p^beta log p``, p^beta held fixed in the gradient (Wang et al. 2025, arXiv:2502.19301).

    Its authors add the cross-entropy of retain text; here the retain term is that of the other methods.

    Attributes:
        beta: 1 in open-unlearning; 0 is gradient ascent.
    """

    title: ClassVar[str] = "WGA"

    kind: Literal["wga"] = "wga"
    beta: float = Field(default=1.0, ge=0)

    def forget_loss(self, terms: LossTerms) -> Tensor:
        """Mean over the tokens of the effective batch."""
        weights = terms.log_probabilities.detach().exp() ** self.beta
        return losses.gradient_ascent(weights * terms.log_probabilities, terms.mask, tokens=terms.tokens)


METHOD = Wga
