"""Placebo lists, wrong targets, donors."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetscope.benchmarks.visual.data.concepts import too_alike
from forgetscope.benchmarks.visual.data.controls import PLACEBO_NAMES, PlaceboPool, donors, wrong_target
from forgetscope.benchmarks.visual.data.records import Item
from forgetscope.benchmarks.visual.prompts import class_list
from forgetscope.benchmarks.visual.splits.items import build_items
from tests.benchmarks.visual.splits.test_items import ANIMALS, zoo
from tests.benchmarks.visual.splits.test_splits import GROUPS, question

NAMES = [name for names in GROUPS.values() for name in names]
ITEMS = build_items(zoo(GROUPS, per_class=12)).items


def test_a_placebo_list_is_as_long_and_names_neither_target_nor_option() -> None:
    forget = ["ape", "fig", "rake"]
    pool = PlaceboPool(forget, NAMES)
    for item in ITEMS:
        placebo = pool.draw(item)
        assert len(set(placebo.concepts)) == 3
        assert not set(placebo.concepts) & {*forget, *item.choices}
        assert placebo.text == class_list(placebo.concepts)
        assert abs(len(placebo.text) - len(class_list(forget))) <= 2
        assert placebo.borrowed == 0


def test_a_placebo_list_is_the_same_whenever_it_is_drawn() -> None:
    pools = [PlaceboPool(["ape", "fig"], NAMES) for _ in range(2)]
    assert [pools[0].draw(item) for item in ITEMS] == [pools[1].draw(item) for item in ITEMS]


def test_where_a_split_has_too_few_concepts_names_are_borrowed_and_counted() -> None:
    item = question(1, "1.jpg", "a")
    placebo = PlaceboPool(["a", "b"], ["a", "b", "c", "d"]).draw(item)
    assert placebo.borrowed == 2
    assert set(placebo.concepts) <= set(PLACEBO_NAMES)


def test_nothing_like_a_forget_concept_or_an_option_is_named() -> None:
    items = build_items(zoo(ANIMALS, per_class=10)).items
    pool = PlaceboPool(["bear"], [name for names in ANIMALS.values() for name in names])
    drawn = {name for item in items for name in pool.draw(item).concepts}
    assert "teddy bear" not in drawn
    assert all(
        not too_alike(name, choice) for item in items for name in pool.draw(item).concepts for choice in item.choices
    )


def test_names_to_borrow_are_distinct_and_unlike() -> None:
    assert len(set(PLACEBO_NAMES)) == len(PLACEBO_NAMES) == 60
    assert not [(a, b) for n, a in enumerate(PLACEBO_NAMES) for b in PLACEBO_NAMES[n + 1 :] if too_alike(a, b)]


def test_too_many_forget_concepts_have_no_placebo() -> None:
    forget = [f"{first}{second}x" for first in "bcdfghjk" for second in "lmnpqrst"]
    with pytest.raises(ValueError, match="no placebo list of 64"):
        PlaceboPool(forget, forget).draw(ITEMS[0])


def test_a_wrong_target_is_a_distractor_the_same_each_time_and_any_of_them() -> None:
    names = [item.forget_concept for item in ITEMS]
    places = Counter(item.choices.index(wrong_target(item, names)) - item.answer for item in ITEMS)
    assert 0 not in places
    assert len(places) > 3
    assert all(wrong_target(item, names) == wrong_target(item, names) != item.answer_text for item in ITEMS)


def test_where_a_question_is_about_a_person_a_wrong_oracle_names_another_person() -> None:
    asked = ITEMS[0].model_copy(update={"forget_concept": "Ada Moor", "class_name": "Ada Moor"})
    assert wrong_target(asked, ["Ada Moor", "Ben Holt"]) == "Ben Holt"


def test_donors_are_a_derangement_over_concepts() -> None:
    given_ = donors(ITEMS, 42, "x")
    assert len(given_) == len(ITEMS)
    assert len({donor.id for donor in given_.values()}) == len(ITEMS)
    assert all(given_[item.id].forget_concept != item.forget_concept for item in ITEMS)
    assert donors(ITEMS[::-1], 42, "x") == given_
    assert donors(ITEMS, 43, "x") != given_


def test_donors_serve_twice_where_one_concept_is_the_most() -> None:
    items = [question(n, f"{n}.jpg", "a" if n < 30 else "b") for n in range(36)]
    given_ = donors(items, 1, "x")
    assert len(given_) == 36
    assert all(given_[item.id].forget_concept != item.forget_concept for item in items)


def test_a_single_concept_has_no_donors() -> None:
    assert donors([question(n, f"{n}.jpg", "a") for n in range(5)], 1, "x") == {}
    assert donors([], 1, "x") == {}


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 12), st.sampled_from("abcd")), min_size=1, max_size=60))
def test_no_item_is_ever_shown_its_own_picture_or_its_own_concept(pairs: list[tuple[int, str]]) -> None:
    items: list[Item] = [question(n, f"{image}.jpg", concept) for n, (image, concept) in enumerate(pairs)]
    for number, donor in donors(items, 7, "x").items():
        item = next(entry for entry in items if entry.id == number)
        assert donor.image != item.image
        assert donor.forget_concept != item.forget_concept
