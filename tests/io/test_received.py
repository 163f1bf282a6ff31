"""Whatever somebody else wrote is a value within limits, or one line that says where and why."""

import contextlib
import os
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from pydantic import BaseModel, ConfigDict

from forgetscope.core.errors import DataError, RunFolderError
from forgetscope.io import received
from forgetscope.io.received import (
    parquet_rows,
    parse_json,
    parse_toml,
    parse_yaml,
    read_form,
    read_parquet,
    read_settings_file,
    read_text,
)

TENFOLD = "\n".join(
    f"{to}: &{to} [{', '.join([f'*{of}'] * 10)}]" for of, to in zip("abcdefgh", "bcdefghi", strict=True)
)
BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + TENFOLD


class Size(BaseModel):
    model_config = ConfigDict(extra="forbid")

    size: int


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("missing", None, "no such file"),
        ("n" * 300, None, "cannot be read"),
        ("a\0b", None, "not a name of a file"),
        ("latin", "Müller".encode("latin-1"), "not UTF-8 text"),
        ("wide", "wide".encode("utf-16"), "not UTF-8 text"),
        ("large", b"x" * 2000, "larger than such a file is; allowed: 1,000 bytes"),
    ],
)
def test_a_text_that_cannot_be_read_is_one_line(tmp_path: Path, name: str, content: bytes | None, said: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    for kind in (DataError, RunFolderError):
        with pytest.raises(kind, match=said):
            read_text(path, at_most=1000, kind=kind)


def test_a_folder_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot be read.*directory"):
        read_text(tmp_path)


def test_a_mark_at_the_beginning_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "marked").write_bytes(b"\xef\xbb\xbfx")
    assert read_text(tmp_path / "marked") == "x"


HURTING = [
    *("a: [", "a: " + "[" * 5000, BOMB, "&a [*a]", "!!python/object/apply:os.getcwd []", "!!int ''", "!!binary a"),
    *("? [a]\n: b", "a: " + "1" * 5000, "\x00", "a: !!timestamp 2024-13-45", "- " * 3000),
]


@pytest.mark.parametrize("text", HURTING)
def test_yaml_that_hurts_is_one_line(text: str) -> None:
    with pytest.raises(DataError, match=r"^file.*not YAML that can be read") as raised:
        parse_yaml(text, where="file")
    assert "\n" not in str(raised.value)


def test_a_date_is_a_text_in_yaml() -> None:
    assert parse_yaml("2024-01-02: {from: 2024-13-45, at: 2024-01-02 10:00:00}", where="file") == {
        "2024-01-02": {"from": "2024-13-45", "at": "2024-01-02 10:00:00"}
    }


def test_a_few_aliases_are_written_out() -> None:
    assert parse_yaml("a: &a [1]\nb: *a\nc: {<<: {d: 1}}", where="file") == {"a": [1], "b": [1], "c": {"d": 1}}


@pytest.mark.parametrize(
    "text", ["a = ", "a = " + "[" * 3000, "a = [" * 3 + "1" + "]" * 2, "a = " + "[" * 200 + "]" * 200]
)
def test_toml_that_hurts_is_one_line(text: str) -> None:
    with pytest.raises(DataError, match="not TOML that can be read"):
        parse_toml(text, where="file")


def test_the_ending_says_how_settings_are_read(tmp_path: Path) -> None:
    for name, text in (("a.yaml", "a: 1"), ("a.yml", "a: 1"), ("a.toml", "a = 1"), ("a.json", '{"a": 1}')):
        (tmp_path / name).write_text(text)
        assert read_settings_file(tmp_path / name) == {"a": 1}
    with pytest.raises(DataError, match=r"unknown kind of settings.*'\.ini'"):
        read_settings_file(tmp_path / "a.ini")


def test_json_says_the_column() -> None:
    with pytest.raises(DataError, match=r"file:3: not JSON that can be read \(.* at column 2\); found '\{'"):
        parse_json("{", where="file:3")


def test_a_form_names_the_field(tmp_path: Path) -> None:
    path = tmp_path / "size.json"
    with pytest.raises(FileNotFoundError):
        read_form(path, Size, "not a size")
    path.write_text('{"size": 3}')
    assert read_form(path, Size, "not a size").size == 3
    for text in ('{"size": "x"}', '{"size": {"' + "x" * 1000 + '": 1}}', "[" * 1000, '{"size": "\\ud800"}', "{}", ""):
        path.write_text(text)
        with pytest.raises(RunFolderError, match="not a size") as raised:
            read_form(path, Size, "not a size")
        assert len(str(raised.value)) < 600


def test_a_table_is_asked_what_it_unpacks_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.parquet"
    pl.DataFrame({"a": [0] * 100_000}).write_parquet(path)
    assert read_parquet(path).height == 100_000
    monkeypatch.setattr(received, "LARGEST_TABLE", 1000)
    with pytest.raises(DataError, match="unpacks to far more"):
        read_parquet(path)


@pytest.mark.parametrize("cut", [0, 1, 4, 100, -1, -4, -8, -100])
def test_a_damaged_table_is_one_line(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "table.parquet"
    pl.DataFrame({"a": list(range(100)), "b": ["x"] * 100}).write_parquet(path)
    whole = path.read_bytes()
    for damaged in (whole[:cut], whole[:cut] + bytes([whole[cut] ^ 255]) + whole[cut:][1:]):
        path.write_bytes(damaged)
        with contextlib.suppress(DataError):  # whose message is one line by the way it is made
            read_parquet(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.yaml", "a: {b: [1, .inf]}"), ("a.toml", "a = nan"), ("a.json", "[-1e999]"), ("b.yaml", "a: " + "9" * 50)],
)
def test_a_number_without_end_is_no_setting(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="not a finite number"):
        read_settings_file(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "text"), [("a.yaml", ""), ("a.yml", "# nothing\n"), ("a.toml", ""), ("a.json", "{}"), ("b.yaml", "null")]
)
def test_settings_that_say_nothing_are_not_taken_for_the_defaults(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="say nothing"):
        read_settings_file(tmp_path / name)


@pytest.mark.parametrize("rows", [50_000, 5_000_000])
def test_a_long_value_named_a_thousand_times_is_not_unpacked(tmp_path: Path, rows: int) -> None:
    path, size = tmp_path / "table.parquet", 10_000_000_000 // rows
    numbers = pa.array(np.zeros(rows, np.int8))
    named = pa.DictionaryArray.from_arrays(numbers, pa.array(["x" * size]))
    pq.write_table(pa.table({"a": named}), path, store_schema=False)
    assert path.stat().st_size < 2_000_000
    with pytest.raises(DataError, match="unpacks to far more"):
        read_parquet(path)


def test_a_pipe_among_files_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rows.jsonl")
    with pytest.raises(DataError, match="a pipe"):
        read_text(tmp_path / "rows.jsonl")
    os.mkfifo(tmp_path / "rows.parquet")
    with pytest.raises(DataError, match="a pipe"):
        read_parquet(tmp_path / "rows.parquet")
    with pytest.raises(DataError, match="a pipe"):
        list(parquet_rows(tmp_path / "rows.parquet", ["a"]))
