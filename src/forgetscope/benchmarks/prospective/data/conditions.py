"""The conditions: eight salience cells crossed with load, and the task alone.

A cell says three things of the prompt: whether the original task is kept (the IFEval prompt as it is) or dropped
(the constraint alone, in our wording), whether the constraint stands under a heading, and what trails the prompt.
The paper's two templates are two of the cells: *natural* is kept, no heading, nothing trailing; *reminder* is
dropped, heading, trailing sentence. So the paper's comparison changes three things at once, one of which removes
the creative task; the other six cells take it apart. Without load, *natural* is the paper's baseline and
*reminder* is `constraint_only`, the reminder's own baseline.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

NO_LOAD = "none"
"""Stands where a load would; the names of loads are those of `loads.registry`."""


class Trailing(StrEnum):
    """What stands at the end of the prompt."""

    NONE = "none"
    GENERIC = "generic"
    PER_CONSTRAINT = "per_constraint"
    """Ours, after the paper's section 6 (practical implication 5): the constraint said again at the end."""


@dataclass(frozen=True)
class SalienceCell:
    """How the constraint is put: one cell of the salience design."""

    name: str
    original_task: bool
    heading: bool
    trailing: Trailing


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
CELLS = {cell.name: cell for cell in (*SALIENCE_CELLS, REMINDER_PER_CONSTRAINT)}

BASELINE = "baseline"
CONSTRAINT_ONLY = "constraint_only"
TASK_ONLY = "task_only"

PAPER_CONDITIONS = (BASELINE, CONSTRAINT_ONLY, TASK_ONLY, NATURAL.name, REMINDER.name)
SALIENCE_CONDITIONS = (BASELINE, CONSTRAINT_ONLY, TASK_ONLY, *(cell.name for cell in SALIENCE_CELLS))
CONDITION_SETS = {
    "paper": PAPER_CONDITIONS,
    "salience": SALIENCE_CONDITIONS,
    "all": (*SALIENCE_CONDITIONS, REMINDER_PER_CONSTRAINT.name),
}
CONDITION_NAMES = (BASELINE, CONSTRAINT_ONLY, TASK_ONLY, *CELLS)
"""Every condition, in the order of a run."""


def unloaded_name(cell: SalienceCell) -> str:
    """The condition name of a cell without load: the paper's names for its two, the cell's own for the others."""
    return {NATURAL.name: BASELINE, REMINDER.name: CONSTRAINT_ONLY}.get(cell.name, f"{cell.name}_unloaded")


def has_unloaded_form(conditions: Sequence[str], cell: SalienceCell) -> bool:
    """Whether the plan holds this cell without load: named as such for the paper's two, implied for the others."""
    name = unloaded_name(cell)
    return name in conditions if name in (BASELINE, CONSTRAINT_ONLY) else cell.name in conditions
