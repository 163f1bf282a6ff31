"""Where a reply concludes two numbers and does not say which is its answer, the right one counts; else never."""

import pytest

from forgetscope.benchmarks.prospective.loads.reading.numbers import numerals
from forgetscope.benchmarks.prospective.loads.reading.stated_numbers import stated_numbers


def test_the_right_one_of_two_conclusions_counts() -> None:
    reply = "First option: 7 × 12 = 84. You have asked for more, so: one, two, three!"
    assert stated_numbers(reply, "", [84.0]) == (84.0,)


@pytest.mark.parametrize(
    ("reply", "gold", "read"),
    [
        ("7 × 12 = 84, so she pays 84 + 6 = 90 dollars.", 84.0, 90.0),
        ("7 × 12 = 84. The answer is 90.", 84.0, 90.0),
        ("She gets fourteen dollars. 12 cats watched.", 12.0, 14.0),
        ("The bus 42 came late. She reads 48 pages in total.", 42.0, 48.0),
    ],
)
def test_a_right_number_in_the_working_or_by_the_way_does_not(reply: str, gold: float, read: float) -> None:
    assert stated_numbers(reply, "", [gold]) == (read,)


@pytest.mark.parametrize(
    ("text", "value"), [("it's minus four degrees", -4), ("7 hundred", 700), ("5³ cubes", 125), ("12² tiles", 144)]
)
def test_more_ways_to_write_a_number(text: str, value: float) -> None:
    assert [found.value for found in numerals(text)] == [value]


@pytest.mark.parametrize("filler", ["'", "’", "(", "1 ", "| ", "a ", "\n", "</think>"])
def test_an_answer_stands_after_any_amount_of_noise(filler: str) -> None:
    assert stated_numbers(filler * 40_000 + "\n\nThe answer is 42.", "", [42.0]) == (42.0,)
