"""The sample table: one tidy row a sample, status always. Every published figure is computed from it.

The core columns are the same for all benchmarks; a benchmark adds its factors and scores. The table is written
as Parquet with the schema version in its metadata, and can be made again from the logs.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from forgetscope.core.errors import RunFolderError
from forgetscope.core.outcomes import FinishReason, Status

SCHEMA_VERSION = "1"

CORE_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "benchmark": pl.String,
    "model": pl.String,
    "sample_id": pl.String,
    "item": pl.String,
    "form": pl.String,
    "seed": pl.Int64,
    "status": pl.String,
    "raw_pass": pl.Boolean,
    "finish_reason": pl.String,
    "input_tokens": pl.Int64,
    "output_tokens": pl.Int64,
    "seconds": pl.Float64,
    "looped": pl.Boolean,
    "messages": pl.String,
    "reply": pl.String,
    "reasoning": pl.String,
    "error": pl.String,
}
"""Columns of every benchmark. `messages` is the JSON of what was sent; `seconds` is wall time of the call."""

Value = str | int | float | bool | None | list[str] | list[bool] | list[bool | None]


@dataclass(frozen=True)
class Completion:
    """What came back for one sample, whatever the provider.

    Attributes:
        reply: The answer without its reasoning; empty when there was none.
        reasoning: What the provider split off, or None when there is none.
        error: The last error's message when there is no reply.
    """

    reply: str
    finish_reason: FinishReason
    reasoning: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float | None = None
    error: str = ""

    @property
    def has_text(self) -> bool:
        """Whether there is anything a scorer could read."""
        return bool(self.reply.strip())


def status_of_call(completion: Completion) -> Status | None:
    """The status that follows from how the call ended alone; None when the reply has to be read."""
    if completion.finish_reason is FinishReason.CONTEXT and not (completion.has_text or completion.output_tokens):
        return Status.NOT_SENT
    if completion.finish_reason is FinishReason.ERROR:
        return Status.MODEL_ERROR
    if completion.finish_reason is FinishReason.CONTENT_FILTER:
        return Status.REFUSED
    if completion.finish_reason in (FinishReason.LENGTH, FinishReason.CONTEXT):
        return Status.TRUNCATED
    if not completion.has_text:
        return Status.INVALID_FORMAT
    return None


def build_table(
    rows: Iterable[Mapping[str, Value]], extra_schema: Mapping[str, pl.DataType | type[pl.DataType]]
) -> pl.DataFrame:
    """Rows as a table with the core columns first; a row with a column nobody declared is an error.

    Raises:
        ValueError: a row misses a column or has one that the schema does not name.
    """
    schema = {**CORE_SCHEMA, **extra_schema}
    collected = list(rows)
    for row in collected:
        if row.keys() != schema.keys():
            odd = sorted(row.keys() ^ schema.keys())
            raise ValueError(f"row {row.get('sample_id')!r} does not fit the schema: {', '.join(odd)}")
    return pl.DataFrame(collected, schema=schema, orient="row")


def write_table(table: pl.DataFrame, path: Path) -> None:
    """Write the table as Parquet, atomically, with the schema version in its metadata.

    Raises:
        RunFolderError: the folder cannot be written.
    """
    with _replacing(path) as temporary:
        table.write_parquet(temporary, metadata={"forgetscope_schema": SCHEMA_VERSION})


def read_table(path: Path) -> pl.DataFrame:
    """The sample table of a run.

    Raises:
        RunFolderError: missing, unreadable, or written by a version with another schema.
    """
    try:
        found = pl.read_parquet_metadata(path).get("forgetscope_schema")
        table = pl.read_parquet(path)
    except FileNotFoundError:
        raise RunFolderError("no sample table", where=str(path), next_step="forgetscope report DIR") from None
    except (pl.exceptions.PolarsError, OSError) as error:
        raise RunFolderError(
            "not a readable sample table", where=str(path), found=str(error), next_step="forgetscope report DIR"
        ) from None
    if found != SCHEMA_VERSION:
        raise RunFolderError(
            "the sample table was written by another version",
            where=str(path),
            found=f"schema {found}",
            allowed=f"schema {SCHEMA_VERSION}",
            next_step="make it again from the logs: forgetscope report DIR",
        )
    return table


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically: whoever reads it sees the old file or the new one.

    Raises:
        RunFolderError: the folder cannot be written.
    """
    with _replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())


@contextlib.contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """A file beside `path` to write, which takes its place when the block ends well and is gone when not."""
    temporary: Path | None = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as stream:
            temporary = Path(stream.name)
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        raise RunFolderError(
            "cannot write", where=str(path), found=error.strerror, next_step="choose another folder with --out"
        ) from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def repeats_itself(text: str, *, times: int = 4, shortest: int = 8, longest: int = 600) -> bool:
    """Whether the text ends in a loop: some piece of `shortest` to `longest` characters, `times` times in a row.

    The last copy may be cut. Numbered loops ("1. Paris 2. Paris ...") are found after digits are taken out.
    """
    tail = "".join(character for character in text[-longest * times :] if not character.isdigit())
    return any(_ends_in_copies(tail, period, times) for period in range(shortest, min(longest, len(tail) // times) + 1))


def _ends_in_copies(text: str, period: int, times: int) -> bool:
    """Whether the last `period * times` characters have this period."""
    end = len(text)
    span = period * times
    return text[end - span + period : end] == text[end - span : end - period]
