"""From what came back to the status of a sample and its row of the table (`row`).

A rule for each scenario (`forgetting`, `revision`, `preference`), judges for what no rule can tell (`judges`). To add a
rule: a function that gives a `RuleVerdict`, and a case in `row.rule_verdict`; new columns are declared in `columns`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from forgetscope.core.results import Value


@dataclass(frozen=True)
class RuleVerdict:
    """What the rules say of an answer.

    Attributes:
        passed: None where no rule applies, or the answer chooses nothing that can be read.
        is_shown: Whether the verdict rests on something in the answer: a fact told, an option chosen, subtasks done.
        columns: What it was made from.
        final_alone: In subtask revision, the verdict without asking anything of the answer to the original.
    """

    passed: bool | None = None
    is_shown: bool = False
    columns: Mapping[str, Value] = field(default_factory=dict)
    final_alone: bool = False
