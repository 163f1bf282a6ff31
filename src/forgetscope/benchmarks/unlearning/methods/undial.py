"""UNDIAL: distilled from the target with the logit of the token that came lowered."""

from typing import ClassVar, Literal

import torch
from pydantic import Field
from torch import Tensor

from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.methods.terms import LossTerms, Need


class Undial(Method):
    """``CE(softmax(z_ref - strength * onehot(y)), softmax(z))``, mean over tokens (Dong et al. 2025, arXiv:2402.10052).

    The aim stands still, so it ends by itself. Its authors have no retain term: lambda 0.

    Attributes:
        strength: How far the logit is lowered; 10 as open-unlearning configures it.
    """

    title: ClassVar[str] = "UNDIAL"
    needs: ClassVar[frozenset[Need]] = frozenset({"reference_logits"})

    kind: Literal["undial"] = "undial"
    strength: float = Field(default=10.0, gt=0)

    def forget_loss(self, terms: LossTerms) -> Tensor:
        """Mean over the tokens of the effective batch."""
        lowered = torch.full_like(terms.labels[..., None], -self.strength, dtype=terms.reference_logits.dtype)
        teacher = terms.reference_logits.scatter_add(-1, terms.labels[..., None], lowered)
        cross_entropy = -(teacher.softmax(-1) * terms.logits.float().log_softmax(-1)).sum(-1)
        return (cross_entropy * terms.mask).sum() / terms.tokens


METHOD = Undial
