"""The frozen eye: EfficientNet-Lite0 with ImageNet weights, int8 on disk, run by OpenVINO.

The graph is built here from one file of tensors, so neither torch nor ONNX is needed to look at a picture. Batch
normalisation is folded into the convolutions; their weights are int8 with one scale for each output channel and are
widened when the graph is built, so arithmetic is in float.

Architecture: Tan and Le, "EfficientNet" (2019), the Lite0 variant (no squeeze-and-excitation, ReLU6).
"""

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forgetscope.models.glimpse.storage import load_tensors

EDGE = 128
"""Pixels of a picture's side as the encoder sees it."""

_STAGES = (
    # expansion, kernel, stride, channels out, repeats
    (1, 3, 1, 16, 1),
    (6, 3, 2, 24, 2),
    (6, 5, 2, 40, 2),
    (6, 3, 2, 80, 3),
    (6, 5, 1, 112, 3),
    (6, 5, 2, 192, 4),
    (6, 3, 1, 320, 1),
)
_TAPS = (4, 7, 10)
"""Blocks whose output is pooled beside the head's: colours and textures live lower than categories."""

FEATURES = 2 * (40 + 80 + 112 + 1280)
"""Numbers a picture becomes: mean and maximum over positions of three blocks and of the head."""


@dataclass(frozen=True)
class Block:
    """One inverted residual block: what it multiplies, how it strides, what it hands on."""

    expansion: int
    kernel: int
    stride: int
    channels_in: int
    channels_out: int

    @property
    def is_residual(self) -> bool:
        """Whether the input is added to the output."""
        return self.stride == 1 and self.channels_in == self.channels_out


def blocks() -> list[Block]:
    """The sixteen blocks in order."""
    found = []
    channels = 32
    for expansion, kernel, stride, out, repeats in _STAGES:
        for repeat in range(repeats):
            found.append(Block(expansion, kernel, stride if repeat == 0 else 1, channels, out))
            channels = out
    return found


class Encoder:
    """Pictures to features.

    Args:
        path: The file of int8 tensors that `tools/glimpse/convert_encoder.py` writes.
        threads: CPU threads for one call.
    """

    def __init__(self, path: Path, threads: int = 1) -> None:
        import openvino as ov  # type: ignore[import-untyped]

        model = _graph(load_tensors(path))
        settings = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
        self._compiled = ov.Core().compile_model(model, "CPU", settings)
        self._lock = threading.Lock()

    def features(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Features of pictures (n, 128, 128, 3), red green blue: (n, 3024). One at a time, so that a picture's
        features do not depend on its neighbours."""
        if pictures.ndim != 4 or pictures.shape[1:] != (EDGE, EDGE, 3) or pictures.dtype != np.uint8:
            raise ValueError(f"pictures are (n, {EDGE}, {EDGE}, 3) of uint8, found {pictures.shape} {pictures.dtype}")
        found = np.zeros((len(pictures), FEATURES), np.float32)
        for row, picture in enumerate(pictures):
            with self._lock:
                found[row] = self._compiled(picture[None])[0][0]
        return found


def _graph(tensors: dict[str, NDArray[Any]]) -> Any:
    import openvino as ov
    from openvino import opset13 as ops

    picture = ops.parameter([1, EDGE, EDGE, 3], np.uint8, name="picture")
    offset, width = ops.constant(np.array([127], np.float32)), ops.constant(np.array([128], np.float32))
    scaled = (ops.convert(picture, "f32") - offset) / width
    x = ops.transpose(scaled, np.array([0, 3, 1, 2]))
    x = _relu6(_convolution(tensors, "stem", x, stride=2))
    pooled: list[Any] = []
    for number, block in enumerate(blocks()):
        x = _block(tensors, number, block, x)
        if number in _TAPS:
            pooled += _pools(x)
    x = _relu6(_convolution(tensors, "head", x))
    return ov.Model([ops.concat(pooled + _pools(x), 1)], [picture], "efficientnet-lite0")


def _block(tensors: dict[str, NDArray[Any]], number: int, block: Block, x: Any) -> Any:
    inside = x
    if block.expansion != 1:
        inside = _relu6(_convolution(tensors, f"block{number}.expand", inside))
    inside = _relu6(_convolution(tensors, f"block{number}.depthwise", inside, stride=block.stride, is_depthwise=True))
    inside = _convolution(tensors, f"block{number}.project", inside)
    return inside + x if block.is_residual else inside


def _convolution(
    tensors: dict[str, NDArray[Any]], name: str, x: Any, *, stride: int = 1, is_depthwise: bool = False
) -> Any:
    from openvino import opset13 as ops

    weight, scale, bias = (tensors[f"{name}.{part}"] for part in ("weight", "scale", "bias"))
    wide = weight.astype(np.float32) * scale.reshape(-1, 1, 1, 1)
    strides, zero = [stride, stride], [0, 0]
    if is_depthwise:
        y = ops.group_convolution(x, ops.constant(wide[:, None]), strides, zero, zero, [1, 1], "same_upper")
    else:
        y = ops.convolution(x, ops.constant(wide), strides, zero, zero, [1, 1], "same_upper")
    return y + ops.constant(bias.reshape(1, -1, 1, 1).astype(np.float32))


def _relu6(x: Any) -> Any:
    from openvino import opset13 as ops

    return ops.clamp(x, 0.0, 6.0)


def _pools(x: Any) -> list[Any]:
    from openvino import opset13 as ops

    axes = np.array([2, 3])
    return [ops.reduce_mean(x, axes), ops.reduce_max(x, axes)]
