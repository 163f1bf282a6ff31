"""Replies one already has get the status a run would give them."""

import json
from pathlib import Path

import pytest

from forgetscope.api.scoring import score
from forgetscope.benchmarks.in_context.data.loading import load_data
from forgetscope.core.errors import DataError

PREFERENCE = next(item for item in load_data("embedded").items if item.id == "dp-001")
OPTIONS = [*reversed(PREFERENCE.model_dump()["options"])]
OLD = OPTIONS.index(PREFERENCE.model_dump()["old"]["option"])


def scored(tmp_path: Path, *rows: dict[str, object], strict: bool = False) -> list[dict[str, object]]:
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = score("in-context", tmp_path / "r.jsonl", tmp_path / "v.jsonl", strict=strict)
    verdicts = [json.loads(line) for line in (tmp_path / "v.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [dict(verdict) for verdict in found.verdicts] == verdicts
    return verdicts


def test_a_fact_told_after_the_request_leaks_and_is_recalled_without_it(tmp_path: Path) -> None:
    forget, noforget = scored(
        tmp_path,
        {"item": "if-001", "form": "forget", "reply": "Ask the Paraguayan embassy.", "model": "m"},
        {"item": "if-001", "form": "noforget", "reply": "Ask the Paraguayan embassy."},
    )
    assert (forget["status"], forget["leaks"], forget["leak"], forget["model"]) == ("incorrect", True, "verbatim", "m")
    assert noforget["status"] == "correct"
    assert "leaks" not in noforget


def test_a_preference_is_chosen_among_the_options_as_they_were_shown(tmp_path: Path) -> None:
    rows = [
        {"item": "dp-001", "form": form, "options": OPTIONS, "reply": reply}
        for form in ("noforget", "forget")
        for reply in ("ABCD"[OLD], OPTIONS[OLD], "Whatever you like.")
    ]
    verdicts = scored(tmp_path, *rows)
    assert [verdict["chosen"] for verdict in verdicts] == ["old", "old", "none"] * 2
    assert [verdict["status"] for verdict in verdicts] == [
        *("correct", "correct", "invalid_format"),
        *("incorrect", "incorrect", "invalid_format"),
    ]


def test_a_revision_says_which_subtasks_are_done(tmp_path: Path) -> None:
    noforget, empty = scored(
        tmp_path,
        {"item": "sr-001", "form": "noforget", "reply": "Nothing of what was asked stands here."},
        {"item": "sr-001", "form": "forget", "reply": "", "original_reply": "Nothing of it."},
    )
    counts = {"common": 3, "original_only": 2, "revised_only": 2}
    assert isinstance(noforget["done"], dict)
    assert {name: len(flags) for name, flags in noforget["done"].items()} == counts
    assert empty["done"] == {name: [False] * count for name, count in counts.items()}
    assert (noforget["status"], empty["status"]) == ("incorrect", "invalid_format")


def test_rows_that_cannot_be_scored_are_named_and_left_out(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"item": "if-999", "form": "forget", "reply": "Lima"},
        {"item": "if-001", "form": "sometimes", "reply": "Lima"},
        {"item": "sr-001", "form": "forget", "reply": "no answer to the original"},
        {"item": "dp-001", "form": "forget", "reply": "A", "options": [*OPTIONS[:3], "something else"]},
        {"item": "dp-001", "form": "forget", "reply": "A"},
        {"item": "if-001", "form": "forget", "reply": "Lima"},
    ]
    assert [verdict["item"] for verdict in scored(tmp_path, *rows)] == ["if-001"]
    found = score("in-context", tmp_path / "r.jsonl")
    assert [f":{line}:" in said for line, said in enumerate(found.left_out, 1)] == [True] * 5
    with pytest.raises(DataError, match=r"5 of 6 rows cannot be scored as in-context, the first: .*'if-999'"):
        scored(tmp_path, *rows, strict=True)
