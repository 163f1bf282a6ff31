"""PrefEval: joined by topic and index, on rows of our own with every form, and the real files as they stand."""

import json
from pathlib import Path

import pytest

from forgetscope.benchmarks.in_context.data.sources import load_source
from forgetscope.benchmarks.in_context.data.sources.prefeval import CHOICE, EXPLICIT, FILES, OPTIONS, PERSONA, TERMS
from forgetscope.core.errors import DataError

TOPIC = "travel_hotel"
PERSONA_TURNS = {
    "1": {"user": "No castle again, please.", "assistant": "Somewhere modern, then."},
    "0": {"user": "I am off to Rome.", "assistant": "Have you been before?"},
}


def _stated(number: int) -> dict[str, object]:
    return {"preference": f"I avoid old hotels, {number}.", "question": f"Where to stay, {number}?", "explanation": "."}


def _choice(number: int) -> dict[str, object]:
    options = ["A new inn", "A castle", "A palace", "A ruin"]
    conversation = {
        "query": "Where to eat?",
        "assistant_options": "1. A castle 2. A new inn 3. A palace 4. A ruin",
        "user_selection": "The new inn.",
        "assistant_acknowledgment": "Noted.",
    }
    stated = {**_stated(number), "preference": f"I do not stay in old hotels, {number}."}
    return {**stated, "implicit_query": "Where to eat?", "options": options, "aligned_op": options[0]} | {
        "conversation": conversation
    }


def _write(root: Path, *, persona: object | None = None, rows: int = 2) -> Path:
    folders: dict[str, list[dict[str, object]]] = {
        EXPLICIT: [_stated(number) for number in range(rows)],
        OPTIONS: [
            {**_stated(number), "classification_task_options": [f"{name} {number}" for name in "abcd"]}
            for number in range(rows)
        ],
        CHOICE: [_choice(number) for number in range(rows)],
    }
    if persona is not None:
        folders[PERSONA] = [{**_stated(number), "persona": "p", "conversation": persona} for number in range(rows)]
    for folder, content in folders.items():
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / f"{TOPIC}.json").write_text(json.dumps(content), encoding="utf-8")
    return root


def test_folders_are_joined_by_topic_and_index(tmp_path: Path) -> None:
    source = load_source("prefeval", _write(tmp_path))
    assert [entry.id for entry in source.preferences] == [f"prefeval-{TOPIC}-0", f"prefeval-{TOPIC}-1"]
    second = source.preferences[1]
    assert second.preference == "I avoid old hotels, 1."
    assert second.options == ("a 1", "b 1", "c 1", "d 1")
    assert second.option == "a 1", "the option that follows the preference comes first in the source"
    assert second.choice is not None
    assert second.choice.preference == "I do not stay in old hotels, 1.", "each folder keeps its own wording"
    assert second.choice.option == "A new inn"
    assert second.dialogue is None
    assert source.terms == TERMS


@pytest.mark.parametrize("form", [PERSONA_TURNS, json.dumps(PERSONA_TURNS), [PERSONA_TURNS["0"], PERSONA_TURNS["1"]]])
def test_persona_dialogues_are_read_where_they_are_there(tmp_path: Path, form: object) -> None:
    source = load_source("prefeval", _write(tmp_path, persona=form))
    dialogue = source.preferences[0].dialogue
    assert dialogue is not None
    assert [turn.content for turn in dialogue[::2]] == ["I am off to Rome.", "No castle again, please."]


def test_a_persona_dialogue_with_an_empty_turn_is_none(tmp_path: Path) -> None:
    broken = {"0": {"user": "", "assistant": "Hello?"}}
    assert load_source("prefeval", _write(tmp_path, persona=broken)).preferences[0].dialogue is None


def test_rows_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    root = _write(tmp_path)
    path = root / OPTIONS / f"{TOPIC}.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(rows[:1]), encoding="utf-8")
    with pytest.raises(DataError, match=f"{TOPIC}, index 1: the folders do not have the same rows"):
        load_source("prefeval", root)
    path.write_text(json.dumps(rows[::-1]), encoding="utf-8")
    with pytest.raises(DataError, match="different questions at this index"):
        load_source("prefeval", root)


def test_an_aligned_option_that_is_no_option_is_refused(tmp_path: Path) -> None:
    root = _write(tmp_path)
    path = root / CHOICE / f"{TOPIC}.json"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"aligned_op": "A new', '"aligned_op": "No'), encoding="utf-8"
    )
    with pytest.raises(DataError, match="aligned_op is not among the options"):
        load_source("prefeval", root)


def test_a_folder_without_preferences_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no preferences of PrefEval here"):
        load_source("prefeval", tmp_path)


def test_the_real_files_load_as_they_stand(real_data: Path) -> None:
    source = load_source("prefeval", real_data / "prefeval")
    assert len(source.preferences) == 1000
    assert {entry.revision for entry in source.provenance} == {FILES.commit}, "the copy is the pinned one"
    assert len(source.provenance) == 3
    choices = [entry.choice for entry in source.preferences if entry.choice is not None]
    assert len(choices) == 1000
    assert sum(c.preference != p.preference for c, p in zip(choices, source.preferences, strict=True)) == 30
    assert all(choice.option == choice.options[0] for choice in choices)
