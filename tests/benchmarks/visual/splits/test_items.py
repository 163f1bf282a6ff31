"""Items: choices, distractors, seeds, quality control."""

import hashlib
from collections import Counter
from pathlib import Path

import pytest

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.axes import Axis, Level
from forgetscope.benchmarks.visual.data.concepts import Concept, load_vocabulary, too_alike
from forgetscope.benchmarks.visual.data.pictures import picture_seed
from forgetscope.benchmarks.visual.data.records import Picture
from forgetscope.benchmarks.visual.sources import ClassListing, ReadOptions, read_source
from forgetscope.benchmarks.visual.sources.listing import (
    AttributeListing,
    QuestionListing,
    SourceQuestion,
)
from forgetscope.benchmarks.visual.splits.distractors import TRUE_OF_CLASS, clash
from forgetscope.benchmarks.visual.splits.items import (
    BuiltItems,
    ItemRules,
    build_items,
    item_id,
)
from tests.benchmarks.visual import layouts


def zoo(names: dict[str, list[str]], per_class: int = 3, axis: Axis = axes.IDENTITY) -> ClassListing:
    """A listing of classes by supercategory, with some pictures each."""
    concepts = [Concept(name, group) for group, members in names.items() for name in members]
    pictures = [
        Picture(
            source="zoo",
            image=f"{concept.supercategory or 'all'}/{concept.name}/{n}.jpg",
            class_name=concept.name,
            supercategory=concept.supercategory,
        )
        for concept in concepts
        for n in range(per_class)
    ]
    return ClassListing("zoo", axis, tuple(pictures), tuple(concepts))


ANIMALS = {
    "animal": ["cat", "dog", "cow", "bear", "horse"],
    "food": ["pizza", "cake", "hot dog"],
    "toy": ["teddy bear", "kite", "doll"],
}


def test_a_pictures_seed_is_the_start_of_the_hash_of_its_path() -> None:
    image = "train2017/000000001589.jpg"
    digest = hashlib.sha1(image.encode(), usedforsecurity=False).hexdigest()
    assert picture_seed(image) == int(digest[:8], 16) == 0x76AB5A84


def test_class_items_have_two_hard_and_one_easy_distractor() -> None:
    built = build_items(zoo(ANIMALS, per_class=20))
    assert len(built.items) == 11 * 20
    assert built.rejected == ()
    groups = {name: group for group, members in ANIMALS.items() for name in members}
    for item in built.items:
        wrong = [choice for choice in item.choices if choice != item.answer_text]
        siblings = sum(groups[choice] == item.supercategory for choice in wrong)
        assert (len(item.choices), siblings, item.hard_distractors) == (4, 2, 2), item
        assert item.level is Level.OBJECT
        assert item.forget_concept == item.class_name == item.answer_text


def test_no_distractor_contains_or_is_contained_in_the_answer_or_another_distractor() -> None:
    for item in build_items(zoo(ANIMALS, per_class=40)).items:
        assert not any(too_alike(one, two) for n, one in enumerate(item.choices) for two in item.choices[n + 1 :])
        assert not {"bear", "teddy bear"} <= set(item.choices)
        assert not {"dog", "hot dog"} <= set(item.choices)


def test_the_same_pictures_give_the_same_items_in_any_order() -> None:
    listing = zoo(ANIMALS)
    turned = ClassListing(listing.source, listing.axis, listing.pictures[::-1], listing.concepts[::-1])
    once, again = build_items(listing).items, build_items(turned).items
    assert sorted(once, key=lambda item: item.id) == sorted(again, key=lambda item: item.id)


def test_answers_stand_in_every_position_about_equally_often() -> None:
    places = Counter(item.answer for item in build_items(zoo(ANIMALS, per_class=100)).items)
    assert sum(places.values()) == 1100
    assert all(220 < places[place] < 330 for place in range(4))


def test_a_supercategory_of_one_is_made_up_for_by_others() -> None:
    (item,) = build_items(zoo({"person": ["person"], "food": ["pizza", "cake", "apple"]}, per_class=1)).items[:1]
    assert (item.answer_text, item.hard_distractors, len(item.choices)) == ("person", 0, 4)


def test_one_supercategory_alone_gives_three_hard_distractors() -> None:
    built = build_items(zoo({"men": ["Ada", "Ben", "Cid", "Dan"]}, per_class=2, axis=axes.PERSON))
    assert {item.hard_distractors for item in built.items} == {3}
    assert {item.question for item in built.items} == {"Who is the person shown in the image?"}


def test_classes_without_supercategories_count_no_distractor_as_hard() -> None:
    assert {item.hard_distractors for item in build_items(zoo({"": ["a1x", "b2x", "c3x", "d4x"]})).items} == {0}


def test_too_few_names_that_could_stand_together_are_a_reject_with_its_reason() -> None:
    built = build_items(zoo({"animal": ["bear", "teddy bear", "brown bear", "cat"]}, per_class=1))
    assert built.items == ()
    assert {entry.reasons for entry in built.rejected} == {("too few distractors",)}
    assert built.rejected[0].image == "animal/bear/0.jpg"


def test_concepts_with_a_common_alias_do_not_meet() -> None:
    assert clash(Concept("couch", aliases=("sofa",)), Concept("settee", aliases=("Sofa",)))
    assert not clash(Concept("couch", aliases=("sofa",)), Concept("table", aliases=("desk",)))


def test_a_picture_of_an_unlisted_class_is_a_mistake_of_the_listing() -> None:
    listing = zoo(ANIMALS)
    with pytest.raises(ValueError, match="no class of the listing"):
        build_items(ClassListing(listing.source, listing.axis, listing.pictures, listing.concepts[1:]))


def test_long_names_digits_and_tokens_are_rejected_with_their_reasons() -> None:
    names = ["Anna", "Bruno", "Carla", "Dora", "x" * 41, "3 Musketeers", "A\nB", "<|im_end|>"]
    built = build_items(zoo({"": names}, per_class=30))
    reasons = Counter(reason for entry in built.rejected for reason in entry.reasons)
    assert set(reasons) == {"choice too long", "choice holds an answer digit", "control token"}
    assert {choice for item in built.items for choice in item.choices} == {"Anna", "Bruno", "Carla", "Dora"}
    assert (len(built.items), len(built.rejected)) == (4 * 30, 4 * 30)


def test_ids_are_readable_unique_and_without_slashes() -> None:
    assert item_id("coco", axes.IDENTITY, "Hot Dog", "a/b.jpg", "q").startswith("coco-identity-hot-dog-")
    assert item_id("coco", axes.IDENTITY, "x", "a", "q") != item_id("coco", axes.IDENTITY, "x", "a", "r")
    assert "/" not in item_id("spatialmqa", axes.SPATIAL, "on/above", "a/b.jpg", "q")
    assert item_id("logo2k", axes.LOGO, "蒙牛", "a", "q").startswith("logo2k-logo-")


# --- attributes ---


def lad(tmp_path: Path, axis: Axis, rules: ItemRules | None = None) -> BuiltItems:
    return build_items(read_source("lad", layouts.lad(tmp_path), axis.name), rules)


def test_lad_never_offers_a_value_that_is_true_of_the_class(tmp_path: Path) -> None:
    built = lad(tmp_path, axes.COLOR)
    for item in built.items:
        assert item.forget_concept == item.answer_text
        if item.class_name == "zebra":
            assert item.answer_text == "black"
            assert "white" not in item.choices
    assert {item.class_name for item in built.items} == {"zebra", "sea otter"}
    assert {item.question for item in built.items} == {
        "What color is the zebra shown in the image?",
        "What color is the sea otter shown in the image?",
    }


def test_the_authors_lad_rule_takes_the_next_highest_values_also_true_ones(tmp_path: Path) -> None:
    zebra = next(item for item in lad(tmp_path, axes.COLOR, ItemRules("ranked")).items if item.class_name == "zebra")
    assert set(zebra.choices) == {"black", "white", "brown", "light brown"}
    assert zebra.notes == ("true_distractor",)


def test_a_class_of_which_nothing_is_true_is_rejected(tmp_path: Path) -> None:
    rejected = lad(tmp_path, axes.COLOR).rejected
    assert {(entry.class_name, entry.reasons) for entry in rejected} == {("apple", ("no value is true of the class",))}


def test_too_few_values_are_filled_from_other_domains_then_from_the_fixed_list(tmp_path: Path) -> None:
    zebra = next(item for item in lad(tmp_path, axes.SIZE).items if item.class_name == "zebra")
    assert set(zebra.choices) == {"big", "small", "middle", "microscopic"}
    assert (zebra.hard_distractors, zebra.notes) == (1, ("other_domain_distractor", "fallback_distractor"))


def test_what_is_true_of_the_class_stays_out_of_other_domains_values_too() -> None:
    listing = AttributeListing(
        "lad",
        axes.COLOR,
        tuple(Picture(source="lad", image=f"{n}.jpg", class_name="zebra", supercategory="animal") for n in range(30)),
        {"zebra": {"black": 0.9, "white": TRUE_OF_CLASS, "brown": 0.29}},
        {"animal": ("black", "white", "brown"), "fruit": ("white", "snow white", "red", "green", "black")},
    )
    choices = {choice for item in build_items(listing).items for choice in item.choices}
    assert choices == {"black", "brown", "red", "green"}


def test_color_items_can_be_asked_indirectly() -> None:
    listing = AttributeListing(
        "lad",
        axes.COLOR,
        (Picture(source="lad", image="1.jpg", class_name="crow", supercategory="animal"),),
        {"crow": {"black": 0.9, "white": 0.0, "red": 0.0, "green": 0.0}},
        {"animal": ("black", "white", "red", "green")},
        vocabulary=load_vocabulary("attributes"),
    )
    (item,) = build_items(listing).items
    assert item.clues[item.answer] == "the shade of coal"
    assert len(item.clues) == 4


# --- ready-made questions ---


def spatial(tmp_path: Path, rules: ItemRules | None = None) -> BuiltItems:
    return build_items(read_source("spatialmqa", layouts.spatialmqa(tmp_path), axes.SPATIAL.name), rules)


def test_spatial_items_keep_two_options_reduce_six_to_four_and_forget_the_answer(tmp_path: Path) -> None:
    built = spatial(tmp_path)
    by_question = {item.question: item for item in built.items}
    six, four, two = (by_question[row[1]] for row in layouts.SPATIAL_ROWS[:3])
    assert (len(six.choices), six.notes, six.forget_concept) == (4, ("reduced_from_6",), "left of")
    assert set(four.choices) == {"in front of", "behind", "left of", "right of"}
    assert (set(two.choices), two.chance, two.answer_text) == ({"left of", "right of"}, 0.5, "right of")
    assert {item.class_name for item in built.items} == {"spatial"}
    assert [entry.reasons for entry in built.rejected] == [("answer is no option",)]


def test_two_questions_about_one_picture_are_two_items_of_one_picture(tmp_path: Path) -> None:
    one, two = (item for item in spatial(tmp_path).items if item.image == "test2017/1.jpg")
    assert one.id != two.id
    assert one.picture_group == two.picture_group


def test_the_authors_padding_gives_four_options(tmp_path: Path) -> None:
    padded = next(
        item for item in spatial(tmp_path, ItemRules(pad="relations")).items if item.answer_text == "right of"
    )
    assert len(padded.choices) == 4
    assert padded.notes == ("padded_from_2",)


def test_a_question_asked_twice_is_one_item() -> None:
    question = SourceQuestion(image="1.jpg", question="Where?", options=("left of", "right of"), answer="left of")
    built = build_items(QuestionListing("spatialmqa", axes.SPATIAL, (question, question)))
    assert len(built.items) == 1
    assert [entry.reasons for entry in built.rejected] == [("asked before",)]


def test_real_spatialmqa_items_are_what_the_source_describes(real_data: Path) -> None:
    folder = real_data / "spatialmqa"
    if not folder.is_dir():
        pytest.skip("SpatialMQA is not here")
    listing = read_source("spatialmqa", folder, axes.SPATIAL.name)
    assert isinstance(listing, QuestionListing)
    assert len(listing.questions) == 3780 + 536 + 1076
    built = build_items(listing)
    assert len(built.items) + len(built.rejected) == 5392
    assert {len(item.choices) for item in built.items} == {2, 4}
    assert {item.forget_concept for item in built.items} == {
        "on/above",
        "below",
        "in front of",
        "behind",
        "left of",
        "right of",
    }


def test_real_coco_pictures_pass_from_annotations_to_items(real_data: Path, tmp_path: Path) -> None:
    folder = real_data / "coco_cc_by_sample"
    if not folder.is_dir():
        pytest.skip("the COCO sample is not here")
    root = layouts.coco_from_sample(folder, tmp_path)
    listing = read_source("coco", root, axes.IDENTITY.name, ReadOptions())
    assert isinstance(listing, ClassListing)
    assert len(listing.pictures) > 5
    built = build_items(listing)
    assert len(built.items) == len(listing.pictures)
    assert all(item.clues for item in built.items)
