"""A sample knows its id, its question and the order of its options."""

from collections import Counter
from itertools import pairwise

import pytest

from forgetscope.benchmarks.in_context.data.forms import ROTATIONS, Form, InContextSample
from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.data.scenarios import PreferenceQuestion
from tests.benchmarks.in_context.small_items import FORGETTING, JUDGED_FORGETTING, PREFERENCE, REVISION, sample


def test_ids_name_item_form_and_every_further_factor() -> None:
    assert sample(FORGETTING).sample_id == ("in_context/if-small/forget/length=native/strategy=noforget/probe=query")
    assert sample(REVISION, Form.NOFORGET).sample_id == ("in_context/sr-small/noforget/length=native/strategy=noforget")
    reversed_ = sample(PREFERENCE).model_copy(update={"direction": "reversed"})
    assert reversed_.sample_id == (
        "in_context/dp-small/forget/length=native/strategy=noforget/question=options/direction=reversed"
    )


def test_the_rotations_are_a_balanced_square() -> None:
    for place in range(4):
        assert {order[place] for order in ROTATIONS} == {0, 1, 2, 3}, "each option once at each place"
    followers = Counter(pair for order in ROTATIONS for pair in pairwise(order))
    assert set(followers.values()) == {1}, "each option once after each other"
    assert len(followers) == 12


@pytest.mark.parametrize("rotation", range(4))
def test_options_are_shown_in_the_rotation_and_only_where_they_are_asked_for(rotation: int) -> None:
    shown = sample(PREFERENCE, rotation=rotation)
    assert shown.options == tuple(PREFERENCE.options[place] for place in ROTATIONS[rotation])
    assert [line[:2] for line in shown.query.splitlines()[1:]] == ["A.", "B.", "C.", "D."]
    asked_openly = sample(PREFERENCE, question=PreferenceQuestion.OPEN, rotation=rotation)
    assert asked_openly.options == ()
    assert asked_openly.query == PREFERENCE.question


def test_the_query_follows_the_probe() -> None:
    assert sample(FORGETTING).query == "Where do I live?"
    assert sample(FORGETTING, probe=DialogueProbe.NEIGHBOUR).query == "Where do I start?"
    assert sample(REVISION).query == REVISION.revised


@pytest.mark.parametrize(
    ("asked", "verified"),
    [
        (sample(FORGETTING), True),
        (sample(JUDGED_FORGETTING), False),
        (sample(JUDGED_FORGETTING, probe=DialogueProbe.NEIGHBOUR), True),
        (sample(PREFERENCE), True),
        (sample(PREFERENCE, question=PreferenceQuestion.OPEN), False),
        (sample(REVISION), True),
    ],
)
def test_a_rule_scores_what_has_facts_options_checks_or_answers(asked: InContextSample, verified: bool) -> None:
    assert asked.is_verified is verified


def test_calls_count_live_answers_and_questions_asked_again() -> None:
    assert sample(FORGETTING, reask=True).calls == 2
    assert sample(FORGETTING, Form.NOFORGET).calls == 1
    assert sample(REVISION).calls == 2
    assert sample(REVISION, Form.NOFORGET).calls == 1


def test_a_sample_survives_its_log() -> None:
    for item in (FORGETTING, REVISION, PREFERENCE):
        held = sample(item)
        assert InContextSample.model_validate(held.model_dump(mode="json")) == held
