"""Dialogues of Multi-IF's layout, written by us: read, left out, refused."""

import csv
import json
from pathlib import Path

import pytest

from forgetscope.benchmarks.scoring_kinds import KINDS, ScoreSources
from forgetscope.checkers import check_prompt
from forgetscope.checkers.multi_if import is_multi_if, read_dialogues
from forgetscope.core.errors import DataError, UnknownNameError
from forgetscope.core.outcomes import Status

FIRST = ["punctuation:no_comma"]
SECOND = [*FIRST, "keywords:existence"]


def row(key: str = "7:1:en", language: str = "English", turns: int = 2) -> dict[str, str]:
    """A row of the published layout: JSON in strings, and in `kwargs` twice."""
    said = ("Name two rivers.", "Mention the sea.", "")
    named: tuple[list[str], ...] = (FIRST, SECOND, [])
    asked: tuple[list[dict[str, object]], ...] = ([{}], [{}, {"keywords": ["sea"]}], [])
    found = {"key": key, "language": language, "turns": "", "responses": ""}
    for turn in range(1, 4):
        there = turn <= turns
        found[f"turn_{turn}_prompt"] = json.dumps({"role": "user", "content": said[turn - 1]}) if there else ""
        found[f"turn_{turn}_instruction_id_list"] = json.dumps(named[turn - 1]) if there else ""
        found[f"turn_{turn}_kwargs"] = json.dumps([json.dumps(one) for one in asked[turn - 1]]) if there else ""
    return found


def written(folder: Path, *rows: dict[str, str], name: str = "multiIF.csv") -> Path:
    path = folder / name
    with path.open("w", newline="", encoding="utf-8") as file:
        if path.suffix == ".csv":
            writer = csv.DictWriter(file, fieldnames=list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        else:
            file.writelines(json.dumps(one) + "\n" for one in rows)
    return path


@pytest.mark.parametrize("name", ["multiIF.csv", "multi-if.jsonl"])
def test_turns_carry_the_constraints_so_far_and_other_languages_are_named(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, row(), row("8:1:fr", "French"), row("9:1:fr", "French"), name=name)
    found = read_dialogues(path)
    (dialogue,) = found.kept
    assert [turn.key for turn in dialogue.turns] == ["7:1:en/1", "7:1:en/2"]
    assert [turn.instruction_id_list for turn in dialogue.turns] == [tuple(FIRST), tuple(SECOND)]
    assert dialogue.turns[1].prompt == "Mention the sea."
    assert check_prompt(dialogue.turns[1], "The sea and two rivers.").followed_strict
    assert not check_prompt(dialogue.turns[1], "The sea, and two rivers.").followed_strict
    assert found.notes == ("left out, in other languages: French (2)",)
    assert len(read_dialogues(path, ("English", "French")).kept) == 3
    assert is_multi_if(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"turn_1_kwargs": "["}, "turn 1 kwargs"),
        ({"turn_1_kwargs": '["["]'}, "turn 1 kwargs"),
        ({"turn_2_instruction_id_list": '["no:such", "keywords:existence"]'}, "turn 2: no such constraint"),
        ({"turn_2_kwargs": '["{}"]'}, "turn 2: 2 instructions but 1 kwargs"),
        ({"turn_1_prompt": "", "turn_2_prompt": ""}, "no turn has a prompt"),
        ({"key": ""}, "no key"),
        ({"language": "French"}, "no dialogue in these languages"),
    ],
)
def test_a_row_that_does_not_fit_is_named(tmp_path: Path, change: dict[str, str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_dialogues(written(tmp_path, row() | change))


def test_a_key_used_twice_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="row 2: key used before; found '7:1:en'"):
        read_dialogues(written(tmp_path, row(), row()))


def test_replies_to_turns_are_scored_by_their_keys(tmp_path: Path) -> None:
    kind = KINDS["constraints"]
    sources = ScoreSources(prompts=written(tmp_path, row()))
    score = kind.scorer(sources)
    replies = [kind.row.model_validate({"key": key, "response": "The sea."}) for key in ("7:1:en/1", "7:1:en/2")]
    assert [score(reply).status for reply in replies] == [Status.CORRECT, Status.CORRECT]
    broken = score(kind.row.model_validate({"key": "7:1:en/2", "response": "Two, and no more."}))
    assert broken.status is Status.INCORRECT
    assert kind.notes(sources, replies) == []
    assert kind.notes(sources, replies[:1]) == ["1 prompts have no reply and are in no figure"]
    with pytest.raises(UnknownNameError, match=r"no such prompt in .*; found '7:1:en/3'"):
        score(kind.row.model_validate({"key": "7:1:en/3", "response": "The sea."}))
