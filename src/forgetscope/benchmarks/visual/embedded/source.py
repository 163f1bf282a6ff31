"""The embedded source: which pictures there are on each axis, and how each is painted.

A picture is named by its path, ``axis/style/what/number.png``, and painted from the stream of that name: the same
picture on every machine, whenever it is asked for. `listing` says what the pictures show, in the terms the other
sources use; `write_pictures` puts them below a root.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

from forgetscope.benchmarks.visual.data.concepts import Concept, load_vocabulary
from forgetscope.benchmarks.visual.data.levels import Axis, question_text
from forgetscope.benchmarks.visual.data.records import Picture
from forgetscope.benchmarks.visual.embedded import composition, persons, truths
from forgetscope.benchmarks.visual.embedded.arrangement import arrange
from forgetscope.benchmarks.visual.embedded.sheets import Kind, TileRow, drawing, pictures_folder, read_table
from forgetscope.benchmarks.visual.sources.listing import (
    AttributeListing,
    ClassListing,
    Listing,
    QuestionListing,
    SourceQuestion,
)
from forgetscope.core.errors import SettingError, UnknownNameError
from forgetscope.io.files import replacing
from forgetscope.stats import named_stream

NAME = "embedded"
SEED = 0
"""Seed of the streams that paint."""

EMOJI_STYLE, BRAND_STYLE, FACE_STYLE, SIGN_STYLE = "emojione", "logos", "pastel", "signs"
"""Held out from the embedded model's training, all but the signs, which are new draws of one program."""

ONCE_ONLY_STYLE = "fluent-emoji-flat"
"""Opened once, by the validation that docs/design/visual-validation.md announces, and by nothing else."""

PICTURES_PER_CONCEPT = 20

VOCABULARIES = {
    Axis.IDENTITY: "embedded_objects",
    Axis.TYPE_INDOOR: "embedded_scenes",
    Axis.TYPE_OUTDOOR: "embedded_scenes",
    Axis.PERSON: "embedded_persons",
    Axis.LOGO: "embedded_brands",
}
"""Where aliases and clues of the classes are; persons have no clue, as nothing but their looks is known of them."""
VALUES = "embedded_values"
"""Where those of attribute values are."""

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
    return [make(f"{axis.value}/{style}/{what}/{number:03d}.png") for number in range(count)]


def _identity(style: str, count: int) -> list[EmbeddedPicture]:
    return [
        picture
        for row in _rows(style, Kind.OBJECT)
        if not NEAR_DOUBLES.search(row.name)
        for picture in _drawn(Axis.IDENTITY, row, count, row.name)
    ]


def _drawn(
    axis: Axis, row: TileRow, count: int, answer: str, *, can_mirror: bool = True, shows: str = ""
) -> list[EmbeddedPicture]:
    def paint(stream: np.random.Generator) -> Image.Image:
        return arrange(drawing(row), stream, can_mirror=can_mirror)

    def make(path: str) -> EmbeddedPicture:
        return EmbeddedPicture(path, shows or row.name, answer, row.supercategory, paint)

    return _numbered(axis, row.style, _slug(row.label), count, make)


def _logos(style: str, count: int) -> list[EmbeddedPicture]:
    rows = _rows(style, Kind.BRAND)
    return [picture for row in rows for picture in _drawn(Axis.LOGO, row, count, row.name, can_mirror=False)]


def _persons(style: str, count: int) -> list[EmbeddedPicture]:
    found = []
    for person in persons.persons():

        def paint(stream: np.random.Generator, person: persons.FictionalPerson = person) -> Image.Image:
            return arrange(persons.draw_person(person, style, stream), stream, can_mirror=False)

        def make(path: str, name: str = person.name, paint: Callable[..., Image.Image] = paint) -> EmbeddedPicture:
            return EmbeddedPicture(path, name, name, "person", paint)

        found += _numbered(Axis.PERSON, style, _slug(person.name), count, make)
    return found


def _habitats(style: str, count: int) -> list[EmbeddedPicture]:
    homes = {label: habitat for habitat, labels in truths.HABITATS.items() for label in labels}
    rows = [row for row in _rows(style, Kind.OBJECT) if row.label in homes]
    return [picture for row in rows for picture in _drawn(Axis.HABITAT, row, count, homes[row.label])]


def _behaviours(style: str, count: int) -> list[EmbeddedPicture]:
    rows = _rows(style, Kind.BEHAVIOUR)
    return [picture for row in rows for picture in _drawn(Axis.BEHAVIOUR, row, count, row.name, shows="person")]


def _by_label(style: str, labels: Sequence[str]) -> dict[str, TileRow]:
    """Drawings by everyday name, those the style has."""
    rows = {row.label: row for row in _rows(style, Kind.OBJECT)}
    named = {label: truths.LABELS.get(label, label) for label in labels}
    return {label: rows[found] for label, found in named.items() if found in rows}


def _scenes(axis: Axis, scenes: Mapping[str, tuple[str, ...]], style: str, count: int) -> list[EmbeddedPicture]:
    found = []
    for name, labels in scenes.items():
        rows = list(_by_label(style, labels).values())
        if len(rows) < 3:
            continue

        def paint(stream: np.random.Generator, rows: list[TileRow] = rows) -> Image.Image:
            chosen = stream.permutation(len(rows))[: int(stream.integers(3, 6))]
            images = [drawing(rows[index]) for index in chosen]
            return composition.scene(images, stream, is_indoor=axis is Axis.TYPE_INDOOR)

        def make(path: str, name: str = name, paint: Callable[..., Image.Image] = paint) -> EmbeddedPicture:
            return EmbeddedPicture(path, name, name, axis.value, paint)

        found += _numbered(axis, style, _slug(name), count, make)
    return found


def _composed(
    axis: Axis,
    style: str,
    things: Mapping[str, TileRow | None],
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
                return EmbeddedPicture(path, thing, value, axis.value, draw)

            found += _numbered(axis, style, _slug(value, thing), each, make)
    return found


def _shown(row: TileRow | None) -> Image.Image:
    if row is None:
        raise ValueError("this axis shows a drawing")
    return drawing(row)


def _relations(style: str, count: int) -> list[EmbeddedPicture]:
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

            path = f"{Axis.SPATIAL.value}/{style}/{_slug(one.name, relation, other.name)}/{number:03d}.png"
            found.append(EmbeddedPicture(path, f"{one.name}|{other.name}", relation, "relation", paint))
    return found


def embedded_pictures(
    axis: Axis, *, style: str | None = None, count: int = PICTURES_PER_CONCEPT, is_validation: bool = False
) -> list[EmbeddedPicture]:
    """All pictures of an axis, `count` for each concept.

    Args:
        axis: What is asked.
        style: Whose drawings; a held-out designer's by default.
        count: Pictures for each concept.
        is_validation: Says that this is the announced opening of the once-only style.

    Raises:
        UnknownNameError: No such style.
        SettingError: `count` is below one, or the style is the once-only one and this is not its opening.
    """
    if style == ONCE_ONLY_STYLE and not is_validation:
        raise SettingError(
            "this style is opened once, by forgetscope validate visual",
            where=NAME,
            found=style,
            allowed=[other for other in styles() if other != ONCE_ONLY_STYLE],
        )
    if count < 1:
        raise SettingError("a concept needs a picture", where=NAME, found=count, allowed="1 or more")
    emoji = style or EMOJI_STYLE
    coloured: Mapping[str, TileRow | None] = _by_label(emoji, truths.COLOURED)
    sized: Mapping[str, TileRow | None] = _by_label(emoji, truths.SIZED)
    makers: dict[Axis, Callable[[], list[EmbeddedPicture]]] = {
        Axis.IDENTITY: lambda: _identity(emoji, count),
        Axis.TYPE_INDOOR: lambda: _scenes(Axis.TYPE_INDOOR, truths.ROOMS, emoji, count),
        Axis.TYPE_OUTDOOR: lambda: _scenes(Axis.TYPE_OUTDOOR, truths.PLACES, emoji, count),
        Axis.COLOR: lambda: _composed(axis, emoji, coloured, truths.COLOURS, _paint_colour, count),
        Axis.SHAPE: lambda: _composed(axis, SIGN_STYLE, {"sign": None}, truths.SHAPES, _paint_shape, count),
        Axis.SIZE: lambda: _composed(axis, emoji, sized, truths.SIZES, _paint_size, count),
        Axis.HABITAT: lambda: _habitats(emoji, count),
        Axis.BEHAVIOUR: lambda: _behaviours(emoji, count),
        Axis.SPATIAL: lambda: _relations(emoji, count),
        Axis.PERSON: lambda: _persons(style or FACE_STYLE, count),
        Axis.LOGO: lambda: _logos(style or BRAND_STYLE, count),
    }
    return makers[axis]()


def _paint_colour(row: TileRow | None, value: str, stream: np.random.Generator) -> Image.Image:
    return composition.in_colour(_shown(row), value, stream)


def _paint_shape(row: TileRow | None, value: str, stream: np.random.Generator) -> Image.Image:  # noqa: ARG001
    return composition.in_shape(value, stream)


def _paint_size(row: TileRow | None, value: str, stream: np.random.Generator) -> Image.Image:
    return composition.in_size(_shown(row), value, stream)


def listing(
    axis: Axis, *, style: str | None = None, count: int = PICTURES_PER_CONCEPT, is_validation: bool = False
) -> Listing:
    """What the embedded pictures of an axis show, as the other sources say it.

    Objects, scenes, persons and logos are classes, with clues and aliases where the vocabulary has them; habitats are
    attributes of a class; colours, shapes, sizes, behaviours and relations are ready questions, because their truth
    belongs to the picture.
    """
    pictures = embedded_pictures(axis, style=style, count=count, is_validation=is_validation)
    if axis in (Axis.IDENTITY, Axis.TYPE_INDOOR, Axis.TYPE_OUTDOOR, Axis.PERSON, Axis.LOGO):
        known = load_vocabulary(VOCABULARIES[axis])
        plain = {picture.answer: Concept(picture.answer, picture.supercategory) for picture in pictures}
        concepts = {name: replace(known.get(name, one), supercategory=one.supercategory) for name, one in plain.items()}
        return ClassListing(NAME, axis, tuple(_record(picture) for picture in pictures), tuple(concepts.values()))
    if axis is Axis.HABITAT:
        homes = tuple(truths.HABITATS)
        scores = {picture.shows: _habitat_scores(picture.shows, picture.answer) for picture in pictures}
        records = tuple(_record(picture, domain="animal") for picture in pictures)
        return AttributeListing(NAME, axis, records, scores, {"animal": homes}, vocabulary=VALUES)
    return QuestionListing(NAME, axis, tuple(_question(axis, picture) for picture in pictures), vocabulary=VALUES)


def _habitat_scores(animal: str, answer: str) -> dict[str, float]:
    """1 for the answer, 0.5 for where the animal lives too, 0 for what is false of it."""
    also = truths.ALSO_HABITATS.get(animal, ())
    return {home: 1.0 if home == answer else 0.5 if home in also else 0.0 for home in truths.HABITATS}


def _record(picture: EmbeddedPicture, domain: str = "") -> Picture:
    return Picture(
        source=NAME, image=picture.path, class_name=picture.shows, supercategory=domain or picture.supercategory
    )


def _question(axis: Axis, picture: EmbeddedPicture) -> SourceQuestion:
    values = {
        Axis.COLOR: tuple(truths.COLOURS),
        Axis.SHAPE: truths.SHAPES,
        Axis.SIZE: tuple(truths.SIZES),
        Axis.BEHAVIOUR: tuple(truths.BEHAVIOURS),
        Axis.SPATIAL: truths.RELATIONS,
    }[axis]
    stream = named_stream(SEED, f"embedded/options/{picture.path}")
    others = [str(value) for value in stream.permutation([value for value in values if value != picture.answer])[:3]]
    options = [picture.answer, *others]
    if axis is Axis.SPATIAL:
        one, other = picture.shows.split("|")
        question = f"Where is the {one} in relation to the {other}?"
    elif axis is Axis.BEHAVIOUR:
        question = "What does the person shown in the image do?"
    else:
        question = question_text(axis, picture.shows)
    order = stream.permutation(len(options))
    return SourceQuestion(
        image=picture.path,
        question=question,
        options=tuple(options[index] for index in order),
        answer=picture.answer,
    )


def write_pictures(pictures: Iterable[EmbeddedPicture], root: Path) -> int:
    """Paint pictures below a root as PNG files; those that are there are kept. Gives how many were painted."""
    painted = 0
    for picture in pictures:
        path = root / picture.path
        if path.is_file():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as fresh:
            picture.image().save(fresh, "PNG")
        painted += 1
    return painted


def sheet_path(style: str) -> Path:
    """The file of a style's sheet."""
    return pictures_folder() / f"{style}.webp"
