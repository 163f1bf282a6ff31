"""Training pictures and their features: every subject in every training style, arranged several times.

The eye is frozen, so a picture is looked at once and kept as 3,024 numbers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from forgetscope.benchmarks.visual.embedded import composition, persons, truths
from forgetscope.benchmarks.visual.embedded.arrangement import arrange
from forgetscope.benchmarks.visual.embedded.sheets import Kind, drawing, read_table
from forgetscope.models.glimpse.encoder import Encoder
from forgetscope.models.glimpse.family import TRAINING_STYLES
from forgetscope.models.glimpse.shape import HOW, SHOWN
from forgetscope.stats import named_stream
from tools.glimpse.curriculum import LessonSubject
from tools.icon_sets import TRAINING_BRAND_STYLES

FOLDS = {
    "noto": 0, "noto-v1": 0, "twemoji": 1, "fxemoji": 2, "streamline-emojis": 2,
    "devicon": 0, "skill-icons": 1, "simple-icons": 2, "flat": 0, "outlined": 1,
}  # fmt: skip
"""Designers are kept together: what a projector makes of a designer it never saw is what the decoder learns from."""

TRAINING_MANNERS = ("flat", "outlined")


@dataclass(frozen=True)
class TrainingDrawing:
    """One training drawing."""

    style: str
    kind: Kind
    name: str
    supercategory: str
    label: str
    image: Image.Image


@dataclass(frozen=True)
class Sight:
    """One training picture before it is looked at."""

    name: str
    view: int
    fold: int
    drawing: int
    image: Image.Image


@dataclass(frozen=True)
class Looked:
    """Training pictures as features.

    Attributes:
        features: (pictures, FEATURES), half precision.
        subject: (pictures,) index into the subjects.
        fold: (pictures,) designer's fold.
        drawing: (pictures,) number of the drawing; compositions count as drawings of their own.
    """

    features: NDArray[np.float16]
    subject: NDArray[np.int64]
    fold: NDArray[np.int64]
    drawing: NDArray[np.int64]


def read_training_file(path: Path) -> list[TrainingDrawing]:
    """The drawings `tools/build_embedded_pictures.py --training` wrote, training styles alone."""
    with np.load(path, allow_pickle=False) as stored:
        lines, images = stored["lines"], stored["pixels"]
    found = []
    for line, image in zip(lines, images, strict=True):
        style, kind, name, supercategory, label = str(line).split("\t")
        if style in FOLDS:
            found.append(TrainingDrawing(style, Kind(kind), name, supercategory, label, Image.fromarray(image)))
    return found


def shipped_training_drawings() -> list[TrainingDrawing]:
    """The training drawings in the wheel: two emoji styles and one of brands, enough for a smoke model."""
    return [
        TrainingDrawing(row.style, row.kind, row.name, row.supercategory, row.label, drawing(row))
        for row in read_table()
        if row.style in (*TRAINING_STYLES, *TRAINING_BRAND_STYLES)
    ]


def subjects_of(drawn: list[TrainingDrawing]) -> tuple[LessonSubject, ...]:
    """All a picture can show, in a fixed order: drawn things by name, then what is composed."""
    named = {item.name: item.supercategory for item in drawn}
    subjects = [LessonSubject(name, f"{supercategory}", SHOWN) for name, supercategory in sorted(named.items())]
    subjects += [LessonSubject(person.name, "person", SHOWN) for person in persons.persons()]
    subjects += [LessonSubject(name, "room", SHOWN) for name in truths.ROOMS]
    subjects += [LessonSubject(name, "place", SHOWN) for name in truths.PLACES if name not in named]
    for kind, names in (
        ("colour", truths.COLOURS),
        ("shape", truths.SHAPES),
        ("size", truths.SIZES),
        ("habitat", truths.HABITATS),
    ):
        subjects += [LessonSubject(name, kind, HOW) for name in names]
    return tuple(subjects)


def sights(drawn: list[TrainingDrawing], seed: int, arrangements: int) -> Iterator[Sight]:
    """All training pictures; `arrangements` of each drawing, the composed ones in proportion."""
    yield from _arranged(drawn, seed, arrangements)
    yield from _faces(seed, 2 * arrangements)
    yield from _scenes(drawn, seed, 10 * arrangements)
    yield from _attributes(drawn, seed, 10 * arrangements)


def _arranged(drawn: list[TrainingDrawing], seed: int, count: int) -> Iterator[Sight]:
    habitats = {label: habitat for habitat, labels in truths.HABITATS.items() for label in labels}
    for number, item in enumerate(drawn):
        stream = named_stream(seed, f"sights/{item.style}/{item.label}/{number}")
        can_mirror = item.kind is not Kind.BRAND
        for _ in range(count if item.kind is not Kind.BEHAVIOUR else max(1, count // 2)):
            image = arrange(item.image, stream, can_mirror=can_mirror)
            yield Sight(item.name, SHOWN, FOLDS[item.style], number, image)
            if item.kind is Kind.OBJECT and item.name in habitats:
                yield Sight(habitats[item.name], HOW, FOLDS[item.style], number, image)


def _faces(seed: int, count: int) -> Iterator[Sight]:
    for person in persons.persons():
        for manner in TRAINING_MANNERS:
            stream = named_stream(seed, f"sights/person/{person.name}/{manner}")
            for _ in range(count):
                face = persons.draw_person(person, manner, stream)
                yield Sight(person.name, SHOWN, FOLDS[manner], -1, arrange(face, stream, can_mirror=False))


def by_style(drawn: list[TrainingDrawing]) -> dict[str, dict[str, list[Image.Image]]]:
    """Emoji drawings by style and label."""
    found: dict[str, dict[str, list[Image.Image]]] = {}
    for item in drawn:
        if item.kind is not Kind.BRAND:
            found.setdefault(item.style, {}).setdefault(item.label, []).append(item.image)
    return found


def _scenes(drawn: list[TrainingDrawing], seed: int, count: int) -> Iterator[Sight]:
    for style, images in by_style(drawn).items():
        for is_indoor, scenes in ((True, truths.ROOMS), (False, truths.PLACES)):
            for name, labels in scenes.items():
                stream = named_stream(seed, f"sights/scene/{name}/{style}")
                at_hand = [image for label in labels for image in images.get(label, [])[:1]]
                for _ in range(count // 3 if len(at_hand) >= 3 else 0):
                    chosen = stream.permutation(len(at_hand))[: int(stream.integers(3, 6))]
                    image = composition.scene([at_hand[index] for index in chosen], stream, is_indoor=is_indoor)
                    yield Sight(name, SHOWN, FOLDS[style], -1, image)


def _attributes(drawn: list[TrainingDrawing], seed: int, count: int) -> Iterator[Sight]:
    for style, images in by_style(drawn).items():
        stream = named_stream(seed, f"sights/attributes/{style}")
        coloured = [images[label][0] for label in truths.COLOURED if label in images]
        sized = [images[found][0] for label in truths.SIZED if (found := truths.LABELS.get(label, label)) in images]
        fold = FOLDS[style]
        for _ in range(count // 3):
            for name in truths.COLOURS:
                image = composition.in_colour(coloured[int(stream.integers(len(coloured)))], name, stream)
                yield Sight(name, HOW, fold, -1, image)
            for name in truths.SIZES:
                image = composition.in_size(sized[int(stream.integers(len(sized)))], name, stream)
                yield Sight(name, HOW, fold, -1, image)
            for name in truths.SHAPES:
                yield Sight(name, HOW, fold, -1, composition.in_shape(name, stream))


def look(pictures: Iterator[Sight], subjects: tuple[LessonSubject, ...], encoder: Encoder) -> Looked:
    """Features of all training pictures."""
    index = {(subject.name, subject.view): number for number, subject in enumerate(subjects)}
    features, subject, fold, drawn = [], [], [], []
    for sight in pictures:
        features.append(encoder.features(np.asarray(sight.image.convert("RGB"), np.uint8)[None])[0].astype(np.float16))
        subject.append(index[sight.name, sight.view])
        fold.append(sight.fold)
        drawn.append(sight.drawing)
    return Looked(np.stack(features), np.array(subject), np.array(fold), np.array(drawn))
