"""Samples in the page: complete, small, and unable to leave their script element."""

import json

import polars as pl
import pytest

from forgetbench.figures import Browser
from forgetbench.report import samples
from forgetbench.report.samples import embed_samples, json_for_page, reply_limit
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
