"""Which option a reply chooses, on replies of many styles written with their gold readings before they were read.

What is still read otherwise has `read_as` in its row.
"""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from forgetscope.benchmarks.in_context.scoring.preference import chosen_option
from forgetscope.mentions.marks import Labels
from forgetscope.mentions.options import stated_option

REPLIES = Path(__file__).parent / "replies"
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
    assert chosen_option(row["reply"], row["options"], row["q"]) == row.get("read_as", row["chosen"])


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


def test_a_label_beside_the_words_of_another_option_chooses_nothing() -> None:
    assert stated_option("B) Lima", CITIES, Labels.LETTERS) is None
    assert stated_option("1 (La Paz)", CITIES, Labels.DIGITS) is None
