"""Which number of a reply is read as its answer: what decides, and what the reading does not look at."""

import time

import pytest

from forgetscope.benchmarks.prospective.loads.reading.number_cues import AFTER, BEFORE, POINTS, SENTENCE
from forgetscope.benchmarks.prospective.loads.reading.numbers import numerals
from forgetscope.benchmarks.prospective.loads.reading.passages import NO_ANSWER
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
        ("<think>\n16 * 4 = 64, so the answer is 64, or is Friday", None),
        ("16 * 4 = 64, I think.\n</think>\nThe answer is 64.", 64),
        ("def solve():\n    apples = 5 * 6\n    return apples - 10", None),
        ("```python\nprint(3 * 34)  # 102\n```", 102),
        ("6 × 6 = 36\n\nAnswer: 36\n\nHmm, actually, I should recheck. 6 × 8 = 48. My corrected answer is 48.", 48),
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
    ("question", "reply", "read"),
    [
        ("How many minutes does he run?", "He runs for 85 minutes, which is 1 hour and 25 minutes.", 85),
        ("How many hours are 90 minutes?", "90 minutes are one and a half, i.e. 1.5 hours.", 1.5),
        ("A jacket for $60 is $45 now. What percent is the discount?", "The discount is $15 on $60, that is 25%.", 25),
        ("A jacket for $60 is $45 now. How many dollars are saved?", "The discount is $15 on $60, that is 25%.", 15),
        ("Bo has 8 hats in each of 3 boxes. How many hats are there?", "24 hats.\n\nQ: 4 boxes of 5?\nA: 20", 24),
        ("He has 36 sweets and gives them away. How many are left?", "He gives away 36, so he has nothing left.", 0),
        ("Tom has 9 pens and buys 4. How many pens has he?", "Tom has 9 pens and buys 4. How many pens has he?", None),
        ("Tom has 9 pens and buys 4. How many pens has he?", '{"question": "Tom has 9 pens and buys 4."', None),
        ("Tom has 9 pens and buys 4. How many pens has he?", "B", None),
    ],
)
def test_what_is_asked_tells_the_answer_from_other_numbers(question: str, reply: str, read: float | None) -> None:
    assert stated_numbers(reply, question, 1, [question]) == (read,)


def test_a_wrong_answer_in_the_right_words_is_read_as_one() -> None:
    question = "A hall has 6 rows of 7 seats. How many seats are there?"
    assert stated_numbers("There are 6 × 7 = 48 seats.", question, 1, [question]) == (48,)


def test_answers_without_labels_are_told_apart_by_their_problems() -> None:
    questions = ["What is the square root of 81?", "What is 9 times 9?", "What is the sum of both?"]
    reply = "The square root of 81 is 9, and 9 times 9 is 81. Their sum is 9 + 81 = 90."
    assert stated_numbers(reply, "", 3, questions) == (9, 81, 90)


@pytest.mark.parametrize("piece", ["1 ", "1,", "? ", "3 apples ", "1/"])
def test_a_long_reply_of_one_piece_is_read_in_no_time(piece: str) -> None:
    reply = (piece * 40_000)[:40_000]
    started = time.process_time()
    stated_numbers(reply, "", 1, ["How many apples are left of 9?"])
    stated_numbers(reply, "", 3, ["How many are left of 9?", "How many are 4 and 5?", "How old is she?"])
    assert time.process_time() - started < 0.5


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
