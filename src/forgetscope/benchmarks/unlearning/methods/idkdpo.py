"""IdkDPO: prefer not knowing to the text, relative to the target."""

from typing import ClassVar, Literal

from pydantic import Field
from torch import Tensor
from torch.nn import functional

from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.methods.terms import LossTerms, Need
from forgetscope.benchmarks.unlearning.training import losses
from forgetscope.benchmarks.unlearning.training.batches import EncodedText
from forgetscope.benchmarks.unlearning.training.tokenizers import ModelTokenizer

INSTEAD = " I do not know."


class IdkDpo(Method):
    """Direct preference optimisation with a refusal as what is preferred (Rafailov et al. 2023; TOFU, NPO).

    ``-(2/beta) log sigmoid(beta ((NLL_ref(idk) - NLL(idk)) - (NLL_ref(y) - NLL(y))))``, mean over sequences. TOFU's
    forget texts are questions and the refusal is the answer; a chunk is cut in half, and what follows is the refusal.
    The half that both share cancels.

    Attributes:
        beta: 0.1, as NPO's authors and TOFU's have it.
    """

    title: ClassVar[str] = "IdkDPO"
    needs: ClassVar[frozenset[Need]] = frozenset({"reference_nll", "substitutes"})

    kind: Literal["idkdpo"] = "idkdpo"
    beta: float = Field(default=0.1, gt=0)

    def substitute(self, text: EncodedText, tokenizer: ModelTokenizer) -> EncodedText:
        """The first half of the text, then not knowing."""
        half = text.ids[: max(1, len(text.ids) // 2)]
        return EncodedText(text.id, (*half, *tokenizer.encode(INSTEAD)))

    def forget_loss(self, terms: LossTerms) -> Tensor:
        """Mean over the sequences of the effective batch."""
        instead = terms.substitutes
        won = instead.reference_nll - losses.sequence_nll(instead.log_probabilities, instead.mask)
        lost = terms.reference_nll - losses.sequence_nll(terms.log_probabilities, terms.mask)
        return -2 / self.beta * functional.logsigmoid(self.beta * (won - lost)).sum() / terms.sequences


METHOD = IdkDpo
