"""What a loss may use of the texts of one micro-batch: what the model says of them, and what the target said before."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from forgetscope.core.errors import SettingError

if TYPE_CHECKING:
    from torch import Tensor

Need = Literal["hidden_states", "reference_nll", "reference_logits", "reference_hidden_states", "substitutes"]
"""What costs something to have, so that a method names it beforehand."""

REFERENCE_NEEDS = frozenset[Need]({"reference_nll", "reference_logits", "reference_hidden_states"})


@dataclass(frozen=True)
class LossTerms:
    """What a loss may use of one micro-batch; positions are those predicted, so a text's first token has none.

    Attributes:
        log_probabilities: (batch, positions), of the tokens that came, under the model being unlearned.
        mask: (batch, positions), 1 where a predicted position counts.
        tokens: Unmasked positions of the whole effective batch, the denominator of means over tokens.
        sequences: Sequences of the whole effective batch, the denominator of means over sequences.
        labels: (batch, positions), the tokens that came.
        logits: (batch, positions, vocabulary), raw; their argument is the position before the label's.
        attended: (batch, positions + 1), 1 for tokens and 0 for padding: which hidden states are of the text.
        given: What the method named as its needs, by need; the properties below have it.
    """

    log_probabilities: "Tensor"
    mask: "Tensor"
    tokens: float
    sequences: int
    labels: "Tensor"
    logits: "Tensor"
    attended: "Tensor"
    given: Mapping[Need, Any] = field(default_factory=dict)

    @property
    def reference_nll(self) -> "Tensor":
        """(batch,), summed negative log-likelihood under the target before unlearning, in nats."""
        nll: Tensor = self._given("reference_nll")
        return nll

    @property
    def reference_logits(self) -> "Tensor":
        """(batch, positions, vocabulary), raw, of the target before unlearning; 0 at padding."""
        logits: Tensor = self._given("reference_logits")
        return logits

    @property
    def hidden_states(self) -> "tuple[Tensor, ...]":
        """(batch, positions + 1, width) each: the embeddings, then what every layer hands on."""
        states: tuple[Tensor, ...] = self._given("hidden_states")
        return states

    @property
    def reference_hidden_states(self) -> "tuple[Tensor, ...]":
        """The same of the target before unlearning."""
        states: tuple[Tensor, ...] = self._given("reference_hidden_states")
        return states

    @property
    def substitutes(self) -> "LossTerms":
        """The terms of the texts that are to be said in place of these, one each, in order."""
        terms: LossTerms = self._given("substitutes")
        return terms

    def _given(self, need: Need) -> Any:
        if need not in self.given:
            raise SettingError("a method uses what it does not ask for", found=need, next_step="name it in its `needs`")
        return self.given[need]


@dataclass(frozen=True)
class RawTerms:
    """What the published variants use instead: raw logits at every position that is not padding.

    Attributes:
        logits, reference_logits: (1, positions of all sequences, vocabulary).
        share: Part of the effective batch's sequences in this micro-batch; parts add up to 1.
    """

    logits: "Tensor"
    reference_logits: "Tensor"
    share: float
