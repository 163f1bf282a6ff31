"""Rows in the format of ICF-Bench's own files."""

import json
from pathlib import Path

import pytest

from forgetscope.benchmarks.in_context.data.items import DynamicPreferenceItem, InstructionalForgettingItem, Scenario
from forgetscope.benchmarks.in_context.data.published_rows import ACKNOWLEDGEMENT, read_published_rows
from forgetscope.benchmarks.in_context.prompts import OPTIONS_SENTENCE
from forgetscope.core.errors import DataError

TALK = [
    {"from": "human", "value": "I have a parrot."},
    {"from": "gpt", "value": "How nice."},
    {"from": "human", "value": "Forget my pet."},
    {"from": "human", "value": "Which pet did I mention earlier?"},
]
FORGETTING = {
    "id": "7 B",
    "original_pair_index": 2,
    "forget_instruction": "Forget my pet.",
    "test_query": "Which pet did I mention earlier?",
    "conversations": TALK,
    "success_forget": "True",
}
OPTIONS = ["Read a book.", "Watch a film.", "Take a walk.", "Sleep."]
PREFERENCE = {
    "id": 3,
    "old_preference": "I like films.",
    "new_preference": "I like books.",
    "old_op": "Watch a film.",
    "new_op": "Read a book.",
    "options": OPTIONS,
    "question": f"What now? {OPTIONS_SENTENCE}\nA. Read a book.",
}


def read(folder: Path, rows: object, scenario: Scenario) -> object:
    path = folder / "rows.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    (item,) = read_published_rows(path, scenario)
    return item


def test_the_dialogue_ends_before_the_request_and_the_query(tmp_path: Path) -> None:
    item = read(tmp_path, [FORGETTING], Scenario.INSTRUCTIONAL_FORGETTING)
    assert isinstance(item, InstructionalForgettingItem)
    assert item.id == "icf-if-7-b"
    assert [turn.content for turn in item.memory] == ["I have a parrot.", "How nice."]
    assert (item.request, item.query) == ("Forget my pet.", "Which pet did I mention earlier?")
    assert item.memory_cue
    assert not item.is_verified, "published rows carry no facts: a judge decides"
    assert item.source == "rows.json, row 0"


def test_a_preference_gets_an_acknowledgement_and_loses_the_options_sentence(tmp_path: Path) -> None:
    item = read(tmp_path, [PREFERENCE], Scenario.DYNAMIC_PREFERENCE)
    assert isinstance(item, DynamicPreferenceItem)
    assert item.question == "What now?"
    assert item.options == tuple(OPTIONS)
    assert [turn.content for turn in item.old.turns] == ["I like films.", ACKNOWLEDGEMENT]


@pytest.mark.parametrize(
    ("scenario", "row", "message"),
    [
        (
            Scenario.INSTRUCTIONAL_FORGETTING,
            FORGETTING | {"test_query": "What?"},
            "does not end with the forget request",
        ),
        (Scenario.INSTRUCTIONAL_FORGETTING, FORGETTING | {"success_forget": True}, "field 'success_forget'"),
        (Scenario.INSTRUCTIONAL_FORGETTING, FORGETTING | {"conversations": TALK[1:]}, "turn 1 is the assistant's"),
        (Scenario.INSTRUCTIONAL_FORGETTING, {"id": 1}, "field 'forget_instruction': field required"),
        (Scenario.DYNAMIC_PREFERENCE, PREFERENCE | {"options": OPTIONS[:3]}, "field 'options'"),
        (Scenario.DYNAMIC_PREFERENCE, PREFERENCE | {"old_op": "Swim."}, "old preference is not among the options"),
        (Scenario.SUBTASK_REVISION, {}, "published format of subtask revision is not known"),
    ],
)
def test_a_row_that_does_not_fit_is_named(
    tmp_path: Path, scenario: Scenario, row: dict[str, object], message: str
) -> None:
    with pytest.raises(DataError, match=message) as found:
        read(tmp_path, [row], scenario)
    assert "rows.json" in str(found.value)


@pytest.mark.parametrize(
    ("text", "message"), [("{", "not JSON"), ("[]", "the data set is empty"), ("{}", "field required")]
)
def test_a_file_that_is_no_list_of_rows_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "rows.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_published_rows(path, Scenario.DYNAMIC_PREFERENCE)
