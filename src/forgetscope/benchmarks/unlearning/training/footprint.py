"""What training a model takes: memory from the sizes of things, GPU hours from operations and a named throughput.

Memory of one process at its peak, in bytes, for P weights of which Q train, spread over N processes, with n positions
in a forward pass (texts of a micro-batch x tokens of the longest), L layers of width H, a vocabulary of V:

- weights 4 P / N (float32); one gathered block and the ends of the network in 16 bits where N > 1;
- gradients 4 Q / N, AdamW's two means 8 Q / N, the forget gradient kept apart for the log 4 Q / N (`log_gradients`);
- 16-bit copies of the weights that train, made by autocast: 2 Q where N = 1;
- logits 16 n V: as such, normalised, their gradient, the reference's; a live reference has weights of its own;
- activations 16 n H a layer in 4 bytes, 2 in bfloat16; with gradient checkpointing one layer's, and n H of each.

Operations a token: 2 P forward and 4 P backward; 2 P backward where only an adapter trains; 2 P more with gradient
checkpointing; 2 P once and for all for the reference that is cached, at every step for one that is live. Those of
attention itself (12 L H n, small below 4,096 tokens) are left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, Field

from forgetscope.benchmarks.unlearning.settings import ExecutionSettings, LoraSettings, TrainingSettings
from forgetscope.benchmarks.unlearning.training.shipped import WEIGHTS_SHA256, shipped_model
from forgetscope.core.errors import RunFolderError
from forgetscope.io.received import read_form

PEAK_FLOPS, UTILISATION, GPU = 312e12, 0.4, "A100 80 GB"
"""Assumed, not measured: bfloat16 matrix products of the data sheet, and the share of them that such a loop reaches."""

BANDWIDTH = 2.0e12
"""Bytes a second from that GPU's memory: what writing a token after the other is bound by."""

LARGE = 100_000_000
"""Weights from which a plan says what a GPU needs; smaller models are trained on processors."""


@dataclass(frozen=True)
class ModelShape:
    """The sizes of a Llama-like model.

    Attributes:
        key_value: Width of keys and values together with all their heads.
        is_tied: Whether the last layer is the embedding again.
    """

    layers: int
    hidden: int
    intermediate: int
    key_value: int
    vocabulary: int
    is_tied: bool = False

    @property
    def parameters(self) -> int:
        """Weights.

        >>> LLAMA_2_7B.parameters
        6738415616
        """
        attention = 2 * self.hidden * (self.hidden + self.key_value)
        layer = attention + 3 * self.hidden * self.intermediate + 2 * self.hidden
        ends = self.vocabulary * self.hidden * (1 if self.is_tied else 2)
        return self.layers * layer + ends + self.hidden

    def adapter(self, rank: int) -> int:
        """Weights of a low-rank adapter on every linear layer of the blocks.

        >>> LLAMA_2_7B.adapter(16)
        39976960
        """
        attention = 2 * (self.hidden + self.hidden) + 2 * (self.hidden + self.key_value)
        return self.layers * rank * (attention + 3 * (self.hidden + self.intermediate))


LLAMA_2_7B = ModelShape(layers=32, hidden=4096, intermediate=11008, key_value=4096, vocabulary=32000)

KNOWN_SHAPES: Mapping[str, ModelShape] = {
    "muse-bench/MUSE-News_target": LLAMA_2_7B,
    "muse-bench/MUSE-Books_target": LLAMA_2_7B,
    "muse-bench/MUSE-news_target": LLAMA_2_7B,
    "muse-bench/MUSE-books_target": LLAMA_2_7B,
}
"""Of the paper's checkpoints: fine-tuned from Llama-2-7B and from ICLM-7B, which is of the same shape."""


def shape_of(model: str) -> ModelShape | None:
    """The shape of a model by name: from its `config.json` in a folder, or of a checkpoint of the paper; else None."""
    if model in KNOWN_SHAPES:
        return KNOWN_SHAPES[model]
    path = (shipped_model(model) if model in WEIGHTS_SHA256 else Path(model)) / "config.json"
    try:
        found = read_form(path, _Config, "not a model's configuration")
    except (FileNotFoundError, NotADirectoryError, RunFolderError):
        return None
    width = found.head_dim or found.hidden_size // found.num_attention_heads
    return ModelShape(
        layers=found.num_hidden_layers,
        hidden=found.hidden_size,
        intermediate=found.intermediate_size,
        key_value=width * (found.num_key_value_heads or found.num_attention_heads),
        vocabulary=found.vocab_size,
        is_tied=found.tie_word_embeddings,
    )


class _Config(BaseModel):
    """What `config.json` says of a Llama-like model; more is passed over."""

    num_hidden_layers: int = Field(ge=1)
    hidden_size: int = Field(ge=1)
    intermediate_size: int = Field(ge=1)
    num_attention_heads: int = Field(ge=1)
    num_key_value_heads: int | None = None
    head_dim: int | None = None
    vocab_size: int = Field(ge=1)
    tie_word_embeddings: bool = False


@dataclass(frozen=True)
class Footprint:
    """What one process holds at its peak, in bytes."""

    weights: int
    gradients: int
    optimizer: int
    reference: int
    logits: int
    activations: int

    @property
    def total(self) -> int:
        """Of all parts."""
        return self.weights + self.gradients + self.optimizer + self.reference + self.logits + self.activations


def footprint(
    shape: ModelShape, training: TrainingSettings, execution: ExecutionSettings, longest: int, *, bfloat16: bool
) -> Footprint:
    """The memory of one process of a training; the formula is the module's.

    Args:
        shape: Of the model.
        training: Whether an adapter trains.
        execution: Micro-batch, processes, reference, what is kept.
        longest: Tokens of the longest text.
        bfloat16: Whether forward passes run in it.
    """
    processes = execution.processes
    trained = shape.parameters if training.lora is None else shape.adapter(training.lora.rank)
    whole = shape.parameters + (0 if training.lora is None else trained)
    ends = 2 * shape.vocabulary * shape.hidden + shape.parameters / max(1, shape.layers)
    gathered = ends * (2 if bfloat16 else 4) if processes > 1 else trained * 2 if bfloat16 else 0
    positions = min(execution.micro_batch_size, training.batch_size) * longest
    size = 2 if bfloat16 else 4
    layers = 1 if execution.gradient_checkpointing else shape.layers
    kept = positions * shape.hidden * size * (shape.layers if execution.gradient_checkpointing else 0)
    is_second = execution.reference == "live" and training.lora is None
    return Footprint(
        weights=int(whole * 4 / processes + gathered),
        gradients=int(trained * (8 if execution.log_gradients else 4) / processes),
        optimizer=int(trained * 8 / processes),
        reference=int(shape.parameters * 4 / processes) if is_second else 0,
        logits=positions * shape.vocabulary * 16,
        activations=int(positions * shape.hidden * 16 * size * layers + kept),
    )


@dataclass(frozen=True)
class CellWork:
    """What a cell does, in tokens.

    Attributes:
        trained: Passed through training, repeats counted.
        cached: Of the reference's one pass, shared by all cells of a target.
        prompts: Read in evaluation.
        rounds: Forward passes of one token for a batch in evaluation.
    """

    trained: int
    cached: int
    prompts: int
    rounds: int


def gpu_seconds(shape: ModelShape, training: TrainingSettings, execution: ExecutionSettings, work: CellWork) -> float:
    """Seconds of one GPU for a cell, all processes together; the formula and its assumptions are the module's."""
    backward = 2 if training.lora is not None else 4
    again = 2 if execution.gradient_checkpointing else 0
    live = 2 if execution.reference == "live" else 0
    operations = shape.parameters * (work.trained * (2 + backward + again + live) + 2 * (work.cached + work.prompts))
    writing = work.rounds * shape.parameters * 4 / BANDWIDTH
    return operations / (PEAK_FLOPS * UTILISATION) + writing


@dataclass(frozen=True)
class TrainingWay:
    """A way to train a large model.

    Attributes:
        name: For people.
        settings: What the configuration says for it.
    """

    name: str
    settings: str
    training: TrainingSettings
    execution: ExecutionSettings


def ways(training: TrainingSettings, execution: ExecutionSettings) -> tuple[TrainingWay, ...]:
    """The grid's own way, a low-rank adapter on one GPU, all weights over eight."""
    small = {"micro_batch_size": 1, "gradient_checkpointing": True}
    lora = training.lora or LoraSettings()
    adapter = training.model_copy(update={"lora": lora})
    whole = training.model_copy(update={"lora": None})
    saving = "micro_batch_size: 1, gradient_checkpointing: true"
    own = f"all weights, {execution.processes} GPU" if training.lora is None else f"LoRA, {execution.processes} GPU"
    return (
        TrainingWay(f"as configured ({own})", "", training, execution),
        TrainingWay(
            f"LoRA of rank {lora.rank}, 1 GPU",
            f"training.lora: {{rank: {lora.rank}}}, execution: {{{saving}}}",
            adapter,
            execution.model_copy(update={**small, "processes": 1}),
        ),
        TrainingWay(
            "all weights, FSDP over 8 GPUs",
            f"execution: {{processes: 8, {saving}}}",
            whole,
            execution.model_copy(update={**small, "processes": 8}),
        ),
    )
