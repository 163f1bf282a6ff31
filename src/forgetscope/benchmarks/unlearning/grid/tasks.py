"""From a cell's configuration to what its model is and trains on."""

from forgetscope.benchmarks.unlearning.data.prepared import GridData
from forgetscope.benchmarks.unlearning.grid.cells import CellConfig, Unlearning
from forgetscope.benchmarks.unlearning.settings import TrainingSettings
from forgetscope.benchmarks.unlearning.training.batches import EncodedText
from forgetscope.benchmarks.unlearning.training.models import LanguageModel, with_adapter
from forgetscope.benchmarks.unlearning.training.task import UnlearningTask
from forgetscope.benchmarks.unlearning.training.tokenizers import ModelTokenizer
from forgetscope.core.errors import SettingError


def prepared_model(model: LanguageModel, training: TrainingSettings, seed: int) -> LanguageModel:
    """The model with its adapter, if one is asked for."""
    return model if training.lora is None else with_adapter(model, training.lora, seed=seed)


def unlearning_task(config: CellConfig, one: Unlearning, data: GridData, tokenizer: ModelTokenizer) -> UnlearningTask:
    """What a cell trains on.

    Raises:
        SettingError: the grid's data has no such format, or the format left no text.
    """
    if one.forget_format not in data.texts:
        raise SettingError(
            "the data was not made in this format", where="formats", found=one.forget_format, allowed=data.texts
        )
    texts = data.texts[one.forget_format]
    if not texts:
        raise SettingError("nothing is left of the forget side", where="formats", found=one.forget_format)
    seen = set(data.kl[one.retain_subset])
    retain: list[EncodedText] = [text for text in tokenizer.chunks(data.retain) if text.id in seen]
    forget = tuple(tokenizer.packed(texts, data.forget))
    has_substitutes = "substitutes" in one.method.needs
    return UnlearningTask(
        forget=forget,
        retain=tuple(retain),
        method=one.method,
        semantics=one.semantics,
        settings=one.training,
        seed=config.seed,
        fingerprint=config.id,
        substitutes=tuple(one.method.substitute(text, tokenizer) for text in forget) if has_substitutes else (),
    )
