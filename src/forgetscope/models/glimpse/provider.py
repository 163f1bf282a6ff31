"""``forgetscope/glimpse-...``: the embedded visual models as Inspect models."""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ContentImage,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    TopLogprob,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from forgetscope.core.errors import ForgetscopeError, SettingError
from forgetscope.models.glimpse.family import find_member
from forgetscope.models.glimpse.member import WINDOW, Glimpse, GlimpseAnswer, GlimpseQuestion, TokenStep
from forgetscope.models.glimpse.vocabulary import Vocabulary
from forgetscope.models.pictures import open_picture
from forgetscope.models.requests import LACKING_TEXT_CONTROLS, read_args, refuse_unoffered

DEFAULT_MAX_TOKENS = 16
"""Replies are a digit or a name."""

MOST_TOGETHER = 32
"""Questions under way at once. Beyond that a batch gets no quicker a question."""


class GlimpseArgs(BaseModel):
    """What ``-M key=value`` may say: `weights`, a folder of another training seed's packed files."""

    model_config = ConfigDict(extra="forbid")

    weights: Path | None = None


@dataclass(frozen=True)
class _Asked:
    """A question with its picture as it was sent, and who waits for the reply."""

    question: GlimpseQuestion
    picture: str | None
    reply: "asyncio.Future[GlimpseAnswer]"


class GlimpseModel(ModelAPI):
    """A member of the family in this process.

    Questions are answered in batches, one batch at a time: those that come while one is computed are the next. Beside
    the event loop there is so never more than one thread that computes, and a picture is looked at once.

    It takes one picture and text; without a picture it answers from the text. Any prompt gets a reply from its
    vocabulary; prompts unlike those it was trained on get poor ones.

    Args:
        model_name: The part after ``forgetscope/``.
        config: Inspect's settings for all requests.
        args: The validated model arguments.

    Raises:
        UnknownNameError: No member of this name.
        MissingPartError: Its files are not there.
    """

    def __init__(self, model_name: str, config: GenerateConfig, args: GlimpseArgs) -> None:
        super().__init__(model_name, None, None, [], config)
        self.args = args
        self.glimpse = Glimpse(find_member(model_name), args.weights)
        self._waiting: list[_Asked] = []
        self._answering: asyncio.Task[None] | None = None
        self._seen: dict[bytes, NDArray[np.float32]] = {}

    def max_connections(self) -> int:
        """As many as are answered together."""
        return MOST_TOGETHER

    def max_tokens(self) -> int:
        """Reply limit where neither task nor user sets one, tokens."""
        return DEFAULT_MAX_TOKENS

    def connection_key(self) -> str:
        """One queue a member and weights."""
        return f"{self.model_name} {self.args.weights or ''}"

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,  # noqa: ARG002 - no tools, no choice
        config: GenerateConfig,
    ) -> ModelOutput:
        """One reply. A prompt beyond the window comes back empty with stop reason ``model_length``."""
        refuse_unoffered(self.model_name, tools, config, LACKING_TEXT_CONTROLS)
        prompt, images = prompt_of(input)
        if len(images) > 1:
            raise SettingError(
                "this model looks at one picture", where=self.model_name, found=f"{len(images)} pictures"
            )
        length = len(self.glimpse.vocabulary.encode(prompt))
        if not 0 < length < WINDOW:
            output = ModelOutput.from_content(self.model_name, "", stop_reason="model_length")
            output.usage = ModelUsage(input_tokens=length, total_tokens=length)
            return output
        started = time.monotonic()
        temperature = config.temperature or 0.0
        question = GlimpseQuestion(
            prompt,
            max_tokens=config.max_tokens if config.max_tokens is not None else DEFAULT_MAX_TOKENS,
            temperature=temperature,
            seed=config.seed if config.seed is not None else secrets.randbelow(2**32) if temperature else 0,
        )
        output = self._output(await self._answer(question, images[0] if images else None), config)
        output.time = time.monotonic() - started
        return output

    async def _answer(self, question: GlimpseQuestion, picture: str | None) -> GlimpseAnswer:
        asked = _Asked(question, picture, asyncio.get_running_loop().create_future())
        self._waiting.append(asked)
        if self._answering is None or self._answering.done():
            self._answering = asyncio.create_task(self._answer_waiting())
        return await asked.reply

    async def _answer_waiting(self) -> None:
        while self._waiting:
            asked, self._waiting = [one for one in self._waiting if not one.reply.done()], []
            answers: Sequence[GlimpseAnswer | Exception]
            try:
                answers = await asyncio.to_thread(self._answers, asked)
            except Exception as error:  # whatever it is, nobody waits for ever
                answers = [error] * len(asked)
            for one, answer in zip(asked, answers, strict=True):
                if one.reply.done():  # cancelled meanwhile
                    continue
                if isinstance(answer, GlimpseAnswer):
                    one.reply.set_result(answer)
                else:
                    one.reply.set_exception(answer)

    def _answers(self, asked: Sequence[_Asked]) -> list[GlimpseAnswer | ForgetscopeError]:
        """The answer to each, or what is wrong with its picture."""
        found: list[GlimpseQuestion | ForgetscopeError] = []
        for one in asked:
            try:
                found.append(replace(one.question, views=self._view(one.picture)))
            except ForgetscopeError as error:
                found.append(error)
        answers = self.glimpse.answers(one for one in found if isinstance(one, GlimpseQuestion))
        return [next(answers) if isinstance(one, GlimpseQuestion) else one for one in found]

    def _view(self, picture: str | None) -> NDArray[np.float32] | None:
        """What is seen of a picture, which is opened and looked at once, in however many questions it comes."""
        if picture is None:
            return None
        if not picture.startswith("data:"):  # a file, which may change
            return self.glimpse.see(open_picture(picture))
        digest = hashlib.sha256(picture.encode()).digest()
        if digest not in self._seen:
            self._seen[digest] = self.glimpse.see(open_picture(picture))
        return self._seen[digest]

    def _output(self, answer: GlimpseAnswer, config: GenerateConfig) -> ModelOutput:
        top = config.top_logprobs or 0
        wants = bool(config.logprobs) or top > 0
        vocabulary = self.glimpse.vocabulary
        logprobs = Logprobs(content=[_logprob(step, vocabulary, top) for step in answer.steps]) if wants else None
        written = len(answer.steps)
        return ModelOutput(
            model=self.model_name,
            choices=[
                ChatCompletionChoice(
                    message=ChatMessageAssistant(content=answer.text, model=self.model_name, source="generate"),
                    stop_reason="stop" if answer.is_ended else "max_tokens",
                    logprobs=logprobs,
                )
            ],
            usage=ModelUsage(
                input_tokens=answer.prompt_tokens,
                output_tokens=written,
                total_tokens=answer.prompt_tokens + written,
            ),
        )


def _text(token: int, vocabulary: Vocabulary) -> str:
    return "" if token == vocabulary.end else vocabulary.decode([token])


def _logprob(step: TokenStep, vocabulary: Vocabulary, top: int) -> Logprob:
    best = step.logprobs.argsort()[::-1][:top]
    return Logprob(
        token=_text(step.token, vocabulary),
        logprob=float(step.logprobs[step.token]),
        top_logprobs=[
            TopLogprob(token=_text(int(token), vocabulary), logprob=float(step.logprobs[token])) for token in best
        ]
        or None,
    )


def prompt_of(messages: Sequence[ChatMessage]) -> tuple[str, list[str]]:
    """All text of a conversation, parted by blank lines, and all its pictures in order.

    Raises:
        SettingError: A part that is neither text nor picture.
    """
    texts: list[str] = []
    images: list[str] = []
    for message in messages:
        if isinstance(message.content, str):
            texts.append(message.content)
            continue
        for part in message.content:
            if isinstance(part, ContentImage):
                images.append(part.image)
            elif isinstance(part, ContentText):
                texts.append(part.text)
            elif not isinstance(part, ContentReasoning):
                raise SettingError("this model takes text and pictures alone", found=part.type)
    return "\n\n".join(text for text in texts if text), images


def create_glimpse(model_name: str, config: GenerateConfig, given: Mapping[str, object]) -> ModelAPI:
    """Build ``forgetscope/glimpse-...``.

    Raises:
        UnknownNameError: No member of this name.
        SettingError: An argument other than `weights`.
        MissingPartError: Files are missing.
    """
    return GlimpseModel(model_name, config, read_args(GlimpseArgs, given, model_name))
