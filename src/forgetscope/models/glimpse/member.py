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
"""Prompts whose next tokens are looked up together."""


@dataclass(frozen=True)
class TokenStep:
    """One token of a reply.

    Attributes:
        token: The token.
        logprobs: Log-probability of every token at this place.
    """

    token: int
    logprobs: NDArray[np.float32]


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
        return self.network.next_scores(tokens, self._views(prompt, tokens, picture))[1]

    def first_tokens(self, asked: Iterable[tuple[str, Image.Image | None]]) -> Iterator[str]:
        """The first token of the greedy reply to each prompt with its picture, in order; quicker than one by one.

        Raises:
            ValueError: An empty prompt, or one beyond `WINDOW`.
        """
        waiting = iter(asked)
        while batch := list(itertools.islice(waiting, _TOGETHER)):
            wishes = [self._wish(prompt, picture) for prompt, picture in batch]
            for token in self.network.scores(np.stack(wishes)).argmax(axis=1):
                yield self.vocabulary.decode([int(token)]).strip()

    def _wish(self, prompt: str, picture: Image.Image | None) -> NDArray[np.float32]:
        tokens = self._tokens(prompt)
        return self.network.wish(tokens, self._views(prompt, tokens, picture))[0]

    def _tokens(self, prompt: str) -> list[int]:
        tokens = self.vocabulary.encode(prompt)
        if not 0 < len(tokens) < WINDOW:
            raise ValueError(f"a prompt has 1 to {WINDOW - 1} tokens, found {len(tokens)}")
        return tokens

    def _views(self, prompt: str, tokens: Sequence[int], picture: Image.Image | None) -> NDArray[np.float32]:
        views = self.see(picture)
        if self.member.is_confused and picture is not None:
            views = perception.blurred(views, prompt, len(tokens))
        return views

    def answer(
        self,
        prompt: str,
        picture: Image.Image | None,
        *,
        max_tokens: int = 16,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> GlimpseAnswer:
        """A reply of at most `max_tokens` tokens; greedy at temperature 0.

        Raises:
            ValueError: An empty prompt, or one beyond `WINDOW`.
        """
        tokens = self._tokens(prompt)
        views = self._views(prompt, tokens, picture)
        stream = named_stream(seed, "glimpse/sampling")
        steps: list[TokenStep] = []
        while len(steps) < max_tokens and len(tokens) + len(steps) < WINDOW:
            scores = self.network.next_scores(tokens + [step.token for step in steps], views)[0]
            logprobs = _log_softmax(scores)
            token = int(logprobs.argmax())
            if temperature > 0:
                token = int((logprobs / temperature + stream.gumbel(size=len(logprobs))).argmax())
            steps.append(TokenStep(token, logprobs))
            if token == self.vocabulary.end:
                break
        is_ended = bool(steps) and steps[-1].token == self.vocabulary.end
        text = self.vocabulary.decode([step.token for step in steps]).strip()
        return GlimpseAnswer(text, tuple(steps), is_ended, len(tokens))


def _log_softmax(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    shifted = scores - scores.max()
    return np.asarray(shifted - np.log(np.exp(shifted).sum()), np.float32)
