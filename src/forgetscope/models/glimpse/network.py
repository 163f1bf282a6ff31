"""The decoder for use: the arithmetic of `tools/glimpse/decoder.py`, many prompts at a time, by OpenVINO, no torch.

OpenVINO rather than numpy because its threads can be limited for this model alone: numpy's linear algebra takes all
cores for products this small, and on a busy machine its threads then wait for one another (five to ten times the CPU
time). Prompts are padded to a multiple of `STEP` tokens, and those of one padded length go through together. Who else
is in a batch changes no bit of a prompt's result (tested), so neither replies nor probabilities depend on the company.
"""

import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
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

MOST_PAIRS = 1 << 20
"""Pairs of tokens that attend to each other in one pass, over its prompts: bounds its memory to some 20 MB."""

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

    def next_scores(self, tokens: Sequence[int], views: Array) -> tuple[Array, Array]:
        """Logits of the next token (vocabulary,), and the state they were read from (width,).

        Args:
            tokens: Prompt and what was replied so far, at least one token.
            views: (views, IDENTITY); zeros where there is no picture.
        """
        wishes, states = self.wishes([tokens], [views])
        return self.scores(wishes)[0], states[0]

    def wishes(self, prompts: Sequence[Sequence[int]], views: Sequence[Array]) -> tuple[Array, Array]:
        """What the next token of each prompt should be like (`scores` compares all tokens with it), (prompts, wish).

        Args:
            prompts: Tokens of each, and what was replied so far; at least one token.
            views: What each sees, (views, IDENTITY).

        Returns:
            The wishes, and the states behind them, (prompts, width).
        """
        alike: dict[int, list[int]] = defaultdict(list)
        for place, tokens in enumerate(prompts):
            alike[-(-len(tokens) // STEP) * STEP].append(place)
        wished = np.empty((len(prompts), _wish_width(self.vocabulary)), np.float32)
        states = np.empty((len(prompts), self.shape.width), np.float32)
        for length, places in alike.items():
            most = max(1, MOST_PAIRS // length**2)
            for start in range(0, len(places), most):
                part = places[start : start + most]
                given = self._inputs(length, [prompts[place] for place in part], [views[place] for place in part])
                with self._lock:
                    found = self._body(given)
                    wished[part], states[part] = found[0], found[1]
        return wished, states

    def _inputs(self, length: int, prompts: Sequence[Sequence[int]], views: Sequence[Array]) -> list[NDArray[Any]]:
        counts = np.array([len(tokens) for tokens in prompts])
        is_token = np.arange(length) < counts[:, None]
        ids = np.zeros(is_token.shape, np.int64)
        ids[is_token] = np.concatenate([np.asarray(tokens, np.int64) for tokens in prompts])
        echo = echoes(self.vocabulary.words[ids], is_token)
        seen = self.shape.views
        hidden = np.zeros((len(prompts), 1, 1, seen + length), np.float32)
        hidden[:, 0, 0, seen:][~is_token] = _NEVER
        bias = head_biases(self.shape.heads, seen + length)
        return [ids, np.stack(views).astype(np.float32), echo, bias, hidden, seen + counts - 1]

    def scores(self, wishes: Array) -> Array:
        """Logits of all tokens for each of several wishes, (wishes, vocabulary).

        Much of the time of one prompt is reading the whole vocabulary: many wishes at once read it once.
        """
        with self._lock:
            return np.array(self._head([wishes])[0], np.float32)


class _Graph:
    """Builds the decoder as an OpenVINO graph."""

    def __init__(self, weights: Mapping[str, Array], vocabulary: Vocabulary, shape: DecoderShape) -> None:
        self.weights, self.vocabulary, self.shape = weights, vocabulary, shape

    def body(self) -> Any:
        """Inputs: token ids, visual tokens, echoes, attention biases (of all prompts, of each), last positions.

        Outputs: wishes, states. Only the last position is asked for, so only it goes through the last block.
        """
        import openvino as ov
        from openvino import opset13 as ops

        shape, codes = self.shape, self.vocabulary.codes
        ids = ops.parameter([-1, -1], np.int64, name="ids")
        views = ops.parameter([-1, shape.views, codes.shape[1]], np.float32, name="views")
        echo = ops.parameter([-1, -1, 2], np.float32, name="echo")
        shared = ops.parameter([1, shape.heads, -1, -1], np.float32, name="bias")
        hidden = ops.parameter([-1, 1, 1, -1], np.float32, name="hidden")
        last = ops.parameter([-1], np.int64, name="last")
        meaning, identity = (self._rows(table, ids) for table in (self.vocabulary.meanings, codes))
        gain = ops.constant(np.array([CLUE_GAIN], np.float32))
        clues = ops.concat([ops.matmul(identity, views, False, True) * gain, echo], 2)
        text = self._linear("meaning", meaning) + self._linear("identity", identity) + self._linear("clue", clues)
        x = ops.concat([self._linear("identity", views) + ops.constant(self.weights["view"]), text], 1)
        for number in range(shape.layers - 1):
            x = self._block(f"blocks.{number}", x, x, shared + hidden)
        its_own = ops.transpose(ops.gather(shared, last, np.array(2)), np.array([2, 1, 0, 3]))
        asking = ops.gather(x, ops.unsqueeze(last, np.array(1)), np.array(1), 1)
        x = self._block(f"blocks.{shape.layers - 1}", x, asking, its_own + hidden)
        state = self._norm("norm", x)
        said = ops.normalize_l2(self._linear("out", state), np.array([2]), 1e-12, "max")
        seen = ops.matmul(self._linear("say_seen", state), views, False, False) * gain
        outputs = [ops.squeeze(whole, np.array([1])) for whole in (ops.concat([said, seen], 2), state)]
        return ov.Model(outputs, [ids, views, echo, shared, hidden, last], "glimpse")

    def head(self) -> Any:
        """From wishes (n, MEANING + 2 x IDENTITY) to logits: likeness to a token's meaning and code, and its code."""
        import openvino as ov
        from openvino import opset13 as ops

        codes = self.vocabulary.codes
        table = np.concatenate([self.vocabulary.meanings, codes], axis=1)
        rows = table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-12)
        whole = np.concatenate([np.exp(self.weights["sharpness"]) * rows, codes], axis=1).astype(np.float32)
        wishes = ops.parameter([-1, _wish_width(self.vocabulary)], np.float32, name="wishes")
        return ov.Model([ops.matmul(wishes, ops.constant(whole), False, True)], [wishes], "glimpse-head")

    def _rows(self, table: Array, ids: Any) -> Any:
        from openvino import opset13 as ops

        return ops.gather(ops.constant(np.ascontiguousarray(table, np.float32)), ids, np.array(0))

    def _block(self, name: str, x: Any, asking: Any, bias: Any) -> Any:
        """A block for the positions `asking` of x: all of them, where it is x itself."""
        from openvino import opset13 as ops

        asking = asking + self._attention(name, x, asking, bias)
        inner = ops.gelu(self._linear(f"{name}.up", self._norm(f"{name}.norm", asking)), "tanh")
        return asking + self._linear(f"{name}.down", inner)

    def _attention(self, name: str, x: Any, asking: Any, bias: Any) -> Any:
        from openvino import opset13 as ops

        width, heads = self.shape.width, self.shape.heads
        normed = self._norm(f"{name}.attention.norm", x)
        asked = normed if asking is x else self._norm(f"{name}.attention.norm", asking)
        query, key, value = (
            ops.transpose(
                ops.reshape(
                    self._linear(f"{name}.attention.mix", given, slice(part * width, (part + 1) * width)),
                    np.array([0, -1, heads, width // heads]),
                    True,
                ),
                np.array([0, 2, 1, 3]),
            )
            for part, given in enumerate((asked, normed, normed))
        )
        scale = ops.constant(np.array([(width // heads) ** -0.5], np.float32))
        likeness = ops.softmax(ops.matmul(query, key, False, True) * scale + bias, -1)
        seen = ops.transpose(ops.matmul(likeness, value, False, False), np.array([0, 2, 1, 3]))
        return self._linear(f"{name}.attention.out", ops.reshape(seen, np.array([0, 0, width]), True))

    def _linear(self, name: str, x: Any, part: slice = slice(None)) -> Any:
        from openvino import opset13 as ops

        y = ops.matmul(x, ops.constant(np.ascontiguousarray(self.weights[f"{name}.weight"][part])), False, True)
        bias = self.weights.get(f"{name}.bias")
        return y if bias is None else y + ops.constant(bias[part])

    def _norm(self, name: str, x: Any) -> Any:
        from openvino import opset13 as ops

        plain = ops.mvn(x, np.array([-1]), True, 1e-5, "inside_sqrt")
        gain, shift = (ops.constant(self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return plain * gain + shift


def _wish_width(vocabulary: Vocabulary) -> int:
    return int(vocabulary.meanings.shape[1] + 2 * vocabulary.codes.shape[1])
