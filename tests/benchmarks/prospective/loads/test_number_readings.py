"""Which number of a reply is read as its answer: what decides, and what the reading does not look at."""

import pytest

from forgetscope.benchmarks.prospective.loads.reading.number_cues import AFTER, BEFORE, NO_ANSWER, POINTS, SENTENCE
from forgetscope.benchmarks.prospective.loads.reading.numbers import numerals
from forgetscope.benchmarks.prospective.loads.reading.stated_number import stated_number
from forgetscope.benchmarks.prospective.loads.reading.stated_numbers import stated_numbers


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("First option: 7 × 12 = 84. You have asked for more, so: one, two, three!", 84),
        ("7 × 12 = 84, so she pays 84 + 6 = 90 dollars.", 90),
        ("7 × 12 = 84. The answer is 90.", 90),
        ("She gets fourteen dollars. 12 cats watched.", 14),
        ("The answer is not 10 but 12.", 12),
        ("The answer to the math problem is 12 dollars. Now, 3 tips: sleep, eat, rest.", 12),
        ("She saves 12 dollars. HAPPY 80TH BIRTHDAY!", 12),
        ("The solution is 12. Word count: 43", 12),
        ('{"math_answer": 12, "rooms": 4}', 12),
        ("**3 tips for the week**\n\n1. Sleep 8 hours.\n2. Walk 5 km.\n\nMath: she saves 12 dollars.", 12),
        ("It is 20 or 24.", None),
        ("The number lies somewhere between 20 and 24.", None),
        ("To solve this we first subtract the 7 broken cups from 40, which", None),
    ],
)
def test_the_answer_is_the_number_for_which_most_speaks(reply: str, read: float | None) -> None:
    assert stated_numbers(reply, "", 1) == (read,)


def test_a_number_outside_what_is_labelled_as_the_load_never_wins() -> None:
    chatter = "Dear tenants,\n\nthe lift costs 100 euros. It saves 20 minutes, so that makes 80 in total.\n\n"
    assert stated_number(chatter + "Math problem: 12 apples.") == 12


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("it's minus four degrees", [-4]),
        ("five degrees below zero", [-5]),
        ("7 hundred", [700]),
        ("a hundred and five", [105]),
        ("5³ cubes", [125]),
        ("eight dollars and fifty cents", [8.5]),
        ("$8 and 50 cents", [8.5]),
        ("two dozen (24) clips", [24, 24]),
        ("half a dozen", [6]),
        ("an hour and a half, or 37 and a half minutes", [1.5, 37.5]),
        ("5 halves", [2.5]),
    ],
)
def test_more_ways_to_write_a_number(text: str, values: list[float]) -> None:
    assert [found.value for found in numerals(text)] == values


@pytest.mark.parametrize("filler", ["'", "’", "(", "1 ", "| ", "a ", "\n", "</think>"])
def test_an_answer_stands_after_any_amount_of_noise(filler: str) -> None:
    assert stated_numbers(filler * 40_000 + "\n\nThe answer is 42.", "", 1) == (42.0,)


def test_every_pattern_counts_for_something() -> None:
    counted = {part for cue in POINTS for part in cue.replace(" - ", " + ").split(" + ")}
    assert {name for patterns in (BEFORE, AFTER, SENTENCE, NO_ANSWER) for name in patterns} <= counted
