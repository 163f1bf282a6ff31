"""The sample table as a file: Parquet with the schema version in its metadata."""

import io
from pathlib import Path

import polars as pl

from forgetscope.core.errors import RunFolderError
from forgetscope.core.version import FORMER_NAME
from forgetscope.io.files import write_bytes
from forgetscope.io.received import read_parquet

SCHEMA_VERSION = "1"


def write_table(table: pl.DataFrame, path: Path) -> None:
    """Write the table as Parquet, atomically, with the schema version in its metadata.

    Raises:
        RunFolderError: the folder cannot be written, or the disk is full.
    """
    content = io.BytesIO()  # in memory first: Polars has errors of its own for a full disk
    table.write_parquet(content, metadata={"forgetscope_schema": SCHEMA_VERSION})
    write_bytes(path, content.getvalue())


def read_table(path: Path) -> pl.DataFrame:
    """The sample table of a run.

    Raises:
        RunFolderError: missing, unreadable, or written by a version with another schema.
    """
    try:
        table = read_parquet(path, kind=RunFolderError, next_step="forgetscope report DIR")
        metadata = pl.read_parquet_metadata(path)
    except FileNotFoundError:
        raise RunFolderError("no sample table", where=str(path), next_step="forgetscope report DIR") from None
    found = metadata.get("forgetscope_schema", metadata.get(f"{FORMER_NAME}_schema"))
    if found != SCHEMA_VERSION:
        raise RunFolderError(
            "the sample table was written by another version",
            where=str(path),
            found=f"schema {found}",
            allowed=f"schema {SCHEMA_VERSION}",
            next_step="make it again from the logs: forgetscope report DIR",
        )
    return table
