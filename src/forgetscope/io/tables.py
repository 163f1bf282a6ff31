"""The sample table as a file: Parquet with the schema version in its metadata."""

import hashlib
import io
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from forgetscope.core.errors import RunFolderError
from forgetscope.core.version import FORMER_NAME
from forgetscope.io.files import write_bytes
from forgetscope.io.received import read_parquet

SCHEMA_VERSION = "1"
AGAIN = "make it again from the logs: forgetscope report DIR"


def write_table(table: pl.DataFrame, path: Path) -> str:
    """Write the table as Parquet, atomically, with the schema version in its metadata.

    Returns:
        SHA-256 of the file, in hex.

    Raises:
        RunFolderError: the folder cannot be written, or the disk is full.
    """
    content = io.BytesIO()  # in memory first: Polars has errors of its own for a full disk
    table.write_parquet(content, metadata={"forgetscope_schema": SCHEMA_VERSION})
    write_bytes(path, content.getvalue())
    return hashlib.sha256(content.getvalue()).hexdigest()


def read_table(path: Path, schema: Mapping[str, pl.DataType | type[pl.DataType]] | None = None) -> pl.DataFrame:
    """The sample table of a run, with the columns of its schema, where one is given, and perhaps others.

    Raises:
        RunFolderError: missing, unreadable, written by a version with another schema, or without one of the columns.
    """
    try:
        table = read_parquet(path, kind=RunFolderError, next_step=AGAIN)
        metadata = pl.read_parquet_metadata(path)
    except FileNotFoundError:
        raise RunFolderError("no sample table", where=str(path), next_step=AGAIN) from None
    except pl.exceptions.PolarsError as error:
        said = str(error).partition("\n")[0]
        raise RunFolderError("cannot read the sample table", where=str(path), found=said, next_step=AGAIN) from None
    found = metadata.get("forgetscope_schema", metadata.get(f"{FORMER_NAME}_schema"))
    if found != SCHEMA_VERSION:
        raise RunFolderError(
            "the sample table was written by another version",
            where=str(path),
            found=f"schema {found}",
            allowed=f"schema {SCHEMA_VERSION}",
            next_step=AGAIN,
        )
    wrong = [name for name, kind in (schema or {}).items() if table.schema.get(name) != kind]
    if wrong:
        kinds = {name: str(table.schema.get(name, "none")) for name in wrong[:5]}
        raise RunFolderError("not the columns of a sample table", where=str(path), found=kinds, next_step=AGAIN)
    return table
