"""The conditions and the factors they are crossed with."""

import pytest

from forgetscope.benchmarks.visual.data.conditions import (
    CONDITIONS,
    CORRECTIONS,
    PAPER_CONDITIONS,
    Condition,
    Control,
    VisualProbe,
    parse_condition,
    parse_conditions,
    parse_members,
)
from forgetscope.core.errors import SettingError, UnknownNameError


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


def test_sets_and_names_give_conditions_in_one_order() -> None:
    assert parse_conditions("paper") == PAPER_CONDITIONS
    assert parse_conditions("corrections,paper") == (*PAPER_CONDITIONS, *CORRECTIONS) == parse_conditions("all")
    assert parse_conditions("UNLEARN_SOFT, baseline-normal") == (Condition.BASELINE_NORMAL, Condition.UNLEARN_SOFT)


def test_without_the_baseline_nothing_can_be_compared() -> None:
    with pytest.raises(SettingError, match="compared with the baseline"):
        parse_conditions("unlearn_soft")


def test_an_unknown_condition_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match=r"found 'unlearn_hard'; allowed: baseline_normal"):
        parse_condition("unlearn_hard")


def test_members_are_parsed_in_the_factors_order() -> None:
    assert parse_members("option_only,no_image", Control, "--controls") == ("no_image", "option_only")
    with pytest.raises(UnknownNameError, match="--probes: no such probe"):
        parse_members("oral", VisualProbe, "--probes")
    with pytest.raises(SettingError, match="no control named"):
        parse_members(" , ", Control, "--controls")


def test_two_controls_send_no_picture() -> None:
    assert [control for control in Control if not control.shows_a_picture] == [Control.NO_IMAGE, Control.OPTION_ONLY]
