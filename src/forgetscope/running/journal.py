"""Replies as they arrive, on disk before anything is done with them: what was paid for once is never asked again.

Inspect writes a sample to its log when it is scored and its turn to be flushed has come. A process killed before
that loses the reply, at any setting (measured: `docs/lab-notes.md`). So each reply is also appended here, one line,
the moment the provider hands it over. A resumed run gives it back instead of sending the request again; when the
logs are complete the journal goes.

A line belongs to one call of one sample: two samples with the same prompt do not share a reply. The lines are also
the account of what was spent (`budget`), so a run with a limit keeps its journal until nothing is left to send.
"""

import hashlib
import json
import time
from collections import defaultdict, deque
from pathlib import Path

from inspect_ai.log._samples import sample_active
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Model,
    ModelCall,
    ModelOutput,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from pydantic import BaseModel, ConfigDict

from forgetscope.core.errors import RunFolderError
from forgetscope.io.completions import SECONDS_KEY
from forgetscope.io.journal import Journal
from forgetscope.io.tokens import count_cl100k
from forgetscope.running.costs.budget import Budget, Spent
from forgetscope.running.costs.prices import Tokens

JOURNAL_NAME = "replies.jsonl"


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    key: str
    sample: str
    """The sample's id: for people, tests and the account."""
    model: str = ""
    """Who was asked, as the run names it."""
    seconds: float
    output: ModelOutput


class ReplyJournal:
    """The journal of a run folder: the replies of earlier processes to give back, and this one's to keep.

    Raises:
        RunFolderError: the file cannot be opened.
    """

    def __init__(self, folder: Path) -> None:
        resume = f"forgetscope resume {folder}"
        self._journal: Journal[_Line] = Journal(folder / JOURNAL_NAME, _Line, "replies", resume)
        self._journal.require_writable()
        self.failure: RunFolderError | None = None
        """Why a reply could not be kept; from then on nothing more is asked for."""
        self._waiting: defaultdict[str, deque[int]] = defaultdict(
            deque
        )  # places of lines, which are read when asked for
        self.spent: list[Spent] = []
        """The calls of earlier processes."""
        for place, line in self._journal.earlier():
            self._waiting[line.key].append(place)
            self.spent.append(Spent(line.model, line.sample, tokens_of(line.output) or Tokens()))

    def take(self, key: str) -> ModelOutput | None:
        """The reply an earlier process got for this call, once."""
        waiting = self._waiting.get(key)
        if not waiting:
            return None
        line = self._journal.at(waiting.popleft())
        line.output.metadata = {**(line.output.metadata or {}), SECONDS_KEY: line.seconds}
        return line.output

    def keep(self, key: str, output: ModelOutput, seconds: float, *, model: str = "") -> None:
        """Append a reply; it outlives the process from here on.

        Where it cannot be written, the reply still goes to its sample, whose log may have room, and is the last one.
        """
        line = _Line(key=key, sample=_sample_id(), model=model, seconds=seconds, output=output)
        try:
            self._journal.append(line, exclude_none=True)
        except RunFolderError as error:
            self.failure = error

    def require_sound(self) -> None:
        """See that nothing is asked for which could not be kept.

        Raises:
            RunFolderError: an earlier reply could not be.
        """
        if self.failure is not None:
            raise self.failure

    def discard(self) -> None:
        """Take the journal away: the logs hold every sample."""
        self._journal.discard()


def journaled(model: Model, name: str, journal: ReplyJournal, budget: Budget, *, is_judge: bool) -> Model:
    """The model, with its replies kept and earlier ones given back, within a budget. Changes the model it is given.

    Args:
        model: The model.
        name: As the run names it.
        journal: Of the run.
        budget: Of the run; a judge is counted, never stopped.
        is_judge: Whether it judges.
    """
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
        journal.require_sound()
        highest = _highest(input, config) if budget.counts_tokens else Tokens()
        reserved = 0.0 if is_judge else await budget.admit(name, _sample_id(), highest)
        used: Tokens | None = None
        try:
            started = time.monotonic()
            result = await ask(input=input, tools=tools, tool_choice=tool_choice, config=config)
            output, call = result if isinstance(result, tuple) else (result, None)
            if isinstance(output, ModelOutput):
                used = tokens_of(output) or Tokens(highest.input, count_cl100k(output.completion))
                measured = call.time if call is not None else None
                took = time.monotonic() - started if measured is None else measured
                journal.keep(key, output, took, model=name)
        finally:
            budget.settle(name, reserved, used)
        return result

    model.api.generate = generate  # type: ignore[method-assign]
    return model


DEFAULT_REPLY_TOKENS = 2048
"""Of a reply whose length nobody limits, for what it may cost."""


def _highest(messages: list[ChatMessage], config: GenerateConfig) -> Tokens:
    """The most tokens a call can use: its texts in cl100k, and a reply as long as it may be."""
    limit = DEFAULT_REPLY_TOKENS if config.max_tokens is None else config.max_tokens
    return Tokens(sum(count_cl100k(message.text) for message in messages), limit)


def tokens_of(output: ModelOutput) -> Tokens | None:
    """The tokens a provider says a call used; None where it does not say."""
    usage = output.usage
    if usage is None:
        return None
    written = usage.input_tokens_cache_write or 0
    return Tokens(usage.input_tokens + written, usage.output_tokens, usage.input_tokens_cache_read or 0)


def call_key(model: str, messages: list[ChatMessage], config: GenerateConfig) -> str:
    """What a call is known by: who is asked for which sample, what is said, and how the reply is decoded."""
    said = [[message.role, message.text] for message in messages]
    decoding = config.model_dump(include={"temperature", "max_tokens", "seed", "top_p", "system_message"})
    content = json.dumps([model, _sample_id(), said, decoding], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:32]


def _sample_id() -> str:
    active = sample_active()
    return str(active.sample.id) if active else ""
