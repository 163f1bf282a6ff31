"""Journals: files of one JSON line an event, appended as it happens, so that what was paid for outlives the process."""

from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from forgetscope.core.errors import RunFolderError

LineT = TypeVar("LineT", bound=BaseModel)


class Journal(Generic[LineT]):
    """A file of records, one a line, that only grows. A line that was cut by a kill counts as never written.

    Args:
        path: The file; made at the first line.
        line: The record, or the union of those there are.
        holds: What the lines are, for messages: `replies`.

    Attributes:
        earlier: The lines that stood there when it was opened.

    Raises:
        RunFolderError: the file cannot be read.
    """

    def __init__(self, path: Path, line: Any, holds: str) -> None:
        self._path = path
        self._holds = holds
        adapter: TypeAdapter[LineT] = TypeAdapter(line)
        try:
            text = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise RunFolderError(f"cannot read {holds}", where=str(path), found=error.strerror) from None
        self._ends_whole = not text or text.endswith(b"\n")
        self.earlier: list[LineT] = []
        for raw in text.splitlines():
            try:
                self.earlier.append(adapter.validate_json(raw))
            except ValidationError:  # the process was killed while it wrote this line
                continue

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
                next_step=f"make room, then forgetscope resume {self._path.parent}",
            ) from None
        self._ends_whole = True
