"""The embedded source: which axes have drawings, and what the pictures of each show.

`listing` says what the pictures show, in the terms the other sources use; `write_pictures` puts them below a root. To
draw for another axis: a function in `painting.py` and a `DrawnAxis` below. An axis without one is only missing here.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.axes import Axis
from forgetscope.benchmarks.visual.data.concepts import Concept, load_vocabulary
from forgetscope.benchmarks.visual.data.records import Picture
from forgetscope.benchmarks.visual.embedded import painting, truths
from forgetscope.benchmarks.visual.embedded.painting import NAME, SEED, SIGN_STYLE, EmbeddedPicture, styles
from forgetscope.benchmarks.visual.embedded.sheets import pictures_folder
from forgetscope.benchmarks.visual.sources.listing import (
    AttributeListing,
    ClassListing,
    Listing,
    QuestionListing,
    SourceQuestion,
)
from forgetscope.core.errors import SettingError, UnknownNameError
from forgetscope.io.files import replacing
from forgetscope.models.glimpse.family import ERASED_CONCEPTS
from forgetscope.stats import named_stream

EMOJI_STYLE, BRAND_STYLE, FACE_STYLE = "emojione", "logos", "pastel"
"""Held out from the embedded model's training."""

ONCE_ONLY_STYLE = "fluent-emoji-flat"
"""Opened once, by the validation that docs/design/visual-validation.md announces, and by nothing else."""

PICTURES_PER_CONCEPT = 20


@dataclass(frozen=True)
class DrawnAxis:
    """An axis that has drawings.

    Attributes:
        pictures: From axis, style and pictures for each concept to the pictures.
        listing: What they show.
        k: Concepts drawn to be forgotten in its embedded split.
        forget: Those that are forgotten instead of drawn ones.
        style: Whose drawings, where nobody asks for others.
    """

    axis: Axis
    pictures: Callable[[Axis, str, int], list[EmbeddedPicture]]
    listing: Callable[[Axis, Sequence[EmbeddedPicture]], Listing]
    k: int = 1
    forget: tuple[str, ...] = ()
    style: str = EMOJI_STYLE


def drawn_axis(axis: Axis) -> DrawnAxis:
    """The drawings of an axis.

    Raises:
        UnknownNameError: it has none.
    """
    if axis.name not in DRAWN:
        raise UnknownNameError("no embedded drawings of this axis", where=NAME, found=axis.name, allowed=DRAWN)
    return DRAWN[axis.name]


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
        UnknownNameError: No such style, or no drawings of this axis.
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
    drawn = drawn_axis(axis)
    return drawn.pictures(axis, style or drawn.style, count)


def listing(
    axis: Axis, *, style: str | None = None, count: int = PICTURES_PER_CONCEPT, is_validation: bool = False
) -> Listing:
    """What the embedded pictures of an axis show, as the other sources say it.

    Objects, scenes, persons and logos are classes, with clues and aliases where the vocabulary has them; habitats are
    attributes of a class; colours, shapes, sizes, behaviours and relations are ready questions, because their truth
    belongs to the picture.
    """
    pictures = embedded_pictures(axis, style=style, count=count, is_validation=is_validation)
    return drawn_axis(axis).listing(axis, pictures)


def _classes(vocabulary: str) -> Callable[[Axis, Sequence[EmbeddedPicture]], ClassListing]:
    def listed(axis: Axis, pictures: Sequence[EmbeddedPicture]) -> ClassListing:
        known = load_vocabulary(vocabulary)
        plain = {picture.answer: Concept(picture.answer, picture.supercategory) for picture in pictures}
        concepts = {name: replace(known.get(name, one), supercategory=one.supercategory) for name, one in plain.items()}
        return ClassListing(NAME, axis, tuple(_record(picture) for picture in pictures), tuple(concepts.values()))

    return listed


def _habitats(axis: Axis, pictures: Sequence[EmbeddedPicture]) -> AttributeListing:
    scores = {picture.shows: _habitat_scores(picture.shows, picture.answer) for picture in pictures}
    records = tuple(_record(picture, domain="animal") for picture in pictures)
    values = {"animal": tuple(truths.HABITATS)}
    axis = replace(axis, made_up=truths.ELSEWHERE)
    return AttributeListing(NAME, axis, records, scores, values, vocabulary=load_vocabulary(VALUES))


VALUES = "embedded_values"
"""The vocabulary of attribute values."""


def _habitat_scores(animal: str, answer: str) -> dict[str, float]:
    """1 for the answer, 0.5 for where the animal lives too, 0 for what is false of it."""
    also = truths.ALSO_HABITATS.get(animal, ())
    return {home: 1.0 if home == answer else 0.5 if home in also else 0.0 for home in truths.HABITATS}


def _record(picture: EmbeddedPicture, domain: str = "") -> Picture:
    return Picture(
        source=NAME, image=picture.path, class_name=picture.shows, supercategory=domain or picture.supercategory
    )


def _questions(
    values: Iterable[str], ask: Callable[[Axis, str], str] = Axis.ask, *, scale: str = ""
) -> Callable[[Axis, Sequence[EmbeddedPicture]], QuestionListing]:
    """Ready questions with three other values drawn as options; `ask` words them from what is shown."""

    def listed(axis: Axis, pictures: Sequence[EmbeddedPicture]) -> QuestionListing:
        questions = (_question(picture, tuple(values), ask(axis, picture.shows), scale) for picture in pictures)
        return QuestionListing(NAME, axis, tuple(questions), vocabulary=load_vocabulary(VALUES))

    return listed


def _question(picture: EmbeddedPicture, values: Sequence[str], question: str, scale: str) -> SourceQuestion:
    stream = named_stream(SEED, f"embedded/options/{picture.path}")
    drawn = [str(value) for value in stream.permutation([value for value in values if value != picture.answer])]
    known = load_vocabulary(VALUES)
    others = [value for value in drawn if not known[value].is_kin(known[picture.answer])][:3]
    options = [picture.answer, *others]
    order = stream.permutation(len(options))
    return SourceQuestion(
        image=picture.path,
        question=question,
        options=tuple(options[index] for index in order),
        answer=picture.answer,
        scale=scale,
    )


def _ask_behaviour(_axis: Axis, _shows: str) -> str:
    return "What does the person shown in the image do?"


def _ask_relation(_axis: Axis, shows: str) -> str:
    one, other = shows.split("|")
    return f"Where is the {one} in relation to the {other}?"


DRAWN: dict[str, DrawnAxis] = {
    drawn.axis.name: drawn
    for drawn in (
        DrawnAxis(axes.IDENTITY, painting.objects, _classes("embedded_objects"), forget=tuple(ERASED_CONCEPTS)),
        DrawnAxis(axes.TYPE_INDOOR, painting.rooms, _classes("embedded_scenes"), 3),
        DrawnAxis(axes.TYPE_OUTDOOR, painting.places, _classes("embedded_scenes"), 3),
        DrawnAxis(axes.COLOR, painting.colours, _questions(truths.COLOURS), 2),
        DrawnAxis(axes.SHAPE, painting.signs, _questions(truths.SHAPES), 2, style=SIGN_STYLE),
        DrawnAxis(axes.SIZE, painting.sizes, _questions(truths.SIZES, scale=truths.SCALE), 1),
        DrawnAxis(axes.HABITAT, painting.habitats, _habitats, 2),
        DrawnAxis(axes.BEHAVIOUR, painting.behaviours, _questions(truths.BEHAVIOURS, _ask_behaviour), 3),
        DrawnAxis(axes.SPATIAL, painting.relations, _questions(truths.RELATIONS, _ask_relation), 1),
        DrawnAxis(axes.PERSON, painting.faces, _classes("embedded_persons"), 4, style=FACE_STYLE),
        DrawnAxis(axes.LOGO, painting.logos, _classes("embedded_brands"), 5, style=BRAND_STYLE),
    )
}
"""What is drawn, in the order of the embedded splits; of objects the concepts are forgotten that the erased models
never met. Persons have no clue: nothing but their looks is known of them."""


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
