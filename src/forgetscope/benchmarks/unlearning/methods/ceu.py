"""CE-U, cross-entropy unlearning: towards the model's own distribution without the token that came."""

from typing import ClassVar, Literal

import torch
from torch import Tensor

from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.methods.terms import LossTerms


class CrossEntropyUnlearning(Method):
    """``CE(softmax(z with z_y = -inf), softmax(z))``, the first held fixed, mean over tokens (arXiv:2503.01224, 2025).

    Bounded where gradient ascent is not: the aim changes with the model. Its code leaves out the first token of an
    answer; a chunk has no answer, so nothing is left out here.
    """

    title: ClassVar[str] = "CE-U"

    kind: Literal["ceu"] = "ceu"

    def forget_loss(self, terms: LossTerms) -> Tensor:
        """Mean over the tokens of the effective batch."""
        without = terms.logits.detach().float().scatter(-1, terms.labels[..., None], -torch.inf)
        cross_entropy = -(without.softmax(-1) * terms.logits.float().log_softmax(-1)).sum(-1)
        return (cross_entropy * terms.mask).sum() / terms.tokens


METHOD = CrossEntropyUnlearning
