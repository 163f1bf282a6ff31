"""Entanglement of the retain side with what is to be forgotten, and the subsets it makes."""

from forgetscope.benchmarks.unlearning.entanglement.entities import EntityMatching
from forgetscope.benchmarks.unlearning.entanglement.measures import (
    Bin,
    Entanglement,
    entity_entanglement,
    relation_entanglement,
    text_entanglement,
)
from forgetscope.benchmarks.unlearning.entanglement.subsets import (
    RetainPlan,
    RetainSettings,
    assign_questions,
    match_retain_tokens,
    plan_retain,
)
from forgetscope.benchmarks.unlearning.entanglement.vectors import Embed, hashed_vectors

__all__ = [
    "Bin",
    "Embed",
    "Entanglement",
    "EntityMatching",
    "RetainPlan",
    "RetainSettings",
    "assign_questions",
    "entity_entanglement",
    "hashed_vectors",
    "match_retain_tokens",
    "plan_retain",
    "relation_entanglement",
    "text_entanglement",
]
