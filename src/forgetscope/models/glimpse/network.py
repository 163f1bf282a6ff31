"""The decoder for use: the arithmetic of `tools/glimpse/decoder.py`, one prompt at a time, by OpenVINO, without torch.

OpenVINO rather than numpy because its threads can be limited for this model alone: numpy's linear algebra takes all
cores for products this small, and on a busy machine its threads then wait for one another (five to ten times the CPU
time). Prompts are padded to a multiple of `STEP` tokens, so that few lengths are compiled.
"""

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forgetscope.core.errors import DataError
from forgetscope.models.glimpse.shape import CLUE_GAIN, DecoderShape, echoes, head_biases
from forgetscope.models.glimpse.storage import load_tensors
from forgetscope.models.glimpse.vocabulary import Vocabulary

Array = NDArray[np.float32]

STEP = 16
"""Prompts are padded to a multiple of so many tokens."""

_NEVER = np.float32(-1e9)


class Network:
    """A decoder's weights with the vocabulary it reads and writes.

    Args:
        weights: Tensors by the names torch gives them.
        vocabulary: What its tokens are.
        shape: Its measures.
    """

    def __init__(self, weights: Mapping[str, NDArray[Any]], vocabulary: Vocabulary, shape: DecoderShape) -> None:
        import openvino as ov  # type: ignore[import-untyped]

        self.vocabulary, self.shape = vocabulary, shape
        graph = _Graph({name: np.asarray(tensor, np.float32) for name, tensor in weights.items()}, vocabulary, shape)
        settings = {"INFERENCE_NUM_THREADS": 1, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
        self._body = ov.Core().compile_model(graph.body(), "CPU", settings)
        self._head = ov.Core().compile_model(graph.head(), "CPU", settings)
        self._lock = threading.Lock()

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
        wish, state = self.wish(tokens, views)
        return self.scores(wish[None])[0], state

    def wish(self, tokens: list[int], views: Array) -> tuple[Array, Array]:
        """What the next token should be like (`scores` compares all tokens with it), and the state behind it."""
        count, seen = len(tokens), self.shape.views
        length = -(-count // STEP) * STEP
        ids, mask = np.zeros(length, np.int64), np.arange(length) < count
        ids[:count] = tokens
        echo = echoes(self.vocabulary.words[ids][None], mask[None])[0]
        bias = head_biases(self.shape.heads, seen + length)[0].copy()
        bias[:, :, seen + count :] = _NEVER
        last = np.array([seen + count - 1], np.int64)
        with self._lock:
            found = self._body([ids, views.astype(np.float32), echo, bias, last])
            return np.array(found[0][0], np.float32), np.array(found[1][0], np.float32)

    def scores(self, wishes: Array) -> Array:
        """Logits of all tokens for each of several wishes, (wishes, vocabulary).

        Half of the time of one prompt is reading the whole vocabulary: many wishes at once read it once.
        """
        with self._lock:
            return np.array(self._head([wishes])[0], np.float32)


class _Graph:
    """Builds the decoder as an OpenVINO graph."""

    def __init__(self, weights: Mapping[str, Array], vocabulary: Vocabulary, shape: DecoderShape) -> None:
        self.weights, self.vocabulary, self.shape = weights, vocabulary, shape

    def body(self) -> Any:
        """Inputs: token ids, visual tokens, echoes, attention biases, last position. Outputs: wish, state."""
        import openvino as ov
        from openvino import opset13 as ops

        shape, codes = self.shape, self.vocabulary.codes
        ids = ops.parameter([-1], np.int64, name="ids")
        views = ops.parameter([shape.views, codes.shape[1]], np.float32, name="views")
        echo = ops.parameter([-1, 2], np.float32, name="echo")
        bias = ops.parameter([shape.heads, -1, -1], np.float32, name="bias")
        last = ops.parameter([1], np.int64, name="last")
        meaning, identity = (self._rows(table, ids) for table in (self.vocabulary.meanings, codes))
        gain = ops.constant(np.array([CLUE_GAIN], np.float32))
        clues = ops.concat([ops.matmul(identity, views, False, True) * gain, echo], 1)
        text = self._linear("meaning", meaning) + self._linear("identity", identity) + self._linear("clue", clues)
        x = ops.concat([self._linear("identity", views) + ops.constant(self.weights["view"]), text], 0)
        for number in range(shape.layers):
            x = self._block(f"blocks.{number}", x, bias)
        state = self._norm("norm", ops.gather(x, last, np.array(0)))
        said = ops.normalize_l2(self._linear("out", state), np.array([1]), 1e-12, "max")
        seen = ops.matmul(self._linear("say_seen", state), views, False, False) * gain
        return ov.Model([ops.concat([said, seen], 1), state], [ids, views, echo, bias, last], "glimpse")

    def head(self) -> Any:
        """From wishes (n, MEANING + 2 x IDENTITY) to logits: likeness to a token's meaning and code, and its code."""
        import openvino as ov
        from openvino import opset13 as ops

        codes = self.vocabulary.codes
        table = np.concatenate([self.vocabulary.meanings, codes], axis=1)
        rows = table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-12)
        whole = np.concatenate([np.exp(self.weights["sharpness"]) * rows, codes], axis=1).astype(np.float32)
        wishes = ops.parameter([-1, whole.shape[1]], np.float32, name="wishes")
        return ov.Model([ops.matmul(wishes, ops.constant(whole), False, True)], [wishes], "glimpse-head")

    def _rows(self, table: Array, ids: Any) -> Any:
        from openvino import opset13 as ops

        return ops.gather(ops.constant(np.ascontiguousarray(table, np.float32)), ids, np.array(0))

    def _block(self, name: str, x: Any, bias: Any) -> Any:
        from openvino import opset13 as ops

        x = x + self._attention(name, x, bias)
        inner = ops.gelu(self._linear(f"{name}.up", self._norm(f"{name}.norm", x)), "tanh")
        return x + self._linear(f"{name}.down", inner)

    def _attention(self, name: str, x: Any, bias: Any) -> Any:
        from openvino import opset13 as ops

        heads, width = self.shape.heads, self.shape.width
        mixed = self._linear(f"{name}.attention.mix", self._norm(f"{name}.attention.norm", x))
        apart = ops.transpose(
            ops.reshape(mixed, np.array([-1, 3, heads, width // heads]), False), np.array([1, 2, 0, 3])
        )
        query, key, value = (ops.gather(apart, np.array(part), np.array(0)) for part in range(3))
        scale = ops.constant(np.array([(width // heads) ** -0.5], np.float32))
        likeness = ops.softmax(ops.matmul(query, key, False, True) * scale + bias, -1)
        seen = ops.transpose(ops.matmul(likeness, value, False, False), np.array([1, 0, 2]))
        return self._linear(f"{name}.attention.out", ops.reshape(seen, np.array([-1, width]), False))

    def _linear(self, name: str, x: Any) -> Any:
        from openvino import opset13 as ops

        y = ops.matmul(x, ops.constant(self.weights[f"{name}.weight"]), False, True)
        bias = self.weights.get(f"{name}.bias")
        return y if bias is None else y + ops.constant(bias)

    def _norm(self, name: str, x: Any) -> Any:
        from openvino import opset13 as ops

        plain = ops.mvn(x, np.array([-1]), True, 1e-5, "inside_sqrt")
        gain, shift = (ops.constant(self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return plain * gain + shift
