from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.axes import AXES, Axis, Level
from forgetscope.benchmarks.visual.data.concepts import Concept, load_vocabulary
from forgetscope.benchmarks.visual.embedded import composition, persons, sheets, truths
from forgetscope.benchmarks.visual.embedded.arrangement import EDGE, arrange, draw_arrangement, paint_background
from forgetscope.benchmarks.visual.embedded.painting import NEAR_DOUBLES, styles
from forgetscope.benchmarks.visual.embedded.source import (
    ONCE_ONLY_STYLE,
    embedded_pictures,
    listing,
    write_pictures,
)
from forgetscope.benchmarks.visual.sources.listing import AttributeListing, ClassListing, QuestionListing
from forgetscope.benchmarks.visual.splits.items import build_items, item_id
from forgetscope.core.errors import DataError, MissingPartError, SettingError, UnknownNameError
from forgetscope.models.glimpse.family import ERASED_CONCEPTS
from forgetscope.stats import named_stream


def test_all_sheets_together_stay_within_six_megabytes() -> None:
    assert sum(path.stat().st_size for path in sheets.pictures_folder().iterdir()) <= 6_000_000


def test_every_line_of_the_table_has_a_drawing_that_shows_something() -> None:
    for row in [row for row in sheets.read_table() if row.style != ONCE_ONLY_STYLE][::9]:
        drawn = np.asarray(sheets.drawing(row))
        assert drawn.shape == (sheets.TILE, sheets.TILE, 4)
        assert (drawn[..., 3] > 32).mean() > 0.01, row


def test_a_broken_table_and_a_missing_sheet_say_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(MissingPartError, match="missing"):
        sheets.read_table(tmp_path / "none.csv")
    table = tmp_path / "drawings.csv"
    table.write_text("style,tile,kind,name,supercategory,label\nx,one,object,a,b,c\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"drawings\.csv, row 2"):
        sheets.read_table(table)
    row = sheets.TileRow("x", 0, sheets.Kind.OBJECT, "a", "b", "c")
    with pytest.raises(UnknownNameError, match="no sheet"):
        sheets.drawing(row, tmp_path)
    (tmp_path / "x.webp").write_bytes(b"RIFF no picture")
    with pytest.raises(DataError, match="cannot read"):
        sheets.drawing(row, tmp_path)


def test_an_arrangement_keeps_nearly_all_of_a_drawing_in_view() -> None:
    drawing = Image.new("RGBA", (96, 96), (0, 0, 0, 255))
    for number in range(20):
        stream = named_stream(number, "view")
        arrangement = draw_arrangement(stream)
        dark = (np.asarray(arrange(drawing, named_stream(number, "view")).convert("L")) < 100).mean()
        assert dark > 0.8 * arrangement.share**2 * 0.9


def test_an_unknown_background_relation_shape_and_manner_are_refused() -> None:
    stream = named_stream(1, "refused")
    tile = Image.new("RGBA", (96, 96))
    with pytest.raises(ValueError, match="background"):
        paint_background("stripes", stream)
    with pytest.raises(ValueError, match="relation"):
        composition.in_relation(tile, tile, "behind", stream)
    with pytest.raises(ValueError, match="shape"):
        composition.draw_shape("blob", stream)
    with pytest.raises(ValueError, match="manner"):
        persons.draw_person(persons.persons()[0], "baroque", stream)


@pytest.mark.parametrize("colour", list(truths.COLOURS))
def test_a_recoloured_drawing_is_of_that_colour(colour: str) -> None:
    row = next(row for row in sheets.read_table() if row.label == "balloon")
    pixels = np.asarray(composition.recoloured(sheets.drawing(row), colour), np.float32)
    mean = pixels[pixels[..., 3] > 200][:, :3].mean(axis=0)
    shades = np.linspace(0.75, 1.1, 15)[:, None]
    distance = {name: np.abs(mean - shades * value).sum(axis=1).min() for name, value in truths.COLOURS.items()}
    assert min(distance, key=lambda name: distance[name]) == colour


def test_sizes_do_not_overlap() -> None:
    ends = sorted(truths.SIZES.values())
    assert all(one[1] < other[0] for one, other in pairwise(ends))


def test_the_subject_of_a_relation_stands_where_it_is_said() -> None:
    red, blue = (Image.new("RGBA", (96, 96), colour) for colour in ((255, 0, 0, 255), (0, 0, 255, 255)))
    for relation, (axis, sign) in {
        "left of": (1, -1), "right of": (1, 1), "above": (0, -1), "below": (0, 1),
    }.items():  # fmt: skip
        pixels = np.asarray(composition.in_relation(red, blue, relation, named_stream(4, relation)), np.int64)
        is_red = (pixels[..., 0] > 200) & (pixels[..., 2] < 90)
        is_blue = (pixels[..., 2] > 200) & (pixels[..., 0] < 90)
        gap = np.argwhere(is_red).mean(axis=0)[axis] - np.argwhere(is_blue).mean(axis=0)[axis]
        assert gap * sign > 20


def test_no_two_persons_look_alike_in_what_was_described() -> None:
    looks = {(one.hairstyle, one.hair, one.has_glasses, one.has_beard, one.has_hat) for one in persons.persons()}
    assert len(looks) == len(persons.persons()) == 20


@pytest.mark.parametrize("axis", AXES.values(), ids=AXES)
def test_every_axis_has_pictures_that_are_painted_the_same_each_time(axis: Axis) -> None:
    pictures = embedded_pictures(axis, count=2)
    assert len({picture.path for picture in pictures}) == len(pictures)
    assert len({picture.answer for picture in pictures}) >= 4
    image = pictures[-1].image()
    assert (image.size, image.mode) == ((EDGE, EDGE), "RGB")
    assert np.array_equal(np.asarray(image), np.asarray(embedded_pictures(axis, count=2)[-1].image()))


@pytest.mark.parametrize("axis", [axis for axis in AXES.values() if axis is not axes.SPATIAL])
def test_every_axis_becomes_items(axis: Axis) -> None:
    found = listing(axis, count=1)
    kinds = {axes.HABITAT: AttributeListing} | dict.fromkeys(
        (axes.COLOR, axes.SHAPE, axes.SIZE, axes.BEHAVIOUR), QuestionListing
    )
    assert isinstance(found, kinds.get(axis, ClassListing))
    built = build_items(found)
    assert len(built.items) >= 0.9 * len(embedded_pictures(axis, count=1))


def test_the_erased_concepts_are_among_the_objects_asked_about_and_nowhere_else() -> None:
    names = {picture.answer for picture in embedded_pictures(axes.IDENTITY, count=1)}
    assert names >= set(ERASED_CONCEPTS)
    composed = {label for labels in (*truths.ROOMS.values(), *truths.PLACES.values()) for label in labels}
    composed |= {*truths.COLOURED, *truths.SIZED, *(one for many in truths.HABITATS.values() for one in many)}
    assert not composed & set(ERASED_CONCEPTS)
    for name in names - set(ERASED_CONCEPTS):
        assert not set(name.lower().split()) & set(ERASED_CONCEPTS)


def test_what_comes_in_pictures_nobody_tells_apart_is_not_asked_about() -> None:
    names = {picture.answer for picture in embedded_pictures(axes.IDENTITY, count=1)}
    assert not any(NEAR_DOUBLES.search(name) for name in names)


def test_a_style_with_names_the_vocabulary_lacks_is_listed_whole() -> None:
    pictures = embedded_pictures(axes.IDENTITY, style="twemoji", count=1)
    listed = listing(axes.IDENTITY, style="twemoji", count=1)
    assert isinstance(listed, ClassListing)
    assert {concept.name for concept in listed.concepts} == {picture.answer for picture in pictures}
    assert any(concept.clue for concept in listed.concepts)
    assert any(not concept.clue for concept in listed.concepts)


def test_pictures_are_written_once_and_kept(tmp_path: Path) -> None:
    pictures = embedded_pictures(axes.SHAPE, count=1)[:3]
    assert write_pictures(pictures, tmp_path) == 3
    assert write_pictures(pictures, tmp_path) == 0
    with Image.open(tmp_path / pictures[0].path) as written:
        assert np.array_equal(np.asarray(written), np.asarray(pictures[0].image()))


def test_an_unknown_style_and_no_pictures_are_the_users_mistake() -> None:
    with pytest.raises(UnknownNameError, match="no such drawing style"):
        embedded_pictures(axes.IDENTITY, style="crayon")
    with pytest.raises(SettingError, match="needs a picture"):
        embedded_pictures(axes.COLOR, count=0)
    assert "emojione" in styles()


def test_the_style_that_is_opened_once_is_not_opened_by_the_way() -> None:
    with pytest.raises(SettingError, match="opened once"):
        embedded_pictures(axes.IDENTITY, style=ONCE_ONLY_STYLE)
    with pytest.raises(SettingError, match="opened once"):
        listing(axes.HABITAT, style=ONCE_ONLY_STYLE)


def test_where_an_animal_lives_too_is_never_a_wrong_answer() -> None:
    items = build_items(listing(axes.HABITAT, count=4)).items
    wrong = {(item.class_name, choice) for item in items for choice in item.choices if choice != item.answer_text}
    true = {(animal, home) for animal, homes in truths.ALSO_HABITATS.items() for home in homes}
    assert wrong
    assert not wrong & true
    assert {animal for animal, _ in true} <= {one for many in truths.HABITATS.values() for one in many}


@pytest.mark.parametrize("axis", AXES.values(), ids=AXES)
def test_no_option_is_true_of_the_picture_beside_the_answer(axis: Axis) -> None:
    known = {
        concept.name: concept
        for vocabulary in ("embedded_objects", "embedded_scenes", "embedded_values")
        for concept in load_vocabulary(vocabulary).values()
    }
    for item in build_items(listing(axis, count=3)).items:
        answer = known.get(item.answer_text, Concept(item.answer_text))
        assert not [choice for choice in item.choices if answer.is_kin(known.get(choice, Concept(choice)))], item


def test_animals_that_live_nearly_everywhere_have_wrong_answers_that_are_habitats() -> None:
    items = build_items(listing(axes.HABITAT, count=4)).items
    made_up = {choice for item in items for choice in item.choices} - set(truths.HABITATS)
    assert made_up == set(truths.ELSEWHERE)


def test_a_size_is_asked_with_its_scale_and_keeps_the_id_it_had_without() -> None:
    items = build_items(listing(axes.SIZE, count=1)).items
    assert all(item.question.endswith(truths.SCALE) for item in items)
    first = items[0]
    plain = first.question.removesuffix(truths.SCALE).strip()
    assert first.id == item_id(first.source, axes.SIZE, first.answer_text, first.image, plain)


def test_an_axis_without_drawings_is_named_with_those_that_have_some() -> None:
    with pytest.raises(UnknownNameError, match="no embedded drawings of this axis; found 'texture'; allowed: identity"):
        embedded_pictures(Axis("texture", Level.ATTRIBUTE))
