"""What the sample table holds of a sample for people to read: its dialogue, and the wordings its scores are about."""

from collections.abc import Mapping

import polars as pl

from forgetscope.benchmarks.in_context.data.forms import NO_FILLER, Form, Part
from forgetscope.benchmarks.in_context.data.items import (
    DynamicPreferenceItem,
    InstructionalForgettingItem,
    SubtaskRevisionItem,
    mentions,
)
from forgetscope.benchmarks.in_context.data.samples import DialogueProbe, InContextSample
from forgetscope.benchmarks.in_context.prompts import system_message
from forgetscope.core.results import Completion, Value

SYSTEM_PART = "S"
"""The part of the system message, beside those of `forms.Part`."""

SHOWN_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "facts": pl.List(pl.String),
    "fact_paraphrases": pl.List(pl.String),
    "fact_hints": pl.List(pl.String),
    "request_names_fact": pl.Boolean,
    "reask_query": pl.String,
    "accepted_answers": pl.List(pl.String),
    "common_subtasks": pl.List(pl.String),
    "original_only_subtasks": pl.List(pl.String),
    "revised_only_subtasks": pl.List(pl.String),
    "options": pl.List(pl.String),
}
"""Columns of wordings.

`accepted_answers` are those to the neighbour question, empty for the item's own query.
`facts` are values and aliases, `fact_paraphrases` and `fact_hints` what gives them away or narrows them down.
`request_names_fact` says whether the request to forget says the fact once more, in both forms; null without facts.
`*_subtasks` are as many as the flags of `*_done`; `options` stand in the order shown.
"""


def shown_columns(sample: InContextSample) -> Mapping[str, Value]:
    """The columns of `SHOWN_SCHEMA` that a sample of its scenario has."""
    match sample.item:
        case InstructionalForgettingItem() as item:
            said = [wording for fact in item.facts for wording in (fact.value, *fact.aliases)]
            told = [wording for fact in item.facts for wording in fact.paraphrases]
            neighbour = item.neighbour if sample.probe is DialogueProbe.NEIGHBOUR else None
            return {
                "facts": said,
                "fact_paraphrases": told,
                "fact_hints": [wording for fact in item.facts for wording in fact.hints],
                "request_names_fact": any(mentions(item.request, wording) for wording in (*said, *told))
                if item.facts
                else None,
                "reask_query": item.reask if sample.reask else None,
                "accepted_answers": list(neighbour.answers) if neighbour else [],
            }
        case SubtaskRevisionItem() as item:
            return {
                "common_subtasks": [subtask.text for subtask in item.common],
                "original_only_subtasks": [subtask.text for subtask in item.original_only],
                "revised_only_subtasks": [subtask.text for subtask in item.revised_only],
            }
        case DynamicPreferenceItem():
            return {"options": list(sample.options)}


def shown_turns(sample: InContextSample, first: Completion | None) -> list[dict[str, str | bool]]:
    """The dialogue: part, role and text of each turn, `live` where the model under test said it.

    Filler is one line wherever it stands, which says how much it is in all.
    """
    system = system_message(sample.item.scenario, sample.strategy)
    shown: list[dict[str, str | bool]] = [{"part": SYSTEM_PART, "role": "system", "content": system}]
    turns = sample.turns(NO_FILLER)
    memory = sum(turn.part is Part.MEMORY for turn in turns)
    interrupted = sample.form is Form.FORGET and any(turn.part is Part.INTERFERENCE for turn in turns)
    places = {memory, len(turns) - 1} if interrupted else {memory}
    for place, turn in enumerate(turns):
        if place in places and sample.context.filler_tokens:
            here = ", about half of them here" if interrupted else ""
            said = f"unrelated turns, {sample.context.filler_tokens} tokens in all{here}"
            shown.append({"part": Part.UNRELATED.value, "role": "", "content": said})
        if turn.live and first is not None:
            shown.append({"part": turn.part.value, "role": turn.role, "content": first.reply, "live": True})
        else:
            shown.append({"part": turn.part.value, "role": turn.role, "content": turn.content})
    return shown
