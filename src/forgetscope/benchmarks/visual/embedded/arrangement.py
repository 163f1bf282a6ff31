"""From one drawing to many pictures: placed, turned, scaled and set on a background, by a seeded stream.

A picture's truth does not depend on its arrangement, so a concept drawn once by a designer still gives as many distinct
pictures as a measurement needs. They are not independent drawings: intervals over arrangements say how far a figure
depends on the presentation, and a second designer says how far it depends on the drawing.
"""

import math
from dataclasses import dataclass

import numpy as np
from PIL import Image

EDGE = 128
"""Pixels of a picture's side."""

BACKGROUNDS = ("plain", "gradient", "blotches")


@dataclass(frozen=True)
class Arrangement:
    """How a drawing is shown.

    Attributes:
        share: Part of the picture's edge the drawing's box takes, 0-1.
        degrees: Turn, counter-clockwise.
        is_mirrored: Left and right exchanged.
        shift: Right and down from the centre, parts of the edge.
        background: One of `BACKGROUNDS`.
    """

    share: float
    degrees: float
    is_mirrored: bool
    shift: tuple[float, float]
    background: str


def draw_arrangement(stream: np.random.Generator, *, can_mirror: bool = True) -> Arrangement:
    """An arrangement that keeps nearly all of the drawing in view."""
    share = float(stream.uniform(0.6, 0.95))
    room = (1 - share) / 2 + 0.02
    return Arrangement(
        share=share,
        degrees=float(stream.uniform(-20, 20)),
        is_mirrored=bool(stream.random() < 0.5) and can_mirror,
        shift=(float(stream.uniform(-room, room)), float(stream.uniform(-room, room))),
        background=str(stream.choice(BACKGROUNDS)),
    )


def paint_background(kind: str, stream: np.random.Generator) -> Image.Image:
    """A light backdrop without any shape in it."""
    colours = stream.integers(165, 256, size=(4, 4, 3)).astype(np.uint8)
    if kind == "plain":
        colours = np.broadcast_to(colours[:1, :1], (1, 1, 3))
    elif kind == "gradient":
        colours = colours[:2, :1] if stream.random() < 0.5 else colours[:1, :2]
    elif kind != "blotches":
        raise ValueError(f"a background is one of {BACKGROUNDS}, found {kind!r}")
    return Image.fromarray(np.ascontiguousarray(colours)).resize((EDGE, EDGE), Image.Resampling.BICUBIC)


def place(drawing: Image.Image, arrangement: Arrangement, canvas: Image.Image) -> None:
    """Lay a drawing (RGBA) over a canvas, in place."""
    if arrangement.is_mirrored:
        drawing = drawing.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    scale = max(drawing.size) / (arrangement.share * EDGE)
    angle = math.radians(arrangement.degrees)
    cosine, sine = math.cos(angle) * scale, math.sin(angle) * scale
    centre_x, centre_y = (EDGE * (0.5 + part) for part in arrangement.shift)
    inverse = (
        cosine, -sine, drawing.width / 2 - cosine * centre_x + sine * centre_y,
        sine, cosine, drawing.height / 2 - sine * centre_x - cosine * centre_y,
    )  # fmt: skip
    layer = drawing.transform((EDGE, EDGE), Image.Transform.AFFINE, inverse, Image.Resampling.BICUBIC)
    canvas.paste(layer, (0, 0), layer)


def arrange(drawing: Image.Image, stream: np.random.Generator, *, can_mirror: bool = True) -> Image.Image:
    """One picture (128 x 128, RGB) of a drawing (RGBA)."""
    arrangement = draw_arrangement(stream, can_mirror=can_mirror)
    canvas = paint_background(arrangement.background, stream)
    place(drawing, arrangement, canvas)
    return canvas
