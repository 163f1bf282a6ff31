"""What people are asked about replies of this benchmark: how a reply broke its format (the paper's appendix F)."""

import json
from collections.abc import Mapping

import polars as pl

from forgetscope.annotation.design import Brief, LabelDesign
from forgetscope.benchmarks.prospective.scoring.mechanisms import Mechanism
from forgetscope.benchmarks.prospective.settings import ProspectiveSettings
from forgetscope.core.json_values import json_value

MEANINGS = {
    Mechanism.DOMAIN_SHIFT: "The format is kept while the original task is answered and dropped at the passage to the "
    "other task, or a habit of the other task's subject won over it (a name written as names are).",
    Mechanism.STRUCTURAL_ABANDON: "The first part has the structure asked for; the second replaces or exceeds it by "
    "another (more list items, another kind of list).",
    Mechanism.TERMINAL_OMISSION: "The ending asked for was written inside the reply, and writing went on.",
    Mechanism.SPATIAL_COMPARTMENTALISATION: "A format meant for the whole reply was applied to one part alone.",
    Mechanism.CONTENT_LENGTH: "Something that had to be there is missing, or the length asked for is not met.",
    Mechanism.UNCLASSIFIED: "None of these, or it cannot be told.",
}

GUIDANCE = (
    "The reply had to keep a format while it did another task as well, and did not keep it. Choose the one description "
    "below that says best how; where two fit, the one that comes first in the reply. Whether the tasks are right does "
    "not matter."
)


def population(table: pl.DataFrame) -> pl.DataFrame:
    """The failures the paper looked at: task right, kept without load; all failures where that cannot be known."""
    from forgetscope.benchmarks.prospective.metrics.mechanism_counts import failures, unkept_by_rule
    from forgetscope.benchmarks.prospective.metrics.study import ProspectiveStudy

    chosen = unkept_by_rule(ProspectiveStudy.of(table, ProspectiveSettings(), {}))
    named = pl.col("mechanism").replace_strict({one.value: one.words for one in Mechanism})
    return failures(next(iter(chosen.values()))).with_columns(mechanism=named).sort("sample_id")


def brief(row: Mapping[str, object]) -> Brief:
    """What is asked about a reply: the format it broke as the checker says it, and what the labels mean."""
    asked = zip(_list(row["instruction_types"]), _list(json_value(str(row["kwargs"]))), strict=True)
    formats = tuple(f"{name} {json.dumps(given, ensure_ascii=False) if given else ''}".strip() for name, given in asked)
    return Brief(
        "How did this reply break its format?",
        GUIDANCE,
        {
            "The format": formats,
            "What the checker found": (str(row["reason"]),),
            "Answers": tuple(f"{one.words}: {meaning}" for one, meaning in MEANINGS.items()),
        },
    )


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


ANNOTATION = LabelDesign(
    population=population,
    brief=brief,
    cell="condition",
    stratum="mechanism",
    label="mechanism",
    answers=tuple(one.words for one in MEANINGS),
    asked="those that broke their format under load",
)
