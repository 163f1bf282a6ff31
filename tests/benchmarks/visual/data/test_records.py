"""What a row of an items file may hold."""

from typing import Any

import pytest
from pydantic import ValidationError

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.axes import Level
from forgetscope.benchmarks.visual.data.records import Item, Picture, SplitSizes, file_name

ROW: dict[str, Any] = {
    "id": "coco-identity-dog-1",
    "level": "object",
    "axis": "identity",
    "source": "coco",
    "image": "train2017/1.jpg",
    "question": "What is the object shown in the image?",
    "choices": ["dog", "cat", "bed", "cow"],
    "answer": 0,
    "class_name": "dog",
    "forget_concept": "dog",
}


def test_an_item_knows_its_answer_its_chance_and_what_must_stay_together() -> None:
    item = Item.model_validate(ROW)
    assert (item.level, item.axis, item.answer_text, item.chance) == (Level.OBJECT, axes.IDENTITY.name, "dog", 0.25)
    assert item.picture_group == "coco:train2017/1.jpg"
    assert Item.model_validate({**ROW, "group": "noto"}).picture_group == "noto"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"answer": 4}, "index into the choices"),
        ({"choices": ["dog"]}, "2 to 10 choices"),
        ({"id": "a/b"}, "no '/'"),
        ({"clues": ["barks"]}, "one clue for each choice"),
        ({"image": "/etc/passwd"}, "below its root"),
        ({"image": "a/../../b.jpg"}, "below its root"),
        ({"image": "C:/b.jpg"}, "below its root"),
        ({"image": "a\\b.jpg"}, "below its root"),
        ({"image": ""}, "below its root"),
        ({"colour": "red"}, "Extra inputs are not permitted"),
    ],
)
def test_a_row_that_cannot_be_meant_is_refused(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        Item.model_validate({**ROW, **change})


def test_a_picture_stays_below_its_root() -> None:
    with pytest.raises(ValidationError, match="below its root"):
        Picture(source="x", image="../x.jpg", class_name="x")


def test_a_split_measures_something() -> None:
    with pytest.raises(ValidationError, match="test sizes are 1 or more"):
        SplitSizes(test_per_concept=0, train_per_concept=1, retain_train=1, retain_test=1)


def test_the_four_files_are_the_papers() -> None:
    assert file_name("test", "forget") == "test_forget.jsonl"
