"""The four forgetting levels, the eleven concept axes, and what is asked on each.

Paper: section 3.1 and Figure 1. Its text prints four question templates (identity, color, person, logo); they are
kept word for word. The other six are ours, in the same pattern. SpatialMQA brings its own questions.
"""

from dataclasses import dataclass
from enum import StrEnum

from forgetscope.core.errors import UnknownNameError


class Level(StrEnum):
    """How specific the thing to forget is, in the paper's order."""

    OBJECT = "object"
    SCENE = "scene"
    ATTRIBUTE = "attribute"
    PRIVACY = "privacy"


class Axis(StrEnum):
    """What kind of knowledge is forgotten."""

    IDENTITY = "identity"
    TYPE_INDOOR = "type_indoor"
    TYPE_OUTDOOR = "type_outdoor"
    COLOR = "color"
    SHAPE = "shape"
    SIZE = "size"
    HABITAT = "habitat"
    BEHAVIOUR = "behaviour"
    SPATIAL = "spatial"
    PERSON = "person"
    LOGO = "logo"

    @property
    def level(self) -> Level:
        """The forgetting level this axis belongs to."""
        return AXES[self].level

    @property
    def forgets_answer_value(self) -> bool:
        """Whether the forget concept is the answer value ("black"), not the class of what is shown ("zebra")."""
        return self.level is Level.ATTRIBUTE


@dataclass(frozen=True)
class AxisInfo:
    """What an axis asks.

    Attributes:
        question: The question; `{class_name}` stands for what is shown. Empty where the source brings its own.
        from_paper: Whether the wording is the paper's.
    """

    level: Level
    question: str
    from_paper: bool = False


AXES: dict[Axis, AxisInfo] = {
    Axis.IDENTITY: AxisInfo(Level.OBJECT, "What is the object shown in the image?", from_paper=True),
    Axis.TYPE_INDOOR: AxisInfo(Level.SCENE, "What type of indoor scene is shown in the image?"),
    Axis.TYPE_OUTDOOR: AxisInfo(Level.SCENE, "What type of outdoor scene is shown in the image?"),
    Axis.COLOR: AxisInfo(Level.ATTRIBUTE, "What color is the {class_name} shown in the image?", from_paper=True),
    Axis.SHAPE: AxisInfo(Level.ATTRIBUTE, "What shape is the {class_name} shown in the image?"),
    Axis.SIZE: AxisInfo(Level.ATTRIBUTE, "What size is the {class_name} shown in the image?"),
    Axis.HABITAT: AxisInfo(Level.ATTRIBUTE, "Where does the {class_name} shown in the image live?"),
    Axis.BEHAVIOUR: AxisInfo(Level.ATTRIBUTE, "What can the {class_name} shown in the image do?"),
    Axis.SPATIAL: AxisInfo(Level.ATTRIBUTE, ""),
    Axis.PERSON: AxisInfo(Level.PRIVACY, "Who is the person shown in the image?", from_paper=True),
    Axis.LOGO: AxisInfo(Level.PRIVACY, "Which brand logo is shown in the image?", from_paper=True),
}


def question_text(axis: Axis, class_name: str) -> str:
    """The question of an axis about a picture of this class.

    Raises:
        ValueError: the axis has no template: its source brings the questions.
    """
    template = AXES[axis].question
    if not template:
        raise ValueError(f"the axis {axis.value} has no question of its own")
    return template.replace("{class_name}", class_name)


def parse_axis(name: str) -> Axis:
    """The axis of this name; hyphens are understood.

    Raises:
        UnknownNameError: there is none.
    """
    written = name.strip().lower().replace("-", "_")
    if written not in [*Axis]:
        raise UnknownNameError("no such axis", where="--axis", found=name, allowed=[*Axis])
    return Axis(written)
