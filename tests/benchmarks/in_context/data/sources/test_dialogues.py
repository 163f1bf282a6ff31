"""Sources of dialogues: every way of writing one, what is left out and counted, and the real files as they stand."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import polars as pl
import pytest

from forgetscope.benchmarks.in_context.data.sources import chatalpaca, lmsys, load_source, mt_bench_101
from forgetscope.benchmarks.in_context.data.sources.dialogues import MASK, LeftOut, read_dialogues, turns_of
from forgetscope.core.errors import DataError, UserError
from forgetscope.io.hub import HubRow, HubSet

SAID = ("Hi there", "Hello", "And you?", "Fine")


def _messages(texts: Iterable[str] = SAID, roles: tuple[str, str] = ("user", "assistant")) -> list[dict[str, str]]:
    return [{"role": roles[place % 2], "content": text} for place, text in enumerate(texts)]


@pytest.mark.parametrize(
    "messages",
    [
        _messages(),
        [{"from": ("human", "gpt")[place % 2], "value": text} for place, text in enumerate(SAID)],
        [{"user": SAID[0], "bot": SAID[1]}, {"user": SAID[2], "bot": SAID[3]}],
        {"10": {"user": SAID[2], "assistant": SAID[3]}, "2": {"user": SAID[0], "assistant": SAID[1]}, "11": None},
        json.dumps(_messages()),
        [*_messages(), {"role": "user", "content": "Goodbye."}],
    ],
)
def test_every_way_of_writing_a_dialogue_gives_the_same_turns(messages: object) -> None:
    turns = turns_of(messages, "here")
    assert tuple(turn.content for turn in turns) == SAID
    assert [turn.role for turn in turns] == ["user", "assistant"] * 2


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        (_messages(("Hi", " ")), "empty turn"),
        (_messages()[1:], "do not alternate"),
        ([{"role": "user", "content": "Hi"}], "do not alternate"),
        ([], "do not alternate"),
        ([{"role": "system", "content": "Be kind."}, *_messages()], "neither user nor assistant"),
    ],
)
def test_dialogues_that_cannot_be_used_say_why(messages: object, reason: str) -> None:
    with pytest.raises(LeftOut, match=reason):
        turns_of(messages, "here")


@pytest.mark.parametrize("messages", [7, None, "{", ["a", "b"], [{"said": "Hi"}], [{"role": "user", "content": None}]])
def test_what_is_no_dialogue_is_refused_with_its_place(messages: object) -> None:
    with pytest.raises(DataError, match="row 3"):
        turns_of(messages, "row 3")


def test_a_row_without_a_dialogue_or_with_an_unusable_id_is_refused() -> None:
    with pytest.raises(DataError, match="the row holds no dialogue"):
        read_dialogues([("row 1", {"text": "Hi"})], "x", Counter())
    with pytest.raises(DataError, match="an id of letters"):
        read_dialogues([("row 1", {"id": "../x", "messages": _messages()})], "x", Counter())


def test_chatalpaca_is_read_in_all_its_releases(tmp_path: Path) -> None:
    lines = [
        {"id": str(n), "conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}]}
        for n in (0, 1)
    ]
    (tmp_path / "lines.json").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    (tmp_path / "bare.json").write_text(json.dumps([_messages(), _messages()]), encoding="utf-8")
    (tmp_path / "bare_lines.json").write_text("\n".join([json.dumps(_messages())] * 2), encoding="utf-8")
    pl.DataFrame({"messages": [_messages(), _messages()]}).write_parquet(tmp_path / "hub.parquet")
    for name in ("lines.json", "bare.json", "bare_lines.json", "hub.parquet"):
        source = load_source("chatalpaca", tmp_path / name)
        assert [entry.id for entry in source.dialogues] == ["chatalpaca-0", "chatalpaca-1"]
        assert source.provenance[0].name.endswith(f"/{name}")
    with pytest.raises(DataError, match="an id occurs twice"):
        load_source("chatalpaca", tmp_path)


def test_chatalpaca_is_the_authors_own_file_at_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cached"
    path.write_text(json.dumps([_messages()]), encoding="utf-8")
    asked: list[str] = []

    def download(urls: Mapping[str, str], *_: str) -> dict[str, Path]:
        asked.extend(urls.values())
        return dict.fromkeys(urls, path)

    monkeypatch.setattr("forgetscope.io.hub.download", download)
    pinned, other = load_source("chatalpaca"), load_source("chatalpaca", revision="abc123")
    assert [url.split("/")[-3:] for url in asked] == [
        [chatalpaca.FILES.commit, "data", "chatalpaca-20k.json"],
        ["abc123", "data", "chatalpaca-20k.json"],
    ]
    assert [one.provenance[0].revision for one in (pinned, other)] == [chatalpaca.FILES.commit, "abc123"]
    assert len(pinned.dialogues) == 1


def _lmsys(name: str, **changes: object) -> HubRow:
    return {"conversation_id": name, "conversation": _messages(), "language": "English", "redacted": False, **changes}


def test_lmsys_leaves_out_masks_other_languages_and_flagged_dialogues() -> None:
    rows = [
        _lmsys("a1"),
        _lmsys("a2", language="French"),
        _lmsys("a3", redacted=True),
        _lmsys("a4", conversation=_messages(("I am NAME_1", "Hello"))),
        _lmsys("a5", openai_moderation=[{"flagged": False}, {"flagged": True}]),
        _lmsys("a6", openai_moderation=[{"flagged": False}]),
    ]
    revisions = []

    def load(hub: HubSet) -> list[HubRow]:
        revisions.append((hub.revision, hub.streaming))
        return rows

    source = lmsys.read_official(None, load)
    assert [entry.id for entry in source.dialogues] == ["lmsys-a1", "lmsys-a6"]
    assert source.left_out == {"not English": 1, "masked names": 2, "flagged by moderation": 1}
    assert revisions == [("200748d9d3cddcc9d782887541057aca0b18c5da", True)]
    assert "agreement" in source.terms


def test_no_more_rows_of_lmsys_are_read_than_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lmsys, "ROWS_READ", 30)

    def endless(hub: HubSet) -> Iterable[HubRow]:  # noqa: ARG001
        number = 0
        while True:
            yield _lmsys(f"n{number}")
            number += 1

    assert len(lmsys.read_official(None, endless).dialogues) == 30


def test_rows_that_break_off_are_one_clear_error() -> None:
    def breaks(hub: HubSet) -> Iterable[HubRow]:  # noqa: ARG001
        yield _lmsys("n0")
        raise ConnectionError("gone")

    with pytest.raises(UserError, match=r"cannot load lmsys/lmsys-chat-1m at 200748d9.*gone"):
        lmsys.read_official(None, breaks)


def test_masks_are_whole_words() -> None:
    assert MASK.search("Dear NAME_12,")
    assert not MASK.search("MY_NAME_1 = 2")


def test_the_real_dialogues_load_as_they_stand(real_data: Path) -> None:
    source = load_source("mt_bench_101", real_data / "mt_bench_101")
    assert len(source.dialogues) == 1388
    assert sum(len(entry.turns) // 2 for entry in source.dialogues) == 4208
    assert source.left_out == {}
    assert source.provenance[0].revision == mt_bench_101.FILES.commit


def test_the_real_lmsys_dialogues_load_without_their_masks(real_data: Path) -> None:
    source = load_source("lmsys", real_data / "prefeval" / "filtered_inter_turns.json")
    assert len(source.dialogues) == 7
    assert source.left_out == {"masked names": 17}
    assert not any(MASK.search(turn.content) for entry in source.dialogues for turn in entry.turns)
