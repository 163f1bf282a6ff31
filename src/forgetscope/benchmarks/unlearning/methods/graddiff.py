"""Gradient difference: ascent on forget text, ordinary training on retain text; no reference model at all."""

from typing import ClassVar, Literal

from torch import Tensor

from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.methods.terms import LossTerms, Need
from forgetscope.benchmarks.unlearning.training import losses


class GradDiff(Method):
    """``lambda CE(retain) - CE(forget)``, means over tokens (Liu et al. 2022; a baseline of TOFU)."""

    title: ClassVar[str] = "GradDiff"
    retain_needs: ClassVar[frozenset[Need] | None] = frozenset()

    kind: Literal["graddiff"] = "graddiff"

    def forget_loss(self, terms: LossTerms) -> Tensor:
        """E1 of `losses`."""
        return losses.gradient_ascent(terms.log_probabilities, terms.mask, tokens=terms.tokens)

    def retain_loss(self, terms: LossTerms) -> Tensor:
        """The cross-entropy of the retain text, in place of the KL term."""
        return -losses.gradient_ascent(terms.log_probabilities, terms.mask, tokens=terms.tokens)


METHOD = GradDiff
