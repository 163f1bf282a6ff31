"""What is sent: the forms of an item, their prompts and factors."""

from collections import Counter
from typing import Any

import pytest

from forgetscope.benchmarks.visual.data.conditions import (
    CONDITIONS,
    GROUNDING_CONTROLS,
    PAPER_CONDITIONS,
    Condition,
    Control,
    Mode,
    OracleTarget,
    VisualProbe,
)
from forgetscope.benchmarks.visual.data.forms import Design
from forgetscope.benchmarks.visual.data.records import Item, Split, SplitSizes
from forgetscope.benchmarks.visual.data.samples import VisualSample, interleaved, measured, split_samples
from forgetscope.benchmarks.visual.splits.items import build_items
from forgetscope.benchmarks.visual.splits.split import make_split
from tests.benchmarks.visual.splits.test_items import ANIMALS, zoo
from tests.benchmarks.visual.splits.test_splits import question, request

SIZES = SplitSizes(test_per_concept=3, train_per_concept=3, retain_train=6, retain_test=6)
FULL = Design(
    conditions=tuple(CONDITIONS),
    controls=GROUNDING_CONTROLS,
    vision_free=True,
    probes=tuple(VisualProbe),
    phrasings=3,
    orders=2,
    modes=tuple(Mode),
    eligibility=2,
)


def split(**changes: Any) -> Split:
    items = tuple(
        item.model_copy(update={"clues": tuple(f"clue {n}" for n in range(4))}) if item.class_name == "cow" else item
        for item in build_items(zoo(ANIMALS, per_class=8)).items
    )
    return make_split(items, request("listed", concepts=("cow", "bear", "kite"), sizes=SIZES, **changes))


def samples(design: Design = Design(), **changes: Any) -> list[VisualSample]:  # noqa: B008 - frozen
    return list(split_samples(split(), design, **changes))


def test_the_paper_is_five_conditions_on_forget_and_three_on_retain() -> None:
    found = samples()
    assert Counter((entry.side, entry.condition) for entry in found) == {
        **{("forget", condition): 9 for condition in PAPER_CONDITIONS},
        **{("retain", condition): 6 for condition in PAPER_CONDITIONS[:3]},
    }
    assert {(entry.role, entry.control, entry.probe, entry.mode) for entry in found} == {
        ("effect", Control.NONE, VisualProbe.CHOICE, Mode.GENERATE)
    }


def test_ids_are_unique_and_all_forms_of_an_item_stand_together() -> None:
    found = samples(FULL)
    assert len({entry.sample_id for entry in found}) == len(found)
    order = [entry.item for entry in found]
    runs = [item for n, item in enumerate(order) if n == 0 or order[n - 1] != item]
    assert len(runs) == len(set(runs))


def test_a_limit_takes_the_first_items_with_all_their_forms_and_changes_none() -> None:
    everything = {entry.sample_id: entry for entry in samples(FULL)}
    few = samples(FULL, limit=2)
    assert len({entry.item for entry in few if entry.role == "effect"}) == 4
    assert Counter(side for side, _ in {(entry.side, entry.item) for entry in few if entry.role == "effect"}) == {
        "forget": 2,
        "retain": 2,
    }
    assert all(everything[entry.sample_id] == entry for entry in few)
    items = {entry.item for entry in few}
    assert sum(entry.item in items for entry in everything.values()) == len(few)


def test_items_take_turns_over_sides_and_concepts() -> None:
    order = interleaved(split().of("test", "forget") + split().of("test", "retain"))
    assert [item.side for item in order[:6]] == ["forget", "retain"] * 3
    assert len({item.forget_concept for item in order[:6] if item.side == "forget"}) == 3


def test_eligibility_is_asked_on_pictures_of_its_own() -> None:
    found = samples(FULL)
    deciding = [entry for entry in found if entry.role == "eligibility"]
    assert {entry.condition for entry in deciding} == {Condition.BASELINE_NORMAL}
    assert {entry.control for entry in deciding} == {Control.NONE, *GROUNDING_CONTROLS}
    assert Counter(entry.forget_concept for entry in deciding if entry.control is Control.NONE) == {
        "cow": 4,
        "bear": 4,
        "kite": 4,
    }
    pictures = {entry.picture_group for entry in deciding}
    assert not pictures & {entry.picture_group for entry in found if entry.role == "effect"}
    assert all("/role=eligibility" in entry.sample_id for entry in deciding)


def by_condition(design: Design, **wanted: Any) -> dict[Condition, VisualSample]:
    return {
        entry.condition: entry
        for entry in samples(design)
        if all(getattr(entry, name) == value for name, value in wanted.items())
    }


def test_prompts_name_what_their_condition_says() -> None:
    found = by_condition(
        FULL, side="forget", control="none", probe="choice", mode="generate", phrasing=0, order=0, role="effect"
    )
    listed = "bear, cow, kite"
    for condition in (Condition.UNLEARN_SOFT, Condition.UNLEARN_MEDIUM):
        assert f": {listed}." in found[condition].prompt
    own = found[Condition.ORACLE_HARD]
    assert own.target == own.forget_concept
    assert f"If you see a {own.target}, you must not" in own.prompt
    wrong = found[Condition.WRONG_ORACLE_REVERSE]
    assert wrong.target in wrong.labels
    assert wrong.target != wrong.labels[wrong.answer]
    assert f"is NOT a {wrong.target}." in wrong.prompt
    restored = found[Condition.RESTORED_SOFT].prompt
    assert restored.count(listed) == 2
    assert "lifted" in restored
    placebo = found[Condition.PLACEBO_SOFT]
    assert listed not in placebo.prompt
    assert not any(f" {name}," in placebo.prompt for name in (*placebo.labels, "bear", "cow", "kite"))
    assert found[Condition.BASELINE_NORMAL].prompt.count("\n\n") == 2


def test_listed_options_are_counted_only_where_the_forget_list_is_shown() -> None:
    for entry in samples(FULL):
        on_the_list = sum(label in ("bear", "cow", "kite") for label in entry.labels)
        if CONDITIONS[entry.condition].names == "forget_list":
            assert entry.listed_choices == on_the_list
            assert entry.answer_listed == (entry.side == "forget")
        else:
            assert (entry.listed_choices, entry.answer_listed) == (0, False)


def test_controls_take_away_what_they_name() -> None:
    for entry in samples(FULL):
        if entry.control is Control.NO_IMAGE:
            assert (entry.image, "Q: " in entry.prompt) == ("", True)
        elif entry.control is Control.OPTION_ONLY:
            assert entry.image == ""
            assert entry.prompt.startswith("0) ")
        elif entry.control is Control.SHUFFLED_IMAGE:
            assert entry.donor
            assert entry.donor != entry.forget_concept
            assert entry.donor in entry.image
        else:
            assert (entry.donor, entry.image.startswith(entry.supercategory)) == ("", True)


def test_vision_free_is_every_other_paper_condition_and_restored_permission_on_the_forget_side() -> None:
    blind = {
        (entry.side, entry.condition)
        for entry in samples(FULL)
        if entry.control is Control.NO_IMAGE and entry.condition is not Condition.BASELINE_NORMAL
    }
    restored = {Condition.RESTORED_SOFT, Condition.RESTORED_MEDIUM}
    assert blind == {("forget", condition) for condition in {*PAPER_CONDITIONS[1:], *restored}}


def test_orders_shift_the_options_and_keep_the_answer() -> None:
    found = {
        (entry.item, entry.order): entry
        for entry in samples(FULL)
        if entry.condition is Condition.BASELINE_NORMAL
        and entry.control is Control.NONE
        and entry.mode is Mode.GENERATE
        and entry.probe is VisualProbe.CHOICE
        and entry.role == "effect"
    }
    moved = [(found[item, 0], entry) for (item, order), entry in found.items() if order == 1]
    assert moved
    for plain, shifted in moved:
        assert shifted.labels == (*plain.labels[1:], plain.labels[0])
        assert shifted.labels[shifted.answer] == plain.labels[plain.answer]


def test_an_indirect_probe_shows_clues_and_names_nothing() -> None:
    indirect = [entry for entry in samples(FULL) if entry.probe is VisualProbe.INDIRECT]
    assert {entry.class_name for entry in indirect} == {"cow"}
    for entry in indirect:
        assert entry.choices[entry.answer].startswith("clue")
        assert entry.labels[entry.answer] == "cow"
        assert "cow" not in entry.prompt.replace("bear, cow, kite", "")


def test_an_indirect_probe_of_an_attribute_keeps_its_question() -> None:
    items = [
        question(n, f"{n}.jpg", "abcd"[n % 4]).model_copy(update={"clues": ("first", "second", "third", "fourth")})
        for n in range(80)
    ]
    made = make_split(items, request("listed", concepts=("a",), sizes=SIZES))
    asked = [
        entry for entry in split_samples(made, Design(probes=tuple(VisualProbe))) if entry.probe is VisualProbe.INDIRECT
    ]
    questions = {item.id: item.question for item in items}
    assert asked
    assert all(entry.prompt.startswith(f"Q: {questions[entry.item]}\n\n0) ") for entry in asked)
    assert {entry.choices for entry in asked} == {("first", "second", "third", "fourth")}


def test_a_short_answer_knows_longer_names_and_is_only_generated() -> None:
    short = [entry for entry in samples(FULL) if entry.probe is VisualProbe.SHORT_ANSWER]
    assert {entry.mode for entry in short} == {Mode.GENERATE}
    assert {entry.longer_names for entry in short if entry.forget_concept == "bear"} == {("teddy bear",)}
    assert {entry.longer_names for entry in short if entry.forget_concept == "cow"} == {()}
    assert not any("0)" in entry.prompt for entry in short)


def test_the_authors_oracle_names_the_class_ours_the_concept() -> None:
    items = [question(n, f"{n}.jpg", "abcd"[n % 4]) for n in range(80)]
    made = make_split(items, request("listed", concepts=("a",), sizes=SIZES))
    for target, named in ((OracleTarget.CONCEPT, "a"), (OracleTarget.CLASS, "spatial")):
        hard = [
            entry
            for entry in split_samples(made, Design(oracle_target=target))
            if entry.condition is Condition.ORACLE_HARD
        ]
        assert {entry.target for entry in hard} == {named}
        assert all(f"The object in the image is {named}. " in entry.prompt for entry in hard)


def test_two_option_items_may_have_no_permitted_choice() -> None:
    items = [
        question(n, f"{n}.jpg", "abcd"[n % 4]).model_copy(
            update={"choices": ("a", "b") if n % 4 < 2 else ("c", "d"), "answer": n % 2}
        )
        for n in range(160)
    ]
    made = make_split(items, request("listed", concepts=("a", "b"), sizes=SIZES))
    soft = [entry for entry in split_samples(made, Design()) if entry.condition is Condition.UNLEARN_SOFT]
    assert {(entry.side, entry.no_permitted_choice) for entry in soft} == {("forget", True), ("retain", False)}


def test_an_item_of_no_split_is_not_asked() -> None:
    item: Item = question(1, "1.jpg", "a")
    with pytest.raises(ValueError, match="q1 is of no split"):
        interleaved([item])


def test_so_many_pictures_of_each_forget_concept_measure_and_as_many_items_are_kept_or_three_times_it() -> None:
    effect = [item for item in split().items if item.part == "test"]
    assert Counter(item.side for item in effect) == {"forget": 9, "retain": 6}
    one, two = measured(effect, 1), measured(effect, 2)
    assert Counter(item.forget_concept for item in one if item.side == "forget") == {"cow": 1, "bear": 1, "kite": 1}
    assert (Counter(item.side for item in one), Counter(item.side for item in two)) == (
        {"forget": 3, "retain": 3},
        {"forget": 6, "retain": 6},
    )
    assert measured(effect, 0) == effect
