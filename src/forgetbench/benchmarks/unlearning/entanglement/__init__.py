"""Entanglement of the retain side with what is to be forgotten, and the subsets it makes."""

from forgetbench.benchmarks.unlearning.entanglement.entities import EntityMatching
from forgetbench.benchmarks.unlearning.entanglement.measures import (
    Bin,
    Entanglement,
    entity_entanglement,
    relation_entanglement,
    text_entanglement,
)
from forgetbench.benchmarks.unlearning.entanglement.subsets import (
    RetainPlan,
    RetainSettings,
    assign_questions,
    match_retain_tokens,
    plan_retain,
)
from forgetbench.benchmarks.unlearning.entanglement.vectors import Embed, hashed_vectors

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
