"""Numbers and foreign text, as a person reads them."""

import pytest

from forgetscope.findings.figures import Interval
from forgetscope.report.wording import ABSENT, visible, write_cell, write_interval, write_number


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (0.6123, "percent", "61.2"),
        (0.536, "size", "53.6"),
        (0.05, "points", "+5.0"),
        (-0.05, "points", "−5.0"),
        (-0.0001, "points", "0.0"),
        (0.0004, "p", "<0.001"),
        (0.0314, "p", "0.031"),
        (-0.11, "number", "−0.11"),
        (-0.001, "number", "0.00"),
        (12345.6, "number", "12,346"),
        (1234, "integer", "1,234"),
        (None, "percent", ABSENT),
        (float("nan"), "percent", ABSENT),
        (float("inf"), "number", ABSENT),
    ],
)
def test_a_number_is_written_as_its_column_says(value: float | None, kind: str, text: str) -> None:
    assert write_number(value, kind) == text


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(ValueError, match="no way to write a number as 'furlongs'"):
        write_number(1.0, "furlongs")


def test_an_interval_stands_in_brackets_behind_its_number() -> None:
    assert write_interval(Interval(0.612, 0.51, 0.704), "percent") == "61.2 [51.0, 70.4]"


def test_an_undefined_interval_is_left_out() -> None:
    assert write_interval(Interval(0.612), "percent") == "61.2"
    assert write_interval(Interval(0.612, float("nan"), 0.7), "percent") == "61.2"


def test_the_unseen_is_spelled_out_and_the_seen_stays() -> None:
    assert visible("a\u202eb\u200b\x00\U000e0041 é\n漢字") == "a[U+202E]b[U+200B][U+0000][U+E0041] é\n漢字"


def test_yes_no_text_and_nothing_are_cells_too() -> None:
    cells = [write_cell(value, "text") for value in (True, False, None, "mmlu", 3, 0.5)]
    assert cells == ["yes", "no", ABSENT, "mmlu", "3", "0.50"]
