"""An unlearning method of one's own: towards a blind guess, the same probability for every token."""

from typing import ClassVar, Literal

from torch import Tensor

from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.methods.terms import LossTerms


class BlindGuess(Method):
    """KL divergence of the model from the uniform distribution, mean over the tokens of the effective batch."""

    title: ClassVar[str] = "Blind guess"
    kind: Literal["blind_guess"] = "blind_guess"
    temperature: float = 1.0

    def forget_loss(self, terms: LossTerms) -> Tensor:
        """Cross-entropy to uniform; 0 would be less the logarithm of the vocabulary's size."""
        guessed = (terms.logits.float() / self.temperature).log_softmax(-1).mean(-1)
        return -(guessed * terms.mask).sum() / terms.tokens
