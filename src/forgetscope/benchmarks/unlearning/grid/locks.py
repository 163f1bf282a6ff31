"""Who works on a cell: claims that any number of workers on any number of machines can take, and lose.

A claim is a file `claim-1` in the cell's folder, made by a link, which one worker alone can make. Its owner touches it
now and then. Where the owner is gone (its process has ended, or the file was not touched for long), whoever makes
`claim-2` has the cell; no file is ever taken away from anyone, so two workers cannot both believe to have won. An owner
that was only asleep sees the higher number and stops. The number also counts the attempts: a cell that ends every
worker that touches it is given up.
"""

import contextlib
import os
import re
import socket
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil  # type: ignore[import-untyped]
from pydantic import BaseModel, ConfigDict

from forgetscope.core.errors import RunFolderError
from forgetscope.io.received import read_form

STALE_AFTER = 120.0
"""Seconds without a touch after which a claim of another machine is void."""

MAX_ATTEMPTS = 5

_NAME = re.compile(r"claim-(\d+)")


class Owner(BaseModel):
    """The content of a claim: which process of which machine has it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str
    pid: int
    process_started: float
    nonce: str

    @classmethod
    def this_process(cls) -> "Owner":
        """The owner that this process is; a new one for every claim."""
        return cls(
            host=socket.gethostname(),
            pid=os.getpid(),
            process_started=psutil.Process().create_time(),
            nonce=uuid.uuid4().hex,
        )


@dataclass(frozen=True)
class Refused:
    """Why a cell cannot be claimed: another worker has it, or it has been given up."""

    reason: Literal["taken", "given_up"]
    attempts: int


class ClaimLostError(Exception):
    """Another worker has taken over the cell; nothing of ours may be written."""


class CellLock:
    """A cell that is ours until we are done or too slow to touch it.

    Use it as a context: a thread touches the file meanwhile, and on the way out the claim is let go.
    """

    def __init__(self, path: Path, number: int, *, stale_after: float) -> None:
        self.path = path
        self.attempt = number
        self._every = stale_after / 6
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def is_lost(self) -> bool:
        """Whether another worker has taken the cell over, or the claim's file is gone."""
        return not self.path.exists() or _latest(self.path.parent) != self.attempt

    def __enter__(self) -> "CellLock":
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()

    def let_go(self) -> None:
        """Give an unfinished cell back at once, as after a clean stop; the attempt does not count."""
        self.path.unlink(missing_ok=True)

    def _beat(self) -> None:
        while not self._done.wait(self._every):
            with contextlib.suppress(OSError):  # a full disk or a lost mount shows where the result is written
                os.utime(self.path)


def claim_cell(
    folder: Path, *, stale_after: float = STALE_AFTER, max_attempts: int = MAX_ATTEMPTS
) -> CellLock | Refused:
    """Take a cell, unless another worker has it.

    Args:
        folder: Of the cell; made if it is not there.
        stale_after: Seconds without a touch after which another machine's claim is void.
        max_attempts: Claims after which the cell is given up.

    Raises:
        RunFolderError: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        latest = _latest(folder)
        if latest and _is_alive(folder / f"claim-{latest}", stale_after):
            return Refused("taken", latest)
        if latest >= max_attempts:
            return Refused("given_up", latest)
        path = folder / f"claim-{latest + 1}"
        with _written(folder, Owner.this_process().model_dump_json()) as content:
            try:
                path.hardlink_to(content)
            except FileExistsError:
                return Refused("taken", latest + 1)
        return CellLock(path, latest + 1, stale_after=stale_after)
    except OSError as error:
        raise RunFolderError("cannot claim a cell", where=str(folder), found=error.strerror) from None


def _latest(folder: Path) -> int:
    numbers = (_NAME.fullmatch(entry.name) for entry in folder.iterdir())
    return max((int(match[1]) for match in numbers if match), default=0)


def _is_alive(path: Path, stale_after: float) -> bool:
    """Whether the owner of a claim may still be at work."""
    try:
        owner = read_form(path, Owner, "not a claim")
        touched = path.stat().st_mtime
    except FileNotFoundError:
        return False  # let go a moment ago
    except RunFolderError:
        return _now(path.parent) - path.stat().st_mtime < stale_after
    if owner.host == socket.gethostname():
        return _runs(owner)
    return _now(path.parent) - touched < stale_after


def _runs(owner: Owner) -> bool:
    try:
        return bool(abs(psutil.Process(owner.pid).create_time() - owner.process_started) < 1)
    except psutil.NoSuchProcess:
        return False


def _now(folder: Path) -> float:
    """The time by the clock that stamps the folder's files, which need not be ours."""
    with _written(folder, "") as probe:
        return probe.stat().st_mtime


@contextlib.contextmanager
def _written(folder: Path, content: str) -> Iterator[Path]:
    """A file with this content, gone after the block."""
    descriptor, name = tempfile.mkstemp(dir=folder, prefix=".claim-")
    path = Path(name)
    try:
        with os.fdopen(descriptor, "w") as stream:
            stream.write(content)
        yield path
    finally:
        path.unlink(missing_ok=True)


def wait_for(path: Path, *, seconds: float, every: float = 0.2) -> bool:
    """Whether a file appears within so many seconds: another worker is making it."""
    until = time.monotonic() + seconds
    while not path.exists():
        if time.monotonic() > until:
            return False
        time.sleep(every)
    return True
