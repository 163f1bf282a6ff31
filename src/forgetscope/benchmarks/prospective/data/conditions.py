"""The conditions: ways of putting constraint and task crossed with load, the task alone, and two controls of the load.

A cell says three things of the prompt: whether the original task is kept (the IFEval prompt as it is) or dropped
(the constraint alone, in our wording), whether the constraint stands under a heading, and what trails the prompt.
The paper's two templates are two of the cells: *natural* is kept, no heading, nothing trailing; *reminder* is
dropped, heading, trailing sentence. So the paper's comparison changes three things at once, one of which removes
the creative task; the other six cells take it apart. Without load, *natural* is the paper's baseline and
*reminder* is `constraint_only`, the reminder's own baseline.

Two of those six changes are not pure: in kept cells the heading states the constraint a second time, and dropping the
task puts our wording in the place of IFEval's. The *topic* cells have a task of ours instead (`Write about ...`) and
state the constraint once, in our words, as the dropped ones do, so that each differs from its neighbours in one thing;
*kept_restated* states the constraint again without a heading. The controls keep the natural prompt and change the
load: *neutral_text* has as long a text with nothing to do, *copied_text* something to write and nothing to think.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

NO_LOAD = "none"
"""Stands where a load would; the names of loads are those of `loads.registry`."""


class Trailing(StrEnum):
    """What stands at the end of the prompt."""

    NONE = "none"
    GENERIC = "generic"
    PER_CONSTRAINT = "per_constraint"
    """Ours, after the paper's section 6 (practical implication 5): the constraint said again at the end."""


LoadAs = Literal["task", "neutral", "copied"]


@dataclass(frozen=True)
class SalienceCell:
    """How the constraint is put: one cell of the salience design.

    Attributes:
        original_task: Whether the IFEval prompt stands in it as it is.
        topic: Whether a task of ours stands in its place, with the constraint in our words.
        restated: Whether the constraint stands before a kept prompt once more, without a heading.
        load_as: What stands where the load does: its task, as long a neutral text, or a text to copy out.
    """

    name: str
    original_task: bool
    heading: bool
    trailing: Trailing
    topic: bool = False
    restated: bool = False
    load_as: LoadAs = "task"

    @property
    def about(self) -> str:
        """What the prompt is made of, part by part, and so what it differs from another in."""
        task = "the IFEval prompt" if self.original_task else "a topic of ours" if self.topic else "no task"
        ours = "under the heading" if self.heading else "without a heading"
        if not self.original_task:
            constraint = f"the constraint once, in our words, {ours}"
        elif self.heading or self.restated:
            constraint = f"the constraint twice, in IFEval's words and before it in ours, {ours}"
        else:
            constraint = "the constraint once, in IFEval's words"
        again = {Trailing.GENERIC: "the trailing sentence", Trailing.PER_CONSTRAINT: "the constraint again at the end"}
        loads = {"neutral": "a neutral text as long as the load", "copied": "a text to copy out in place of the load"}
        load = loads.get(self.load_as, "")
        return "; ".join(part for part in (task, constraint, load, again.get(self.trailing)) if part)


NATURAL = SalienceCell("natural", True, False, Trailing.NONE)
REMINDER = SalienceCell("reminder", False, True, Trailing.GENERIC)

SALIENCE_CELLS = (
    NATURAL,
    SalienceCell("kept_trailing", True, False, Trailing.GENERIC),
    SalienceCell("kept_heading", True, True, Trailing.NONE),
    SalienceCell("kept_heading_trailing", True, True, Trailing.GENERIC),
    SalienceCell("dropped", False, False, Trailing.NONE),
    SalienceCell("dropped_trailing", False, False, Trailing.GENERIC),
    SalienceCell("dropped_heading", False, True, Trailing.NONE),
    REMINDER,
)
REMINDER_PER_CONSTRAINT = SalienceCell("reminder_per_constraint", False, True, Trailing.PER_CONSTRAINT)
RESTATED = SalienceCell("kept_restated", True, False, Trailing.NONE, restated=True)
TOPIC_CELLS = (
    SalienceCell("topic", False, False, Trailing.NONE, topic=True),
    SalienceCell("topic_trailing", False, False, Trailing.GENERIC, topic=True),
    SalienceCell("topic_heading", False, True, Trailing.NONE, topic=True),
    SalienceCell("topic_heading_trailing", False, True, Trailing.GENERIC, topic=True),
)
PURE_CELLS = (*TOPIC_CELLS, *(cell for cell in SALIENCE_CELLS if not cell.original_task))
"""Eight cells in which the constraint stands once and in the same words: task, heading and trailing sentence vary."""
NEUTRAL_TEXT = SalienceCell("neutral_text", True, False, Trailing.NONE, load_as="neutral")
COPIED_TEXT = SalienceCell("copied_text", True, False, Trailing.NONE, load_as="copied")
CONTROLS = (NEUTRAL_TEXT, COPIED_TEXT)
CELLS = {cell.name: cell for cell in (*SALIENCE_CELLS, REMINDER_PER_CONSTRAINT, RESTATED, *TOPIC_CELLS, *CONTROLS)}

BASELINE = "baseline"
CONSTRAINT_ONLY = "constraint_only"
TASK_ONLY = "task_only"

_UNLOADED = (BASELINE, CONSTRAINT_ONLY, TASK_ONLY)
CONDITION_NAMES = (*_UNLOADED, *CELLS)
"""Every condition, in the order of a run."""
CONDITION_SETS = {
    "paper": (BASELINE, TASK_ONLY, NATURAL.name, REMINDER.name),
    "default": (*_UNLOADED, NATURAL.name, REMINDER.name),
    "salience": (*_UNLOADED, *(cell.name for cell in SALIENCE_CELLS)),
    "pure": (
        *_UNLOADED,
        *(cell.name for cell in (NATURAL, RESTATED, CELLS["kept_heading"], *PURE_CELLS)),
    ),
    "controls": (BASELINE, TASK_ONLY, NATURAL.name, *(cell.name for cell in CONTROLS)),
    "all": CONDITION_NAMES,
}
"""`paper` is the paper's own; `default` adds the reminder's own baseline."""


def has_task(condition: str) -> bool:
    """Whether what stands behind a condition's connector is to be worked on: not in a control of the load."""
    return condition not in CELLS or CELLS[condition].load_as == "task"


def unloaded_name(cell: SalienceCell) -> str:
    """The condition name of a cell without load: the paper's names for its two, the cell's own for the others.

    That of a control of the load is the baseline: without load it is the same prompt.
    """
    if cell.load_as != "task":
        return BASELINE
    return {NATURAL.name: BASELINE, REMINDER.name: CONSTRAINT_ONLY}.get(cell.name, f"{cell.name}_unloaded")


def has_unloaded_form(conditions: Sequence[str], cell: SalienceCell) -> bool:
    """Whether the plan holds this cell without load: named as such for the paper's two, implied for the others."""
    name = unloaded_name(cell)
    if cell.load_as != "task":
        return False
    return name in conditions if name in (BASELINE, CONSTRAINT_ONLY) else cell.name in conditions


def conditions_table() -> str:
    """What each condition's prompt is made of, as the README has it."""
    lines = ["| condition | the prompt under load |", "|---|---|"]
    return "\n".join([*lines, *(f"| `{name}` | {cell.about} |" for name, cell in CELLS.items())]) + "\n"
