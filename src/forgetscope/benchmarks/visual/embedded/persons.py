"""Fictional persons: faces drawn from a seeded description. Nobody is depicted, and no face model was used.

A person is a fixed combination of features; a *manner* is how a face is drawn, and stands for a designer. Expression,
small changes of tone and the arrangement differ from picture to picture.
"""

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

EDGE = 96
_SCALE = 4

MANNERS = ("flat", "outlined", "pastel")

_FIRST = (
    "Mirela", "Tovin", "Askel", "Dorina", "Yarrick", "Selphie", "Orwin", "Katrell", "Benno", "Fiorra", "Lunvik",
    "Petrosa", "Ravindel", "Ingmara", "Caspiel", "Ottilda", "Zephan", "Marwenna", "Holden", "Quilla",
)  # fmt: skip
_LAST = (
    "Solberg", "Haskett", "Venn", "Quarrel", "Bellamy", "Oakes", "Drumlin", "Farrow", "Marchetti", "Winslade", "Thorne",
    "Castellan", "Moss", "Ledgard", "Pike", "Rowntree", "Kestrel", "Abbott", "Sandoval", "Greer",
)  # fmt: skip

_SKINS = ((255, 224, 196), (241, 194, 155), (198, 140, 98), (141, 90, 60), (92, 58, 40))
_HAIRS = ((40, 30, 28), (110, 66, 35), (222, 178, 84), (178, 62, 38), (165, 165, 170), (70, 90, 190), (205, 90, 160))
_SHIRTS = ((200, 50, 60), (50, 110, 190), (60, 150, 90), (240, 190, 60), (130, 80, 160), (60, 60, 70), (240, 130, 70))
HAIRSTYLES = ("short", "long", "bald", "bun", "spiky", "curly")


@dataclass(frozen=True)
class FictionalPerson:
    """A fictional person's looks."""

    name: str
    skin: tuple[int, int, int]
    hair: tuple[int, int, int]
    hairstyle: str
    shirt: tuple[int, int, int]
    has_glasses: bool
    has_beard: bool
    has_hat: bool
    is_round: bool


def persons() -> list[FictionalPerson]:
    """The twenty persons: no two share hairstyle, hair colour and accessories together."""
    found = []
    for number, (first, last) in enumerate(zip(_FIRST, _LAST, strict=True)):
        found.append(
            FictionalPerson(
                name=f"{first} {last}",
                skin=_SKINS[number * 3 % len(_SKINS)],
                hair=_HAIRS[number % len(_HAIRS)],
                hairstyle=HAIRSTYLES[number * 5 // 4 % len(HAIRSTYLES)],
                shirt=_SHIRTS[(number * 3 + number // 7) % len(_SHIRTS)],
                has_glasses=number % 3 == 0,
                has_beard=number % 4 == 1,
                has_hat=number % 5 == 2,
                is_round=number % 2 == 0,
            )
        )
    return found


def draw_person(person: FictionalPerson, manner: str, stream: np.random.Generator) -> Image.Image:
    """One face, (96, 96) RGBA.

    Raises:
        ValueError: An unknown manner.
    """
    if manner not in MANNERS:
        raise ValueError(f"a manner is one of {MANNERS}, found {manner!r}")
    canvas = Image.new("RGBA", (EDGE * _SCALE, EDGE * _SCALE), (0, 0, 0, 0))
    _Face(person, manner, stream, ImageDraw.Draw(canvas)).draw()
    return canvas.resize((EDGE, EDGE), Image.Resampling.LANCZOS)


class _Face:
    """Draws one face from back to front, in units of one pixel of `EDGE`."""

    def __init__(
        self, person: FictionalPerson, manner: str, stream: np.random.Generator, draw: ImageDraw.ImageDraw
    ) -> None:
        self.person, self.manner, self.draw_on = person, manner, draw
        self.tone = stream.integers(-10, 11, size=3)
        self.smile, self.gaze = float(stream.uniform(-3, 5)), float(stream.uniform(-2, 2))
        self.half = 25 if person.is_round else 21

    def draw(self) -> None:
        """The whole face."""
        person, half = self.person, self.half
        if person.hairstyle == "long":
            self._oval(48 - half - 5, 18, 48 + half + 5, 84, person.hair)
        if person.hairstyle == "bun":
            self._oval(36, 2, 60, 26, person.hair)
        self._oval(14, 74, 82, 130, person.shirt)
        self._oval(40, 62, 56, 84, person.skin)
        self._hair_behind()
        self._oval(48 - half, 22, 48 + half, 76, person.skin)
        self._hair_in_front()
        if person.has_beard:
            self.draw_on.chord(self._box(48 - half + 2, 40, 48 + half - 2, 79), 10, 170, fill=self._tint(person.hair))
        self._features()
        if person.has_hat:
            self._rectangle(48 - half - 6, 24, 48 + half + 6, 30, person.shirt)
            self._rectangle(48 - half + 2, 6, 48 + half - 2, 26, person.shirt)

    def _hair_behind(self) -> None:
        half, hair = self.half, self.person.hair
        if self.person.hairstyle == "curly":
            for step in range(9):
                x = 48 + (half + 2) * np.cos(np.pi * step / 8)
                y = 36 - 20 * np.sin(np.pi * step / 8)
                self._oval(x - 9, y - 9, x + 9, y + 9, hair)
        if self.person.hairstyle == "spiky":
            for step in range(7):
                x = 48 - half + step * half / 3
                self._polygon(((x - 6, 34), (x + 6, 34), (x + (x - 48) * 0.3, 6)), hair)

    def _hair_in_front(self) -> None:
        if self.person.hairstyle not in ("bald", "spiky"):
            half = self.half
            self.draw_on.chord(
                self._box(48 - half - 1, 18, 48 + half + 1, 66), 195, 345, fill=self._tint(self.person.hair)
            )

    def _features(self) -> None:
        dark = (50, 40, 40)
        for side in (-10, 10):
            self._oval(48 + side - 3 + self.gaze, 45, 48 + side + 3 + self.gaze, 52, dark)
            if self.person.has_glasses:
                box = self._box(48 + side - 8, 40, 48 + side + 8, 56)
                self.draw_on.ellipse(box, outline=(*dark, 255), width=2 * _SCALE)
        self.draw_on.arc(
            self._box(38, 56 - self.smile, 58, 66 + self.smile), 20, 160, fill=(150, 50, 50, 255), width=2 * _SCALE
        )

    def _tint(self, colour: tuple[int, int, int]) -> tuple[int, int, int, int]:
        mixed = np.array(colour, np.float64) + self.tone
        if self.manner == "pastel":
            mixed = 0.6 * mixed + 0.4 * 245
        red, green, blue = (int(value) for value in np.clip(mixed, 0, 255))
        return red, green, blue, 255

    def _line(self) -> dict[str, object]:
        return {"outline": (30, 25, 25, 255), "width": 2 * _SCALE} if self.manner == "outlined" else {}

    def _box(self, left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
        return left * _SCALE, top * _SCALE, right * _SCALE, bottom * _SCALE

    def _oval(self, left: float, top: float, right: float, bottom: float, colour: tuple[int, int, int]) -> None:
        self.draw_on.ellipse(self._box(left, top, right, bottom), fill=self._tint(colour), **self._line())  # type: ignore[arg-type]

    def _rectangle(self, left: float, top: float, right: float, bottom: float, colour: tuple[int, int, int]) -> None:
        self.draw_on.rectangle(self._box(left, top, right, bottom), fill=self._tint(colour), **self._line())  # type: ignore[arg-type]

    def _polygon(self, points: tuple[tuple[float, float], ...], colour: tuple[int, int, int]) -> None:
        scaled = [(x * _SCALE, y * _SCALE) for x, y in points]
        self.draw_on.polygon(scaled, fill=self._tint(colour))
