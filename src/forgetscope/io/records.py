"""Reading data files line by line, and saying where the rows came from."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from forgetscope.core.errors import DataError

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


def read_records(path: Path, record: type[RecordT]) -> list[RecordT]:
    """The rows of a JSON Lines file, each checked against `record`; blank lines are passed over.

    Raises:
        DataError: the file is missing, unreadable, not UTF-8 or empty, or a line does not fit; names file, line, field.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise DataError("no such file", where=str(path)) from None
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", where=str(path)) from None
    except UnicodeDecodeError as error:
        raise DataError("not UTF-8 text", where=str(path), found=str(error)) from None
    rows = [
        parse_record(line, record, where=f"{path}:{number}")
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    ]
    if not rows:
        raise DataError("the data set is empty", where=str(path), allowed="one JSON object a line")
    return rows


def parse_record(line: str, record: type[RecordT], *, where: str) -> RecordT:
    """One JSON line as a record.

    Raises:
        DataError: not JSON, or a field is missing, unknown or of another type.
    """
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise DataError(f"not JSON ({error.msg} at column {error.colno})", where=where, found=line) from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, nested too deeply
        raise DataError(f"not JSON that can be read ({error})", where=where, found=line) from None
    return validate_record(row, record, where=where)


def validate_record(row: object, record: type[RecordT], *, where: str) -> RecordT:
    """One decoded row as a record, with the first misfit named.

    Raises:
        DataError: a field is missing, unknown or of another type.
    """
    try:
        return record.model_validate(row)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"]) or "row"
        raise DataError(
            f"field {name!r}: {first['msg'][0].lower()}{first['msg'][1:]}",
            where=where,
            found=None if first["type"] == "missing" else first["input"],
            allowed=f"the fields of {record.__name__}: {', '.join(record.model_fields)}",
        ) from None
