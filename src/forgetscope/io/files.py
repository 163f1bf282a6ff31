"""Files that are whole or not there: written beside their place, then renamed into it."""

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from forgetscope.core.errors import RunFolderError


def make_folder(folder: Path) -> Path:
    """The folder, made with its parents where it is not there.

    Raises:
        RunFolderError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFolderError(
            "cannot use this folder", where=str(folder), found=error.strerror, next_step="choose another with --out"
        ) from None
    return folder


def claim_folder(folder: Path, next_step: str) -> None:
    """Make a folder that is to hold one thing alone.

    Args:
        folder: New or empty.
        next_step: What to do where it is not.

    Raises:
        RunFolderError: it holds something, or cannot be written.
    """
    make_folder(folder)
    if not os.access(folder, os.R_OK | os.W_OK):
        raise RunFolderError("the folder cannot be written", where=str(folder), next_step="choose another with --out")
    if any(folder.iterdir()):
        raise RunFolderError("the folder is not empty", where=str(folder), next_step=next_step)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file beside `path` to write, which takes its place when the block ends well and is gone when not.

    Raises:
        RunFolderError: the folder cannot be written, or the disk is full.
    """
    temporary: Path | None = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as stream:
            temporary = Path(stream.name)
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        raise RunFolderError(
            "cannot write",
            where=str(path),
            found=error.strerror,
            next_step="make room, or choose another folder with --out",
        ) from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file atomically: whoever reads it sees the old file or the new one, also after a kill.

    Raises:
        RunFolderError: the folder cannot be written, or the disk is full; nothing is left behind.
    """
    with replacing(path) as temporary, temporary.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def write_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8 atomically, as `write_bytes` does."""
    write_bytes(path, text.encode())


def write_lines(path: Path, rows: Iterable[object]) -> None:
    """Write rows as JSON Lines atomically, as `write_bytes` does."""
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def encodable(text: str) -> str:
    """The text without lone surrogates, which JSON can carry and no file in UTF-8 can."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
