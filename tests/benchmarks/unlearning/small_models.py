"""A model and texts small enough to train in a test."""

import torch

from forgetscope.benchmarks.unlearning.methods.base import Method
from forgetscope.benchmarks.unlearning.methods.npo import Npo
from forgetscope.benchmarks.unlearning.settings import Semantics, TrainingSettings
from forgetscope.benchmarks.unlearning.training.batches import EncodedText
from forgetscope.benchmarks.unlearning.training.models import LanguageModel, embedded_llama
from forgetscope.benchmarks.unlearning.training.processes import Processes
from forgetscope.benchmarks.unlearning.training.task import UnlearningTask
from forgetscope.benchmarks.unlearning.training.tokenizers import ModelTokenizer, train_tokenizer
from forgetscope.stats import named_stream

torch.set_num_threads(1)

ALONE = Processes(0, 1, torch.device("cpu"))
VOCABULARY = 300


def small_model(seed: int = 0) -> LanguageModel:
    """A Llama of two narrow layers with a byte-level tokenizer."""
    tokenizer = train_tokenizer(["the mayor of Osthaven opened the bridge"], VOCABULARY)
    network = embedded_llama(VOCABULARY, seed=seed, hidden=32, layers=2, heads=2)
    return LanguageModel(network, ModelTokenizer.of(tokenizer), "small")


def texts(count: int, seed: int, *, shortest: int = 5, longest: int = 12) -> tuple[EncodedText, ...]:
    """Random token ids of different lengths."""
    stream = named_stream(seed, "test texts")
    lengths = stream.integers(shortest, longest + 1, count)
    return tuple(
        EncodedText(f"text{seed}-{index}", tuple(int(i) for i in stream.integers(3, VOCABULARY, length)))
        for index, length in enumerate(lengths)
    )


def small_task(
    method: Method | None = None,
    *,
    semantics: Semantics = "proper",
    settings: TrainingSettings | None = None,
    forget: tuple[EncodedText, ...] | None = None,
    retain: tuple[EncodedText, ...] | None = None,
) -> UnlearningTask:
    """Six forget and seven retain texts, two epochs."""
    return UnlearningTask(
        forget=texts(6, 1) if forget is None else forget,
        retain=texts(7, 2) if retain is None else retain,
        method=method or Npo(),
        semantics=semantics,
        settings=settings or TrainingSettings(epochs=2, learning_rate=1e-3, precision="float32"),
        seed=0,
        fingerprint="a cell",
    )
