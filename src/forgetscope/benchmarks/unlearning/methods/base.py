"""What an unlearning method is: settings, a forget loss, and how much gradient it still lets through."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel, ConfigDict
from torch import Tensor


@dataclass(frozen=True)
class ForgetTerms:
    """What a forget loss may use of one micro-batch of forget text.

    Attributes:
        log_probabilities: (batch, positions), of the tokens that came, under the model being unlearned.
        mask: (batch, positions), 1 where a predicted position counts.
        reference_nll: (batch,), summed negative log-likelihood under the target before unlearning, in nats.
        tokens: Unmasked positions of the whole effective batch, the denominator of means over tokens.
        sequences: Sequences of the whole effective batch, the denominator of means over sequences.
    """

    log_probabilities: Tensor
    mask: Tensor
    reference_nll: Tensor
    tokens: float
    sequences: int


@dataclass(frozen=True)
class RawTerms:
    """What the published variants use instead: raw logits at every position that is not padding.

    Attributes:
        logits, reference_logits: (1, positions of all sequences, vocabulary).
        share: Part of the effective batch's sequences in this micro-batch; parts add up to 1.
    """

    logits: Tensor
    reference_logits: Tensor
    share: float


class Method(BaseModel, ABC):
    """An unlearning method: its settings are its fields, its name is `kind`.

    A subclass gives `forget_loss`, and the other two where they make sense. Losses may repeat each other.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: ClassVar[str]
    """How tables call it."""

    kind: str

    @abstractmethod
    def forget_loss(self, terms: ForgetTerms) -> Tensor:
        """What is minimised on forget text: a scalar, this micro-batch's part of the effective batch's loss."""

    def weight(self, nll: Tensor, lengths: Tensor, reference_nll: Tensor) -> Tensor | None:  # noqa: ARG002
        """The share of its gradient that each sequence still has, 0-1, (batch,); None where it never fades.

        Args:
            nll: (batch,), summed, in nats, under the model as it is.
            lengths: (batch,), predicted positions.
            reference_nll: (batch,), summed, under the target.
        """
        return None

    def muse_compat_loss(self, terms: RawTerms) -> Tensor | None:  # noqa: ARG002
        """The published code's forget term; None where it is the same as `forget_loss`."""
        return None
