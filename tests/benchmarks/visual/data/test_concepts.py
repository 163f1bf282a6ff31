"""Names that are too alike, other names, and clues that name nothing."""

import pytest

from forgetscope.benchmarks.visual.data.concepts import (
    Concept,
    clues_for,
    load_vocabulary,
    mentions,
    too_alike,
    without_names,
)

VOCABULARIES = {
    "coco": 80,
    "indoor67": 67,
    "aid": 30,
    "celebrity": 17,
    "attributes": 25,
    "embedded_objects": 525,
    "embedded_scenes": 20,
    "embedded_values": 46,
    "embedded_brands": 63,
    "embedded_persons": 20,
}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("bear", "teddy bear"),
        ("teddy bear", "bear"),
        ("dog", "hot dog"),
        ("kitchen", "restaurant kitchen"),
        ("Mercedes", "mercedes-benz"),
        ("baseball field", "baseballfield"),
        ("ski", "skis"),
        ("Coca-Cola", "Coca Cola"),
        ("Burger King", "Burgerking"),
        ("Starbucks", "Starbuck's"),
        ("Lamborghini", "Lamborgini"),
        ("", "dog"),
    ],
)
def test_names_too_alike_for_one_question(first: str, second: str) -> None:
    assert too_alike(first, second)
    assert too_alike(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("car", "carrot"),
        ("cat", "cattle"),
        ("horse", "house"),
        ("left of", "right of"),
        ("big", "pig"),
        ("dense residential", "sparse residential"),
        ("inside bus", "inside subway"),
        ("BMW", "KMW"),
    ],
)
def test_names_that_may_stand_side_by_side(first: str, second: str) -> None:
    assert not too_alike(first, second)


@pytest.mark.parametrize(("name", "size"), VOCABULARIES.items())
def test_vocabularies_hold_every_class_once_under_its_own_name(name: str, size: int) -> None:
    concepts = load_vocabulary(name)
    assert len(concepts) == len({concept.name for concept in concepts.values()}) == size
    assert all(concept.supercategory for concept in concepts.values())


@pytest.mark.parametrize("name", VOCABULARIES)
def test_no_clue_names_a_concept_of_its_vocabulary(name: str) -> None:
    concepts = load_vocabulary(name).values()
    leaks = [
        (concept.name, other.name)
        for concept in concepts
        for other in concepts
        if concept.clue and concept.supercategory == other.supercategory and mentions(concept.clue, other.names)
    ]
    assert leaks == []


@pytest.mark.parametrize("name", [name for name in VOCABULARIES if name != "embedded_persons"])
def test_every_concept_that_is_known_for_something_has_a_clue_of_its_own(name: str) -> None:
    clues = [concept.clue for concept in load_vocabulary(name).values()]
    assert all(clues)
    assert len(set(clues)) == len(clues)


def test_aliases_belong_to_one_concept_of_a_vocabulary() -> None:
    for name in VOCABULARIES:
        seen = [alias.casefold() for concept in load_vocabulary(name).values() for alias in concept.names]
        assert sorted(seen) == sorted(set(seen)), name


@pytest.mark.parametrize("name", VOCABULARIES)
def test_kin_are_concepts_of_the_same_vocabulary_said_once(name: str) -> None:
    concepts = {concept.name: concept for concept in load_vocabulary(name).values()}
    pairs = [frozenset((concept.name, kin)) for concept in concepts.values() for kin in concept.kin]
    assert all(pair <= set(concepts) and len(pair) == 2 for pair in pairs)
    assert len(set(pairs)) == len(pairs)


def test_what_is_also_true_of_a_picture_is_kin() -> None:
    known = load_vocabulary("embedded_objects")
    for one, other in (
        ("penguin", "bird"),
        ("tulip", "blossom"),
        ("volcano", "mountain"),
        ("butterfly", "bug"),
        ("shark", "fish"),
        ("poodle", "dog"),
        ("ferry", "ship"),
        ("taxi", "automobile"),
        ("dvd", "optical disk"),
        ("sunset", "sunrise"),
    ):
        assert known[one].is_kin(known[other]), (one, other)
        assert known[other].is_kin(known[one]), (one, other)
    assert not known["penguin"].is_kin(known["eagle"])


def test_mentions_are_whole_words_in_any_case_and_number() -> None:
    assert mentions("Two Teddy-Bears!", ["teddy bear"])
    assert mentions("a box of matches", ["match"])
    assert not mentions("the cattle", ["cat"])
    assert not mentions("anything", ["", "..."])


def test_longer_names_are_taken_out_before_shorter_ones() -> None:
    assert without_names("A teddy bear and a bear", ["bear", "teddy bear"]) == "a · and a ·"
    assert mentions(without_names("a teddy bear", ["teddy bear"]), ["bear"]) is False


def test_clues_serve_only_when_each_choice_has_one_and_none_names_a_choice() -> None:
    cat, dog = Concept("cat", clue="it purrs"), Concept("dog", clue="it barks")
    assert clues_for([cat, dog]) == ("it purrs", "it barks")
    assert clues_for([cat, Concept("cow")]) == ()
    assert clues_for([cat, Concept("dog", clue="it hunts cats")]) == ()
    assert clues_for([cat, Concept("lion", clue="it purrs")]) == ()
    assert clues_for([cat, Concept("dog", aliases=("hound",), clue="a kind of Hound")]) == ()
    assert clues_for([cat, dog], "Which pet is it?") == ("it purrs", "it barks")
    assert clues_for([cat, dog], "Is it a dog?") == ()
