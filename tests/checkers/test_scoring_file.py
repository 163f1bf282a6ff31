"""Scoring a file of recorded replies."""

import json
from pathlib import Path

import pytest

from forgetscope.checkers.scoring_file import ScoringSummary, score_responses
from forgetscope.core.errors import DataError, RunFolderError

PROMPTS = [
    {
        "key": 1,
        "prompt": "one",
        "instruction_id_list": ["detectable_format:json_format", "punctuation:no_comma"],
        "kwargs": [{}, {}],
    },
    {"key": 2, "prompt": "two", "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{"num_words": None}]},
]


def scored(folder: Path, responses: list[object]) -> tuple[ScoringSummary, list[dict[str, object]]]:
    (folder / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in PROMPTS))
    (folder / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in responses))
    summary = score_responses(folder / "p.jsonl", folder / "r.jsonl", folder / "out.jsonl")
    return summary, [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


def test_each_reply_gives_a_strict_and_a_loose_row_with_exactly_four_fields(tmp_path: Path) -> None:
    summary, rows = scored(tmp_path, [{"prompt": "one", "response": "Sure\n{}", "model": "m"}])
    assert rows == [
        {"prompt": "one", "mode": "strict", "follow_all_instructions": False, "follow_instruction_list": [False, True]},
        {"prompt": "one", "mode": "loose", "follow_all_instructions": True, "follow_instruction_list": [True, True]},
    ]
    assert (summary.responses, summary.instructions, summary.prompts_without_response) == (1, 2, 1)
    assert (summary.prompt_accuracy_strict, summary.prompt_accuracy_loose) == (0.0, 1.0)
    assert (summary.instruction_accuracy_strict, summary.instruction_accuracy_loose) == (0.5, 1.0)


def test_rows_keep_the_order_of_the_replies_and_several_replies_to_a_prompt_are_all_scored(tmp_path: Path) -> None:
    replies: list[object] = [
        {"prompt": "two", "response": "a, b"},
        {"prompt": "one", "response": ""},
        {"prompt": "two", "response": "\ud83d half a character"},
    ]
    summary, rows = scored(tmp_path, replies)
    assert [(row["prompt"], row["mode"], row["follow_all_instructions"]) for row in rows] == [
        ("two", "strict", False),
        ("two", "loose", False),
        ("one", "strict", False),
        ("one", "loose", False),
        ("two", "strict", True),
        ("two", "loose", True),
    ]
    assert summary.prompts_without_response == 0


@pytest.mark.parametrize(
    ("responses", "message"),
    [
        (
            [{"prompt": "three", "response": "x"}],
            r"r\.jsonl:1: reply to a prompt that is not in .*p\.jsonl; found 'three'",
        ),
        ([{"prompt": "one", "response": None}], r"r\.jsonl:1: not a recorded reply; found \['prompt', 'response'\]"),
        ([{"prompt": "one"}], r"r\.jsonl:1: not a recorded reply"),
        ([], r"r\.jsonl: the data set is empty"),
    ],
)
def test_a_bad_file_of_replies_is_refused_and_nothing_is_written(
    tmp_path: Path, responses: list[object], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        scored(tmp_path, responses)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.jsonl", "r.jsonl"]


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    scored(tmp_path, [{"prompt": "two", "response": "x"}])
    with pytest.raises(RunFolderError, match=r"none/out\.jsonl: cannot write; found 'No such file"):
        score_responses(tmp_path / "p.jsonl", tmp_path / "r.jsonl", tmp_path / "none" / "out.jsonl")


def test_two_prompts_of_one_text_must_ask_for_the_same(tmp_path: Path) -> None:
    rows = [PROMPTS[0], PROMPTS[1] | {"prompt": "one"}]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(DataError, match="prompts 1 and 2 have the same text and different instructions"):
        score_responses(tmp_path / "p.jsonl", tmp_path / "r.jsonl", tmp_path / "out.jsonl")
