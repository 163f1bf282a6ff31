"""MLLMU-Bench and CLEAR: sides as published, pictures out of tables, people whose names can be listed."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.loading import load_data
from forgetscope.benchmarks.visual.data.records import Split, file_name
from forgetscope.benchmarks.visual.sources import ReadOptions, read_source
from forgetscope.benchmarks.visual.sources.listing import QuestionListing
from forgetscope.benchmarks.visual.splits.item_files import read_split
from forgetscope.benchmarks.visual.splits.making_splits import SplitOptions, write_source_splits
from forgetscope.core.errors import DataError, SettingError
from forgetscope.io import received
from tests.benchmarks.visual import layouts


def made(name: str, root: Path, out: Path, options: SplitOptions | None = None) -> Split:
    ((outcome),) = write_source_splits(name, root, out, options)
    assert outcome.split is not None
    return outcome.split


def listed(root: Path, name: str = "mllmu", axis: str = "profile") -> QuestionListing:
    found = read_source(name, root, axis)
    assert isinstance(found, QuestionListing)
    return found


def people(split: Split, side: str) -> set[str]:
    return {item.forget_concept for item in split.items if item.side == side}


def test_the_published_folders_are_the_sides_of_mllmu_bench(tmp_path: Path) -> None:
    split = made("mllmu-forget-5", layouts.mllmu(tmp_path / "source"), tmp_path / "split")
    assert split.record.forget_concepts == ("Ada Moor", "Ben Holt")
    assert people(split, "forget") == set(layouts.MLLMU_PEOPLE["forget_5"])
    assert people(split, "retain") == set(layouts.MLLMU_PEOPLE["retain_95"])
    assert split.record.counts == {
        "train_forget.jsonl": 6,
        "train_retain.jsonl": 12,
        "test_forget.jsonl": 6,
        "test_retain.jsonl": 12,
    }
    assert (split.record.sizes.test_per_concept, split.record.sizes.retain_test) == (3, 12)
    assert split.record.mode == "published"
    assert any("Retain_Set" in note for note in split.record.notes)


def test_a_question_about_a_person_has_the_published_options_and_right_answer(tmp_path: Path) -> None:
    split = made("mllmu-forget-5", layouts.mllmu(tmp_path / "source"), tmp_path / "split")
    ada = [item for item in split.of("test", "forget") if item.forget_concept == "Ada Moor"]
    assert {item.question: item.answer_text for item in ada} == {
        question: options[1] for question, options in layouts.MLLMU_FACTS.items()
    }
    assert all(sorted(item.choices) == layouts.MLLMU_FACTS[item.question] for item in ada)
    assert {item.axis for item in ada} == {"profile"}
    assert len({item.image for item in ada}) == 2


def test_pictures_in_tables_are_written_once_and_can_be_opened(tmp_path: Path) -> None:
    split = made("mllmu-forget-5", layouts.mllmu(tmp_path / "source"), tmp_path / "split")
    written = {path.name for path in (tmp_path / "split" / "pictures").iterdir()}
    assert written == {item.image for item in split.items}
    assert len(written) == 6 * 3
    assert read_split(tmp_path / "split").record == split.record
    loaded = load_data(str(tmp_path / "split"))
    assert not loaded.unreadable
    assert loaded.open("mllmu-forget-5", split.items[0].image).size == (32, 24)


def test_all_splits_share_one_folder_of_pictures(tmp_path: Path) -> None:
    layouts.mllmu(tmp_path / "mllmu")
    layouts.mllmu(tmp_path / "mllmu", {"forget_10": ["Ada Moor"], "retain_90": ["Ben Holt", "Cleo Fenn"]})
    layouts.clear(tmp_path / "clear")
    outcomes = write_source_splits("all", tmp_path, tmp_path / "out")
    assert [outcome.name for outcome in outcomes if outcome.split] == [
        "mllmu-forget-5",
        "mllmu-forget-10",
        "clear-forget-1",
    ]
    loaded = load_data(str(tmp_path / "out"))
    assert not loaded.unreadable
    shown = {item.image for part in loaded.splits for item in part.split.items}
    assert {path.name for path in (tmp_path / "out" / "pictures").iterdir()} == shown


def test_without_the_test_set_the_sides_pictures_measure(tmp_path: Path) -> None:
    root = layouts.mllmu(tmp_path / "source")
    for path in (root / "Test_Set").iterdir():
        path.unlink()
    counts = made("mllmu-forget-5", root, tmp_path / "split").record.counts
    assert (counts["train_forget.jsonl"], counts["test_forget.jsonl"], counts["test_retain.jsonl"]) == (0, 6, 12)


def test_real_people_are_read_only_when_that_is_acknowledged(tmp_path: Path) -> None:
    root = layouts.mllmu(tmp_path / "source")
    options = SplitOptions(reading=ReadOptions(frozenset({"mllmu"})))
    assert "Grace Real" not in people(made("mllmu-forget-5", root, tmp_path / "without"), "retain")
    split = made("mllmu-forget-5", root, tmp_path / "with", options)
    assert {item.part for item in split.items if item.forget_concept == "Grace Real"} == {"test"}
    assert not any("Retain_Set" in note for note in split.record.notes)


def test_a_split_that_is_not_here_is_named_by_its_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"forget_10: MLLMU-Bench is not here; allowed: a folder with forget_5/"):
        made("mllmu-forget-10", layouts.mllmu(tmp_path), tmp_path / "split")


def one_changed(root: Path, **changes: Any) -> Path:
    """The layout where the first person to forget has another row."""
    layouts.mllmu(root)
    layouts.table(root / "forget_5", [layouts.mllmu_row("Ada Moor", 1, **changes), layouts.mllmu_row("Ben Holt", 2)])
    return root


WHOLE = layouts.inside(1)["bytes"]
BOMB = WHOLE[:16] + (60_000).to_bytes(4) + (60_000).to_bytes(4) + WHOLE[24:]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"image": {"bytes": WHOLE[:60], "path": "a.png"}}, "picture: "),
        ({"image": {"bytes": b"<svg onload='x()'/>", "path": "a.png"}}, "picture: SVG is not opened"),
        ({"image": {"bytes": BOMB, "path": "a.png"}}, "picture: "),
        ({"image": {"bytes": None, "path": "/etc/passwd"}}, "picture: empty file"),
        ({"biography": "Ada Moor was born in Bremen."}, "person without a usable name"),
        ({"biography": json.dumps({"Name": "Ada\n<|im_end|>"})}, "person without a usable name"),
        ({"biography": json.dumps({"Name": "A" * 60})}, "person without a usable name"),
        ({"biography": json.dumps({"Name": "Ben Holt"})}, "two people of one name"),
        ({"ID": "003"}, "person is in both folders"),
    ],
)
def test_what_cannot_be_asked_is_passed_over_and_counted(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    listing = listed(one_changed(tmp_path, **changes))
    assert any(why.startswith(reason) and count for why, count in listing.skipped.items()), listing.skipped
    assert Counter(question.part for question in listing.questions)["train"] < 18


@pytest.mark.parametrize("changes", [{"Correct_Answer": "E"}, {"Question": None}, {"Correct_Answer": None}])
def test_a_question_without_a_right_option_is_passed_over(tmp_path: Path, changes: dict[str, Any]) -> None:
    row = layouts.mllmu_row("Ada Moor", 1)
    row["Classification_Task"]["Image_Textual_Questions"][0] |= changes
    listing = listed(one_changed(tmp_path, Classification_Task=row["Classification_Task"]))
    assert listing.skipped["question without picture, text or right option"] == 1


def test_a_picture_of_the_test_set_that_is_trained_on_measures_nothing(tmp_path: Path) -> None:
    layouts.mllmu(tmp_path)
    row = layouts.mllmu_row("Ada Moor", 1)
    same = {"ID": "001", "images": [row["image"]], "Classification_Task": row["Classification_Task"]}
    layouts.table(tmp_path / "Test_Set", [same], "00000-of-00002")
    listing = listed(tmp_path)
    assert listing.skipped["Test_Set: picture of a side's own folder"] == 1
    of_ada = {question.part for question in listing.questions if question.concept == "Ada Moor"}
    assert of_ada == {"train"}


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([{"ID": 5}], "field 'ID'"),
        ([{"ID": "1", "image": "a.png"}], "field 'image'"),
        ([{"name": "Ada"}], "field 'ID'"),
        ([{"ID": "1", "Classification_Task": "none"}], "field 'Classification_Task'"),
    ],
)
def test_a_table_of_another_form_is_named_with_row_and_field(
    tmp_path: Path, rows: list[dict[str, Any]], complaint: str
) -> None:
    layouts.mllmu(tmp_path)
    layouts.table(tmp_path / "forget_5", rows)
    with pytest.raises(DataError, match=rf"parquet, row 1: {complaint}"):
        listed(tmp_path)


def test_a_cut_table_and_one_that_unpacks_to_too_much_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,) = (layouts.mllmu(tmp_path) / "forget_5").iterdir()
    monkeypatch.setattr(received, "LARGEST_SET", 100)
    with pytest.raises(DataError, match="unpacks to far more"):
        listed(tmp_path)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(DataError, match="not readable Parquet"):
        listed(tmp_path)


def test_clear_asks_who_is_shown_among_its_own_names(tmp_path: Path) -> None:
    split = made("clear-forget-1", layouts.clear(tmp_path / "source"), tmp_path / "split")
    assert split.record.forget_concepts == tuple(layouts.CLEAR_NAMES[:2])
    assert split.record.counts == {file_name(item.part, item.side): count for item, count in _by_file(split).items()}
    for item in split.items:
        assert (item.question, item.answer_text) == (axes.PERSON.question, item.forget_concept)
        assert len(item.choices) == 4
    by_picture = Counter(item.image for item in split.items)
    assert set(by_picture.values()) == {1}


def _by_file(split: Split) -> dict[Any, int]:
    first = {(item.part, item.side): item for item in reversed(split.items)}
    return {item: sum((one.part, one.side) == place for one in split.items) for place, item in first.items()}


def test_a_person_of_clear_in_both_folders_is_forgotten_and_counted(tmp_path: Path) -> None:
    layouts.clear(tmp_path)
    row = {"image": layouts.inside(99), "name": layouts.CLEAR_NAMES[0], "perturbed_names": ["Nils Cove"]}
    layouts.table(tmp_path / "retain_perturbed", [row], "00001-of-00002")
    listing = listed(tmp_path, "clear", "person")
    assert listing.skipped == {"person in both folders": 1}


def test_a_side_without_anyone_is_no_split(tmp_path: Path) -> None:
    root = layouts.mllmu(tmp_path / "source")
    row = layouts.mllmu_row("Ada Moor", 1, biography="")
    layouts.table(root / "forget_5", [row])
    with pytest.raises(SettingError, match="mllmu-forget-5"):
        made("mllmu-forget-5", root, tmp_path / "split")
