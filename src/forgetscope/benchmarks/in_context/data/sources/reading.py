"""Rows of the published files as they lie: a JSON list, JSON Lines or Parquet, each row with its place."""

import json
from collections.abc import Iterator
from pathlib import Path

from forgetscope.core.errors import DataError
from forgetscope.io.records import Provenance, file_sha256

Row = dict[str, object]
PlacedRow = tuple[str, Row]
"""Where a row stands, for messages, and its fields."""

SUFFIXES = (".json", ".jsonl", ".parquet")


def read_rows(path: Path) -> Iterator[PlacedRow]:
    """The rows of a file, by its suffix; a `.json` file may hold a list or, as ChatAlpaca's does, JSON Lines.

    Raises:
        DataError: the file is missing, unreadable, empty, or a row is not an object.
    """
    if path.suffix == ".parquet":
        return _parquet_rows(path)
    rows = list(_json_rows(path))
    if not rows:
        raise DataError("the file has no rows", where=str(path))
    return iter(rows)


def _json_rows(path: Path) -> Iterator[PlacedRow]:
    text = _text(path)
    rows = _whole_list(text) if text.lstrip().startswith("[") else None
    if rows is not None:
        for number, row in enumerate(rows, start=1):
            yield f"{path}, row {number}", _object(row, f"{path}, row {number}")
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            where = f"{path}:{number}"
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise DataError("not readable JSON", where=where, found=str(error)) from None
            yield where, _object(row, where)


def _whole_list(text: str) -> list[object] | None:
    """The list a text holds; None where it is not one JSON value: perhaps a list a line."""
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return rows if isinstance(rows, list) else None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise DataError("no such file", where=str(path)) from None
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", where=str(path)) from None
    except UnicodeDecodeError as error:
        raise DataError("not UTF-8 text", where=str(path), found=str(error)) from None


def _object(row: object, where: str) -> Row:
    """A row as an object; a bare list of messages, as in ChatAlpaca's first release, becomes one."""
    if isinstance(row, dict):
        return row
    if isinstance(row, list):
        return {"messages": row}
    raise DataError("a row is not a JSON object", where=where, found=row)


def _parquet_rows(path: Path) -> Iterator[PlacedRow]:
    import polars
    from polars.exceptions import PolarsError

    try:
        table = polars.read_parquet(path)
    except FileNotFoundError:
        raise DataError("no such file", where=str(path)) from None
    except (OSError, PolarsError) as error:
        raise DataError("not readable Parquet", where=str(path), found=str(error)) from None
    for number, row in enumerate(table.iter_rows(named=True), start=1):
        yield f"{path}, row {number}", row


def data_files(place: Path, *, called: str) -> list[Path]:
    """The file itself, or every data file directly in the folder, by name.

    Raises:
        DataError: nothing is there.
    """
    if place.is_file():
        return [place]
    found = sorted(path for path in place.glob("*") if path.suffix in SUFFIXES) if place.is_dir() else []
    if not found:
        raise DataError(
            f"no file of {called} here", where=str(place), allowed=f"a file or folder with {', '.join(SUFFIXES)}"
        )
    return found


def provenance(role: str, path: Path, rows: int, licence: str, *, name: str = "", revision: str = "") -> Provenance:
    """Where one file's rows come from; a local file is named by its folder and name, without the machine it lies on."""
    return Provenance(role, name or f"{path.parent.name}/{path.name}", revision, file_sha256(path), rows, licence)
