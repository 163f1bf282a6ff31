"""Where items and pictures come from: painted ones, and split folders whose pictures stay below a root."""

import shutil
from pathlib import Path

import pytest

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.axes import AXES
from forgetscope.benchmarks.visual.data.concepts import mentions
from forgetscope.benchmarks.visual.data.loading import load_data
from forgetscope.benchmarks.visual.data.pictures import PictureError
from forgetscope.benchmarks.visual.embedded.source import DRAWN
from forgetscope.benchmarks.visual.sources import SplitRequest, SplitSizes, read_source
from forgetscope.benchmarks.visual.splits.build import BuildOptions, build_own
from forgetscope.benchmarks.visual.splits.item_files import write_split
from forgetscope.benchmarks.visual.splits.items import build_items
from forgetscope.benchmarks.visual.splits.split import make_split
from forgetscope.core.errors import DataError, SettingError, UnknownNameError
from tests.benchmarks.visual import layouts


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A data folder that holds its pictures: `pictures/`, and `split/` made from them."""
    lines = ["image,label,supercategory"]
    for shade, name in enumerate(["ash", "beech", "cedar", "elm", "fir", "oak"] * 4):
        layouts.picture(tmp_path / "own" / "pictures" / f"{shade}.jpg", shade + 1)
        lines.append(f"{shade}.jpg,{name},{'needles' if name in ('cedar', 'fir') else 'leaves'}")
    (tmp_path / "labels.csv").write_text("\n".join(lines), encoding="utf-8")
    build_own(
        tmp_path / "own" / "pictures", tmp_path / "labels.csv", tmp_path / "own", BuildOptions(forget=("elm", "fir"))
    )
    return tmp_path / "own"


def test_a_folder_with_its_pictures_is_read(own: Path) -> None:
    for folder in (own, own / "split"):
        data = load_data(str(folder), images=str(own / "pictures") if folder != own else "")
        (loaded,) = data.splits
        assert loaded.split.record.forget_concepts == ("elm", "fir")
        item = loaded.split.items[0]
        assert data.open("own", item.image).size == (32, 24)
        assert data.provenance[0].rows == len(loaded.split.items)


def test_changed_items_or_pictures_change_the_hash(own: Path) -> None:
    before = load_data(str(own)).sha256
    load_data.cache_clear()
    assert load_data(str(own)).sha256 == before
    load_data.cache_clear()
    layouts.picture(own / "pictures" / "0.jpg", 99)
    changed = load_data(str(own)).sha256
    assert changed != before
    load_data.cache_clear()
    (own / "pictures" / "0.jpg").unlink()
    assert load_data(str(own)).sha256 not in (before, changed)


def test_pictures_outside_the_data_folder_are_sent_only_when_the_user_names_them(own: Path, tmp_path: Path) -> None:
    shutil.move(own / "pictures", tmp_path / "elsewhere")
    record = own / "split" / "split.json"
    record.write_text(record.read_text().replace('"images_root": "../pictures"', '"images_root": "../../elsewhere"'))
    with pytest.raises(DataError, match=r"pictures lie outside the data folder.*--images FOLDER"):
        load_data(str(own))
    assert load_data(str(own), images=str(tmp_path / "elsewhere")).splits
    with pytest.raises(DataError, match="no such folder of pictures"):
        load_data(str(own), images=str(tmp_path / "nowhere"))


def test_splits_of_several_sources_are_read_from_one_root_with_a_folder_a_source(tmp_path: Path) -> None:
    """Formerly every split's pictures were looked for directly below it."""
    sources = tmp_path / "sources"
    for name in ("indoor67", "aid", "logo2k", "lad", "coco", "spatialmqa"):
        getattr(layouts, name)(sources / name)
    small = SplitSizes(test_per_concept=1, train_per_concept=0, retain_train=0, retain_test=1)
    for source, axis in (
        ("indoor67", "type_indoor"),
        ("aid", "type_outdoor"),
        ("logo2k", "logo"),
        ("spatialmqa", "spatial"),
    ):
        built = build_items(read_source(source, sources / source, axis))
        asked = SplitRequest(name=f"{source}-one", source=source, axis=axis, mode="random_k", sizes=small, k=1)
        split = make_split(built.items, asked, images_root=f"../../sources/{source}", allow_short=True)
        write_split(split, tmp_path / "splits" / asked.name)
    with pytest.raises(DataError, match="pictures lie outside the data folder"):
        load_data(str(tmp_path / "splits"))
    data = load_data(str(tmp_path / "splits"), images=str(sources))
    assert (len(data.splits), data.unreadable) == (4, {})
    one = load_data(str(tmp_path / "splits"), "aid-one", str(sources / "aid"))
    assert one.unreadable == {}


def test_what_is_no_data_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder"):
        load_data(str(tmp_path / "nowhere"))
    with pytest.raises(DataError, match="no split here"):
        load_data(str(tmp_path))
    with pytest.raises(SettingError, match=r"seven sources.*forgetscope visual split"):
        load_data("official")


def test_splits_are_chosen_by_name(own: Path) -> None:
    assert len(load_data(str(own), "own").splits) == 1
    with pytest.raises(UnknownNameError, match=r"found 'mine'; allowed: all, own"):
        load_data(str(own), "mine")
    with pytest.raises(UnknownNameError, match="no such split"):
        load_data(str(own)).open("mine", "0.jpg")


def test_two_splits_of_one_name_are_refused(own: Path) -> None:
    shutil.copytree(own / "split", own / "again")
    with pytest.raises(DataError, match="two splits of one name"):
        load_data(str(own))


def test_every_axis_has_an_embedded_split_whose_pictures_can_be_opened() -> None:
    data = load_data()
    assert [loaded.split.record.axis for loaded in data.splits] == list(AXES)
    for loaded in data.splits:
        record = loaded.split.record
        drawn = DRAWN[record.axis]
        assert len(record.forget_concepts) == (len(drawn.forget) or drawn.k)
        assert record.short == {}
        assert record.balanced_positions
        item = loaded.split.of("test", "forget")[0]
        assert loaded.pictures.open(item.image).size == (128, 128)


def test_embedded_pictures_are_the_same_each_time_and_only_their_own() -> None:
    data = load_data()
    store = data.splits[0].pictures
    item = data.splits[0].split.items[0]
    assert store.open(item.image) is store.open(item.image)
    with pytest.raises(PictureError, match="no such embedded picture"):
        store.open("identity/x/y/1.png")
    with pytest.raises(SettingError, match="painted, not read"):
        load_data(images="x")


def test_every_embedded_concept_but_a_person_is_asked_indirectly_and_nothing_in_it_names_a_choice() -> None:
    for loaded in load_data().splits:
        for item in loaded.split.of("test", "forget"):
            assert bool(item.clues) == (item.axis != axes.PERSON.name), item.choices
            asked = (*item.clues, item.question if item.level.forgets_answer_value else "")
            assert not any(mentions(said, [*item.choices, *item.aliases]) for said in asked)
