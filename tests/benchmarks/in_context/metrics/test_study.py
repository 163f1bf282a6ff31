"""The table made ready: cells in order, one model, streams of their own."""

import pytest

from forgetscope.benchmarks.in_context.metrics.study import DialogueCell
from tests.benchmarks.in_context.metrics.small_tables import DP, IF, SR, cell, study_of


def test_cells_come_in_the_order_they_are_read() -> None:
    rows = cell(1, 0, 0, 0, DP, length=500) + cell(1, 0, 0, 0, SR) + cell(1, 0, 0, 0, strategy="forget")
    rows += cell(1, 0, 0, 0) + cell(1, 0, 0, 0, DP, question="open")
    assert study_of(rows).cells == (
        DialogueCell(IF, None, "noforget"),
        DialogueCell(SR, None, "noforget"),
        DialogueCell(IF, None, "forget"),
        DialogueCell(DP, 500, "noforget"),
        DialogueCell(DP, None, "noforget", "open"),
    )


def test_the_main_setting_is_native_and_else_the_shortest_length() -> None:
    assert study_of(cell(1, 0, 0, 0, length=3000) + cell(1, 0, 0, 0)).main_setting == (None, "noforget", "")
    assert study_of(cell(1, 0, 0, 0, length=3000) + cell(1, 0, 0, 0, length=500)).main_setting[0] == 500


def test_an_empty_table_has_no_cells_and_no_main_setting() -> None:
    study = study_of([], {"dynamic_preference forget native noforget": 5})
    assert study.cells == study.main_cells() == ()
    with pytest.raises(ValueError, match="no cell was run"):
        _ = study.main_setting


def test_two_models_in_a_table_are_refused() -> None:
    with pytest.raises(ValueError, match="one model a table"):
        study_of(cell(1, 0, 0, 0) + cell(1, 0, 0, 0, SR, model="another"))


def test_streams_depend_on_name_and_factors_and_not_on_their_order() -> None:
    study = study_of(cell(1, 0, 0, 0))
    first = study.stream("na", {"a": 1, "b": 2}).random()
    assert first == study.stream("na", {"b": 2, "a": 1}).random()
    assert first != study.stream("fa", {"a": 1, "b": 2}).random()
    assert first != study.stream("na", {"a": 1, "b": 3}).random()
