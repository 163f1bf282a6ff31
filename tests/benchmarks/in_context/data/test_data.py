"""Where items come from: ours, a folder in our format, rows as published; what does not fit is named line by line."""

import json
import shutil
from pathlib import Path

import pytest

from forgetscope.benchmarks.in_context.data.items import AnyItem, Scenario
from forgetscope.benchmarks.in_context.data.loading import interleaved, load_data
from forgetscope.benchmarks.in_context.plan import make_plan
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.core.errors import DataError
from tests.benchmarks.in_context.small_items import FILLER, FORGETTING, PREFERENCE, REVISION


def write(folder: Path, *items: AnyItem, filler: bool = False) -> Path:
    """A folder in our format."""
    folder.mkdir(exist_ok=True)
    for item in items:
        with (folder / f"{item.scenario.value}.jsonl").open("a", encoding="utf-8") as file:
            file.write(item.model_dump_json() + "\n")
    if filler:
        lines = [entry.model_dump_json() for entry in FILLER]
        (folder / "filler.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_the_embedded_items_are_interleaved_by_scenario_and_kind() -> None:
    data = load_data("embedded")
    assert [item.scenario for item in data.items] == [*Scenario] * 60
    assert len(data.fillers) >= 100
    assert {entry.role for entry in data.provenance} == {*Scenario, "filler"}
    assert all(entry.sha256 and entry.licence == "Apache-2.0" for entry in data.provenance)


def test_a_folder_in_our_format_holds_what_was_written(tmp_path: Path) -> None:
    data = load_data(str(write(tmp_path / "own", FORGETTING, REVISION, PREFERENCE, filler=True)))
    assert data.items == (FORGETTING, REVISION, PREFERENCE)
    assert data.fillers == FILLER
    assert [entry.rows for entry in data.provenance] == [1, 1, 1, len(FILLER)]


def test_filler_that_is_an_items_own_dialogue_is_left_out_and_counted(tmp_path: Path) -> None:
    folder = write(tmp_path / "own", FORGETTING, PREFERENCE, filler=True)
    said = FORGETTING.memory[0].content.upper()
    turns = (FORGETTING.memory[0].model_copy(update={"content": said}), *FILLER[0].turns[1:])
    with (folder / "filler.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n" + FILLER[0].model_copy(update={"id": "again", "turns": turns}).model_dump_json())
    data = load_data(str(folder))
    assert (data.fillers, data.not_filler) == (FILLER, 1)
    notes = make_plan(InContextSettings(data=str(folder), lengths="500")).notes
    assert "1 filler dialogues are what items are made of, and are left out" in notes


def test_the_hash_follows_the_content(tmp_path: Path) -> None:
    one = load_data(str(write(tmp_path / "one", FORGETTING)))
    same = load_data(str(write(tmp_path / "same", FORGETTING)))
    other = load_data(str(write(tmp_path / "other", FORGETTING.model_copy(update={"query": "Where is my home?"}))))
    assert one.sha256 == same.sha256 != other.sha256


def test_an_id_occurs_once(tmp_path: Path) -> None:
    folder = write(tmp_path / "own", FORGETTING, REVISION.model_copy(update={"id": FORGETTING.id}))
    with pytest.raises(DataError, match="an item id occurs twice; found 'if-small'"):
        load_data(str(folder))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("query", "", "field 'query'"),
        ("memory", [], "field 'memory'"),
        ("memory", [{"role": "assistant", "content": "Hi."}], "turn 1 is the assistant's, the user's was expected"),
        ("memory", [{"role": "user", "content": "Hi."}], "memory ends with a user turn that has no answer"),
        ("query", "Do I live in Lisbon?", "the query says 'Lisbon', so that saying it back would count as recall"),
        ("reask", "Lisbon, was it not?", "the reask says 'Lisbon'"),
        ("forgotten", "name", "field 'forgotten'"),
        ("colour", "red", "field 'colour': extra inputs are not permitted"),
    ],
)
def test_a_line_that_does_not_fit_is_named(tmp_path: Path, field: str, value: object, message: str) -> None:
    folder = write(tmp_path / "own", FORGETTING)
    path = folder / "instructional_forgetting.jsonl"
    row = json.loads(path.read_text(encoding="utf-8")) | {"id": "if-2", field: value}
    path.write_text(FORGETTING.model_dump_json() + "\n" + json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=message) as found:
        load_data(str(folder))
    assert "instructional_forgetting.jsonl:2" in str(found.value)


def test_folders_without_items_and_official_data_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder"):
        load_data(str(tmp_path / "nowhere"))
    with pytest.raises(DataError, match=r"no items here.*build items with 'forgetscope build in-context'"):
        load_data(str(tmp_path))
    with pytest.raises(DataError, match=r"cannot be had.*forgetscope build in-context"):
        load_data("official")


def test_published_rows_are_read_from_all_their_files(tmp_path: Path, real_data: Path) -> None:
    source = real_data / "icf_bench_examples"
    if not source.is_dir():
        pytest.skip("no icf_bench_examples")
    data = load_data(str(source))
    assert [item.id for item in data.items] == ["icf-if-0", "icf-dp-0", "icf-dp-4"]
    shutil.copy(source / "dynamic_preference_2rows.json", tmp_path / "dynamic_preference_a.json")
    rows = json.loads((tmp_path / "dynamic_preference_a.json").read_text(encoding="utf-8"))
    more = [row | {"id": f"More {row['id']}"} for row in rows]
    (tmp_path / "dynamic_preference_b.json").write_text(json.dumps(more), encoding="utf-8")
    assert [item.id for item in load_data(str(tmp_path)).items] == [
        "icf-dp-0",
        "icf-dp-4",
        "icf-dp-more-0",
        "icf-dp-more-4",
    ]


def test_groups_are_taken_in_turn_until_all_are_used_up() -> None:
    assert list(interleaved([[1, 2, 3], [], [10, 20]])) == [1, 10, 2, 20, 3]
