"""Quality control: each reason, and that what passes can be asked."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.benchmarks.visual.splits.quality import choice_reasons, quality_reasons


@pytest.mark.parametrize(
    ("choices", "prebuilt", "reasons"),
    [
        (["a", "b", "c", "d"], False, ()),
        (["a", "b", "c"], False, ("wrong number of choices",)),
        (["a", "b"], True, ()),
        (["a"], True, ("wrong number of choices",)),
        (["a", " ", "c", "d"], False, ("empty text",)),
        (["Cat", "cat ", "c", "d"], False, ("choices not unique",)),
        (["x" * 41, "b"], True, ()),
        (["x" * 40, "b", "c", "d"], False, ()),
        (["a", "b", "c", "\ud800"], False, ("not UTF-8",)),
        (["a", "b", "c", "<image>"], False, ("control token",)),
        (["a", "b", "c", "[/INST]"], False, ("control token",)),
        (["a", "b", "c", "Forever 21"], False, ()),
        (["a", "b", "c", "Studio 2"], False, ("choice holds an answer digit",)),
    ],
)
def test_quality_control_names_each_reason(choices: list[str], prebuilt: bool, reasons: tuple[str, ...]) -> None:
    assert quality_reasons("What is it?", choices, 0, prebuilt=prebuilt) == reasons


def test_an_answer_outside_the_choices_is_a_reason() -> None:
    assert quality_reasons("?", ["a", "b", "c", "d"], 4, prebuilt=False) == ("answer out of range",)


@given(st.lists(st.text(max_size=50), min_size=0, max_size=6))
def test_whatever_passes_quality_control_becomes_an_item(choices: list[str]) -> None:
    if not quality_reasons("q", choices, 0, prebuilt=False):
        assert len({choice.casefold() for choice in choices}) == 4
        assert all(choice.strip() and len(choice) <= 40 and "\n" not in choice for choice in choices)
        assert json.loads(json.dumps(choices).encode()) == choices


def test_a_name_is_judged_alone_for_the_pool_of_distractors() -> None:
    assert choice_reasons("Starbucks") == ()
    assert choice_reasons("3 Musketeers") == ("choice holds an answer digit",)
    assert choice_reasons("x" * 41 + "\n") == ("choice too long", "control token")
