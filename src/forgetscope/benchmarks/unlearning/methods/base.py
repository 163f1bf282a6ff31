"""What an unlearning method is: settings, a loss on forget text, what that needs, and what `doctor` says of it."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from pydantic import BaseModel, ConfigDict

from forgetscope.benchmarks.unlearning.methods.advice import Advice, FirstSteps, FormatBudget, Outlook
from forgetscope.benchmarks.unlearning.methods.terms import LossTerms, Need, RawTerms

if TYPE_CHECKING:
    from torch import Tensor

    from forgetscope.benchmarks.unlearning.training.batches import EncodedText
    from forgetscope.benchmarks.unlearning.training.models import LanguageModel
    from forgetscope.benchmarks.unlearning.training.processes import Processes
    from forgetscope.benchmarks.unlearning.training.task import UnlearningTask
    from forgetscope.benchmarks.unlearning.training.tokenizers import ModelTokenizer


class Method(BaseModel, ABC):
    """An unlearning method: its settings are its fields, its name is `kind`.

    A subclass gives `forget_loss`, and the others where they make sense. Losses may repeat each other. What is not
    named in `needs` is not computed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: ClassVar[str]
    """How tables call it."""

    needs: ClassVar[frozenset[Need]] = frozenset()
    """What `forget_loss` uses beside log-probabilities and logits."""

    retain_needs: ClassVar[frozenset[Need] | None] = None
    """What the method's own `retain_loss` uses likewise; None: the retain term is the KL divergence from the target."""

    kind: str

    @abstractmethod
    def forget_loss(self, terms: LossTerms) -> "Tensor":
        """What is minimised on forget text: a scalar, this micro-batch's part of the effective batch's loss."""

    def retain_loss(self, terms: LossTerms) -> "Tensor":
        """The same on retain text, before lambda, in place of the KL term; asked where `retain_needs` is not None."""
        raise NotImplementedError(f"{type(self).__name__} has retain_needs and no retain_loss")

    def substitute(self, text: "EncodedText", tokenizer: "ModelTokenizer") -> "EncodedText":
        """The text to be said in place of a forget text; asked where `needs` has `substitutes`."""
        raise NotImplementedError(f"{type(self).__name__} needs substitutes and gives none")

    def weight(self, nll: "Tensor", lengths: "Tensor", reference_nll: "Tensor") -> "Tensor | None":  # noqa: ARG002
        """The share of its gradient that each sequence still has, 0-1, (batch,); None where it never fades.

        Args:
            nll: (batch,), summed, in nats, under the model as it is.
            lengths: (batch,), predicted positions.
            reference_nll: (batch,), summed, under the target; not a number in training where `needs` does not have it.
        """
        return None

    def muse_compat_loss(self, terms: RawTerms) -> "Tensor | None":  # noqa: ARG002
        """The published code's forget term; None where it is the same as `forget_loss`."""
        return None

    def advice(self, trial: FirstSteps, budget: FormatBudget, vocabulary: int) -> list[Advice]:  # noqa: ARG002
        """What `doctor` says after two steps with proper losses on one format.

        Args:
            trial: The two steps.
            budget: The format as the target sees it.
            vocabulary: Entries of the model's vocabulary; the logarithm is the likelihood of a blind guess.
        """
        if (trial.saturated or 0) < 0.5:
            return []
        return [
            Advice(
                "stop",
                trial.label,
                f"{trial.saturated:.0%} of the sequences have no gradient before the first step",
                "other settings of the method, or a format the target knows better",
            )
        ]

    def advice_beforehand(self, outlook: Outlook) -> list[Advice]:  # noqa: ARG002
        """What `doctor` says of the method on a corpus, whatever the two steps showed."""
        return []


class WeightEdit(Method):
    """A method that changes weights at once and takes no steps: a task vector, an edit of layers."""

    @abstractmethod
    def edit(self, model: "LanguageModel", task: "UnlearningTask", processes: "Processes") -> None:
        """Change the model's weights in place.

        Args:
            model: The target, on its device, with its adapter if the grid asks for one.
            task: The forget and retain texts, settings of training and the seed.
            processes: Where and in which precision.
        """

    def forget_loss(self, terms: LossTerms) -> "Tensor":  # noqa: ARG002
        """There is none."""
        raise TypeError(f"{type(self).__name__} takes no steps")
