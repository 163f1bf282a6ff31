"""Samples in the page: complete, small, and unable to leave their script element."""

import json

import polars as pl
import pytest

from forgetscope.core.results import build_table
from forgetscope.findings.figures import Browser
from forgetscope.report import samples
from forgetscope.report.samples import embed_samples, json_for_page, reply_limit
from tests.report.conversations import BROWSER, EXTRA, conversation, conversations
from tests.report.synthetic import make_table

HOSTILE = "</script><script>alert(1)</script><!-- \u2028\u2029 & \U0001f600"


def embedded(table: pl.DataFrame) -> dict[str, object]:
    loaded = json.loads(embed_samples(table, Browser(()), {"model": "m"}))
    assert isinstance(loaded, dict)
    return loaded


def column(payload: dict[str, object], name: str) -> list[object]:
    columns = payload["columns"]
    assert isinstance(columns, dict)
    return [columns[name]["values"][place] for place in columns[name]["rows"]]


def rebuilt_messages(payload: dict[str, object]) -> list[list[dict[str, object]]]:
    turns, paragraphs = payload["turns"], payload["paragraphs"]
    assert isinstance(turns, list)
    assert isinstance(paragraphs, list)
    made = []
    for places in column(payload, "messages"):
        assert isinstance(places, list)
        read = [turns[place] for place in places]
        made.append(
            [
                {"role": role, "content": "\n\n".join(paragraphs[one] for one in said), "part": part, "live": live}
                for role, said, part, live in read
            ]
        )
    return made


def test_every_value_comes_back() -> None:
    table = make_table(40)
    payload = embedded(table)
    for name in set(table.columns) - {"messages", "broke_from", "broke_to"}:
        assert column(payload, name) == table[name].to_list(), name


def test_prompts_come_back_from_their_paragraphs() -> None:
    table = make_table(40)
    payload = embedded(table)
    for stored, sent in zip(rebuilt_messages(payload), table["messages"], strict=True):
        assert [{"role": turn["role"], "content": turn["content"]} for turn in stored] == json.loads(sent)


def test_repeated_prompts_cost_little() -> None:
    texts = [len(embed_samples(make_table(rows), Browser(()), {})) for rows in (500, 1000)]
    sent = int(make_table(1000)["messages"].str.len_chars().sum()) - int(
        make_table(500)["messages"].str.len_chars().sum()
    )
    assert texts[1] - texts[0] < 0.25 * sent


def test_nothing_in_it_can_end_the_script_element() -> None:
    text = embed_samples(make_table(3, replies=(HOSTILE,)), Browser(()), {"model": HOSTILE})
    assert not set("<>&\u2028\u2029") & set(text)
    payload = json.loads(text)
    assert column(payload, "reply")[0] == HOSTILE
    assert payload["run"]["model"] == HOSTILE


def test_offsets_count_as_the_browser_counts() -> None:
    table = make_table(1, replies=("\U0001f600\U0001f600abc",)).with_columns(broke_from=pl.lit(2), broke_to=pl.lit(4))
    payload = embedded(table)
    assert column(payload, "broke_from") + column(payload, "broke_to") == [4, 6]


def test_long_replies_are_cut_and_their_length_is_told() -> None:
    payload = embedded(make_table(2, replies=("x" * 1_000_000,)))
    first = column(payload, "reply")[0]
    assert isinstance(first, str)
    assert len(first) == payload["reply_limit"] == 20_000
    assert column(payload, "reply_length")[0] == 1_000_000


def test_many_long_replies_are_cut_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    table = make_table(10, replies=("x" * 30_000,) * 10)
    assert reply_limit(table) == 20_000
    monkeypatch.setattr(samples, "TEXT_BUDGET", 90_000)
    assert reply_limit(table) == 8_000
    monkeypatch.setattr(samples, "TEXT_BUDGET", 1_000)
    assert reply_limit(table) == 2_000


def test_messages_nobody_can_read_are_shown_as_they_are() -> None:
    table = make_table(2).with_columns(messages=pl.lit("not json"))
    payload = embedded(table)
    assert rebuilt_messages(payload)[0] == [{"role": "unreadable", "content": "not json", "part": "", "live": False}]


def test_nan_has_no_place_in_the_page() -> None:
    payload = embedded(make_table(2).with_columns(seconds=pl.lit(float("nan"))))
    assert column(payload, "seconds") == [None, None]
    with pytest.raises(ValueError, match="Out of range float"):
        json_for_page({"value": float("nan")})


def test_turns_keep_their_part_and_whether_the_model_said_them() -> None:
    payload = embedded(build_table([conversation("a", "told")], EXTRA))
    (messages,) = rebuilt_messages(payload)
    assert [(turn["part"], turn["live"]) for turn in messages] == [
        ("S", False),
        ("A", False),
        ("A", True),
        ("B", False),
        ("B", False),
        ("A", False),
    ]


def test_a_turn_that_returns_in_many_samples_is_stored_once() -> None:
    turns = embedded(conversations(1))["turns"]
    assert isinstance(turns, list)
    assert len(turns) == 6  # one of each, in six samples


def test_columns_the_messages_hold_already_are_left_out() -> None:
    payload = json.loads(embed_samples(conversations(1), BROWSER, {}))
    assert "copied" not in payload["columns"]
    assert "again" in payload["columns"]


def test_live_and_further_answers_are_cut_like_replies_and_other_turns_are_not() -> None:
    long = "y" * 30_000
    made = conversation("a", "told", live=long, again=long)
    made["messages"] = str(made["messages"]).replace("Where do I live?", "z" * 30_000)
    payload = json.loads(embed_samples(build_table([made], EXTRA), BROWSER, {}))
    assert len(str(column(payload, "again")[0])) == 20_000
    lengths = [len(str(turn["content"])) for turn in rebuilt_messages(payload)[0]]
    assert lengths[2] == 20_000
    assert lengths[-1] == 30_000


def test_further_answers_count_in_the_budget_of_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "TEXT_BUDGET", 50_000)
    made = build_table([conversation("a", "told", again="y" * 60_000, reply="x" * 60_000)], EXTRA)
    assert json.loads(embed_samples(made, BROWSER, {}))["reply_limit"] == 20_000
    monkeypatch.setattr(samples, "TEXT_BUDGET", 30_000)
    assert json.loads(embed_samples(made, BROWSER, {}))["reply_limit"] == 8_000


def test_texts_of_a_message_of_parts_are_read_and_pictures_are_named() -> None:
    content = [{"type": "image", "image": "cat.png"}, {"type": "text", "text": "What is it?"}]
    made = conversation("a", messages=json.dumps([{"role": "user", "content": content}]))
    (message,) = rebuilt_messages(embedded(build_table([made], EXTRA)))[0]
    assert message["content"] == "[picture cat.png]\n\nWhat is it?"


def test_what_a_browser_declares_reaches_the_page() -> None:
    payload = json.loads(embed_samples(conversations(1), BROWSER, {}))
    assert payload["together"] == ["item", "size"]
    assert payload["apart"]["names"] == {"plain": "Plain", "told": "Told", "told twice": "Told twice"}
    assert [part["key"] for part in payload["parts"]] == ["S", "A", "B"]
    assert payload["markings"][1] == {"key": "hint", "label": "a hint", "is_weak": True}
    assert payload["answers"][0]["asked"] == "again_asked"
    assert payload["checklists"] == [{"label": "Wishes", "names": "wished", "done": "done"}]
    assert payload["choices"][0]["places"][0]["label"] == "the best"
