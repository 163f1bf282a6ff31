"""Replies one already has: a verdict row for each, in order, and what could not be scored."""

import json
from pathlib import Path

import pytest

import forgetscope as fs
from forgetscope.api.scoring import score
from forgetscope.core.errors import DataError, RunFolderError, SettingError, UnknownNameError

PROMPTS = [
    {
        "key": 1,
        "prompt": "one",
        "instruction_id_list": ["detectable_format:json_format", "punctuation:no_comma"],
        "kwargs": [{}, {}],
    },
    {"key": 2, "prompt": "two", "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{"num_words": None}]},
]
CHOICES = ["Lima", "Quito", "La Paz", "Bogota"]


def written(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_word_problems_alone_and_in_chains_get_both_readings_beside_their_own_fields(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"gold": 7, "reply": "She has 7.\n\nP.S. Call 99.", "model": "m"},
        {"gold": [1, "2,000", 3.5], "reply": "1. 1\n2. $2,000\n3. 4"},
        {"gold": 7, "reply": "I'm sorry, but I can't help with that."},
    ]
    scored = score("gsm8k", written(tmp_path / "r.jsonl", rows), tmp_path / "v.jsonl")
    assert read(tmp_path / "v.jsonl") == [
        rows[0]
        | {
            "paper": {"parsed": 99, "is_right": False},
            "repaired": {"parsed": 7, "is_right": True},
            "refused": False,
        },
        rows[1]
        | {
            "paper": {"parsed": [None, None, 4], "is_right": False},
            "repaired": {"parsed": [1, 2000, 4], "is_right": False},
            "refused": False,
        },
        rows[2]
        | {
            "paper": {"parsed": None, "is_right": False},
            "repaired": {"parsed": None, "is_right": False},
            "refused": True,
        },
    ]
    assert scored.account == {"correct": 1, "incorrect": 1, "refused": 1}
    rate = scored.rates["right, repaired reading"]
    assert rate.value == pytest.approx(1 / 3)
    assert rate.undefined == "fewer than 6 samples"


def test_choices_and_trivia_say_what_was_chosen(tmp_path: Path) -> None:
    row: dict[str, object] = {"question": "Capital of Ecuador?", "choices": CHOICES, "right": "B", "reply": "b) Quito"}
    assert dict(score("mmlu", written(tmp_path / "r.jsonl", [row])).verdicts[0]) == row | {
        "paper": {"chosen": None, "is_right": False},
        "repaired": {"chosen": "B", "is_right": True},
        "refused": False,
    }
    trivia: list[dict[str, object]] = [
        {"question": "Which city?", "value": "Rome", "aliases": ["Roma"], "reply": "Roma!"},
        {"item": "fb-trivia-001", "reply": "It is Mercury."},
        {"item": "triviaqa-fb-trivia-001", "reply": "Venus"},
        {"item": "fb-trivia-999", "reply": "Venus"},
        {"value": "Rome", "reply": "Rome"},
    ]
    scored = score("triviaqa", written(tmp_path / "t.jsonl", trivia))
    assert [row["repaired"] for row in scored.verdicts] == [
        {"chosen": "Roma", "is_right": True},
        {"chosen": "Mercury", "is_right": True},
        {"chosen": None, "is_right": False},
    ]
    assert [line.partition(": ")[2].partition(";")[0] for line in scored.left_out] == [
        "no such question in --data embedded",
        "neither question and value nor item",
    ]


def test_constraints_are_read_as_the_reference_does_and_as_repaired(tmp_path: Path) -> None:
    prompts = written(tmp_path / "p.jsonl", PROMPTS)
    rows: list[dict[str, object]] = [
        {"prompt": "one", "response": "Sure\n{}"},
        {"prompt": "three", "response": "x"},
        {"prompt": "one", "response": "\ud83d half a character, a comma"},
    ]
    scored = score("constraints", written(tmp_path / "r.jsonl", rows), tmp_path / "v.jsonl", prompts=prompts)
    first, second = read(tmp_path / "v.jsonl")
    verdict = {"strict": False, "loose": True, "strict_each": [False, True], "loose_each": [True, True]}
    assert first == rows[0] | {"reference": verdict, "repaired": verdict}
    assert second["reference"] == {
        "strict": False,
        "loose": False,
        "strict_each": [False, False],
        "loose_each": [False, False],
    }
    assert len(scored.left_out) == 1
    assert "no such prompt" in scored.left_out[0]
    assert "r.jsonl:2" in scored.left_out[0]
    assert scored.notes == ("1 prompts have no reply and are in no figure",)
    instructions = scored.rates["instructions, strict, reference"]
    assert (instructions.value, instructions.n) == (0.25, 4)


def test_a_turn_of_a_dialogue_is_named_by_key_and_turn_and_its_reply_as_elsewhere(tmp_path: Path) -> None:
    prompts = written(tmp_path / "p.jsonl", [{**PROMPTS[0], "key": "7:en/2"}])
    rows: list[dict[str, object]] = [
        {"key": "7:en", "turn": 2, "reply": "Sure\n{}"},
        {"key": "7:en/2", "response": "Sure\n{}"},
        {"key": "7:en", "turn": 3, "reply": "Sure\n{}"},
    ]
    scored = score("constraints", written(tmp_path / "r.jsonl", rows), prompts=prompts)
    first, second = scored.verdicts
    assert first["reference"] == second["reference"]
    (left_out,) = scored.left_out
    assert "7:en/3" in left_out


def test_with_strict_a_row_that_cannot_be_scored_refuses_the_file(tmp_path: Path) -> None:
    replies = written(tmp_path / "r.jsonl", [{"gold": 1, "reply": "1"}, {"gold": "one", "reply": "1"}, {"gold": 1}])
    assert score("gsm8k", replies).scored == 1
    with pytest.raises(DataError, match=r"2 of 3 rows cannot be scored as gsm8k, the first: .*r\.jsonl:2: gold is no"):
        score("gsm8k", replies, tmp_path / "v.jsonl", strict=True)
    assert not (tmp_path / "v.jsonl").exists()


def test_what_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    replies = written(tmp_path / "r.jsonl", [{"prompt": "one", "response": "1"}])
    with pytest.raises(DataError, match="1 of 1 rows cannot be scored as gsm8k"):
        score("gsm8k", replies)
    with pytest.raises(SettingError, match="add --prompts FILE"):
        score("constraints", replies)
    with pytest.raises(UnknownNameError, match="no such kind of replies"):
        score("gsm9k", replies)
    prompts = written(tmp_path / "p.jsonl", [PROMPTS[0], PROMPTS[1] | {"prompt": "one"}])
    with pytest.raises(DataError, match="prompts 1 and 2 have the same text and different instructions"):
        score("constraints", replies, prompts=prompts)
    with pytest.raises(RunFolderError, match="cannot write"):
        score("gsm8k", written(tmp_path / "g.jsonl", [{"gold": 1, "reply": "1"}]), tmp_path / "none" / "v.jsonl")


def test_several_replies_to_one_item_are_resampled_together(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"gold": 1, "item": f"i{k}", "reply": "1" if k < 4 else "2"} for k in range(8) for _ in range(3)
    ]
    rate = fs.score("gsm8k", written(tmp_path / "r.jsonl", rows)).rates["right, repaired reading"]
    assert rate.clusters == 8
    assert rate.value == 0.5


def test_refusals_are_told_from_forgetting_and_from_answers(tmp_path: Path) -> None:
    replies = ["I won't share that.", "It has been erased.", "Lisbon.", ""]
    scored = score("refusals", written(tmp_path / "r.jsonl", [{"reply": reply} for reply in replies]))
    found = [(row["is_refusal"], row["acknowledges_forgetting"]) for row in scored.verdicts]
    assert found == [(True, False), (False, True), (False, False), (False, False)]
    assert scored.account == {"refused": 1, "correct": 2, "invalid_format": 1}
