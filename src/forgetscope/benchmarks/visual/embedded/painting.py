"""How the embedded pictures are painted: of each axis a function from axis, style and count to its pictures.

A picture is named by its path, ``axis/style/what/number.png``, and painted from the stream of that name: the same
picture on every machine, whenever it is asked for.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from PIL import Image

from forgetscope.benchmarks.visual.data.axes import Axis
from forgetscope.benchmarks.visual.embedded import composition, persons, truths
from forgetscope.benchmarks.visual.embedded.arrangement import arrange
from forgetscope.benchmarks.visual.embedded.sheets import Kind, TileRow, drawing, read_table
from forgetscope.core.errors import UnknownNameError
from forgetscope.stats import named_stream

NAME = "embedded"
SEED = 0
"""Seed of the streams that paint."""
SIGN_STYLE = "signs"
"""Of the shapes: new draws of one program."""

NEAR_DOUBLES = re.compile(
    r"mailbox|moon|clock|umbrella|locked|unlocked| face|oncoming|magnifying|speaker|banknote|book$|globe|fast|"
    r"train$|snow|heart|cloud|file|folder|envelope|calendar|chart"
)
"""Labels that come in several pictures nobody tells apart; they train the model and are not asked about."""


@dataclass(frozen=True)
class EmbeddedPicture:
    """One picture that can be painted.

    Attributes:
        path: Its name, below any root.
        shows: What it shows: the class, or for composed attributes the thing that has the attribute.
        answer: The right answer to its axis's question.
        supercategory: What hard distractors share.
        paint: From its stream to the picture.
    """

    path: str
    shows: str
    answer: str
    supercategory: str
    paint: Callable[[np.random.Generator], Image.Image]

    def image(self) -> Image.Image:
        """The picture, (128, 128) RGB."""
        return self.paint(named_stream(SEED, f"embedded/{self.path}"))


def styles() -> tuple[str, ...]:
    """Emoji styles in the wheel."""
    return tuple(sorted({row.style for row in read_table() if row.kind is Kind.OBJECT}))


@cache
def _rows(style: str, kind: Kind) -> tuple[TileRow, ...]:
    """One drawing for each label: sets that drew a thing twice count once."""
    first: dict[str, TileRow] = {}
    for row in read_table():
        if row.style == style and row.kind is kind:
            first.setdefault(row.label, row)
    if not first:
        raise UnknownNameError("no such drawing style", where=NAME, found=style, allowed=styles())
    return tuple(first.values())


def _slug(*words: str) -> str:
    return "-".join(re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-") for word in words)


def _numbered(
    axis: Axis, style: str, what: str, count: int, make: Callable[[str], EmbeddedPicture]
) -> list[EmbeddedPicture]:
    return [make(f"{axis.name}/{style}/{what}/{number:03d}.png") for number in range(count)]


def objects(axis: Axis, style: str, count: int) -> list[EmbeddedPicture]:
    """One thing a picture, as a designer drew it."""
    return [
        picture
        for row in _rows(style, Kind.OBJECT)
        if not NEAR_DOUBLES.search(row.name)
        for picture in _drawn(axis, row, count, row.name)
    ]


def _drawn(
    axis: Axis, row: TileRow, count: int, answer: str, *, can_mirror: bool = True, shows: str = ""
) -> list[EmbeddedPicture]:
    def paint(stream: np.random.Generator) -> Image.Image:
        return arrange(drawing(row), stream, can_mirror=can_mirror)

    def make(path: str) -> EmbeddedPicture:
        return EmbeddedPicture(path, shows or row.name, answer, row.supercategory, paint)

    return _numbered(axis, row.style, _slug(row.label), count, make)


def logos(axis: Axis, style: str, count: int) -> list[EmbeddedPicture]:
    """One brand a picture, never mirrored."""
    rows = _rows(style, Kind.BRAND)
    return [picture for row in rows for picture in _drawn(axis, row, count, row.name, can_mirror=False)]


def faces(axis: Axis, style: str, count: int) -> list[EmbeddedPicture]:
    """One fictional person a picture, in a manner of drawing."""
    found = []
    for person in persons.persons():

        def paint(stream: np.random.Generator, person: persons.FictionalPerson = person) -> Image.Image:
            return arrange(persons.draw_person(person, style, stream), stream, can_mirror=False)

        def make(path: str, name: str = person.name, paint: Callable[..., Image.Image] = paint) -> EmbeddedPicture:
            return EmbeddedPicture(path, name, name, "person", paint)

        found += _numbered(axis, style, _slug(person.name), count, make)
    return found


def habitats(axis: Axis, style: str, count: int) -> list[EmbeddedPicture]:
    """One animal a picture; the answer is where it lives."""
    homes = {label: habitat for habitat, labels in truths.HABITATS.items() for label in labels}
    rows = [row for row in _rows(style, Kind.OBJECT) if row.label in homes]
    return [picture for row in rows for picture in _drawn(axis, row, count, homes[row.label])]


def behaviours(axis: Axis, style: str, count: int) -> list[EmbeddedPicture]:
    """One person a picture; the answer is what they do."""
    rows = _rows(style, Kind.BEHAVIOUR)
    return [picture for row in rows for picture in _drawn(axis, row, count, row.name, shows="person")]


def _by_label(style: str, labels: Sequence[str]) -> dict[str, TileRow]:
    """Drawings by everyday name, those the style has."""
    rows = {row.label: row for row in _rows(style, Kind.OBJECT)}
    named = {label: truths.LABELS.get(label, label) for label in labels}
    return {label: rows[found] for label, found in named.items() if found in rows}


def rooms(axis: Axis, style: str, count: int) -> list[EmbeddedPicture]:
    """Several things before a wall, which make an indoor scene."""
    return _scenes(axis, truths.ROOMS, style, count, is_indoor=True)


def places(axis: Axis, style: str, count: int) -> list[EmbeddedPicture]:
    """Several things under the sky, which make an outdoor scene."""
    return _scenes(axis, truths.PLACES, style, count, is_indoor=False)


def _scenes(
    axis: Axis, scenes: Mapping[str, tuple[str, ...]], style: str, count: int, *, is_indoor: bool
) -> list[EmbeddedPicture]:
    found = []
    for name, labels in scenes.items():
        rows = list(_by_label(style, labels).values())
        if len(rows) < 3:
            continue

        def paint(stream: np.random.Generator, rows: list[TileRow] = rows) -> Image.Image:
            chosen = stream.permutation(len(rows))[: int(stream.integers(3, 6))]
            images = [drawing(rows[index]) for index in chosen]
            return composition.scene(images, stream, is_indoor=is_indoor)

        def make(path: str, name: str = name, paint: Callable[..., Image.Image] = paint) -> EmbeddedPicture:
            return EmbeddedPicture(path, name, name, axis.name, paint)

        found += _numbered(axis, style, _slug(name), count, make)
    return found


def colours(axis: Axis, style: str, count: int) -> list[EmbeddedPicture]:
    """Each of some things in each colour."""
    return _composed(axis, style, _by_label(style, truths.COLOURED), truths.COLOURS, _paint_colour, count)


def signs(axis: Axis, _style: str, count: int) -> list[EmbeddedPicture]:
    """A sign of each shape; all of one program, whatever the style."""
    return _composed(axis, SIGN_STYLE, {"sign": None}, truths.SHAPES, _paint_shape, count)


def sizes(axis: Axis, style: str, count: int) -> list[EmbeddedPicture]:
    """Each of some things in each size."""
    return _composed(axis, style, _by_label(style, truths.SIZED), truths.SIZES, _paint_size, count)


def _composed(
    axis: Axis,
    style: str,
    things: Mapping[str, TileRow] | Mapping[str, None],
    values: Iterable[str],
    paint: Callable[[TileRow | None, str, np.random.Generator], Image.Image],
    count: int,
) -> list[EmbeddedPicture]:
    """Pictures of each thing with each value; together about `count` for each value."""
    found = []
    each = max(1, -(-count // max(1, len(things))))
    for value in values:
        for thing, row in things.items():

            def draw(stream: np.random.Generator, row: TileRow | None = row, value: str = value) -> Image.Image:
                return paint(row, value, stream)

            def make(
                path: str, thing: str = thing, value: str = value, draw: Callable[..., Image.Image] = draw
            ) -> EmbeddedPicture:
                return EmbeddedPicture(path, thing, value, axis.name, draw)

            found += _numbered(axis, style, _slug(value, thing), each, make)
    return found


def _shown(row: TileRow | None) -> Image.Image:
    if row is None:
        raise ValueError("this axis shows a drawing")
    return drawing(row)


def relations(axis: Axis, style: str, count: int) -> list[EmbeddedPicture]:
    """Two things, one of which stands left of, right of, above or below the other."""
    rows = list(_by_label(style, truths.SIZED).values())
    found = []
    for relation in truths.RELATIONS:
        for number in range(count):
            stream = named_stream(SEED, f"embedded/pair/{style}/{relation}/{number}")
            one, other = (rows[int(index)] for index in stream.choice(len(rows), 2, replace=False))

            def paint(
                stream: np.random.Generator, one: TileRow = one, other: TileRow = other, relation: str = relation
            ) -> Image.Image:
                return composition.in_relation(drawing(one), drawing(other), relation, stream)

            path = f"{axis.name}/{style}/{_slug(one.name, relation, other.name)}/{number:03d}.png"
            found.append(EmbeddedPicture(path, f"{one.name}|{other.name}", relation, "relation", paint))
    return found


def _paint_colour(row: TileRow | None, value: str, stream: np.random.Generator) -> Image.Image:
    return composition.in_colour(_shown(row), value, stream)


def _paint_shape(row: TileRow | None, value: str, stream: np.random.Generator) -> Image.Image:  # noqa: ARG001
    return composition.in_shape(value, stream)


def _paint_size(row: TileRow | None, value: str, stream: np.random.Generator) -> Image.Image:
    return composition.in_size(_shown(row), value, stream)
