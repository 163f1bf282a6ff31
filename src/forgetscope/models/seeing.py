"""``forgetscope/transformers``: a vision-language model of the transformers library, in this process, from its folder.

Inspect's own `hf/` provider refuses pictures; this one takes what an image-text-to-text model of transformers takes
(LLaVA, Idefics, Qwen-VL, InternVL, Gemma, SmolVLM), rendered with the model's own chat template. One request at a time:
for more, serve the model (the visual benchmark's README says how).
"""

import asyncio
import secrets
import threading
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    Content,
    ContentImage,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
    TopLogprob,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from pydantic import BaseModel, ConfigDict

from forgetscope.core.errors import DataError, MissingPartError, SettingError
from forgetscope.core.reasoning import split_reasoning
from forgetscope.io.received import LARGEST_SETTINGS, parse_json, read_text
from forgetscope.models.adapters import require_plain_adapter
from forgetscope.models.pictures import open_picture
from forgetscope.models.requests import LACKING_TEXT_CONTROLS, read_args, refuse_unoffered

if TYPE_CHECKING:
    from PIL import Image

CONFIG = "config.json"
MOST_LAYERS = 1000

ADAPTER_FILES = ("adapter_config.json", "adapter_model.safetensors")
"""What makes a folder an adapter; one with its weights as a pickle is not opened."""

DEFAULT_MAX_TOKENS = 256
"""Reply limit where a task sets none, tokens."""


class SeeingArgs(BaseModel):
    """What ``-M key=value`` may say.

    Attributes:
        model_path: Folder with the model's configuration, weights and processor, as `save_pretrained` writes them.
            Nothing is fetched.
        adapter: Folder with an adapter of PEFT (LoRA and its kin) to lay over those weights; None for none.
        device: As PyTorch names it: `cpu`, `cuda`, `cuda:1`.
        dtype: Of the weights: `auto` as they are stored, `float32`, `bfloat16`, `float16`.
    """

    model_config = ConfigDict(extra="forbid", protected_namespaces=())

    model_path: Path
    adapter: Path | None = None
    device: str = "cpu"
    dtype: str = "auto"


@dataclass(frozen=True)
class _Reply:
    """What was generated.

    Attributes:
        steps: Log-probabilities of every token of the vocabulary at each place of the reply, where asked for.
    """

    text: str
    tokens: tuple[int, ...]
    prompt_tokens: int
    is_ended: bool
    steps: tuple[Any, ...] = ()


class SeeingModel(ModelAPI):
    """An image-text-to-text model in this process; weights are loaded at the first request.

    Args:
        model_name: The part after ``forgetscope/``.
        config: Inspect's settings for all requests.
        args: The validated model arguments.

    Raises:
        SettingError: The folder holds no model, or that of the adapter no adapter.
    """

    def __init__(self, model_name: str, config: GenerateConfig, args: SeeingArgs) -> None:
        super().__init__(model_name, None, None, [], config)
        self.args = args
        if not (args.model_path / CONFIG).is_file():
            raise SettingError(
                "no model of transformers here: no config.json",
                where="-M model_path",
                found=str(args.model_path),
                next_step="give the folder that save_pretrained wrote, or a downloaded snapshot",
            )
        if args.adapter is not None and not all((args.adapter / name).is_file() for name in ADAPTER_FILES):
            raise SettingError(
                "no adapter here",
                where="adapter",
                found=str(args.adapter),
                allowed=f"a folder with {' and '.join(ADAPTER_FILES)}",
                next_step="give the folder that PEFT's save_pretrained wrote",
            )
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def max_connections(self) -> int:
        """One request at a time."""
        return 1

    def max_tokens(self) -> int:
        """Reply limit where neither task nor user sets one, tokens."""
        return DEFAULT_MAX_TOKENS

    def connection_key(self) -> str:
        """One queue a model."""
        return f"{self.args.model_path} {self.args.adapter or ''}".strip()

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,  # noqa: ARG002 - no tools, no choice
        config: GenerateConfig,
    ) -> ModelOutput:
        """One reply. Log-probabilities are of the model's own distribution, before temperature."""
        refuse_unoffered(self.model_name, tools, config, LACKING_TEXT_CONTROLS)
        started = time.monotonic()
        reply = await asyncio.to_thread(self._reply, *turns_of(input), config)
        output = self._output(reply, config)
        output.time = time.monotonic() - started
        return output

    def _parts(self) -> tuple[Any, Any]:
        """Processor and model, loaded once; the caller holds the lock."""
        if self._loaded is None:
            try:
                import transformers
            except ImportError as error:
                raise MissingPartError(
                    "torch is not installed", where=self.model_name, next_step="pip install -r requirements/torch.txt"
                ) from error
            folder = str(self.args.model_path)
            library: Any = transformers  # its loaders are untyped
            # No pickle and no code out of the folder: weights are data.
            given = {"local_files_only": True, "trust_remote_code": False}
            _require_few_layers(self.args.model_path / CONFIG)
            with _as_data(self.args.model_path):
                processor = library.AutoProcessor.from_pretrained(folder, **given)
                model = library.AutoModelForImageTextToText.from_pretrained(
                    folder, dtype=self.args.dtype, use_safetensors=True, **given
                )
            if self.args.adapter is not None:
                model = _adapted(model, self.args.adapter)
            self._loaded = processor, model.to(self.args.device).eval()
        return self._loaded

    def _reply(self, turns: list[dict[str, object]], pictures: "list[Image.Image]", config: GenerateConfig) -> _Reply:
        import torch

        with self._lock, torch.inference_mode():
            processor, model = self._parts()
            text = processor.apply_chat_template(turns, add_generation_prompt=True, tokenize=False)
            asked = processor(text=text, images=pictures or None, return_tensors="pt").to(self.args.device)
            wants = bool(config.logprobs or config.top_logprobs)
            with torch.random.fork_rng():
                if config.temperature:
                    torch.manual_seed(config.seed if config.seed is not None else secrets.randbelow(2**32))
                made = model.generate(**asked, **_decoding(config), return_dict_in_generate=True, output_logits=wants)
            start = asked["input_ids"].shape[1]
            tokens = made.sequences[0, start:].tolist()
            steps = tuple(step[0].float().log_softmax(-1).cpu() for step in made.logits) if wants else ()
            ends = model.generation_config.eos_token_id
            is_ended = bool(tokens) and tokens[-1] in (ends if isinstance(ends, list) else [ends])
            text = processor.decode(tokens, skip_special_tokens=True)
        return _Reply(text, tuple(tokens), start, is_ended, steps)

    def _output(self, reply: _Reply, config: GenerateConfig) -> ModelOutput:
        reasoning, answer = split_reasoning(reply.text)
        content: list[Content] = [ContentReasoning(reasoning=reasoning)] if reasoning else []
        content.append(ContentText(text=answer))
        logprobs = None
        if reply.steps:
            top = config.top_logprobs or 0
            steps = zip(reply.tokens, reply.steps, strict=False)
            logprobs = Logprobs(content=[self._logprob(token, step, top) for token, step in steps])
        message = ChatMessageAssistant(content=content, model=self.model_name, source="generate")
        stop: StopReason = "stop" if reply.is_ended else "max_tokens"
        usage = ModelUsage(
            input_tokens=reply.prompt_tokens,
            output_tokens=len(reply.tokens),
            total_tokens=reply.prompt_tokens + len(reply.tokens),
        )
        choice = ChatCompletionChoice(message=message, stop_reason=stop, logprobs=logprobs)
        return ModelOutput(model=self.model_name, choices=[choice], usage=usage)

    def _logprob(self, token: int, step: Any, top: int) -> Logprob:
        processor, _ = self._parts()
        best = step.topk(min(top, len(step))).indices.tolist() if top else []
        said = [TopLogprob(token=processor.tokenizer.decode([other]), logprob=float(step[other])) for other in best]
        return Logprob(token=processor.tokenizer.decode([token]), logprob=float(step[token]), top_logprobs=said or None)


def _require_few_layers(path: Path) -> None:
    """See that a model of few weights does not claim layers without number, each of which is built before any is read.

    Raises:
        DataError: It does, or its settings cannot be read.
    """
    waiting = [parse_json(read_text(path, at_most=LARGEST_SETTINGS), where=str(path))]
    while waiting:
        held = waiting.pop()
        for name, value in held.items() if isinstance(held, dict) else ():
            waiting.append(value)
            if "layers" in name and isinstance(value, int) and value > MOST_LAYERS:
                raise DataError("more layers than any model has", where=f"{path}, {name[:100]}", found=value)


@contextmanager
def _as_data(folder: Path) -> Iterator[None]:
    """Whatever transformers makes of a folder that holds no model it can read, as one error."""
    from safetensors import SafetensorError

    try:
        yield
    except (ValueError, TypeError, LookupError, RuntimeError, OSError, AttributeError, SafetensorError) as error:
        found = f"{type(error).__name__}: {error}".strip().partition("\n")[0][:300]
        raise DataError("cannot be read as a model that sees", where=str(folder), found=found) from None


def _adapted(model: Any, adapter: Path) -> Any:
    """The model with the adapter's weights merged in.

    Raises:
        MissingPartError: PEFT is not installed.
        DataError: The adapter is damaged, of a kind PEFT does not know, or fits another model.
    """
    try:
        from peft import PeftModel
        from safetensors import SafetensorError
    except ImportError as error:
        raise MissingPartError(
            "peft is not installed", where="adapter", next_step="pip install 'forgetscope[unlearning]'"
        ) from error
    require_plain_adapter(adapter / ADAPTER_FILES[0])
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            adapted: Any = PeftModel.from_pretrained(model, str(adapter), local_files_only=True, torch_device="cpu")
        unmet = next((str(one.message) for one in said if "missing adapter keys" in str(one.message)), "")
        if not unmet:
            return adapted.merge_and_unload(safe_merge=True)
    except (ValueError, TypeError, KeyError, RuntimeError, OSError, SafetensorError) as error:
        unmet = str(error)
    raise DataError("the adapter does not fit the model", where=str(adapter), found=unmet.partition("\n")[0][:200])


def _decoding(config: GenerateConfig) -> dict[str, object]:
    """Generation settings: greedy at temperature 0 or without one."""
    made: dict[str, object] = {
        "max_new_tokens": config.max_tokens if config.max_tokens is not None else DEFAULT_MAX_TOKENS
    }
    if not config.temperature:
        return {**made, "do_sample": False}
    sampled = {"temperature": config.temperature, "top_p": config.top_p, "top_k": config.top_k}
    return {**made, "do_sample": True, **{name: value for name, value in sampled.items() if value is not None}}


def turns_of(messages: Sequence[ChatMessage]) -> "tuple[list[dict[str, object]], list[Image.Image]]":
    """A conversation as chat templates of transformers take it, and its pictures in order.

    Raises:
        SettingError: A part that is neither text nor picture, or a picture on a network.
        DataError: A picture that cannot be read.
    """
    turns: list[dict[str, object]] = []
    pictures: list[Image.Image] = []
    for message in messages:
        parts = [ContentText(text=message.content)] if isinstance(message.content, str) else message.content
        content: list[dict[str, str]] = []
        for part in parts:
            if isinstance(part, ContentImage):
                pictures.append(open_picture(part.image).convert("RGB"))
                content.append({"type": "image"})
            elif isinstance(part, ContentText):
                content.append({"type": "text", "text": part.text})
            elif not isinstance(part, ContentReasoning):
                raise SettingError("this model takes text and pictures alone", found=part.type)
        turns.append({"role": message.role, "content": content})
    return turns, pictures


def create_seeing(model_name: str, config: GenerateConfig, given: Mapping[str, object]) -> ModelAPI:
    """Build ``forgetscope/transformers``.

    Raises:
        SettingError: No model path, or an argument that is none.
    """
    args = read_args(SeeingArgs, given, model_name, next_step="-M model_path=FOLDER")
    return SeeingModel(model_name, config, args)
