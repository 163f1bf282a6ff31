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


@pytest.mark.parametrize(
    "filler", ["'", "(", "1 ", "| ", "a ", "A ", "\n", "B or ", "not ", "it is ", "</think>", "Lima "]
)
@pytest.mark.parametrize("labels", Labels)
def test_a_reply_of_any_length_is_read_in_bounded_time(filler: str, labels: Labels) -> None:
    begun = time.process_time()
    stated_option(filler * 40_000, CITIES, labels, "Which city?")
    assert time.process_time() - begun < 2
