"""Journals: files of one JSON line an event, appended as it happens, so that what was paid for outlives the process."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

from pydantic import BaseModel, TypeAdapter

from forgetscope.core.errors import RunFolderError
from forgetscope.core.json_values import require_bounded

LineT = TypeVar("LineT", bound=BaseModel)

LONGEST_LINE = 64_000_000
"""Bytes of a line: a reply of a million characters and its reasoning, each escaped, many times over."""
LARGEST_JOURNAL = 4_000_000_000
"""Bytes of a journal; that of the largest run of a paper is some hundred millions."""


class Journal(Generic[LineT]):
    """A file of records, one a line, that only grows. A line that was cut by a kill counts as never written.

    Args:
        path: The file; made at the first line.
        line: The record, or the union of those there are.
        holds: What the lines are, for messages: `replies`.
        go_on: What to do once there is room again, for messages.

    Raises:
        RunFolderError: the file cannot be read, or is larger than a journal is.
    """

    def __init__(self, path: Path, line: Any, holds: str, go_on: str = "the same command again") -> None:
        self._path = path
        self._holds = holds
        self._go_on = go_on
        self._adapter: TypeAdapter[LineT] = TypeAdapter(line)
        self._size, self._ends_whole = 0, True
        try:
            with path.open("rb") as stream:
                self._size = stream.seek(0, 2)
                stream.seek(max(0, self._size - 1))
                self._ends_whole = stream.read(1) in (b"", b"\n")
        except FileNotFoundError:
            pass
        except OSError as error:
            raise self._unreadable(error) from None
        if self._size > LARGEST_JOURNAL:
            raise RunFolderError(
                f"larger than a file of {holds} is",
                where=str(path),
                found=self._size,
                allowed=f"{LARGEST_JOURNAL:,} bytes",
            )

    def earlier(self) -> Iterator[tuple[int, LineT]]:
        """The lines that stood there when it was opened, each with its place (`at`), one in memory at a time.

        Raises:
            RunFolderError: the file cannot be read, or a line is longer than one is.
        """
        if not self._size:
            return
        with self._opened() as stream:
            place, number = 0, 0
            while place < self._size and (raw := self._line(stream, number := number + 1)):
                if (line := self._parsed(raw)) is not None:
                    yield place, line
                place += len(raw)

    def at(self, place: int) -> LineT:
        """The line that stands at a place, read again.

        Raises:
            RunFolderError: it cannot be read any more.
        """
        with self._opened() as stream:
            stream.seek(place)
            line = self._parsed(self._line(stream, 0))
        if line is None:
            raise RunFolderError(f"{self._holds} were changed while they were read", where=str(self._path))
        return line

    def append(self, line: LineT, *, exclude_none: bool = False) -> None:
        """Append a line; it outlives the process from here on.

        Raises:
            RunFolderError: the disk is full, or the folder cannot be written.
        """
        self._write(line.model_dump_json(exclude_none=exclude_none).encode() + b"\n")

    def require_writable(self) -> None:
        """See that lines can be kept here, before anything is paid for.

        Raises:
            RunFolderError: they cannot.
        """
        self._write(b"")

    def discard(self) -> None:
        """Take the file away."""
        self._path.unlink(missing_ok=True)

    def _opened(self) -> BinaryIO:
        try:
            return self._path.open("rb")
        except OSError as error:
            raise self._unreadable(error) from None

    def _line(self, stream: BinaryIO, number: int) -> bytes:
        try:
            raw = stream.readline(LONGEST_LINE + 1)
        except OSError as error:
            raise self._unreadable(error) from None
        if len(raw) > LONGEST_LINE:
            where, allowed = f"{self._path}, line {number}", f"{LONGEST_LINE:,} bytes"
            raise RunFolderError("longer than a line is", where=where, allowed=allowed, next_step="take that line out")
        return raw

    def _parsed(self, raw: bytes) -> LineT | None:
        try:
            require_bounded(raw.decode())
            return self._adapter.validate_json(raw)
        except ValueError:  # the process was killed while it wrote this line
            return None

    def _unreadable(self, error: OSError) -> RunFolderError:
        return RunFolderError(f"cannot read {self._holds}", where=str(self._path), found=error.strerror)

    def _write(self, raw: bytes) -> None:
        begun, self._ends_whole = self._ends_whole, False
        try:
            with self._path.open("ab") as stream:
                stream.write(raw if begun else b"\n" + raw)
        except OSError as error:
            raise RunFolderError(
                f"cannot keep {self._holds} here",
                where=str(self._path),
                found=error.strerror,
                next_step=f"make room, then {self._go_on}",
            ) from None
        self._ends_whole = True
