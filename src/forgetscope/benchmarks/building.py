"""Data built by a language model: one prompt, a structured reply, one retry, every reply kept in the journal.

What is asked is each benchmark's own (`construction/` in its folder); here is how: `ask_rows` works on many rows at
once, `Builder` asks for one of them, `build_calls` keeps the replies, `build_manifest` what the build was.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from pydantic import BaseModel, JsonValue

from forgetscope.benchmarks.build_calls import Call, CallJournal, call_key
from forgetscope.core.errors import UserError
from forgetscope.core.json_values import encodable
from forgetscope.core.outcomes import FinishReason
from forgetscope.core.results import Completion
from forgetscope.io.asking import Heard, Said, ask_for, chat, going_on

if TYPE_CHECKING:
    from inspect_ai.model import Model, ResponseSchema

ReplyT = TypeVar("ReplyT", bound=BaseModel)
ReplyT_co = TypeVar("ReplyT_co", bound=BaseModel, covariant=True)
RowT = TypeVar("RowT")
DoneT = TypeVar("DoneT")


@dataclass(frozen=True)
class Prompt(Generic[ReplyT_co]):
    """One request to the builder.

    Attributes:
        step: The step's name in the journal; unique within a row.
        text: The whole user message.
        form: The form of the reply.
        is_gate: Whether it asks if a meaning holds; a second model may answer these.
        is_json: Whether the reply is one JSON object, so that its schema can go with the request.
    """

    step: str
    text: str
    form: type[ReplyT_co]
    is_gate: bool = False
    is_json: bool = True


class ReadReply(Protocol):
    """How a reply is read: in its form, or why there is none."""

    def __call__(self, reply: str, form: type[ReplyT]) -> tuple[ReplyT | None, str]:
        """The value, and what is wrong with the reply where there is none."""


@dataclass(frozen=True)
class Manner:
    """How a construction speaks with its builder.

    Attributes:
        version: Of its prompts.
        system: The system message of every request.
        again: The wording that asks once more, with `{problem}` in it.
        read: How replies are read.
    """

    version: str
    system: str
    again: str
    read: ReadReply


@dataclass(frozen=True)
class BuildModels:
    """The model that writes, the one that answers for gates, and how both were named."""

    builder: "Model"
    gates: "Model"
    named: dict[str, dict[str, JsonValue]]


def described(spec: dict[str, JsonValue], model: "Model") -> dict[str, JsonValue]:
    """A model's specification with the hash of its weights, where it runs in this process."""
    from forgetscope.models.local import LocalModel

    return {**spec, "weights_sha256": model.api.weights_sha256()} if isinstance(model.api, LocalModel) else spec


@dataclass(frozen=True)
class BuilderDecoding:
    """How the builder decodes.

    Attributes:
        temperature: 0 is greedy, so that a build can be repeated.
        send_schema: The reply's JSON schema goes with each request; providers that can, enforce it, others pass it
            over. It is validated in any case.
    """

    max_tokens: int
    temperature: float
    seed: int
    send_schema: bool = True


@dataclass(frozen=True)
class BuilderReply(Generic[ReplyT]):
    """What came of a prompt.

    Attributes:
        value: The reply in its form; None where there is none.
        problem: Why not.
        is_lost: The model could not be reached; another try may bring it.
        text: The last reply as it was written.
    """

    value: ReplyT | None
    problem: str = ""
    is_lost: bool = False
    text: str = ""


@dataclass
class Usage:
    """What was asked in this process and what was given back from an earlier one, by step."""

    asked: Counter[str] = field(default_factory=Counter)
    given_back: Counter[str] = field(default_factory=Counter)
    retries: Counter[str] = field(default_factory=Counter)
    input_tokens: int = 0
    output_tokens: int = 0


class Builder:
    """The model that builds, and the one that answers for gates, behind a journal.

    Args:
        models: Who writes, and who answers the prompts that ask if a meaning holds.
        journal: Of the build folder.
        decoding: Of every call.
        manner: Of the construction.
    """

    def __init__(self, models: BuildModels, journal: CallJournal, decoding: BuilderDecoding, manner: Manner) -> None:
        self._models = models
        self._journal = journal
        self._decoding = decoding
        self._manner = manner
        self.usage = Usage()

    async def ask(self, row: str, prompt: Prompt[ReplyT]) -> BuilderReply[ReplyT]:
        """The reply to a prompt about a row, asked again once if it cannot be read."""

        async def send(said: Sequence[Said], attempt: int) -> Heard:
            call = await self._call(row, prompt, attempt, said)
            if isinstance(call, str):
                return Heard(lost=call)
            ending, is_last = Heard.ending, call.finish in (FinishReason.CONTEXT, FinishReason.CONTENT_FILTER)
            if is_last:
                ending += f" ({call.finish.value})"
            elif call.finish is FinishReason.LENGTH:
                ending += f", cut off at {self._decoding.max_tokens} tokens"
            return Heard(call.reply, call.reply, ending, is_last)

        asked = await ask_for(
            [("system", self._manner.system), ("user", prompt.text)],
            send,
            lambda reply: self._manner.read(reply, prompt.form),
            going_on(self._manner.again),
        )
        text = asked.replies[-1] if asked.replies else ""
        return BuilderReply(asked.value, asked.lost or asked.problem, is_lost=bool(asked.lost), text=text)

    async def _call(self, row: str, prompt: Prompt[ReplyT], attempt: int, said: Sequence[Said]) -> Call | str:
        """The call, from the journal where it is there; the error's text where the model could not be reached."""
        models, decoding = self._models, self._decoding
        model = models.gates if prompt.is_gate else models.builder
        key = call_key(str(model), asdict(decoding), list(said))
        self.usage.retries[prompt.step] += attempt > 1
        kept = self._journal.take(row, prompt.step, attempt, key)
        if kept is not None:
            self.usage.given_back[prompt.step] += 1
            return kept
        self.usage.asked[prompt.step] += 1
        completion = await _generate(model, said, decoding, prompt)
        if completion.finish_reason is FinishReason.ERROR:
            return completion.error
        call = Call(
            key=key,
            row=row,
            step=prompt.step,
            attempt=attempt,
            model=str(model),
            prompts=self._manner.version,
            reply=encodable(completion.reply),
            reasoning=encodable(completion.reasoning),
            finish=completion.finish_reason,
            input_tokens=completion.input_tokens or 0,
            output_tokens=completion.output_tokens or 0,
            seconds=completion.seconds or 0.0,
        )
        self.usage.input_tokens += call.input_tokens
        self.usage.output_tokens += call.output_tokens
        self._journal.keep(call)
        return call


async def _generate(
    model: "Model", said: Sequence[Said], decoding: BuilderDecoding, prompt: Prompt[ReplyT]
) -> Completion:
    from inspect_ai.model import GenerateConfig

    from forgetscope.io.completions import completion_of, error_in_words

    config = GenerateConfig(
        temperature=decoding.temperature,
        max_tokens=decoding.max_tokens,
        seed=decoding.seed,
        response_schema=_response_schema(prompt) if decoding.send_schema else None,
    )
    try:
        return completion_of(await model.generate(chat(said), config=config))
    except UserError:
        raise
    except Exception as error:  # providers' errors have no type in common; a lost call loses its row, not the build
        return Completion("", FinishReason.ERROR, error=error_in_words(error))


def _response_schema(prompt: Prompt[ReplyT]) -> "ResponseSchema | None":
    """The schema of the reply as Inspect carries it; None where no JSON is asked for."""
    from inspect_ai.model import ResponseSchema
    from inspect_ai.util import JSONSchema, json_schema

    if not prompt.is_json:
        return None
    schema = json_schema(prompt.form).model_dump(exclude_none=True)
    return ResponseSchema(name=prompt.step, json_schema=JSONSchema.model_validate(_bare(schema)))


def _bare(schema: object) -> object:
    """A schema without descriptions, which are our docstrings and nothing to tell a model, and without defaults."""
    if isinstance(schema, dict):
        properties = {name: _bare(value) for name, value in schema.get("properties", {}).items()}
        kept = {name: _bare(value) for name, value in schema.items() if name not in ("description", "default")}
        return {**kept, "properties": properties} if properties else kept
    return [_bare(entry) for entry in schema] if isinstance(schema, list) else schema


def ask_rows(
    rows: Sequence[RowT], ask: Callable[[RowT], Awaitable[DoneT]], *, at_once: int, advance: Callable[[], None]
) -> list[DoneT]:
    """What comes of each row, in order.

    Args:
        rows: What is built from.
        ask: Everything that is done with one.
        at_once: Rows under way at a time.
        advance: Called after each row.

    Raises:
        UserError: a model refuses how it is asked.
    """

    async def every() -> list[DoneT]:
        places = asyncio.Semaphore(at_once)

        async def one(row: RowT) -> DoneT:
            async with places:
                done = await ask(row)
                advance()
            return done

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(row)) for row in rows]
        return [task.result() for task in tasks]

    try:
        return asyncio.run(every())
    except BaseExceptionGroup as group:
        mistakes = group.subgroup(UserError)
        if mistakes is None:
            raise
        raise _first(mistakes) from None


def _first(error: BaseException) -> BaseException:
    """The first error of a group, however deep."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
