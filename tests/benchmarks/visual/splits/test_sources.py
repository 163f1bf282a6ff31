"""Each of the seven readers on a small copy of its published layout, and on what is no such layout."""

import json
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.axes import AXES, Axis, Level
from forgetscope.benchmarks.visual.data.concepts import Concept
from forgetscope.benchmarks.visual.data.loading import load_data
from forgetscope.benchmarks.visual.sources import (
    SOURCES,
    ClassListing,
    PictureSource,
    ReadOptions,
    SplitRequest,
    SplitSizes,
    get_axis,
    get_split,
    known_axes,
    read_class_folders,
    read_source,
)
from forgetscope.benchmarks.visual.sources.lad import short_value
from forgetscope.benchmarks.visual.sources.listing import AttributeListing, QuestionListing
from forgetscope.benchmarks.visual.splits.item_files import read_split
from forgetscope.benchmarks.visual.splits.making_splits import write_source_splits
from forgetscope.core.errors import DataError, SettingError, UnknownNameError
from tests.benchmarks.visual import layouts

ACKNOWLEDGED = ReadOptions(acknowledged=frozenset({"celebrity"}))


def class_listing(name: str, root: Path, axis: str, options: ReadOptions = ACKNOWLEDGED) -> ClassListing:
    found = read_source(name, root, axis, options)
    assert isinstance(found, ClassListing)
    return found


def shown(listing: ClassListing) -> dict[str, tuple[str, str]]:
    return {entry.image: (entry.class_name, entry.supercategory) for entry in listing.pictures}


def test_coco_keeps_pictures_of_exactly_one_category_without_a_crowd_and_large_enough(tmp_path: Path) -> None:
    listing = class_listing("coco", layouts.coco(tmp_path), axes.IDENTITY.name)
    assert shown(listing) == {
        "val2017/000000000001.jpg": ("dog", "animal"),
        "val2017/000000000002.jpg": ("cat", "animal"),
        "val2017/000000000008.jpg": ("bear", "animal"),
    }
    assert listing.skipped == {
        "several categories": 1,
        "object below 2% of the area": 1,
        "a crowd": 1,
        "no object": 1,
        "annotated picture is not there": 1,
    }
    assert len(listing.concepts) == len(layouts.COCO_CATEGORIES)
    assert next(concept for concept in listing.concepts if concept.name == "dog").aliases


def test_coco_reads_both_parts_where_both_are_there(tmp_path: Path) -> None:
    layouts.coco(tmp_path, "train2017")
    assert len(class_listing("coco", layouts.coco(tmp_path), axes.IDENTITY.name).pictures) == 6


@pytest.mark.parametrize("text", ["{", '{"images": [1]}', '{"images": [], "annotations": [], "categories": []}'])
def test_a_broken_annotation_file_is_named(tmp_path: Path, text: str) -> None:
    layouts.coco(tmp_path)
    (tmp_path / "annotations" / "instances_val2017.json").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="instances_val2017"):
        read_source("coco", tmp_path, axes.IDENTITY.name)


def test_indoor67_reads_the_pictures_of_the_two_lists(tmp_path: Path) -> None:
    listing = class_listing("indoor67", layouts.indoor67(tmp_path), axes.TYPE_INDOOR.name)
    assert shown(listing) == {
        "Images/airport_inside/airport_inside_1.jpg": ("airport", "public spaces"),
        "Images/bakery/bakery_1.jpg": ("bakery", "store"),
        "Images/bakery/bakery_2.jpg": ("bakery", "store"),
        "Images/deli/deli_1.jpg": ("deli", "store"),
        "Images/deli/deli_2.jpg": ("deli", "store"),
    }
    assert listing.skipped == {"listed picture is not there": 1, "unknown class": 1}
    assert len(listing.concepts) == 67


@pytest.mark.parametrize("line", ["bakery", "../x/secret.jpg", "bakery/../../secret.jpg", "..\\a/b.jpg"])
def test_a_list_cannot_lead_out_of_its_folder(tmp_path: Path, line: str) -> None:
    layouts.indoor67(tmp_path)
    (tmp_path / "TestImages.txt").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"TestImages\.txt:1"):
        read_source("indoor67", tmp_path, axes.TYPE_INDOOR.name)


def test_aid_reads_class_folders_and_counts_what_is_none(tmp_path: Path) -> None:
    listing = class_listing("aid", layouts.aid(tmp_path), axes.TYPE_OUTDOOR.name)
    assert set(shown(listing).values()) == {("beach", "nature"), ("storage tanks", "built-up")}
    assert listing.skipped == {"unknown folder": 1, "not a picture file": 1}
    assert len(listing.concepts) == 30


def test_a_linked_class_folder_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    layouts.picture(outside / "secret.jpg")
    root = layouts.aid(tmp_path / "AID")
    (root / "Desert").symlink_to(outside)
    listing = class_listing("aid", root, axes.TYPE_OUTDOOR.name)
    assert "desert" not in {name for name, _ in shown(listing).values()}
    assert listing.skipped["folder is a link"] == 1


def test_lad_reads_the_values_of_a_group_with_their_class_scores(tmp_path: Path) -> None:
    listing = read_source("lad", layouts.lad(tmp_path), axes.COLOR.name)
    assert isinstance(listing, AttributeListing)
    assert listing.scores == {
        "zebra": {"black": 0.9, "white": 0.6, "light brown": 0.0, "brown": 0.1},
        "sea otter": {"black": 0.0, "white": 0.0, "light brown": 0.1, "brown": 0.95},
        "apple": {"red": 0.2, "black": 0.1},
    }
    assert listing.values == {"animal": ("black", "white", "light brown", "brown"), "fruit": ("red", "black")}
    assert [entry.image for entry in listing.pictures if entry.class_name == "zebra"] == [
        "images/zebra/zebra_1.jpg",
        "images/zebra/zebra_2.jpg",
    ]


def test_lad_lists_only_classes_of_domains_that_have_the_group(tmp_path: Path) -> None:
    listing = read_source("lad", layouts.lad(tmp_path), axes.HABITAT.name)
    assert isinstance(listing, AttributeListing)
    assert set(listing.scores) == {"zebra", "sea otter"}
    assert listing.values == {"animal": ("the ocean", "the ground")}


@pytest.mark.parametrize(
    ("file", "line", "complaint"),
    [
        ("attributes_per_class.txt", "Label_A_01, [0.1 0.2]", "one score for each of the 12"),
        ("attributes_per_class.txt", "Label_A_01, [0.1 big]", "not a number"),
        ("images.txt", "Img_1, Label_A_01, [0], ../../secret.jpg", "below the root"),
        ("images.txt", "Img_1, Label_A_01, [0], /etc/passwd", "below the root"),
        ("images.txt", "Img_1", "at least 3 fields"),
        ("label_list.txt", "Label_X_01, unicorn", "no domain"),
    ],
)
def test_a_line_lad_does_not_have_is_named(tmp_path: Path, file: str, line: str, complaint: str) -> None:
    layouts.lad(tmp_path)
    (tmp_path / file).write_text(line + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=complaint) as caught:
        read_source("lad", tmp_path, axes.COLOR.name)
    assert f"{file}:1" in str(caught.value)


def test_lad_annotations_may_lie_in_their_own_folder(tmp_path: Path) -> None:
    root = layouts.lad(tmp_path)
    (root / "LAD_annotations").mkdir()
    for path in list(root.glob("*.txt")):
        path.rename(root / "LAD_annotations" / path.name)
    assert isinstance(read_source("lad", root, axes.SIZE.name), AttributeListing)


@pytest.mark.parametrize(
    ("description", "value"),
    [
        ("is big (compared to pigs)", "big"),
        ("lives on the ground", "the ground"),
        ("can swim", "swim"),
        ("is island-like", "island-like"),
        ("has stripes", "stripes"),
        ("round", "round"),
    ],
)
def test_values_are_as_short_as_a_choice(description: str, value: str) -> None:
    assert short_value(description) == value


def test_spatialmqa_reads_its_three_files_and_names_pictures_by_coco(tmp_path: Path) -> None:
    listing = read_source("spatialmqa", layouts.spatialmqa(tmp_path), axes.SPATIAL.name)
    assert isinstance(listing, QuestionListing)
    assert [question.image for question in listing.questions] == [
        "test2017/1.jpg",
        "test2017/1.jpg",
        "test2017/2.jpg",
        "test2017/3.jpg",
    ]
    assert listing.skipped == {}


def test_spatialmqa_leaves_out_questions_whose_picture_is_missing_and_says_when_all_are(tmp_path: Path) -> None:
    layouts.spatialmqa(tmp_path)
    (tmp_path / "test2017" / "1.jpg").unlink()
    listing = read_source("spatialmqa", tmp_path, axes.SPATIAL.name)
    assert isinstance(listing, QuestionListing)
    assert (len(listing.questions), dict(listing.skipped)) == (2, {"picture is not there": 2})
    for path in (tmp_path / "test2017").iterdir():
        path.unlink()
    (tmp_path / "test2017").rmdir()
    assert read_source("spatialmqa", tmp_path, axes.SPATIAL.name).skipped == {"pictures are not here (test2017/)": 1}


def test_celebrity_faces_are_read_only_after_their_terms_are_acknowledged(tmp_path: Path) -> None:
    layouts.celebrity(tmp_path)
    with pytest.raises(SettingError, match=r"research only.*--acknowledge celebrity"):
        read_source("celebrity", tmp_path, axes.PERSON.name)
    listing = class_listing("celebrity", tmp_path, axes.PERSON.name)
    assert set(shown(listing).values()) == {("Tom Hanks", "men"), ("Megan Fox", "women")}
    assert all(entry.image.startswith("Celebrity Faces Dataset/") for entry in listing.pictures)


def test_logo2k_takes_brands_and_root_categories_from_folders(tmp_path: Path) -> None:
    listing = class_listing("logo2k", layouts.logo2k(tmp_path), axes.LOGO.name)
    assert {name for name, category in shown(listing).values() if category == "Food"} == {
        "Star Bucks",
        "Burger King",
        "Nestle",
        "Apple",
    }
    assert sum(concept.name == "Apple" for concept in listing.concepts) == 2


MAKERS: dict[str, Callable[[Path], Path]] = {name: getattr(layouts, name) for name in SOURCES}
"""The function of `layouts` that is called as the source."""


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_that_is_not_here_says_where_to_get_it_and_how_to_lay_it_out(tmp_path: Path, name: str) -> None:
    source = SOURCES[name]
    for root in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(DataError) as caught:
            read_source(name, root, source.axes[0].name, ACKNOWLEDGED)
        message = str(caught.value)
        assert source.title in message
        assert source.layout in message
        assert source.where in message
        assert "\n" not in message


@pytest.mark.parametrize("name", SOURCES)
def test_readers_open_no_picture_and_give_the_same_twice(tmp_path: Path, name: str) -> None:
    root = MAKERS[name](tmp_path)
    for path in root.rglob("*.jpg"):
        path.write_bytes(b"not a picture")
    for axis in SOURCES[name].axes:
        if name == "lad" and axis is axes.SHAPE:
            continue
        assert read_source(name, root, axis.name, ACKNOWLEDGED) == read_source(name, root, axis.name, ACKNOWLEDGED)


def test_the_papers_seven_sources_cover_its_eleven_axes() -> None:
    assert all(source.name == name for name, source in SOURCES.items())
    assert {axis.name: axis for source in SOURCES.values()[:7] for axis in source.axes} == AXES
    assert known_axes().items() >= AXES.items()


def test_unknown_sources_and_axes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="no such visual source; found 'imagenet'; allowed: coco, aid"):
        read_source("imagenet", tmp_path, axes.IDENTITY.name)
    with pytest.raises(SettingError, match=r"found 'logo'; allowed: identity"):
        read_source("coco", tmp_path, axes.LOGO.name)
    with pytest.raises(DataError, match="no attribute of the group 'shape'"):
        read_source("lad", layouts.lad(tmp_path), axes.SHAPE.name)


def test_an_ontology_replaces_names_and_supercategories_and_keeps_aliases(tmp_path: Path) -> None:
    ontology = tmp_path / "ontology.json"
    ontology.write_text(json.dumps({"Beach": {"display_name": "seaside", "supercategory": "natural"}}))
    options = ReadOptions(ontology=ontology)
    listing = class_listing("aid", layouts.aid(tmp_path / "AID"), axes.TYPE_OUTDOOR.name, options)
    assert set(shown(listing).values()) == {("seaside", "natural")}
    assert "beach" in listing.concepts[0].aliases
    ontology.write_text('{"Beach": {"name": "x"}}')
    with pytest.raises(DataError, match="not an ontology"):
        read_source("aid", tmp_path / "AID", axes.TYPE_OUTDOOR.name, options)


def test_the_authors_ontologies_are_read(real_data: Path, tmp_path: Path) -> None:
    folder = real_data / "ulbench"
    if not folder.is_dir():
        pytest.skip("the authors' ontologies are not here")
    options = ReadOptions(frozenset({"celebrity"}), folder / "aid_categories.json")
    listing = class_listing("aid", layouts.aid(tmp_path / "AID"), axes.TYPE_OUTDOOR.name, options)
    assert shown(listing)["Beach/beach_1.jpg"] == ("beach", "natural")
    assert len(listing.concepts) == 30
    indoor = ReadOptions(ontology=folder / "indoor67_categories.json")
    listing = class_listing("indoor67", layouts.indoor67(tmp_path / "indoor"), axes.TYPE_INDOOR.name, indoor)
    assert {concept.name for concept in listing.concepts} == {
        concept.name for concept in class_listing("indoor67", tmp_path / "indoor", axes.TYPE_INDOOR.name).concepts
    }


TEXTURE = Axis("texture", Level.ATTRIBUTE, "What texture is shown in the image?")


@pytest.fixture
def swatches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of a source that brings an axis of its own and has no vocabulary."""
    sizes = SplitSizes(test_per_concept=2, train_per_concept=1, retain_train=3, retain_test=4)
    request = SplitRequest("swatches-random-1", "swatches", "texture", "random_k", sizes)
    source = PictureSource(
        name="swatches",
        title="Swatches",
        axes=(TEXTURE,),
        licence="ours",
        where="nowhere",
        layout="one folder a texture",
        read=read_class_folders,
        splits=(request,),
    )
    monkeypatch.setitem(SOURCES._own, "swatches", source)
    for shade, name in enumerate(("dotted", "striped", "cross_hatched", "woven")):
        for number in range(4):
            layouts.picture(tmp_path / name / f"{number}.jpg", 10 * shade + number)
    return tmp_path


def test_a_source_may_bring_an_axis_and_its_splits(swatches: Path) -> None:
    assert list(known_axes())[:11] == list(AXES)
    assert list(known_axes())[-1] == "texture"
    assert get_axis("Texture") is TEXTURE
    assert get_split("swatches-random-1").axis == "texture"
    (made,) = write_source_splits("swatches-random-1", swatches, swatches / "split")
    assert made.split is not None
    assert made.split.record.counts == {
        "train_forget.jsonl": 1,
        "train_retain.jsonl": 3,
        "test_forget.jsonl": 2,
        "test_retain.jsonl": 4,
    }
    assert {(item.axis, item.level, item.question) for item in read_split(swatches / "split").items} == {
        ("texture", Level.ATTRIBUTE, "What texture is shown in the image?")
    }
    assert made.split.record.concepts == ("cross hatched", "dotted", "striped", "woven")


def test_an_axis_without_drawings_leaves_the_embedded_data_as_they_are_and_says_where_else(swatches: Path) -> None:
    assert swatches.is_dir()
    assert [loaded.split.record.axis for loaded in load_data().splits] == list(AXES)
    with pytest.raises(UnknownNameError, match="no such split") as refused:
        load_data(splits="embedded-texture")
    where_else = "the axis texture has no embedded drawings; draw a split of Swatches: forgetscope visual split"
    assert where_else in str(refused.value)
    with pytest.raises(UnknownNameError) as refused:
        load_data(splits="embedded-smell")
    assert "drawings" not in str(refused.value)


def test_a_vocabulary_may_lie_anywhere(swatches: Path) -> None:
    path = swatches / "textures.csv"
    line = "woven,woven,cloth,plaited,threads that cross"
    path.write_text(f"key,name,supercategory,aliases,clue\n{line}\n", encoding="utf-8")
    source = replace(SOURCES["swatches"], vocabulary=path)
    listing = source.listing(swatches, "texture", ReadOptions())
    assert isinstance(listing, ClassListing)
    assert listing.concepts == (Concept("woven", "cloth", ("plaited",), "threads that cross"),)
    assert listing.skipped == {"unknown folder": 3}


def test_the_sources_stand_in_the_readme_with_their_axes() -> None:
    page = (files("forgetscope.benchmarks.visual") / "README.md").read_text(encoding="utf-8")
    for name, source in SOURCES.items():
        assert f"| `{name}` | {', '.join(axis.name for axis in source.axes)} |" in page
