"""OpenVINO GenAI's continuous-batching pipeline behind a small typed protocol.

`Backend` is all the engine knows of a pipeline, so that the engine's rules (joining, cancelling, isolating a failure)
are tested on a tiny stand-in and hold for any pipeline that adds requests and steps.

Seen with openvino-genai 2026.4.1, each with a probe, and the reason for something below:

- The tokenizer cuts texts at its own limit (8,192 tokens) without a word, whatever `max_length` says. A prompt as
  long as the limit is therefore reported as too long, never sent cut.
- ``no_repeat_ngram_size`` is accepted and ignored unless beams are searched, which this pipeline is not asked to do.
- A request that makes `step` raise (a JSON schema its grammar compiler rejects) stays in the pipeline and makes every
  following step raise; after `cancel` on its handle and one more step the pipeline is clean.
- Its metrics do not say how many prompt tokens came from the prefix cache.
"""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from forgetscope.core.errors import DataError, ForgetscopeError, MissingPartError
from forgetscope.models.decoding import Decoding
from forgetscope.models.weights import GgufHeader, read_header

if TYPE_CHECKING:
    import openvino_genai as ov_genai


class EngineError(ForgetscopeError, RuntimeError):
    """The pipeline failed at a request, or is not there any more. Not the user's mistake."""


class ContextOverflowError(ForgetscopeError, ValueError):
    """The prompt leaves no room for a reply in the model's window; nothing was generated.

    Attributes:
        prompt_tokens: Tokens of the prompt; the tokenizer's limit where the prompt is longer than that.
        window: Tokens of prompt and reply the model can take.
    """

    def __init__(self, prompt_tokens: int, window: int) -> None:
        super().__init__(f"the prompt has {prompt_tokens} tokens or more, the model's window is {window}")
        self.prompt_tokens = prompt_tokens
        self.window = window


class GenerationFinish(enum.Enum):
    """Why a reply ended."""

    STOP = "stop"
    """The model's end token, or one of the stop texts."""
    LENGTH = "length"
    """The token limit, or the end of the model's window."""


@dataclass(frozen=True)
class Output:
    """What a pipeline made of one request: token ids without the prompt's, and their log-probabilities if asked."""

    token_ids: tuple[int, ...]
    finish_reason: GenerationFinish
    logprobs: tuple[float, ...] = ()


class Ticket(Protocol):
    """One request inside the pipeline."""

    def is_running(self) -> bool:
        """Tokens are still to come."""

    def has_tokens(self) -> bool:
        """The prompt has been read and at least one token of the reply exists."""

    def output(self) -> Output:
        """The finished reply. Raises `EngineError` if the pipeline gave up on it."""

    def cancel(self) -> None:
        """Stop generating; the pipeline frees its place at the next step."""


class Backend(Protocol):
    """A batch of requests that advances step by step. Everything but the text functions belongs to one thread."""

    window: int

    def encode(self, text: str) -> Sequence[int]:
        """Token ids of a rendered prompt. Raises `ContextOverflowError` if they fill the window. Any thread."""

    def decode(self, token_ids: Sequence[int]) -> str:
        """Text of token ids, without special tokens. Any thread."""

    def decode_each(self, token_ids: Sequence[int]) -> list[str]:
        """Text of each token alone, special tokens included. Any thread."""

    def render(self, messages: Sequence[Mapping[str, str]]) -> str:
        """A conversation as the model's own chat template writes it, open for the assistant's turn. Any thread."""

    def add(self, number: int, token_ids: Sequence[int], decoding: Decoding) -> Ticket:
        """Let a request join the batch at the next step."""

    def step(self) -> None:
        """One forward pass: a token for every running request, or a part of the waiting prompts."""

    def has_unfinished(self) -> bool:
        """Requests, cancelled ones included, the next step would touch."""


@dataclass(frozen=True)
class EngineSettings:
    """How the pipeline is set up. Models with equal path and settings share one engine.

    Attributes:
        cache_gb: Memory for keys and values, in GB; reserved as a whole, used as needed. SmolLM2-135M needs 0.19 GB
            for 8,192 tokens in 16-bit floats.
        max_sequences: Requests in the running batch at most; more wait inside the pipeline.
        max_batched_tokens: Tokens of prompts and replies in one step at most. Larger reads prompts faster and makes
            running replies wait longer for their next token.
        prefix_caching: Keep keys and values of prompt beginnings that return.
        device: OpenVINO device.
        threads: Threads of the forward pass; 0 leaves it to OpenVINO.
    """

    cache_gb: int = 2
    max_sequences: int = 64
    max_batched_tokens: int = 512
    prefix_caching: bool = True
    device: str = "CPU"
    threads: int = 0


class OpenVinoBackend:
    """`Backend` over a GGUF file. Construction loads and compiles the model: 5 to 20 seconds for SmolLM2.

    Raises:
        MissingPartError: openvino-genai is not installed.
        DataError: OpenVINO GenAI does not read this file.
    """

    def __init__(self, path: Path, settings: EngineSettings) -> None:
        self.header: GgufHeader = read_header(path)
        try:
            import openvino_genai
        except ImportError as error:
            raise MissingPartError(
                "OpenVINO GenAI is not installed", where="local models", next_step="pip install openvino-genai"
            ) from error
        self._genai = openvino_genai
        scheduler = openvino_genai.SchedulerConfig()
        scheduler.cache_size = settings.cache_gb
        scheduler.max_num_seqs = settings.max_sequences
        scheduler.max_num_batched_tokens = settings.max_batched_tokens
        scheduler.enable_prefix_caching = settings.prefix_caching
        properties: dict[str, int] = {"INFERENCE_NUM_THREADS": settings.threads} if settings.threads else {}
        try:
            self._pipeline = openvino_genai.ContinuousBatchingPipeline(
                str(path), scheduler, settings.device, properties
            )
        except RuntimeError as error:
            raise DataError(
                f"OpenVINO GenAI cannot load this model ({first_line(error)})",
                where=str(path),
                found=f"{self.header.architecture}, {', '.join(sorted(self.header.tensor_types))}",
                allowed="architectures llama, qwen2 and qwen3 in Q4_0, Q4_1, Q8_0, Q4_K, Q6_K or F16",
            ) from error
        self._tokenizer = self._pipeline.get_tokenizer()
        if self.header.chat_template is not None:
            # GenAI replaces templates it thinks it cannot render; the model's own is wanted.
            self._tokenizer.set_chat_template(self.header.chat_template)
        self.window = min(self.header.context_length, self._tokenizer_limit())

    def _tokenizer_limit(self) -> int:
        more_than_fits = " a" * (self.header.context_length + 16)
        length: int = self._encode(more_than_fits).shape[1]
        return length

    def _encode(self, text: str) -> "ov_genai.Tensor":
        # The template writes the special tokens; adding them again would double the first one.
        return self._tokenizer.encode(text, add_special_tokens=False, max_length=self.header.context_length).input_ids

    def encode(self, text: str) -> Sequence[int]:
        """See `Backend`."""
        ids: list[int] = self._encode(text).data[0].tolist()
        if len(ids) >= self.window:
            raise ContextOverflowError(len(ids), self.window)
        return ids

    def decode(self, token_ids: Sequence[int]) -> str:
        """See `Backend`."""
        return str(self._tokenizer.decode(list(token_ids)))

    def decode_each(self, token_ids: Sequence[int]) -> list[str]:
        """See `Backend`."""
        texts: list[str] = self._tokenizer.decode([[token] for token in token_ids], skip_special_tokens=False)
        return texts

    def render(self, messages: Sequence[Mapping[str, str]]) -> str:
        """See `Backend`."""
        if self.header.chat_template is None:
            raise DataError("the model has no chat template: it is a base model", where=str(self.header.path))
        return str(self._tokenizer.apply_chat_template([dict(message) for message in messages], True))

    def add(self, number: int, token_ids: Sequence[int], decoding: Decoding) -> Ticket:
        """See `Backend`. Raises `EngineError` where the pipeline refuses the request."""
        import numpy as np
        import openvino  # type: ignore[import-untyped]  # ships no types

        ids = openvino.Tensor(np.asarray([token_ids], dtype=np.int64))
        try:
            handle = self._pipeline.add_request(number, ids, self._generation_config(decoding))
        except RuntimeError as error:
            raise EngineError(f"the pipeline refuses the request: {first_line(error)}") from error
        return _OpenVinoTicket(handle, self._genai)

    def _generation_config(self, decoding: Decoding) -> "ov_genai.GenerationConfig":
        config = self._genai.GenerationConfig()
        config.apply_chat_template = False
        config.max_new_tokens = decoding.max_new_tokens
        config.do_sample = not decoding.is_greedy
        if not decoding.is_greedy:
            config.temperature = decoding.temperature
            if decoding.top_p is not None:
                config.top_p = decoding.top_p
            if decoding.top_k is not None:
                config.top_k = decoding.top_k
            if decoding.seed is not None:
                config.rng_seed = decoding.seed
        if decoding.stop:
            config.stop_strings = set(decoding.stop)
        config.repetition_penalty = decoding.repetition_penalty
        config.frequency_penalty = decoding.frequency_penalty
        config.presence_penalty = decoding.presence_penalty
        config.logprobs = int(decoding.logprobs)
        if decoding.json_schema is not None:
            config.structured_output_config = self._genai.StructuredOutputConfig(json_schema=decoding.json_schema)
        return config

    def step(self) -> None:
        """See `Backend`."""
        self._pipeline.step()

    def has_unfinished(self) -> bool:
        """See `Backend`."""
        return bool(self._pipeline.has_non_finished_requests())


class _OpenVinoTicket:
    """A `Ticket` over a generation handle."""

    def __init__(self, handle: "ov_genai.GenerationHandle", genai: "ov_genai") -> None:
        self._handle = handle
        self._status = genai.GenerationStatus
        self._reasons = {
            genai.GenerationFinishReason.STOP: GenerationFinish.STOP,
            genai.GenerationFinishReason.LENGTH: GenerationFinish.LENGTH,
        }

    def is_running(self) -> bool:
        return bool(self._handle.get_status() == self._status.RUNNING)

    def has_tokens(self) -> bool:
        return bool(self._handle.can_read())

    def output(self) -> Output:
        status = self._handle.get_status()
        if status == self._status.IGNORED:
            raise EngineError("the pipeline ran out of key-value cache: raise cache_gb or lower max_connections")
        if status != self._status.FINISHED:
            raise EngineError(f"the pipeline ended the request with status {status.name}")
        (sequence,) = self._handle.read_all()
        if sequence.finish_reason not in self._reasons:
            raise EngineError(f"the pipeline ended the reply for an unknown reason: {sequence.finish_reason.name}")
        return Output(
            token_ids=tuple(sequence.generated_ids),
            finish_reason=self._reasons[sequence.finish_reason],
            logprobs=tuple(sequence.generated_log_probs),
        )

    def cancel(self) -> None:
        self._handle.cancel()


def first_line(error: Exception) -> str:
    """The first line of an error's message, which is all that C++ assertions have to say; its type if it has none."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
