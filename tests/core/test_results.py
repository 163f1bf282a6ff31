import random
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.core.errors import RunFolderError
from forgetscope.core.results import CORE_SCHEMA, build_table, read_table, repeats_itself, write_table, write_text


def row(**changes: object) -> dict[str, object]:
    return dict.fromkeys(CORE_SCHEMA) | {"sample_id": "a", "status": "correct"} | changes


def test_a_table_survives_writing_and_reading(tmp_path: Path) -> None:
    table = build_table([row(reply="a\x00b\u202e"), row(sample_id="b")], {})  # type: ignore[list-item]
    write_table(table, tmp_path / "samples.parquet")
    assert read_table(tmp_path / "samples.parquet").equals(table)
    assert [path.name for path in tmp_path.iterdir()] == ["samples.parquet"]


def test_a_row_with_a_column_nobody_declared_is_an_error() -> None:
    with pytest.raises(ValueError, match="colour"):
        build_table([row(colour="red")], {})  # type: ignore[list-item]


def test_a_table_of_another_schema_names_the_way_out(tmp_path: Path) -> None:
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "t.parquet", metadata={"forgetscope_schema": "0"})
    with pytest.raises(RunFolderError, match=r"schema 0.*forgetscope report"):
        read_table(tmp_path / "t.parquet")


def test_a_missing_or_damaged_table_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="no sample table"):
        read_table(tmp_path / "none.parquet")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(RunFolderError, match="not a readable sample table"):
        read_table(tmp_path / "bad.parquet")


def test_writing_into_a_missing_folder_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="cannot write"):
        write_text(tmp_path / "none" / "file.txt", "x")
    with pytest.raises(RunFolderError, match="cannot write"):
        write_table(build_table([], {}), tmp_path / "none" / "samples.parquet")


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    write_text(tmp_path / "file.txt", "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(tmp_path / "file.txt", "\ud800")
    assert (tmp_path / "file.txt").read_text(encoding="utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]


@pytest.mark.parametrize(
    "reply",
    [
        "Start. " + "the cat sat on the mat. " * 6,
        "Start. " + "the cat sat on the mat. " * 6 + "the cat s",
        "\n".join(f"{number}. Paris is the capital" for number in range(1, 30)),
        "word " * 40,
    ],
)
def test_a_reply_that_ends_in_a_loop_is_found(reply: str) -> None:
    assert repeats_itself(reply)


@pytest.mark.parametrize(
    "reply",
    ["", "A short reply.", "One two three four five six seven eight nine ten. " * 2, "ha ha ha ha", "-----"],
)
def test_ordinary_replies_are_no_loops(reply: str) -> None:
    assert not repeats_itself(reply)


@given(st.text(max_size=300))
def test_any_text_can_be_asked(reply: str) -> None:
    repeats_itself(reply)


def test_a_reply_of_a_megabyte_is_asked_in_a_moment() -> None:
    assert not repeats_itself("".join(random.Random(0).choices("abcdefgh ", k=1_000_000)))
