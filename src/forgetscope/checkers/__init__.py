"""Checkers of IFEval's 25 instruction types: does a reply follow, and if not, why and where."""

from forgetscope.checkers.base import Behaviour, Category, InstructionType, Parameters, Relation, Verdict
from forgetscope.checkers.loose import PromptVerdict, check_prompt, loose_variants
from forgetscope.checkers.registry import INSTRUCTION_TYPES, check, instruction_type_of
from forgetscope.checkers.schema import PromptSpec, read_prompts

__all__ = [
    "INSTRUCTION_TYPES",
    "Behaviour",
    "Category",
    "InstructionType",
    "Parameters",
    "PromptSpec",
    "PromptVerdict",
    "Relation",
    "Verdict",
    "check",
    "check_prompt",
    "instruction_type_of",
    "loose_variants",
    "read_prompts",
]
