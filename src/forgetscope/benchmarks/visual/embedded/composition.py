"""Pictures whose truth is how they are put together: colour, shape, size, rooms, places, and where one thing stands."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from forgetscope.benchmarks.visual.embedded.arrangement import EDGE, Arrangement, arrange, paint_background, place
from forgetscope.benchmarks.visual.embedded.truths import COLOURS, SHAPES, SIZES

Drawing = Image.Image


def recoloured(drawing: Drawing, colour: str) -> Drawing:
    """A drawing in shades of one colour, its light and dark parts kept."""
    pixels = np.asarray(drawing.convert("RGBA"), np.float32)
    light = pixels[..., :3] @ np.array([0.299, 0.587, 0.114], np.float32)
    seen = pixels[..., 3] > 32
    low, high = np.quantile(light[seen], [0.05, 0.95])
    relative = np.clip((light - low) / max(float(high - low), 1.0), 0, 1)
    shaded = np.array(COLOURS[colour], np.float32) * (0.72 + 0.33 * relative[..., None])
    return Image.fromarray(np.dstack([np.clip(shaded, 0, 255), pixels[..., 3]]).astype(np.uint8))


def in_colour(drawing: Drawing, colour: str, stream: np.random.Generator) -> Image.Image:
    """A picture of a recoloured drawing."""
    return arrange(recoloured(drawing, colour), stream)


def in_size(drawing: Drawing, size: str, stream: np.random.Generator) -> Image.Image:
    """A picture of a drawing that takes a part of the edge as `SIZES` says."""
    share = float(stream.uniform(*SIZES[size]))
    room = max(0.0, (1 - share) / 2)
    shift = (float(stream.uniform(-room, room)), float(stream.uniform(-room, room)))
    canvas = paint_background("plain", stream)
    place(
        drawing, Arrangement(share, float(stream.uniform(-10, 10)), bool(stream.random() < 0.5), shift, "plain"), canvas
    )
    return canvas


def draw_shape(shape: str, stream: np.random.Generator) -> Drawing:
    """A sign of a shape (96 x 96, RGBA), filled or only outlined, in any colour.

    Raises:
        ValueError: An unknown shape.
    """
    canvas = Image.new("RGBA", (384, 384), (0, 0, 0, 0))
    colour = (*(int(value) for value in stream.integers(20, 200, 3)), 255)
    points = _OUTLINES[shape]() if shape in _OUTLINES else None
    if points is None:
        raise ValueError(f"a shape is one of {SHAPES}, found {shape!r}")
    scaled = [(192 + 170 * x, 192 + 170 * y) for x, y in points]
    draw = ImageDraw.Draw(canvas)
    if stream.random() < 0.6:
        draw.polygon(scaled, fill=colour)
    draw.line([*scaled, *scaled[:2]], fill=colour, width=int(stream.integers(16, 34)), joint="curve")
    return canvas.resize((96, 96), Image.Resampling.LANCZOS)


def in_shape(shape: str, stream: np.random.Generator) -> Image.Image:
    """A picture of a sign."""
    return arrange(draw_shape(shape, stream), stream)


def _regular(corners: int, start: float) -> list[tuple[float, float]]:
    turns = [start + 2 * math.pi * step / corners for step in range(corners)]
    return [(math.cos(turn), math.sin(turn)) for turn in turns]


def _star() -> list[tuple[float, float]]:
    outer, inner = _regular(5, -math.pi / 2), _regular(5, -math.pi / 2 + math.pi / 5)
    return [point for pair in zip(outer, ((0.42 * x, 0.42 * y) for x, y in inner), strict=True) for point in pair]


def _heart() -> list[tuple[float, float]]:
    turns = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    y = 13 * np.cos(turns) - 5 * np.cos(2 * turns) - 2 * np.cos(3 * turns) - np.cos(4 * turns)
    return [(float(x), float(-v)) for x, v in zip(np.sin(turns) ** 3 * 0.95, y / 17, strict=True)]


def _cross() -> list[tuple[float, float]]:
    arm = 0.32
    return [
        (-arm, -1), (arm, -1), (arm, -arm), (1, -arm), (1, arm), (arm, arm),
        (arm, 1), (-arm, 1), (-arm, arm), (-1, arm), (-1, -arm), (-arm, -arm),
    ]  # fmt: skip


_OUTLINES: dict[str, Callable[[], list[tuple[float, float]]]] = {
    "circle": lambda: _regular(60, 0),
    "square": lambda: _regular(4, math.pi / 4),
    "triangle": lambda: _regular(3, -math.pi / 2),
    "star": _star,
    "heart": _heart,
    "diamond": lambda: [(0, -1), (0.62, 0), (0, 1), (-0.62, 0)],
    "hexagon": lambda: _regular(6, 0),
    "cross": _cross,
}


def scene(drawings: Sequence[Drawing], stream: np.random.Generator, *, is_indoor: bool) -> Image.Image:
    """Several drawings on a floor before a wall, or on the ground under the sky."""
    canvas = paint_background("gradient", stream)
    ground = np.array([205, 185, 160] if is_indoor else [165, 200, 140]) + stream.integers(-20, 21, 3)
    horizon = int(EDGE * stream.uniform(0.5, 0.65))
    ImageDraw.Draw(canvas).rectangle((0, horizon, EDGE, EDGE), fill=tuple(int(value) for value in ground))
    spots: NDArray[np.float64] = np.array([(-0.28, -0.24), (0.27, -0.22), (-0.27, 0.25), (0.28, 0.26), (0.0, 0.02)])
    for drawing, spot in zip(drawings, stream.permutation(spots), strict=False):
        shift = spot + stream.uniform(-0.05, 0.05, 2)
        share, is_mirrored = float(stream.uniform(0.38, 0.5)), bool(stream.random() < 0.5)
        place(
            drawing,
            Arrangement(share, float(stream.uniform(-8, 8)), is_mirrored, (float(shift[0]), float(shift[1])), "plain"),
            canvas,
        )
    return canvas


def in_relation(subject: Drawing, other: Drawing, relation: str, stream: np.random.Generator) -> Image.Image:
    """A picture in which `subject` stands left of, right of, above or below `other`.

    Raises:
        ValueError: An unknown relation.
    """
    directions = {"left of": (-1, 0), "right of": (1, 0), "above": (0, -1), "below": (0, 1)}
    if relation not in directions:
        raise ValueError(f"a relation is one of {tuple(directions)}, found {relation!r}")
    canvas = paint_background("gradient", stream)
    step = np.array(directions[relation]) * stream.uniform(0.23, 0.27)
    for drawing, sign in ((subject, 1), (other, -1)):
        shift = sign * step + stream.uniform(-0.04, 0.04, 2)
        is_mirrored = bool(stream.random() < 0.5)
        place(drawing, Arrangement(0.42, 0.0, is_mirrored, (float(shift[0]), float(shift[1])), "gradient"), canvas)
    return canvas
