"""Files that are whole or not there: written beside their place, then renamed into it."""

import contextlib
import fcntl
import json
import os
import re
import stat
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

from forgetscope.core.errors import ForgetscopeWarning, RunFolderError, SettingError


def real_path(path: Path) -> Path:
    """The path without links, also where it leads nowhere or in a circle."""
    return Path(os.path.realpath(path))


RUN_MARKS = ("run.json", "grid.json")
"""Files that every run's folder, or every grid's, has."""


def require_apart(out: Path, inputs: Iterable[Path] = (), *, is_page: bool = False) -> None:
    """See that an output takes the place of nothing it is made from, and of no file of any run.

    Args:
        out: A file or folder, there or not.
        inputs: Files and folders that are read.
        is_page: Whether it is an HTML page, which may lie in a run's folder.

    Raises:
        SettingError: it is an input or lies in one, or in the folder of a run or a grid.
    """
    place = real_path(out)
    around = (place, *place.parents)
    if is_page and place.suffix == ".html":
        around = (place,)
    for folder in around:
        if any(os.path.isfile(folder / mark) for mark in RUN_MARKS):  # noqa: PTH113 - never raises
            raise SettingError(
                "an output goes beside a run, not into it",
                where="--out",
                found=str(out),
                next_step=f"name a place outside {folder}",
            )
    for one in map(real_path, inputs):
        if one in around or (os.path.isfile(one) and os.path.exists(place) and os.path.samefile(one, place)):  # noqa: PTH110, PTH113, PTH121 - never raise
            raise SettingError(
                "an output never takes the place of what it is made from",
                where="--out",
                found=str(out),
                next_step="name another place",
            )


def make_folder(folder: Path) -> Path:
    """The folder, made with its parents where it is not there.

    Raises:
        RunFolderError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        found = "a file of this name" if isinstance(error, FileExistsError) else error.strerror
        raise RunFolderError(
            "cannot use this folder", where=str(folder), found=found, next_step="choose another with --out"
        ) from None
    return folder


def require_own_name(folder: Path) -> None:
    """See that a folder's whole name is read as it is written: Inspect takes names of logs for addresses.

    Raises:
        RunFolderError: it holds what an address reads otherwise: a sign that is not seen, `#`, `?`, or `%` before two
            digits.
    """
    found = _READ_OTHERWISE.search(str(folder.absolute()))
    if found is not None:
        raise RunFolderError(
            "a run's folder cannot have such a name",
            where=str(folder),
            found=found[0],
            next_step="choose another without #, ?, % before digits, and signs that are not seen",
        )


_READ_OTHERWISE = re.compile(r"[\x00-\x1f\x7f#?]|%[0-9A-Fa-f]{2}")


def claim_folder(folder: Path, next_step: str) -> None:
    """Make a folder that is to hold one thing alone.

    Args:
        folder: New or empty.
        next_step: What to do where it is not.

    Raises:
        RunFolderError: it holds something, cannot be written, or has a name that is read otherwise.
        SettingError: it lies in the folder of a run.
    """
    require_own_name(folder)
    require_apart(folder.parent)
    make_folder(folder)
    if not os.access(folder, os.R_OK | os.W_OK):
        raise RunFolderError("the folder cannot be written", where=str(folder), next_step="choose another with --out")
    if any(folder.iterdir()):
        raise RunFolderError("the folder is not empty", where=str(folder), next_step=next_step)


@contextlib.contextmanager
def nothing_left(folder: Path) -> Iterator[None]:
    """Where the block is refused or stopped, take a folder away again that was claimed for it and is still empty."""
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):
            folder.rmdir()
        raise


MOST_ENTRIES = 100_000
"""Files and folders in a run folder; those of the largest runs are some thousands."""


def require_plain(folder: Path) -> None:
    """See that a folder one was given holds files and folders alone, so that all that is read and written is in it.

    Raises:
        RunFolderError: it holds a link, a pipe or a device, or far more than a run leaves; or its name is read
            otherwise.
    """
    require_own_name(folder)
    seen = 0
    for place, folders, files in os.walk(folder, followlinks=False):
        for name in (*folders, *files):
            seen += 1
            path = Path(place) / name
            if name == ".env":  # Inspect reads one where it is started: addresses, proxies, keys
                raise RunFolderError("a run folder holds no .env", where=str(path), next_step="take it away")
            kind = path.lstat().st_mode
            if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
                raise RunFolderError(
                    "a run folder holds files and folders alone",
                    where=str(path),
                    found="a link" if stat.S_ISLNK(kind) else "something that is no file",
                    next_step="take it away",
                )
        if seen > MOST_ENTRIES:
            raise RunFolderError("not a run folder: it holds too much", where=str(folder), found=seen)


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """This process alone works in the folder until the block ends; a killed process leaves no lock behind.

    Raises:
        RunFolderError: another process works in it, or there is no such folder.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise RunFolderError("cannot open this folder", where=str(folder), found=error.strerror) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RunFolderError(
            "another process works in this folder", where=str(folder), next_step="wait until it has ended"
        ) from None
    except OSError:  # better a run than none
        warnings.warn(
            f"{folder} is on a file system without locks: see yourself that no other process works in it",
            ForgetscopeWarning,
            stacklevel=3,
        )
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.close(descriptor)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file beside `path` to write, which takes its place when the block ends well and is gone when not.

    Raises:
        RunFolderError: the folder cannot be written, or the disk is full; a device, a pipe or a folder is there, which
            a file would take the place of.
    """
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113 - a name too long is none
        raise RunFolderError(
            "cannot write", where=str(path), found="something that is no file", next_step="name another file"
        )
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
