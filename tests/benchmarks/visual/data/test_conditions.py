"""The conditions and the factors they are crossed with."""

import pytest

from forgetscope.benchmarks.visual.data.conditions import (
    CONDITIONS,
    PAPER_CONDITIONS,
    Condition,
    Control,
    parse_condition,
)
from forgetscope.core.errors import UnknownNameError


def test_the_papers_conditions_are_asked_on_the_sides_it_names() -> None:
    assert {name.value: info.sides for name, info in CONDITIONS.items() if name in PAPER_CONDITIONS} == {
        "baseline_normal": ("forget", "retain"),
        "unlearn_soft": ("forget", "retain"),
        "unlearn_medium": ("forget", "retain"),
        "oracle_hard": ("forget",),
        "oracle_reverse": ("forget",),
    }


def test_only_the_papers_oracles_disclose_the_answer() -> None:
    assert [name for name, info in CONDITIONS.items() if info.names_the_answer] == [
        Condition.ORACLE_HARD,
        Condition.ORACLE_REVERSE,
    ]


def test_probe_levels_are_the_papers() -> None:
    assert {info.probe_level: name for name, info in CONDITIONS.items() if info.probe_level in ("P2", "P3")} == {
        "P2": Condition.ORACLE_REVERSE,
        "P3": Condition.ORACLE_HARD,
    }


def test_an_unknown_condition_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match=r"found 'unlearn_hard'; allowed: baseline_normal"):
        parse_condition("unlearn_hard")


def test_two_controls_send_no_picture() -> None:
    assert [control for control in Control if not control.shows_a_picture] == [Control.NO_IMAGE, Control.OPTION_ONLY]
