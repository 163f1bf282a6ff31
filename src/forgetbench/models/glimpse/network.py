"""The decoder in numpy: the same arithmetic as `training.decoder`, one prompt at a time, no torch."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forgetbench.errors import DataError
from forgetbench.models.glimpse.shape import CLUE_GAIN, DecoderShape, echoes, head_biases
from forgetbench.models.glimpse.storage import load_tensors
from forgetbench.models.glimpse.vocabulary import Vocabulary

Array = NDArray[np.float32]


class Network:
    """A decoder's weights with the vocabulary it reads and writes.

    Args:
        weights: Tensors by the names torch gives them.
        vocabulary: What its tokens are.
        shape: Its measures.
    """

    def __init__(self, weights: Mapping[str, NDArray[Any]], vocabulary: Vocabulary, shape: DecoderShape) -> None:
        self.weights = {name: np.asarray(tensor, np.float32) for name, tensor in weights.items()}
        self.vocabulary, self.shape = vocabulary, shape
        self.codes = vocabulary.codes
        table = np.concatenate([vocabulary.meanings, vocabulary.codes], axis=1)
        self._rows = table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-12)

    @classmethod
    def load(cls, path: Path, vocabulary: Vocabulary) -> "Network":
        """Read a decoder's file.

        Raises:
            DataError: The file holds another kind of tensors.
        """
        weights = load_tensors(path)
        try:
            shape = DecoderShape(
                width=weights["identity.weight"].shape[0],
                heads=int(weights["heads"][0]),
                layers=len({name.split(".")[1] for name in weights if name.startswith("blocks.")}),
                inner=weights["blocks.0.up.bias"].shape[0],
                views=weights["view"].shape[0],
            )
        except (KeyError, IndexError) as error:
            raise DataError(f"not a decoder: no tensor {error}", where=str(path)) from error
        return cls(weights, vocabulary, shape)

    def next_scores(self, tokens: list[int], views: Array) -> tuple[Array, Array]:
        """Logits of the next token (vocabulary,), and the state they were read from (width,).

        Args:
            tokens: Prompt and what was replied so far, at least one token.
            views: (views, IDENTITY); zeros where there is no picture.
        """
        state = self._norm("norm", self._states(tokens, views)[-1])
        wanted = self._linear("out", state)
        said = np.exp(self.weights["sharpness"]) * (self._rows @ (wanted / max(float(np.linalg.norm(wanted)), 1e-12)))
        seen = self._linear("say_seen", state) @ views
        return np.asarray(said + CLUE_GAIN * (self.codes @ seen), np.float32), state

    def _states(self, tokens: list[int], views: Array) -> Array:
        ids = np.array(tokens)
        codes = self.codes[ids]
        echo = echoes(self.vocabulary.words[ids][None], np.ones((1, len(ids)), np.bool_))[0]
        clues = np.concatenate([CLUE_GAIN * codes @ views.T, echo], axis=1)
        text = self._linear("meaning", self.vocabulary.meanings[ids]) + self._linear("identity", codes)
        text = text + self._linear("clue", clues)
        x = np.concatenate([self._linear("identity", views) + self.weights["view"], text])
        bias = head_biases(self.shape.heads, len(x))[0]
        for number in range(self.shape.layers):
            name = f"blocks.{number}"
            x = x + self._attention(name, x, bias)
            up = self._linear(f"{name}.up", self._norm(f"{name}.norm", x))
            x = x + self._linear(f"{name}.down", _gelu(up))
        return np.asarray(x, np.float32)

    def _attention(self, name: str, x: Array, bias: Array) -> Array:
        length, width = x.shape
        heads = self.shape.heads
        mixed = self._linear(f"{name}.attention.mix", self._norm(f"{name}.attention.norm", x))
        query, key, value = mixed.reshape(length, 3, heads, width // heads).transpose(1, 2, 0, 3)
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(width // heads) + bias
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        seen = (scores / scores.sum(axis=-1, keepdims=True)) @ value
        return self._linear(f"{name}.attention.out", seen.transpose(1, 0, 2).reshape(length, width))

    def _linear(self, name: str, x: Array) -> Array:
        y = x @ self.weights[f"{name}.weight"].T
        bias = self.weights.get(f"{name}.bias")
        return np.asarray(y if bias is None else y + bias, np.float32)

    def _norm(self, name: str, x: Array) -> Array:
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)
        return np.asarray(centred / spread * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"], np.float32)


def _gelu(x: Array) -> Array:
    return np.asarray(0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x))), np.float32)
