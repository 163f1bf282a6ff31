"""Which option a reply chooses, on replies of many styles written with their gold readings before they were read.

What is still read otherwise has `read_as` in its row.
"""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from forgetscope.benchmarks.in_context.data.items import DynamicPreferenceItem
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.benchmarks.in_context.scoring.preference import chosen_option, wishes_behind
from forgetscope.mentions.marks import Labels
from forgetscope.mentions.options import stated_option

REPLIES = Path(__file__).parent / "replies"
ITEMS = {item.question: item for item in load_data("embedded").items if isinstance(item, DynamicPreferenceItem)}
CITIES = ("Lima", "Quito", "La Paz", "Bogota")


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (REPLIES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", rows("letters"), ids=lambda row: row["reply"][:40])
def test_letters_are_read_as_a_person_reads_them(row: dict[str, Any]) -> None:
    chosen = stated_option(row["reply"], row["choices"], Labels.LETTERS, row["question"])
    assert (None if chosen is None else "ABCD"[chosen]) == row.get("read_as", row["chosen"])


@pytest.mark.parametrize("opening", ["A. Lima", "A. Lima\nC. La Paz", "**A) Lima**"])
def test_an_announced_answer_stands_before_labels_on_lines_above_it(opening: str) -> None:
    for announced in ("The answer is: B. Quito", "The answer is B.", "My final answer: **B**"):
        assert stated_option(f"{opening}\n\n{announced}", CITIES, Labels.LETTERS) == 1
    assert stated_option(f"{opening}\n\nThe answer is B.\nThe answer is D.", CITIES, Labels.LETTERS) is None


@pytest.mark.parametrize("row", rows("digits"), ids=lambda row: row["reply"][:40])
def test_digits_are_read_as_a_person_reads_them(row: dict[str, Any]) -> None:
    assert stated_option(row["reply"], row["choices"], Labels.DIGITS) == row.get("read_as", row["choice"])


@pytest.mark.parametrize("row", rows("wishes"), ids=lambda row: row["reply"][:40])
def test_options_of_a_preference_are_read_as_a_person_reads_them(row: dict[str, Any]) -> None:
    item = ITEMS.get(row["q"])
    wishes = wishes_behind(item, row["options"]) if item and set(row["options"]) == set(item.options) else ()
    assert chosen_option(row["reply"], row["options"], row["q"], wishes) == row.get("read_as", row["chosen"])


def test_most_replies_are_read_as_a_person_reads_them() -> None:
    for name in ("letters", "digits", "wishes"):
        assert sum("read_as" in row for row in rows(name)) <= 0.04 * len(rows(name))


@pytest.mark.parametrize(
    "filler",
    [
        *("'", "(", "1 ", "| ", "a ", "A ", "\n", "B or ", "not ", "it is ", "<think>", "</think>", "Lima ", "? "),
        *("A. ", "B) ", "not A, ", "A) Lima\n", "if A then B, ", "A Lima or B Quito, not C but D La Paz. "),
    ],
)
@pytest.mark.parametrize("labels", Labels)
def test_a_reply_of_one_sequence_is_read_in_no_time(filler: str, labels: Labels) -> None:
    reply = (filler * 40_000)[:40_000]
    begun = time.process_time()
    stated_option(reply, CITIES, labels, "Which city?")
    assert time.process_time() - begun < 0.5


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("Ring the practice nurse and tell her everything.", 1),
        ("Not the pharmacy: have the doctor look at it.", 0),
        ("Anything you like.", None),
    ],
)
def test_an_option_told_in_other_words_is_read(reply: str, chosen: int | None) -> None:
    options = (
        "Make an appointment and let the doctor look at it there",
        "Ring the nurse helpline and describe it over the phone",
        "Book an online consultation and hold your arm to the camera",
        "Go to the pharmacy and ask what cream they would use",
    )
    assert chosen_option(reply, options, "There's been a rash on my forearm. What should I do about it?") == chosen


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("I think it's A. Hmm, no, Lima is in Peru. It's B.", 1),
        ("The answer is A) Lima... just kidding, it's B) Quito!", 1),
        ("<think>\nLima is in Peru, so B, or is it D", None),
        ("Lima is in Peru.</think>\nB", 1),
        ("Lima? No. La Paz? No. Bogota? No.", 1),
        ("A. Lima: no, that's Peru. C. No. D. No.", 1),
    ],
)
def test_what_is_taken_back_or_only_thought_does_not_count_and_what_is_left_over_does(
    reply: str, chosen: int | None
) -> None:
    assert stated_option(reply, CITIES, Labels.LETTERS, "What is the capital of Ecuador?") == chosen


@pytest.mark.parametrize(
    ("options", "reply", "chosen"),
    [
        (("x^2", "3x", "3x^2", "x^4/4"), "Bring down the exponent: three times x squared.", 2),
        (("x = 3", "x = 4", "x = 10", "x = 8"), "2x = 8, hence x = 8/2 = 4.", 1),
        (("First Amendment", "Thirteenth Amendment", "Fifth Amendment", "Tenth Amendment"), "The 13th Amendment.", 1),
    ],
)
def test_numbers_and_formulas_are_read_in_words_and_signs(
    options: tuple[str, ...], reply: str, chosen: int | None
) -> None:
    assert stated_option(reply, options, Labels.LETTERS) == chosen


def test_a_label_beside_the_words_of_another_option_chooses_nothing() -> None:
    assert stated_option("B) Lima", CITIES, Labels.LETTERS) is None
    assert stated_option("1 (La Paz)", CITIES, Labels.DIGITS) is None
