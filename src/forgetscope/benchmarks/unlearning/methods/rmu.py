"""RMU: hidden states of forget text towards a random direction; those of retain text stay where they were."""

from typing import ClassVar, Literal

import torch
from pydantic import Field
from torch import Tensor

from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.methods.terms import LossTerms, Need


class Rmu(Method):
    """``|h(forget) - c u|^2 + lambda alpha |h(retain) - h_ref(retain)|^2`` at one layer (Li et al. 2024, WMDP).

    u is a random direction of length 1 with entries above 0, fixed for the run; squares are means over the width, then
    over a text's tokens, then over texts (arXiv:2403.03218).
    Its authors train three matrices near the layer; here all below the layer train.

    Attributes:
        layer: After which; None: a quarter of the way up (theirs: 7 of 32).
        steering: The length c; theirs is 6.5 for a model of 7 billion weights.
        alpha: Of the retain term; theirs is 1,200.
        seed: Of the direction.
    """

    title: ClassVar[str] = "RMU"
    needs: ClassVar[frozenset[Need]] = frozenset({"hidden_states"})
    retain_needs: ClassVar[frozenset[Need] | None] = frozenset({"hidden_states", "reference_hidden_states"})

    kind: Literal["rmu"] = "rmu"
    layer: int | None = Field(default=None, ge=1)
    steering: float = Field(default=6.5, gt=0)
    alpha: float = Field(default=1200.0, ge=0)
    seed: int = Field(default=0, ge=0)

    def direction(self, width: int) -> Tensor:
        """(width,), where forget text is steered to."""
        vector = torch.rand(width, generator=torch.Generator().manual_seed(self.seed))
        steered: Tensor = self.steering * vector / vector.norm()
        return steered

    def forget_loss(self, terms: LossTerms) -> Tensor:
        """Mean over the sequences of the effective batch."""
        states = self._at_layer(terms.hidden_states)
        return self._distance(states, self.direction(states.shape[-1]).to(states), terms)

    def retain_loss(self, terms: LossTerms) -> Tensor:
        """Likewise, against where the target has them."""
        states, before = self._at_layer(terms.hidden_states), self._at_layer(terms.reference_hidden_states)
        return self.alpha * self._distance(states, before, terms)

    def _at_layer(self, states: tuple[Tensor, ...]) -> Tensor:
        layers = len(states) - 1
        return states[min(self.layer or max(1, round(layers / 4)), layers)]

    def _distance(self, states: Tensor, aim: Tensor, terms: LossTerms) -> Tensor:
        squares = ((states - aim) ** 2).mean(-1) * terms.attended
        return (squares.sum(1) / terms.attended.sum(1)).sum() / terms.sequences


METHOD = Rmu
