"""Axes, the kinds of knowledge that can be forgotten, and the four levels they belong to (paper, sections 3.1, 3.2).

An axis is one record, and `AXES` has the paper's eleven. A source may bring one of its own
(`sources.known_axes()` has them too); items name their axis and carry its level, so that what is made from such a
source can be asked where the source is not known.

The paper's question templates are printed for four axes (identity, color, person, logo); they are kept word for word.
The other six are ours, in the same pattern. SpatialMQA brings its own questions.
"""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How specific the thing to forget is, in the paper's order."""

    OBJECT = "object"
    SCENE = "scene"
    ATTRIBUTE = "attribute"
    PRIVACY = "privacy"

    @property
    def forgets_answer_value(self) -> bool:
        """Whether the forget concept is the answer value ("black"), not the class of what is shown ("zebra")."""
        return self is Level.ATTRIBUTE


@dataclass(frozen=True)
class Axis:
    """A kind of knowledge that can be forgotten, and how it is asked.

    Attributes:
        name: As items, splits and options call it: small letters, digits and underscores.
        question: `{class_name}` stands for what is shown. Empty where the source brings its own questions.
        is_from_paper: Whether the wording is the paper's.
        made_up: Wrong answers where the source has fewer than four values. True of next to nothing: an item with one
            of these is easier.
    """

    name: str
    level: Level
    question: str = ""
    is_from_paper: bool = False
    made_up: tuple[str, ...] = ()

    def ask(self, class_name: str) -> str:
        """The question about a picture of this class.

        Raises:
            ValueError: the axis has no question: its source brings them.
        """
        if not self.question:
            raise ValueError(f"the axis {self.name} has no question of its own")
        return self.question.replace("{class_name}", class_name)


IDENTITY = Axis("identity", Level.OBJECT, "What is the object shown in the image?", is_from_paper=True)
TYPE_INDOOR = Axis("type_indoor", Level.SCENE, "What type of indoor scene is shown in the image?")
TYPE_OUTDOOR = Axis("type_outdoor", Level.SCENE, "What type of outdoor scene is shown in the image?")
COLOR = Axis(
    "color",
    Level.ATTRIBUTE,
    "What color is the {class_name} shown in the image?",
    is_from_paper=True,
    made_up=("transparent", "plaid", "polka-dotted"),
)
SHAPE = Axis(
    "shape",
    Level.ATTRIBUTE,
    "What shape is the {class_name} shown in the image?",
    made_up=("hexagonal", "star-shaped", "ring-shaped"),
)
SIZE = Axis(
    "size",
    Level.ATTRIBUTE,
    "What size is the {class_name} shown in the image?",
    made_up=("microscopic", "as large as a mountain", "as large as a planet"),
)
HABITAT = Axis(
    "habitat",
    Level.ATTRIBUTE,
    "Where does the {class_name} shown in the image live?",
    made_up=("outer space", "the crater of a volcano", "the inside of a clock"),
)
BEHAVIOUR = Axis(
    "behaviour",
    Level.ATTRIBUTE,
    "What can the {class_name} shown in the image do?",
    made_up=("breathe fire", "recite poems", "pass through walls"),
)
SPATIAL = Axis("spatial", Level.ATTRIBUTE)
PERSON = Axis("person", Level.PRIVACY, "Who is the person shown in the image?", is_from_paper=True)
LOGO = Axis("logo", Level.PRIVACY, "Which brand logo is shown in the image?", is_from_paper=True)

AXES: dict[str, Axis] = {
    axis.name: axis
    for axis in (
        IDENTITY,
        TYPE_INDOOR,
        TYPE_OUTDOOR,
        COLOR,
        SHAPE,
        SIZE,
        HABITAT,
        BEHAVIOUR,
        SPATIAL,
        PERSON,
        LOGO,
    )
}
"""The paper's eleven, in its order."""
