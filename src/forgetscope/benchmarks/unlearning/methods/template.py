"""Copy this file to add a method. It works as it stands: gradient ascent on the summed likelihood of a sequence.

1. The file's name is what configurations call it and what `kind` says; `METHOD` at the end is the class. Fields are the
   method's settings, with their defaults and limits; they become part of every cell's configuration and hash.
2. `forget_loss` gets one micro-batch. Divide by `terms.tokens` or `terms.sequences`, never by the size of what you
   see: parts of an effective batch must add up to the whole. The retain term is added by the training loop.
3. `needs` names what else the loss uses: hidden states, the target's logits or likelihood, substitute answers (then
   also `substitute`). `retain_needs` and `retain_loss` for another retain term than KL. A method that edits weights
   at once is a `WeightEdit` and gives `edit`.
4. `weight`, if the loss lets go of a sequence by itself: lets the log and `doctor` say when the gradient is gone.
   `advice` and `advice_beforehand` for what else `doctor` should say.
5. Tests: a slow loop in float64, the gradient's sign, padding, parts add up (`tests/.../test_losses.py` has them all;
   `tests/.../methods/test_field_methods.py` has RMU, DPO, UNDIAL, GradDiff and a task vector).
"""

from typing import ClassVar, Literal

from torch import Tensor

from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.methods.terms import LossTerms
from forgetscope.benchmarks.unlearning.training import losses


class SummedAscent(Method):
    """Minus the negative log-likelihood of a sequence, mean over sequences: long texts count more than in E1."""

    title: ClassVar[str] = "Summed ascent"

    kind: Literal["template"] = "template"

    def forget_loss(self, terms: LossTerms) -> Tensor:
        """Mean over the sequences of the effective batch."""
        return -losses.sequence_nll(terms.log_probabilities, terms.mask).sum() / terms.sequences


METHOD = SummedAscent
