"""The repaired reading of choices, held to what a person made of replies before the rules were written."""

from pathlib import Path
from typing import Any

import pytest

from forgetscope.api.scoring import score
from forgetscope.benchmarks.visual.scoring.parsing import choice_status, paper_choice, stated_choice
from forgetscope.core.errors import DataError
from forgetscope.io.files import write_lines
from forgetscope.io.records import read_objects

ANIMALS = ("horse", "dog", "teddy bear", "cat")
READ_BY_HAND = Path(__file__).parent / "replies_read_by_hand.jsonl"
"""Replies as vision-language models write them; `choice` and `status` are a person's, `read_as` is what is read."""


def test_the_reading_agrees_with_a_person() -> None:
    rows: list[dict[str, Any]] = [dict(row) for _, row in read_objects(READ_BY_HAND)]
    assert len(rows) > 400
    differ: list[tuple[str, Any]] = []
    for row in rows:
        choice = stated_choice(row["reply"], row["choices"])
        status = choice_status(row["reply"], choice, row["right"])
        if choice != row.get("read_as", row["choice"]) or ("read_as" not in row and status != row["status"]):
            differ.append((row["reply"], choice))
    assert not differ
    assert sum("read_as" in row for row in rows) < 0.01 * len(rows)


@pytest.mark.parametrize(
    "reply", ["0 or 1", "1, 3", "2) dog", "2. The image shows a dog.", "none of the above", "B", "7"]
)
def test_two_choices_a_contradiction_or_none_are_no_choice(reply: str) -> None:
    assert stated_choice(reply, ANIMALS) is None


def test_the_papers_rule_stays_the_first_digit_whatever_it_counts() -> None:
    assert [paper_choice(reply) for reply in ("I see 2 animals. 1", "Not 0; 1", "\uff11", "dog", "12")] == [
        2,
        0,
        None,
        None,
        None,
    ]
    assert paper_choice("3", 2) is None


def test_options_that_are_digits_are_chosen_by_their_number_where_one_has_it_and_else_by_their_text() -> None:
    numbers = ("2", "3", "4", "5")
    assert [stated_choice(reply, numbers) for reply in ("3", "5", "1) 3", "0) 5")] == [3, 3, 1, None]
    assert stated_choice("There are 3 dogs.", numbers) == 1


def test_each_right_option_is_read_wherever_it_stands() -> None:
    for index, name in enumerate(ANIMALS):
        for reply in (
            str(index),
            f"Option {index}.",
            f"It's a {name}.",
            f"{index}) {name}",
            f"Not {(index + 1) % 4}; {index}",
        ):
            assert stated_choice(reply, ANIMALS) == index, reply


def test_a_file_of_replies_is_scored_by_both_readings(tmp_path: Path) -> None:
    replies = tmp_path / "replies.jsonl"
    asked = {"choices": ["a cat", "a dog"], "right": 1}
    declined = {**asked, "reply": "I'm sorry, I can't help with that."}
    write_lines(replies, [{**asked, "reply": "Not 0; 1", "mine": 7}, {**asked, "right": 2, "reply": "1"}, declined])
    found = score("visual", replies)
    assert [(row["paper"], row["repaired"], row["status"]) for row in found.verdicts] == [
        (0, 1, "correct"),
        (None, None, "refused"),
    ]
    assert found.verdicts[0]["mine"] == 7
    assert len(found.left_out) == 1
    assert found.rates["right, repaired reading, of those that choose"].n == 1
    with pytest.raises(DataError, match="right is no index of choices"):
        score("visual", replies, strict=True)
