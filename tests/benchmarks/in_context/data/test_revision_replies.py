"""What the checks of the shipped revision items say of replies, as people judged them.

`revision_replies.jsonl` holds whole replies as chat models write them, each with the subtasks it does;
`revision_wordings.jsonl` short texts that do one subtask, and near misses.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from forgetscope.benchmarks.in_context.data.items import Subtask, SubtaskRevisionItem
from forgetscope.benchmarks.in_context.scoring.revision import ALL_OF_THE_REPLY, subtasks_done
from forgetscope.checkers import Behaviour, check
from forgetscope.checkers.construct import satisfy, violate
from tests.benchmarks.in_context.data.test_embedded_revision import BY_ID, ITEMS, subtasks

HERE = Path(__file__).parent


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


REPLIES, WORDINGS = rows("revision_replies.jsonl"), rows("revision_wordings.jsonl")


@pytest.mark.parametrize("row", REPLIES, ids=lambda row: f"{row['item']}: {str(row['reply'])[:30]}")
def test_a_reply_does_what_a_reader_says_it_does(row: dict[str, Any]) -> None:
    item = BY_ID[row["item"]]
    reply, done = row["reply"], row["done"]
    groups = ("common", "original_only", "revised_only")
    assert {name: list(subtasks_done(reply, getattr(item, name), item.revised)) for name in groups} == done


@pytest.mark.parametrize("row", WORDINGS, ids=lambda row: f"{row['item']}: {row['subtask']}")
def test_a_wording_does_a_subtask_and_a_near_miss_does_not(row: dict[str, Any]) -> None:
    (wanted,) = [subtask for subtask in subtasks(BY_ID[row["item"]]) if subtask.text == row["subtask"]]
    assert not [text for text in row["done"] if not followed(text, wanted)]
    assert not [text for text in row["not_done"] if followed(text, wanted)]


def followed(text: str, subtask: Subtask) -> bool:
    assert subtask.check is not None
    return check(subtask.check.type, subtask.check.kwargs, text, behaviour=Behaviour.REPAIRED).followed


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_every_check_takes_a_plain_text_also_amid_chat_and_refuses_one_that_breaks_it(
    item: SubtaskRevisionItem,
) -> None:
    for subtask in subtasks(item):
        assert subtask.check is not None
        kind, kwargs = subtask.check.type, subtask.check.kwargs
        good = satisfy(kind, kwargs, prompt=item.revised, body="It is ready now")
        amid_chat = f"Sure! Here is the text you asked for:\n\n{good}\n\n---\n\nLet me know if you'd like any changes!"
        assert subtasks_done(good, [subtask]) == (True,), good
        assert subtasks_done(amid_chat, [subtask]) == (kind not in ALL_OF_THE_REPLY,), amid_chat
        assert subtasks_done(violate(kind, kwargs, prompt=item.revised), [subtask]) == (False,)


def test_every_subtask_in_a_persons_words_is_seen_done_twice_and_undone_once() -> None:
    counts: dict[tuple[str, str], list[bool]] = {}
    for row in REPLIES:
        item = BY_ID[row["item"]]
        for name, flags in row["done"].items():
            for subtask, flag in zip(getattr(item, name), flags, strict=True):
                counts.setdefault((item.id, subtask.text), []).append(flag)
    for row in WORDINGS:
        seen = counts.setdefault((row["item"], row["subtask"]), [])
        seen += [True] * len(row["done"]) + [False] * len(row["not_done"])
    worded = {"reader:mentions", "reader:uses", "reader:figures", "reader:entries"}
    for item in ITEMS:
        for subtask in subtasks(item):
            if subtask.check is not None and subtask.check.type in worded:
                flags = counts.get((item.id, subtask.text), [])
                assert flags.count(True) >= 2, (item.id, subtask.text)
                assert flags.count(False) >= 1, (item.id, subtask.text)
