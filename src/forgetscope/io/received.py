"""Whatever somebody else wrote, read in one place: text, JSON, YAML, TOML and Parquet, each within limits.

A file may be cut, huge, of another encoding, nested a thousand deep, a few bytes that unpack to gigabytes, or made to
hurt. Each reader here gives plain values of bounded size, or raises one error of the kind the caller names. No other
room opens such a file: `tests/test_architecture.py` holds the package to it.
"""

import math
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from forgetscope.core.errors import DataError, RunFolderError, UserError
from forgetscope.core.json_values import (
    LARGEST_WHOLE,
    json_value,
    require_bounded,
    require_shallow,
    without_half_pairs,
)

if TYPE_CHECKING:
    import polars as pl
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

FormT = TypeVar("FormT", bound=BaseModel)
Kind = type[DataError] | type[RunFolderError]
"""Of the error: the file is data, or lies in a folder that a run or a build left."""

LARGEST_DATA = 2_000_000_000
"""Bytes of a file of data; the largest that is read whole is a tenth of it."""
LARGEST_FORM = 200_000_000
"""Bytes of a file that is one object: a manifest, a summary, the data of a grid."""
LARGEST_SETTINGS = 1_000_000
"""Bytes of a file that a person writes: settings, prices."""
LARGEST_TABLE = 2_000_000_000
"""Bytes of a table in memory: what a Parquet file says of its size leaves out how often a value is named."""
LARGEST_SET = 16_000_000_000
"""Bytes of a table that is read a few rows at a time."""
MOST_ROWS = 10_000_000
"""Of a table."""
MOST_VALUES = 200_000
"""Values in a YAML file, aliases written out: a few lines of them can stand for more than any memory holds."""


def read_text(path: Path, *, at_most: int = LARGEST_DATA, kind: Kind = DataError) -> str:
    """A text file in UTF-8; a byte order mark is passed over.

    Raises:
        DataError: missing, unreadable, too large or not UTF-8; or an error of the given kind.
    """
    try:
        text = text_of(path, at_most=at_most, kind=kind)
    except FileNotFoundError:
        raise kind("no such file", where=str(path)) from None
    return text


def text_of(path: Path, *, at_most: int, kind: Kind) -> str:
    """The same, where it is for the caller to say that there is no such file.

    Raises:
        FileNotFoundError: there is none.
        UserError: of the given kind, as in `read_text`.
    """
    try:
        if path.is_fifo() and path.parts[1:2] not in (
            ("dev",),
            ("proc",),
        ):  # where a shell hands something over
            raise kind("a pipe, which may never say anything", where=str(path))
        with path.open("rb") as stream:
            raw = stream.read(at_most + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(path) from None
    except OSError as error:
        raise kind("cannot be read", where=str(path), found=error.strerror) from None
    except ValueError as error:  # a name with a zero in it
        raise kind("not a name of a file", where=repr(str(path)), found=str(error)) from None
    if len(raw) > at_most:
        raise kind("larger than such a file is", where=str(path), allowed=f"{at_most:,} bytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise kind("not UTF-8 text", where=f"{path}, byte {error.start}", found=raw[error.start :][:8]) from None


def parse_json(text: str, *, where: str, kind: Kind = DataError) -> object:
    """A text as JSON.

    Raises:
        DataError: it is none that can be read; or an error of the given kind.
    """
    try:
        return json_value(text)
    except ValueError as error:
        column = getattr(error, "colno", None)
        told = str(error) if column is None else f"{getattr(error, 'msg', '')} at column {column}"
        raise kind(f"not JSON that can be read ({told})", where=where, found=text) from None


def parse_yaml(text: str, *, where: str) -> object:
    """A text as YAML with the values that JSON has: a date is a text, and aliases are few.

    Raises:
        DataError: it is none that can be read; names the line.
    """
    import yaml  # type: ignore[import-untyped]

    try:
        value: object = yaml.load(text, Loader=_plain_yaml())  # noqa: S506 - a safe loader with less in it
        if _too_many(value):
            raise ValueError("aliases in it stand for too much")
        require_shallow(value)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark is not None else ""
        raise DataError("not YAML that can be read", where=f"{where}{line}", found=error.problem) from None
    except RecursionError:
        raise DataError("not YAML that can be read", where=where, found="nested too deeply") from None
    except (yaml.YAMLError, ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
        # PyYAML's own slips on odd numbers and tags: each is a value that cannot be read.
        raise DataError("not YAML that can be read", where=where, found=str(error)) from None
    return without_half_pairs(value)


def _plain_yaml() -> type:
    """A safe loader that knows no dates, sets and bytes, and whose keys are texts."""
    import yaml

    safe = yaml.SafeLoader
    resolvers = {
        first: [(tag, pattern) for tag, pattern in known if not tag.endswith(":timestamp")]
        for first, known in safe.yaml_implicit_resolvers.items()
    }
    kept = ("null", "bool", "int", "float", "str", "seq", "map")
    constructors = {tag: made for tag, made in safe.yaml_constructors.items() if tag is None or tag.endswith(kept)}
    return type("PlainLoader", (safe,), {"yaml_implicit_resolvers": resolvers, "yaml_constructors": constructors})


def _too_many(value: object) -> bool:
    """Whether a value holds more than `MOST_VALUES`, each counted as often as it is named; or itself."""
    waiting, seen = [value], 0
    while waiting:
        seen += 1
        if seen > MOST_VALUES:
            return True
        inner = waiting.pop()
        if isinstance(inner, dict):
            waiting.extend(inner)
            waiting.extend(inner.values())
        elif isinstance(inner, list):
            waiting.extend(inner)
    return False


def parse_toml(text: str, *, where: str) -> object:
    """A text as TOML.

    Raises:
        DataError: it is none that can be read.
    """
    try:
        value = tomllib.loads(text)
        require_shallow(value)
    except RecursionError:
        raise DataError("not TOML that can be read", where=where, found="nested too deeply") from None
    except ValueError as error:
        raise DataError("not TOML that can be read", where=where, found=str(error)) from None
    return value


def read_settings_file(path: Path) -> object:
    """The values of a file of settings, by its ending: `.yaml`, `.yml`, `.toml`, `.json`; no number is without bounds.

    Raises:
        DataError: missing, none of these, empty, or none that can be read.
    """
    reader = {".toml": parse_toml, ".yaml": parse_yaml, ".yml": parse_yaml, ".json": parse_json}.get(path.suffix)
    if reader is None:
        raise DataError(
            "unknown kind of settings", where=str(path), found=path.suffix, allowed=".yaml, .yml, .toml or .json"
        )
    value = reader(read_text(path, at_most=LARGEST_SETTINGS), where=str(path))
    if not value:
        raise DataError("settings that say nothing", where=str(path))
    if (endless := _endless(value)) is not None:
        raise DataError("not a finite number", where=str(path), found=f"{endless:.3g}")
    return value


def _endless(value: object) -> float | None:
    """The first number in a value that is infinite, none, or too large for any table; None where there is none."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return next((found for inner in value if (found := _endless(inner)) is not None), None)
    if isinstance(value, int) and abs(value) > LARGEST_WHOLE:
        return math.inf
    return value if isinstance(value, float) and not math.isfinite(value) else None


def read_form(path: Path, form: type[FormT], what: str, *, next_step: str | None = None) -> FormT:
    """A file that is one JSON object of a form, as a run, a build or a grid left it.

    Raises:
        FileNotFoundError: there is none.
        RunFolderError: `what`: unreadable, too large, or of another form; names the field.
    """
    text = text_of(path, at_most=LARGEST_FORM, kind=RunFolderError)
    try:
        require_bounded(text)
    except ValueError as error:
        raise RunFolderError(what, where=str(path), found=str(error), next_step=next_step) from None
    try:
        return form.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part)[:60] for part in first["loc"])
        raise RunFolderError(
            what,
            where=f"{path}, field {field}" if field else str(path),
            found=f"{shown_input(first['input'])} ({first['msg']})",
            next_step=next_step,
        ) from None


def shown_input(value: object) -> str:
    """The beginning of what was found, for messages."""
    return f"{value[:60]!r}" if isinstance(value, str) else f"{value!r:.60}"


def read_parquet(path: Path, *, kind: Kind = DataError, next_step: str | None = None) -> "pl.DataFrame":
    """A Parquet file, unpacked piece by piece: a few kilobytes may name one long value a million times.

    Raises:
        FileNotFoundError: there is none.
        DataError: not readable, or far too large; or an error of the given kind.
    """
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import ArrowException

    held, pieces = 0, []
    try:
        # By Arrow: Polars' own reader prints the trace of a panic over some damaged files before it raises.
        with pq.ParquetFile(_regular(path), pre_buffer=False) as table:
            for piece in table.iter_batches(
                _rows_at_once(table.metadata, path, LARGEST_TABLE, kind), use_threads=False
            ):
                held += piece.nbytes
                if held > LARGEST_TABLE:
                    raise kind("unpacks to far more than such a table holds", where=str(path), found=held)
                pieces.append(piece)
            frame = pl.from_arrow(pa.Table.from_batches(pieces, table.schema_arrow))
            return frame if isinstance(frame, pl.DataFrame) else frame.to_frame()
    except (FileNotFoundError, UserError):
        raise
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, ArrowException, OSError, ValueError) as error:
        raise kind("not readable Parquet", where=str(path), found=str(error), next_step=next_step) from None


ROWS_AT_ONCE = 16
"""Of a table that is not held whole."""


def parquet_rows(path: Path, columns: Sequence[str]) -> "Iterator[tuple[str, dict[str, object]]]":
    """The rows of a Parquet file with these of its columns and where each stands, few in memory at a time: for tables
    that have pictures in them.

    Raises:
        DataError: not there, not readable, or far too large.
    """
    import pyarrow.parquet as pq
    from pyarrow import ArrowException

    number = held = 0
    try:
        with pq.ParquetFile(_regular(path), pre_buffer=False) as table:
            at_once = min(ROWS_AT_ONCE, _rows_at_once(table.metadata, path, LARGEST_SET, DataError))
            for batch in table.iter_batches(at_once, columns=list(columns), use_threads=False):
                held += batch.nbytes
                if held > LARGEST_SET:
                    raise DataError("unpacks to far more than such a table holds", where=str(path), found=held)
                for row in batch.to_pylist():
                    number += 1
                    yield f"{path}, row {number}", row
    except UserError:
        raise
    except (ArrowException, OSError, ValueError) as error:
        raise DataError("not readable Parquet", where=f"{path}, after row {number}", found=str(error)) from None


LARGEST_PIECE = 100_000_000
"""Bytes that are unpacked at once, at most."""


def _rows_at_once(described: "pq.FileMetaData", path: Path, at_most: int, kind: Kind) -> int:
    """Rows that unpack to no more than a piece, were each the longest value that their part of the file can hold.

    Raises:
        DataError: by its own account it holds more than at most so many bytes, or far too many rows; or an error of the
            given kind.
    """
    groups = [described.row_group(place) for place in range(described.num_row_groups)]
    sizes = [group.column(place).total_uncompressed_size for group in groups for place in range(group.num_columns)]
    if sum(sizes) > at_most or described.num_rows > MOST_ROWS:
        found = f"{sum(sizes):,} bytes, {described.num_rows:,} rows"
        raise kind("unpacks to far more than such a table holds", where=str(path), found=found)
    rows: int = LARGEST_PIECE // max(1, *sizes, 1)
    return max(1, min(2**16, rows))


def _regular(path: Path) -> Path:
    """The path of a file one can go back in.

    Raises:
        FileNotFoundError: there is none.
        OSError: it is a pipe or a folder.
    """
    if path.exists() and not path.is_file():
        raise OSError("no file, but a pipe, a folder or a device")
    return path
