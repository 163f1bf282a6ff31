from pathlib import Path

import polars as pl
import pytest

from forgetscope.core.errors import RunFolderError
from forgetscope.core.results import CORE_SCHEMA, build_table
from forgetscope.io.tables import read_table, write_table


def row(**changes: object) -> dict[str, object]:
    return dict.fromkeys(CORE_SCHEMA) | {"sample_id": "a", "status": "correct"} | changes


def test_a_table_survives_writing_and_reading(tmp_path: Path) -> None:
    table = build_table([row(reply="a\x00b\u202e"), row(sample_id="b")], {})  # type: ignore[list-item]
    write_table(table, tmp_path / "samples.parquet")
    assert read_table(tmp_path / "samples.parquet").equals(table)
    assert [path.name for path in tmp_path.iterdir()] == ["samples.parquet"]


def test_a_table_of_another_schema_names_the_way_out(tmp_path: Path) -> None:
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "t.parquet", metadata={"forgetscope_schema": "0"})
    with pytest.raises(RunFolderError, match=r"schema 0.*forgetscope report"):
        read_table(tmp_path / "t.parquet")


def test_a_table_without_a_column_or_with_another_kind_of_it_names_the_way_out(tmp_path: Path) -> None:
    table = build_table([row()], {})  # type: ignore[list-item]
    for wrong in (table.drop("input_tokens"), table.with_columns(input_tokens=pl.lit("many"))):
        write_table(wrong, tmp_path / "samples.parquet")
        with pytest.raises(
            RunFolderError, match=r"not the columns of a sample table.*input_tokens.*forgetscope report"
        ):
            read_table(tmp_path / "samples.parquet", CORE_SCHEMA)


def test_a_missing_or_damaged_table_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="no sample table"):
        read_table(tmp_path / "none.parquet")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(RunFolderError, match=r"not readable Parquet.*forgetscope report DIR"):
        read_table(tmp_path / "bad.parquet")
