"""Checkers of constraints, IFEval's, a reader's and plug-ins': does a reply follow, and if not, why and where.

A constraint is one record (`Constraint`): checker in two behaviours, wording, how to satisfy and how to violate it,
category, whether it may be stacked. The records stand in `constraints/`, whose first lines say how to add one.
`construct` builds replies that follow or break, `loose` reads as IFEval's loose reading, `schema` reads its files.
"""

from forgetscope.checkers.base import FOLLOWED, Behaviour, Relation, Verdict, broken, judge_count
from forgetscope.checkers.loose import PromptVerdict, check_prompt, loose_variants
from forgetscope.checkers.record import Category, Constraint, NoParameters, Parameters
from forgetscope.checkers.registry import CONSTRAINTS, check
from forgetscope.checkers.schema import PromptSpec, read_prompts
from forgetscope.checkers.wishes import Wishes

__all__ = [
    "CONSTRAINTS",
    "FOLLOWED",
    "Behaviour",
    "Category",
    "Constraint",
    "NoParameters",
    "Parameters",
    "PromptSpec",
    "PromptVerdict",
    "Relation",
    "Verdict",
    "Wishes",
    "broken",
    "check",
    "check_prompt",
    "judge_count",
    "loose_variants",
    "read_prompts",
]
