"""Replies as they arrive, on disk before anything is done with them: what was paid for once is never asked again.

Inspect writes a sample to its log when it is scored and its turn to be flushed has come. A process killed before
that loses the reply, at any setting (measured: `docs/lab-notes.md`). So each reply is also appended here, one line,
the moment the provider hands it over. A resumed run gives it back instead of sending the request again; when the
logs are complete the journal goes.

A line belongs to one call of one sample: two samples with the same prompt do not share a reply.
"""

import hashlib
import json
import os
import time
from collections import defaultdict, deque
from pathlib import Path

from inspect_ai.log._samples import sample_active
from inspect_ai.model import (
    ChatMessage,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    Model,
    ModelCall,
    ModelOutput,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from pydantic import BaseModel, ConfigDict, ValidationError

from forgetbench.errors import RunFolderError
from forgetbench.models.completions import SECONDS_KEY

JOURNAL_NAME = "replies.jsonl"


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    key: str
    sample: str
    """The sample's id, for people and tests."""
    seconds: float
    output: ModelOutput


class ReplyJournal:
    """The journal of a run folder: the replies of earlier processes to give back, and this one's to keep.

    Raises:
        RunFolderError: the file cannot be opened.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / JOURNAL_NAME
        self._waiting: defaultdict[str, deque[_Line]] = defaultdict(deque)
        try:
            text = self._path.read_bytes() if self._path.exists() else b""
            self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        except OSError as error:
            raise RunFolderError("cannot keep replies here", where=str(self._path), found=error.strerror) from None
        for raw in text.splitlines():
            try:
                line = _Line.model_validate_json(raw)
            except ValidationError:  # the process was killed while it wrote this line: the reply counts as in flight
                continue
            self._waiting[line.key].append(line)
        if text and not text.endswith(b"\n"):
            os.write(self._file, b"\n")

    def take(self, key: str) -> ModelOutput | None:
        """The reply an earlier process got for this call, once."""
        if not self._waiting[key]:
            return None
        line = self._waiting[key].popleft()
        line.output.metadata = {**(line.output.metadata or {}), SECONDS_KEY: line.seconds}
        return line.output

    def keep(self, key: str, output: ModelOutput, seconds: float) -> None:
        """Append a reply; it outlives the process from here on."""
        line = _Line(key=key, sample=_sample_id(), seconds=seconds, output=output)
        os.write(self._file, line.model_dump_json(exclude_none=True).encode() + b"\n")

    def close(self, *, discard: bool) -> None:
        """End the journal; `discard` it when the logs hold every sample."""
        os.close(self._file)
        if discard:
            self._path.unlink(missing_ok=True)


def journaled(model: Model, journal: ReplyJournal) -> Model:
    """The model, with its replies kept and earlier ones given back. Changes the model it is given."""
    ask = model.api.generate

    async def generate(
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput | tuple[ModelOutput | Exception, ModelCall]:
        key = call_key(str(model), input, config)
        kept = journal.take(key)
        if kept is not None:
            return kept
        started = time.monotonic()
        result = await ask(input=input, tools=tools, tool_choice=tool_choice, config=config)
        output, call = result if isinstance(result, tuple) else (result, None)
        if isinstance(output, ModelOutput):
            make_encodable(output)
            measured = call.time if call is not None else None
            journal.keep(key, output, time.monotonic() - started if measured is None else measured)
        return result

    model.api.generate = generate  # type: ignore[method-assign]
    return model


def make_encodable(output: ModelOutput) -> None:
    """Replace lone surrogates in a reply, which JSON can carry and UTF-8 cannot: no log or table could hold it."""
    output.completion = _encodable(output.completion)
    for choice in output.choices:
        content = choice.message.content
        if isinstance(content, str):
            choice.message.content = _encodable(content)
            continue
        for part in content:
            if isinstance(part, ContentText):
                part.text = _encodable(part.text)
            elif isinstance(part, ContentReasoning):
                part.reasoning = _encodable(part.reasoning)


def _encodable(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def call_key(model: str, messages: list[ChatMessage], config: GenerateConfig) -> str:
    """What a call is known by: who is asked for which sample, what is said, and how the reply is decoded."""
    said = [[message.role, message.text] for message in messages]
    decoding = config.model_dump(include={"temperature", "max_tokens", "seed", "top_p", "system_message"})
    content = json.dumps([model, _sample_id(), said, decoding], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:32]


def _sample_id() -> str:
    active = sample_active()
    return str(active.sample.id) if active else ""
