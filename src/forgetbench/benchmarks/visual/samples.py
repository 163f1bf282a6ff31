"""What is sent: an item in one condition, under one control, by one probe, in one order of its options.

A sample carries all that is needed to score it again from the log alone.
"""

from typing import Literal

from forgetbench.benchmarks.visual.conditions import CONDITIONS, Condition, Control, Mode, Probe
from forgetbench.benchmarks.visual.levels import Axis, Level
from forgetbench.benchmarks.visual.records import Side, VisualRecord

Role = Literal["effect", "eligibility"]
"""What a sample is for: the effect of a condition, or whether the untouched model knows the concept at all.

The two never share a picture (protocols.md, section 2).
"""


class VisualSample(VisualRecord):
    """One item in one form: what a model answers once, its factors, and what scoring needs.

    Attributes:
        image: The picture that is sent, below the split's root; empty when none is.
        donor: What the sent picture shows, where it is another item's (shuffled_image).
        choices: As shown, in this order of options; for the indirect probe the clues.
        answer: Index of the right one among them.
        labels: The concepts behind the choices, in the same order.
        target: What the oracle or wrong-oracle text names; empty otherwise.
        listed_choices: How many labels the text's list of concepts names.
        answer_listed: Whether it names the right one.
        longer_names: Names of other concepts that hold one of the answer's names ("teddy bear" for "bear"): a short
            answer with one of those does not name the answer.
        input_error: Why the picture cannot be read; nothing is sent then.
    """

    sample_id: str
    item: str
    split: str
    side: Side
    role: Role
    level: Level
    axis: Axis
    source: str
    class_name: str
    forget_concept: str
    supercategory: str = ""
    picture_group: str
    condition: Condition
    control: Control = Control.NONE
    probe: Probe = Probe.CHOICE
    mode: Mode = Mode.GENERATE
    phrasing: int = 0
    order: int = 0
    prompt: str
    image: str = ""
    donor: str = ""
    choices: tuple[str, ...]
    answer: int
    labels: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    longer_names: tuple[str, ...] = ()
    target: str = ""
    listed_choices: int = 0
    answer_listed: bool = False
    hard_distractors: int = 0
    input_error: str = ""

    @property
    def chance(self) -> float:
        """Accuracy of guessing among the options; 0 for a short answer."""
        return 0.0 if self.probe is Probe.SHORT_ANSWER else 1 / len(self.choices)

    @property
    def no_permitted_choice(self) -> bool:
        """Whether the text's list leaves no option to obey with; such samples are outside suppression figures."""
        return self.probe is not Probe.SHORT_ANSWER and self.listed_choices == len(self.labels)


def sample_id(
    item: str,
    split: str,
    condition: Condition,
    *,
    control: Control = Control.NONE,
    probe: Probe = Probe.CHOICE,
    phrasing: int = 0,
    order: int = 0,
    mode: Mode = Mode.GENERATE,
) -> str:
    """`visual/{item}/{condition}/split={split}`, then every factor that is not at its first level."""
    factors = {
        "split": split,
        "control": control.value if control is not Control.NONE else "",
        "probe": probe.value if probe is not Probe.CHOICE else "",
        "phrasing": str(phrasing) if phrasing else "",
        "order": str(order) if order else "",
        "mode": mode.value if mode is not Mode.GENERATE else "",
    }
    written = "".join(f"/{name}={value}" for name, value in factors.items() if value)
    return f"visual/{item}/{condition.value}{written}"


def sides_of(condition: Condition) -> tuple[Side, ...]:
    """The sides a condition is asked on."""
    return CONDITIONS[condition].sides
