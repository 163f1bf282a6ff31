"""Negative preference optimisation: push the forget text down relative to the target, less and less as it falls."""

import math
from typing import ClassVar, Literal

from pydantic import Field
from torch import Tensor

from forgetscope.benchmarks.unlearning.methods.advice import Advice, FirstSteps, FormatBudget, Outlook
from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.methods.terms import LossTerms, Need, RawTerms
from forgetscope.benchmarks.unlearning.training import losses


class Npo(Method):
    """E2 of `losses` (Zhang et al. 2024)."""

    title: ClassVar[str] = "NPO"
    needs: ClassVar[frozenset[Need]] = frozenset({"reference_nll"})

    kind: Literal["npo"] = "npo"
    beta: float = Field(default=0.1, gt=0)

    def forget_loss(self, terms: LossTerms) -> Tensor:
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

    def advice(self, trial: FirstSteps, budget: FormatBudget, vocabulary: int) -> list[Advice]:
        """A step may go so far that nothing is left for the next."""
        found = super().advice(trial, budget, vocabulary)
        if (trial.saturated_second or 0) >= 0.5:
            found.append(
                Advice(
                    "change",
                    trial.label,
                    f"one step at this learning rate leaves {trial.saturated_second:.0%} of the next sequences without"
                    " gradient: the unlearning ends there",
                    "a lower learning rate, or a lower beta",
                )
            )
        return found

    def advice_beforehand(self, outlook: Outlook) -> list[Advice]:
        """How far it goes follows from the length of the texts: it sums over tokens and lets go at a fixed sum."""
        longest = max(budget.tokens / budget.sequences for budget in outlook.budgets)
        rise = math.log(1 / losses.SATURATED_BELOW - 1) / self.beta
        if rise / longest >= 1:
            return []
        return [
            Advice(
                "know",
                f"{outlook.budgets[0].corpus} NPO",
                f"it lets go of a sequence once it is {rise:.0f} nats less likely: {rise / longest:.2g} nats a"
                f" token at the {longest:.0f} tokens of the longest format",
                f"beta {self.beta * rise / longest:.2g} lets it go on to 1 nat a token",
            )
        ]


METHOD = Npo
