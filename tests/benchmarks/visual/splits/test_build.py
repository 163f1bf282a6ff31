"""Bring your own concepts: from a folder and a table to items, split, controls and contact sheet."""

import json
from pathlib import Path

import pytest
from PIL import Image

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.samples import VisualSample
from forgetscope.benchmarks.visual.splits.build import BuildOptions, build_own, read_labels
from forgetscope.benchmarks.visual.splits.contact_sheet import write_contact_sheet
from forgetscope.benchmarks.visual.splits.item_files import read_items, read_split
from forgetscope.core.errors import DataError, RunFolderError, SettingError
from forgetscope.io.records import read_records
from tests.benchmarks.visual import layouts

SHAPES = {
    "circle": "round",
    "oval": "round",
    "ring": "round",
    "square": "angular",
    "kite": "angular",
    "star": "angular",
}


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Six concepts of six pictures; one cut file, one copy, one picture under two labels, one that is not there."""
    lines = ["image,label,supercategory,aliases,clue"]
    shade = 0
    for name, group in SHAPES.items():
        for number in range(6):
            shade += 1
            layouts.picture(tmp_path / "pictures" / name / f"{number}.jpg", shade)
            clue = f"it has the outline of thing {len(name)}{name[0]}" if number == 0 else ""
            lines.append(f"{name}/{number}.jpg,{name},{group},{'disc|disk' if name == 'circle' else ''},{clue}")
    pictures = tmp_path / "pictures"
    (pictures / "cut.jpg").write_bytes((pictures / "oval" / "0.jpg").read_bytes()[:300])
    (pictures / "copy.jpg").write_bytes((pictures / "star" / "0.jpg").read_bytes())
    (pictures / "other.jpg").write_bytes((pictures / "ring" / "0.jpg").read_bytes())
    lines += ["cut.jpg,oval,round,,", "copy.jpg,star,angular,,", "other.jpg,kite,angular,,", "gone.jpg,kite,angular,,"]
    (tmp_path / "labels.csv").write_text("\n".join(lines) + "\n", encoding="utf-8-sig")
    return tmp_path


def test_one_call_gives_items_split_controls_and_a_sheet(own: Path) -> None:
    built = build_own(own / "pictures", own / "labels.csv", own / "out")
    assert len(built.items) == 35
    assert {path.name for path in (own / "out").iterdir()} == {
        "all.jsonl",
        "rejected.jsonl",
        "split",
        "controls.jsonl",
        "contact_sheet.png",
    }
    assert tuple(read_items(own / "out" / "all.jsonl")) == built.items
    split = read_split(own / "out" / "split")
    assert len(split.record.forget_concepts) == 2
    assert {SHAPES[name] for name in split.record.forget_concepts} == {"round", "angular"}
    assert split.record.counts["test_forget.jsonl"] == 6
    assert split.record.counts["train_forget.jsonl"] == 6
    assert split.record.balanced_positions
    controls = read_records(own / "out" / "controls.jsonl", VisualSample)
    assert len(controls) == built.controls
    assert {sample.control.value for sample in controls} == {"none", "no_image", "shuffled_image", "option_only"}
    assert {sample.probe.value for sample in controls} == {"choice", "short_answer", "indirect"}
    with Image.open(own / "out" / "contact_sheet.png") as sheet:
        assert sheet.width > 800
    assert built.on_sheet == min(
        24, split.record.counts["test_forget.jsonl"] + split.record.counts["test_retain.jsonl"]
    )


def test_what_cannot_be_used_is_kept_with_its_reason(own: Path) -> None:
    built = build_own(own / "pictures", own / "labels.csv", own / "out")
    assert {(entry.image, entry.reasons[0]) for entry in built.rejected} == {
        ("cut.jpg", "picture: truncated"),
        ("gone.jpg", "picture: no such file"),
        ("copy.jpg", "the same picture as star/0.jpg"),
        ("other.jpg", "the same picture has another label"),
        ("ring/0.jpg", "the same picture has another label"),
    }
    rows = [json.loads(line) for line in (own / "out" / "rejected.jsonl").read_text().splitlines()]
    assert len(rows) == 5


def test_concepts_may_be_named_and_sizes_chosen(own: Path) -> None:
    options = BuildOptions(forget=("star", "circle"), test_per_concept=2, train_per_concept=1, balance_positions=False)
    split = build_own(own / "pictures", own / "labels.csv", own / "out", options).split
    assert split.record.forget_concepts == ("circle", "star")
    assert (split.record.counts["test_forget.jsonl"], split.record.counts["train_forget.jsonl"]) == (4, 2)
    circle = next(item for item in split.items if item.forget_concept == "circle")
    assert circle.aliases == ("disc", "disk")


def test_the_same_input_gives_the_same_files(own: Path) -> None:
    for name in ("one", "two"):
        build_own(own / "pictures", own / "labels.csv", own / name)
    for path in (own / "one").rglob("*.*"):
        assert path.read_bytes() == (own / "two" / path.relative_to(own / "one")).read_bytes()


def test_a_label_of_few_pictures_does_not_shrink_the_split(own: Path) -> None:
    text = (own / "labels.csv").read_text(encoding="utf-8-sig")
    layouts.picture(own / "pictures" / "cross.jpg", 200)
    (own / "labels.csv").write_text(text + "cross.jpg,cross,angular,,\n", encoding="utf-8")
    split = build_own(own / "pictures", own / "labels.csv", own / "out").split
    assert split.record.sizes.test_per_concept == 3
    assert "cross" not in split.record.forget_concepts
    assert split.record.short == {}


def labels(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["image,name", "a.jpg,cat"], r"labels\.csv, row 2: field 'label'"),
        (
            ["image,label,colour", "a.jpg,cat,red"],
            r"labels\.csv, row 2: field 'colour'.*allowed: the fields of LabelRow",
        ),
        (["image,label", "a.jpg,"], r"labels\.csv, row 2: field 'label'"),
        (["image,label", "a.jpg,cat,dog"], "more fields than the header"),
        (["image,label", "a.jpg,cat", "a.jpg,dog"], "a picture is named twice; found 'a.jpg'"),
        (["image,label"], "no labels"),
        (["image,label", '"a.jpg,cat'], "not CSV"),
    ],
)
def test_labels_that_cannot_be_meant_are_named(tmp_path: Path, lines: list[str], complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        read_labels(labels(tmp_path / "labels.csv", *lines))


def test_labels_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_bytes(b"image,label\n\xff\xfe,x\n")
    with pytest.raises(DataError, match="not UTF-8"):
        read_labels(tmp_path / "labels.csv")
    with pytest.raises(DataError, match="no such file"):
        read_labels(tmp_path / "nothing.csv")


def test_attributes_ask_about_their_subject(tmp_path: Path) -> None:
    rows = ["image,label,subject"]
    for shade, value in enumerate(["red", "green", "blue", "white"] * 3):
        layouts.picture(tmp_path / "p" / f"{shade}.jpg", shade + 1)
        rows.append(f"{shade}.jpg,{value},car")
    built = build_own(
        tmp_path / "p", labels(tmp_path / "l.csv", *rows), tmp_path / "out", BuildOptions(axis=axes.COLOR)
    )
    assert {item.question for item in built.items} == {"What color is the car shown in the image?"}
    assert {item.class_name for item in built.items} == {"car"}
    assert {item.forget_concept for item in built.items} == {"red", "green", "blue", "white"}
    with pytest.raises(DataError, match="column 'subject'"):
        read_labels(labels(tmp_path / "m.csv", "image,label", "1.jpg,red"), axes.COLOR)
    with pytest.raises(DataError, match="column 'question'"):
        read_labels(labels(tmp_path / "n.csv", "image,label", "1.jpg,left of"), axes.SPATIAL)


def test_two_supercategories_for_one_label_are_a_mistake(own: Path) -> None:
    path = labels(own / "l.csv", "image,label,supercategory", "circle/0.jpg,circle,a", "circle/1.jpg,circle,b")
    with pytest.raises(DataError, match="the label 'circle' has two supercategories"):
        build_own(own / "pictures", path, own / "out")


def test_fewer_than_four_concepts_make_no_question(own: Path) -> None:
    path = labels(own / "l.csv", "image,label", *(f"{name}/0.jpg,{name}" for name in ("circle", "oval", "ring")))
    with pytest.raises(SettingError, match="four concepts with usable pictures are needed"):
        build_own(own / "pictures", path, own / "out")


def test_a_missing_folder_is_named(own: Path) -> None:
    with pytest.raises(DataError, match="no such folder of pictures"):
        build_own(own / "nowhere", own / "labels.csv", own / "out")
    (own / "file").touch()
    with pytest.raises(RunFolderError, match="cannot use this folder"):
        build_own(own / "pictures", own / "labels.csv", own / "file")


def test_a_sheet_shows_why_a_picture_is_missing(own: Path, tmp_path: Path) -> None:
    items = build_own(own / "pictures", own / "labels.csv", own / "out").items[:3]
    assert write_contact_sheet(items, tmp_path / "nowhere", tmp_path / "sheet.png") == 3
    assert write_contact_sheet([], tmp_path, tmp_path / "empty.png") == 0
    with pytest.raises(RunFolderError, match="cannot write"):
        write_contact_sheet(items, own / "pictures", tmp_path / "no" / "sheet.png")
