"""Rows of data files, line by line, and where they came from."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from forgetscope.core.errors import DataError, refused_value
from forgetscope.core.json_values import json_value
from forgetscope.io.received import parse_json, read_parquet, read_text

RecordT = TypeVar("RecordT", bound=BaseModel)


@dataclass(frozen=True)
class Provenance:
    """Where a set of rows comes from, precisely enough to get the same rows again.

    Attributes:
        role: What the benchmark uses it for: `ifeval`, `mmlu`.
        name: Data set name, or the file as the user gave it.
        revision: The pinned commit of a hub data set; empty for files.
        sha256: Of the file's bytes, or of the rows in canonical JSON when there is no single file.
        rows: Rows read, before any sampling.
        licence: As the source states it; empty when it states none.
    """

    role: str
    name: str
    revision: str
    sha256: str
    rows: int
    licence: str = ""

    def as_dict(self) -> dict[str, str | int]:
        """Plain values, for the manifest."""
        return asdict(self)


def file_sha256(path: Path) -> str:
    """SHA-256 of a file's bytes, in hex, read in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def rows_sha256(rows: Iterable[object]) -> str:
    """SHA-256 over rows in canonical JSON, one a line: order counts, key order does not."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(json.dumps(row, sort_keys=True, ensure_ascii=False).encode())
        digest.update(b"\n")
    return digest.hexdigest()


def file_provenance(
    role: str, path: Path, rows: int, licence: str, *, name: str = "", revision: str = ""
) -> Provenance:
    """Where one file's rows come from; a file is named by its folder and name, without the machine it lies on."""
    return Provenance(role, name or f"{path.parent.name}/{path.name}", revision, file_sha256(path), rows, licence)


PlacedRow = tuple[str, object]
"""Where a row stands, for messages, and what it holds."""


def read_rows(path: Path) -> Iterator[PlacedRow]:
    """The rows of a file with their places: a JSON list, a JSON value a line, or Parquet by its suffix.

    Raises:
        DataError: the file is missing, unreadable or empty, or a line is not JSON; names file and line.
    """
    is_empty = True
    for placed in _parquet_rows(path) if path.suffix == ".parquet" else _json_rows(path):
        is_empty = False
        yield placed
    if is_empty:
        raise DataError("the data set is empty", where=str(path), allowed="at least one row")


def _json_rows(path: Path) -> Iterator[PlacedRow]:
    text = read_text(path)
    rows = _whole_list(text) if text.lstrip().startswith("[") else None
    if rows is not None:
        yield from ((f"{path}, row {number}", row) for number, row in enumerate(rows, start=1))
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield f"{path}:{number}", parse_json(line, where=f"{path}:{number}")


def _whole_list(text: str) -> list[object] | None:
    """The list a text holds; None where it is not one JSON value: perhaps a list a line."""
    try:
        rows = json_value(text)
    except ValueError:
        return None
    return rows if isinstance(rows, list) else None


def _parquet_rows(path: Path) -> Iterator[PlacedRow]:
    try:
        table = read_parquet(path)
    except FileNotFoundError:
        raise DataError("no such file", where=str(path)) from None
    for number, row in enumerate(table.iter_rows(named=True), start=1):
        yield f"{path}, row {number}", row


def read_objects(path: Path) -> Iterator[tuple[str, dict[str, object]]]:
    """The rows of a file that are JSON objects, all of them, as `read_rows` gives them.

    Raises:
        DataError: as `read_rows`, or a row is something else.
    """
    for where, row in read_rows(path):
        if not isinstance(row, dict):
            raise DataError("not a JSON object", where=where, found=row)
        yield where, row


def read_records(path: Path, record: type[RecordT]) -> list[RecordT]:
    """The rows of a file, each checked against `record`; blank lines are passed over.

    Raises:
        DataError: as `read_rows`, or a row does not fit; names file, line and field.
    """
    return [validate_record(row, record, where=where) for where, row in read_rows(path)]


def parse_record(text: str, record: type[RecordT], *, where: str) -> RecordT:
    """A JSON text as a record.

    Raises:
        DataError: not JSON, or a field is missing, unknown or of another type.
    """
    return validate_record(parse_json(text, where=where), record, where=where)


def validate_record(row: object, record: type[RecordT], *, where: str) -> RecordT:
    """One decoded row as a record, with the first misfit named.

    Raises:
        DataError: a field is missing, unknown or of another type.
    """
    try:
        return record.model_validate(row)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part)[:60] for part in first["loc"]) or "row"
        raise DataError(
            f"field {name!r}: {first['msg'][0].lower()}{first['msg'][1:]}",
            where=where,
            found=refused_value(first),
            allowed=f"the fields of {record.__name__}: {', '.join(record.model_fields)}",
        ) from None
