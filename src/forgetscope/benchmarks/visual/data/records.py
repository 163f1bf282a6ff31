"""The records of this benchmark: a picture, an item asked about it, and the split that holds items.

Both `Picture` and `Item` are rows of JSON Lines files with exactly the fields below; unknown fields are refused.

* An *items* file has one `Item` a line: `all.jsonl` of `forgetscope visual build`, and the four files of a split.
* A *split* is a folder with `train_forget.jsonl`, `train_retain.jsonl`, `test_forget.jsonl`, `test_retain.jsonl`
  and `split.json` (a `SplitRecord`). Pictures are named relative to the root that `split.json` gives.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, StringConstraints, field_validator, model_validator

from forgetscope.benchmarks.visual.data.axes import Level

Side = Literal["forget", "retain"]
"""Whether an item's concept is to be forgotten or kept."""
Part = Literal["train", "test"]
"""`test` measures; `train` is for methods that need it, and for deciding which concepts are eligible."""

PARTS: tuple[tuple[Part, Side], ...] = (
    ("train", "forget"),
    ("train", "retain"),
    ("test", "forget"),
    ("test", "retain"),
)
"""The four files of a split, in the paper's order."""

AxisName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
"""Of one of `axes.AXES`, or of an axis that a source brings; the level beside it says how it is read."""

MOST_CHOICES = 10
"""One digit names a choice."""


class VisualRecord(BaseModel):
    """Base of the records: immutable, unknown fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def relative_path(path: str) -> str:
    """The path itself, when it is relative, written with `/`, and stays below its root.

    Raises:
        ValueError: it is absolute, empty, or steps upwards.
    """
    if not path or path[0] == "/" or path[1:2] == ":" or "\\" in path or "\0" in path or ".." in path.split("/"):
        raise ValueError("a picture is named by a path below its root, written with '/'")
    return path


class Picture(VisualRecord):
    """One picture of a source and what it shows.

    Attributes:
        image: Path below the source's root.
        class_name: What is shown, in the words of a choice.
        supercategory: Where hard distractors come from; empty when the source has none.
        group: Pictures of one group are never divided between train and test or forget and retain (one photograph
            with several questions, several drawings by one designer). Empty means the picture stands alone.
        subject: For attributes: what has the attribute ("zebra"), where the class name is the value ("striped").
        question: Asked instead of the axis's question.
    """

    source: str
    image: str
    class_name: str
    supercategory: str = ""
    group: str = ""
    subject: str = ""
    question: str = ""

    _below_its_root = field_validator("image")(relative_path)


class Item(VisualRecord):
    """One benchmark question: a picture, a question and its choices, in all the conditions it is asked in.

    Attributes:
        id: Unique in its source, without a `/`.
        answer: Index of the right choice.
        class_name: What the picture shows. For attributes this is not the answer ("zebra").
        forget_concept: What would be forgotten: the class, or for attributes the answer value ("striped"), or the
            person that a question is about, whose name is then no choice.
        aliases: Other names of the answer, which a short answer may use.
        clues: What each choice is otherwise known for, one for each choice and none naming a choice; the options of
            the indirect probe. Empty where there are none.
        hard_distractors: Distractors from the answer's own supercategory or domain.
        notes: What is special about the item: `fallback_distractor`, `padded`, `reduced_from_6`.
    """

    id: str
    level: Level
    axis: AxisName
    source: str
    image: str
    question: str
    choices: tuple[str, ...]
    answer: int
    class_name: str
    forget_concept: str
    supercategory: str = ""
    group: str = ""
    side: Side | None = None
    part: Part | None = None
    aliases: tuple[str, ...] = ()
    clues: tuple[str, ...] = ()
    hard_distractors: int = 0
    notes: tuple[str, ...] = ()

    _below_its_root = field_validator("image")(relative_path)

    @model_validator(mode="after")
    def _answer_is_a_choice(self) -> Self:
        if "/" in self.id or not self.id:
            raise ValueError("an item's id is not empty and has no '/'")
        if not 2 <= len(self.choices) <= MOST_CHOICES:
            raise ValueError(f"an item has 2 to {MOST_CHOICES} choices")
        if not 0 <= self.answer < len(self.choices):
            raise ValueError("the answer is an index into the choices")
        if self.clues and len(self.clues) != len(self.choices):
            raise ValueError("there is one clue for each choice, or none")
        return self

    @property
    def answer_text(self) -> str:
        """The right choice."""
        return self.choices[self.answer]

    @property
    def chance(self) -> float:
        """Accuracy of guessing, 1/n."""
        return 1 / len(self.choices)

    @property
    def picture_group(self) -> str:
        """What must stay together: the group, or the picture itself."""
        return self.group or f"{self.source}:{self.image}"


class RejectedItem(VisualRecord):
    """Something that did not become an item, and why. Kept beside the items."""

    source: str
    image: str
    class_name: str
    reasons: tuple[str, ...]
    question: str = ""
    choices: tuple[str, ...] = ()


class SplitSizes(VisualRecord):
    """How many items each part of a split holds, by default as for COCO; the forget sizes are per concept."""

    test_per_concept: int = 100
    train_per_concept: int = 100
    retain_train: int = 2000
    retain_test: int = 500

    @model_validator(mode="after")
    def _something_is_measured(self) -> Self:
        if min(self.test_per_concept, self.retain_test) < 1 or min(self.train_per_concept, self.retain_train) < 0:
            raise ValueError("test sizes are 1 or more, train sizes 0 or more")
        return self


SplitMode = Literal["random_k", "superclass_balanced_k", "single_target", "listed", "published"]
"""How forget concepts are chosen; `listed` (ours) takes the concepts it is given, `published` the items' own sides."""


SPLIT_SEED = 42


@dataclass(frozen=True)
class SplitRequest:
    """What a split is to be.

    Attributes:
        k: Forget concepts to draw, for `random_k` and `superclass_balanced_k`.
        concepts: The forget concepts, for `single_target` (one) and `listed`.
        sizes: Nothing to a `published` split, which has all the items there are.
    """

    name: str
    source: str
    axis: str
    mode: SplitMode
    sizes: SplitSizes = field(default_factory=SplitSizes)
    k: int = 1
    concepts: tuple[str, ...] = ()
    seed: int = SPLIT_SEED


class SplitRecord(VisualRecord):
    """What `split.json` says of a split: enough to read it, judge it, and make it again.

    Attributes:
        images_root: Folder the pictures' paths start from, as the user named it.
        forget_concepts: Sorted by code point: the class list of the suppression texts, in its order.
        concepts: All concepts of the items the split was drawn from, sorted.
        counts: Items per file.
        divided_groups: Picture groups with answers on both sides; they are in neither.
        short: Concepts or parts that hold fewer items than asked, with how many; only where that was allowed.
    """

    name: str
    source: str
    axis: AxisName
    mode: SplitMode
    seed: int
    sizes: SplitSizes
    images_root: str = ""
    forget_concepts: tuple[str, ...]
    concepts: tuple[str, ...]
    counts: dict[str, int]
    items_available: int
    divided_groups: int = 0
    balanced_positions: bool = False
    short: dict[str, int] = {}
    items_sha256: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Split:
    """A split with its items; every item knows its side and part."""

    record: SplitRecord
    items: tuple[Item, ...]
    rejected: tuple[RejectedItem, ...] = field(default=())

    def of(self, part: Part, side: Side) -> tuple[Item, ...]:
        """The items of one of the four files."""
        return tuple(item for item in self.items if item.part == part and item.side == side)


def file_name(part: Part, side: Side) -> str:
    """Name of the file of one part and side: `test_forget.jsonl`."""
    return f"{part}_{side}.jsonl"
