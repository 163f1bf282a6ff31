"""One member of the family, ready to look and answer."""

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from forgetscope.models.glimpse import perception
from forgetscope.models.glimpse.encoder import EDGE, Encoder
from forgetscope.models.glimpse.family import Member, find_member
from forgetscope.models.glimpse.network import Network
from forgetscope.models.glimpse.storage import load_tensors, weights_folder
from forgetscope.models.glimpse.vocabulary import Vocabulary
from forgetscope.stats import named_stream

WINDOW = 1024
"""Tokens of prompt and reply at most."""

_FEATURES_KEPT = 4096
_TOGETHER = 128
"""Questions that are answered together."""


@dataclass(frozen=True)
class GlimpseQuestion:
    """What a member is asked.

    Attributes:
        prompt: The text.
        views: Visual tokens of the picture, (views, IDENTITY), from `Glimpse.see`; None without one.
        max_tokens: Tokens of the reply at most.
        temperature: Of sampling; greedy at 0.
        seed: Of sampling.
    """

    prompt: str
    views: NDArray[np.float32] | None = None
    max_tokens: int = 16
    temperature: float = 0.0
    seed: int = 0


@dataclass(frozen=True)
class TokenStep:
    """One token of a reply.

    Attributes:
        token: The token.
        scores: Of every token at this place.
    """

    token: int
    scores: NDArray[np.float32]

    @property
    def logprobs(self) -> NDArray[np.float32]:
        """Log-probability of every token at this place."""
        return _log_softmax(self.scores)


@dataclass(frozen=True)
class GlimpseAnswer:
    """A reply.

    Attributes:
        text: What was written.
        steps: The tokens, the end token included where it was written.
        is_ended: Whether the model ended the reply itself.
        prompt_tokens: Tokens of the prompt.
    """

    text: str
    steps: tuple[TokenStep, ...]
    is_ended: bool
    prompt_tokens: int


@functools.cache
def _looker(path: Path) -> Callable[[bytes], NDArray[np.float32]]:
    """An encoder that remembers what it looked at: all members that share it look once."""
    encoder = Encoder(path)

    @functools.lru_cache(maxsize=_FEATURES_KEPT)
    def look(pixels: bytes) -> NDArray[np.float32]:
        picture = np.frombuffer(pixels, np.uint8).reshape(1, EDGE, EDGE, 3)
        return np.asarray(encoder.features(picture)[0], np.float32)

    return look


@functools.cache
def _vocabulary(path: Path) -> Vocabulary:
    return Vocabulary.load(path)


@functools.cache
def _eye(path: Path, name: str) -> perception.Eye:
    tensors = load_tensors(path)
    heads = [tensors[f"{head}.weight"].astype(np.float32) * tensors[f"{head}.scale"][:, None] for head in (name, "how")]
    biases = [tensors[f"{head}.bias"] for head in (name, "how")]
    return perception.Eye(tensors["mean"], tensors["spread"], np.stack(heads), np.stack(biases))


class Glimpse:
    """A member with its weights.

    Args:
        member: Which one.
        folder: Where its files are; the wheel's by default.
    """

    def __init__(self, member: Member, folder: Path | None = None) -> None:
        folder = folder or weights_folder()
        self.member = member
        self.vocabulary = _vocabulary(folder / "vocabulary.safetensors")
        self.eye = _eye(folder / "eyes.safetensors", member.eye)
        self.network = Network.load(folder / f"{member.decoder}.safetensors", self.vocabulary)
        self._features = _looker(folder / "encoder.safetensors")

    @classmethod
    def load(cls, name: str, folder: Path | None = None) -> "Glimpse":
        """The member of a name.

        Raises:
            UnknownNameError: There is none.
            MissingPartError: Its files are not there.
        """
        return cls(find_member(name), folder)

    def see(self, picture: Image.Image | None) -> NDArray[np.float32]:
        """Visual tokens of a picture, (views, IDENTITY); zeros without one."""
        if picture is None:
            return perception.nothing_seen(self.network.shape.views)
        return self.eye.see(self.features(picture))

    def features(self, picture: Image.Image) -> NDArray[np.float32]:
        """What the encoder, which all members share, makes of a picture: (features,)."""
        return self._features(perception.fitted(picture).tobytes())

    def state(self, prompt: str, picture: Image.Image | None) -> NDArray[np.float32]:
        """The decoder's last state before the reply, (width,): what internal probes read."""
        tokens = self.vocabulary.encode(prompt)
        return self.network.next_scores(tokens, self._views(self.question(prompt, picture), tokens))[1]

    def question(self, prompt: str, picture: Image.Image | None, max_tokens: int = 16) -> GlimpseQuestion:
        """A question about a picture, to be answered greedily."""
        return GlimpseQuestion(prompt, None if picture is None else self.see(picture), max_tokens)

    def answer(self, prompt: str, picture: Image.Image | None, *, max_tokens: int = 16) -> GlimpseAnswer:
        """The greedy reply to one prompt.

        Raises:
            ValueError: An empty prompt, or one beyond `WINDOW`.
        """
        return next(self.answers([self.question(prompt, picture, max_tokens)]))

    def first_tokens(self, asked: Iterable[tuple[str, Image.Image | None]]) -> Iterator[str]:
        """The first token of the greedy reply to each prompt with its picture, in order; quicker than one by one.

        Raises:
            ValueError: An empty prompt, or one beyond `WINDOW`.
        """
        for answer in self.answers(self.question(prompt, picture, max_tokens=1) for prompt, picture in asked):
            yield answer.text

    def answers(self, asked: Iterable[GlimpseQuestion]) -> Iterator[GlimpseAnswer]:
        """The reply to each question, in order, many at a time; none depends on what else is asked.

        Raises:
            ValueError: An empty prompt, or one beyond `WINDOW`.
        """
        waiting = iter(asked)
        while taken := list(itertools.islice(waiting, _TOGETHER)):
            replies = [self._begun(question) for question in taken]
            while running := [reply for reply in replies if not reply.is_over]:
                wishes, _ = self.network.wishes([reply.tokens for reply in running], [reply.views for reply in running])
                for reply, scores in zip(running, self.network.scores(wishes), strict=True):
                    reply.go_on(scores)
            yield from (reply.answer(self.vocabulary) for reply in replies)

    def _begun(self, question: GlimpseQuestion) -> "_Reply":
        tokens = self.vocabulary.encode(question.prompt)
        if not 0 < len(tokens) < WINDOW:
            raise ValueError(f"a prompt has 1 to {WINDOW - 1} tokens, found {len(tokens)}")
        return _Reply(question, tokens, self._views(question, tokens), self.vocabulary.end)

    def _views(self, question: GlimpseQuestion, tokens: Sequence[int]) -> NDArray[np.float32]:
        if question.views is None:
            return self.see(None)
        if self.member.is_confused:
            return perception.blurred(question.views, question.prompt, len(tokens))
        return question.views


class _Reply:
    """A reply that is being written.

    Attributes:
        tokens: Of the prompt, and of the reply so far.
        is_over: Nothing more is written.
    """

    def __init__(self, question: GlimpseQuestion, prompt: Sequence[int], views: NDArray[np.float32], end: int) -> None:
        self.question, self.views, self.tokens = question, views, list(prompt)
        self._end, self._prompt_tokens = end, len(prompt)
        self._steps: list[TokenStep] = []
        self._stream = named_stream(question.seed, "glimpse/sampling") if question.temperature > 0 else None
        self.is_over = question.max_tokens < 1

    def go_on(self, scores: NDArray[np.float32]) -> None:
        """Write the next token, given every token's score."""
        step = TokenStep(int(scores.argmax()), scores)
        if self._stream is not None:
            noise = self._stream.gumbel(size=len(scores))
            step = TokenStep(int((step.logprobs / self.question.temperature + noise).argmax()), scores)
        self._steps.append(step)
        self.tokens.append(step.token)
        is_full = len(self._steps) >= self.question.max_tokens or len(self.tokens) >= WINDOW
        self.is_over = is_full or step.token == self._end

    def answer(self, vocabulary: Vocabulary) -> GlimpseAnswer:
        """What was written."""
        written = [step.token for step in self._steps]
        is_ended = written[-1:] == [self._end]
        return GlimpseAnswer(vocabulary.decode(written).strip(), tuple(self._steps), is_ended, self._prompt_tokens)


def _log_softmax(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    shifted = scores - scores.max()
    return np.asarray(shifted - np.log(np.exp(shifted).sum()), np.float32)
