"""Language models that score text for pruning, by name."""

from collections.abc import Sequence

from forgetscope.benchmarks.unlearning.formats.scorers.base import ScoredText, ScoredToken, Scorer
from forgetscope.benchmarks.unlearning.formats.scorers.ngram import NgramScorer
from forgetscope.core.errors import SettingError

__all__ = ["NgramScorer", "ScoredText", "ScoredToken", "Scorer", "load_scorer", "refuse_target"]

NGRAM = "ngram"
OPENVINO_SMOLLM2 = "smollm2-openvino"


def load_scorer(name: str, background: Sequence[str] = ()) -> Scorer:
    """A scorer by name: `ngram`, `smollm2-openvino`, or what `load_model` loads (`smollm2`, a folder, a hub id).

    Args:
        name: The name.
        background: What the word model learns from; other scorers need none.

    Raises:
        SettingError: the word model was given no background.
        UserError: the model cannot be loaded.
    """
    if name == NGRAM:
        if not background:
            raise SettingError(
                "the word model learns from background text, and was given none", where="data.formats pruned: scorer"
            )
        return NgramScorer(background)
    if name == OPENVINO_SMOLLM2:
        from forgetscope.benchmarks.unlearning.formats.scorers.openvino_model import OpenVinoScorer
        from forgetscope.models.weights import find_smollm2

        return OpenVinoScorer(find_smollm2(), names=frozenset({"smollm2"}))
    from forgetscope.benchmarks.unlearning.formats.scorers.transformers_model import TransformersScorer
    from forgetscope.benchmarks.unlearning.training.models import load_model

    return TransformersScorer(load_model(name))


def refuse_target(scorer: Scorer, target: frozenset[str]) -> None:
    """Refuse to prune with the target: it has memorised the text, so nothing in it is news to it.

    Raises:
        SettingError: the two have a path or a hash of weights in common.
    """
    if scorer.identities & target:
        raise SettingError(
            "the target cannot score the text it is to forget: it has memorised it",
            where="data.formats pruned: scorer",
            found=scorer.name,
            allowed="any other causal language model",
            next_step="use smollm2, smollm2-openvino or ngram",
        )
