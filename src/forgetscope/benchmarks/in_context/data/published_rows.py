"""Rows in the format of ICF-Bench's own files, as far as the format is known from rows quoted elsewhere.

Instructional forgetting: `forget_instruction`, `test_query` and `conversations`, which already end with the forget
request and the query. Dynamic preference: old and new preference, old and new option, the options and the question
with its options. The published rows carry no facts, so only a judge can score the first kind; flags there are the
strings "True" and "False".
"""

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from forgetscope.benchmarks.in_context.data.items import (
    AnyItem,
    DynamicPreferenceItem,
    Forgotten,
    InstructionalForgettingItem,
    Scenario,
)
from forgetscope.benchmarks.in_context.prompts import OPTIONS_SENTENCE
from forgetscope.core.errors import DataError
from forgetscope.io.records import read_rows, validate_record

ACKNOWLEDGEMENT = "Thanks for telling me. I will keep that in mind."
"""After a bare preference statement, so that the turns alternate; the published rows hold the statement alone."""

Flag = Literal["True", "False"]


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    sender: Annotated[Literal["human", "gpt"], Field(alias="from")]
    value: str


class _ForgettingRow(_Row):
    id: str | int
    forget_instruction: str
    test_query: str
    conversations: Annotated[tuple[_Message, ...], Field(min_length=3)]
    success_forget: Flag | None = None
    success_noforget: Flag | None = None


class _PreferenceRow(_Row):
    id: str | int
    old_preference: str
    new_preference: str
    old_op: str
    new_op: str
    options: Annotated[tuple[str, ...], Field(min_length=4, max_length=4)]
    question: str


def read_published_rows(path: Path, scenario: Scenario) -> list[AnyItem]:
    """The items of a JSON file of published rows.

    Raises:
        DataError: not a JSON list, a row misses a field, or the scenario has no known published format.
    """
    return [_item(row, scenario, path, number) for number, (_, row) in enumerate(read_rows(path))]


def _item(row: object, scenario: Scenario, path: Path, number: int) -> AnyItem:
    where = f"{path}, row {number}"
    match scenario:
        case Scenario.INSTRUCTIONAL_FORGETTING:
            return _forgetting_item(validate_record(row, _ForgettingRow, where=where), where)
        case Scenario.DYNAMIC_PREFERENCE:
            return _preference_item(validate_record(row, _PreferenceRow, where=where), where)
        case Scenario.SUBTASK_REVISION:
            raise DataError(
                "the published format of subtask revision is not known",
                where=str(path),
                next_step="write subtask_revision.jsonl in our format",
            )


def _forgetting_item(row: _ForgettingRow, where: str) -> InstructionalForgettingItem:
    *memory, request, query = row.conversations
    if request.value.strip() != row.forget_instruction.strip() or query.value.strip() != row.test_query.strip():
        raise DataError("the conversation does not end with the forget request and the query", where=where)
    record = {
        "id": _slug("icf-if", row.id),
        "source": where.rpartition("/")[2],
        "scenario": Scenario.INSTRUCTIONAL_FORGETTING,
        "memory": [{"role": _ROLES[message.sender], "content": message.value} for message in memory],
        "request": row.forget_instruction,
        "query": row.test_query,
        "forgotten": Forgotten.CONTEXT,
        "said_by": "user",
        "request_kind": "explicit",
        "query_kind": "explicit",
        "memory_cue": any(cue in row.test_query.casefold() for cue in ("before", "earlier", "mentioned", "previous")),
    }
    return validate_record(record, InstructionalForgettingItem, where=where)


_ROLES = {"human": "user", "gpt": "assistant"}


def _preference_item(row: _PreferenceRow, where: str) -> DynamicPreferenceItem:
    record = {
        "id": _slug("icf-dp", row.id),
        "source": where.rpartition("/")[2],
        "scenario": Scenario.DYNAMIC_PREFERENCE,
        "expression": "direct",
        "old": _preference(row.old_preference, row.old_op),
        "new": _preference(row.new_preference, row.new_op),
        "question": row.question.split(f" {OPTIONS_SENTENCE}", 1)[0],
        "options": row.options,
    }
    return validate_record(record, DynamicPreferenceItem, where=where)


def _preference(text: str, option: str) -> dict[str, object]:
    turns = [{"role": "user", "content": text}, {"role": "assistant", "content": ACKNOWLEDGEMENT}]
    return {"text": text, "option": option, "turns": turns}


def _slug(prefix: str, name: str | int) -> str:
    """An id of ours from a row's: what may not stand in one becomes a hyphen."""
    return f"{prefix}-{re.sub(r'[^a-z0-9._-]+', '-', str(name).lower())}"
