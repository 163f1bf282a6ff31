"""Inspect's logs as the archives they are, entry by entry: each is unpacked within limits and is JSON that can be read.

Inspect's own readers unpack and parse whatever an archive holds. So nothing that somebody else may have written is
handed to them; what is continued by them (`resume`) was read here whole before.
"""

import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from inspect_ai._util.constants import get_deserializing_context
from inspect_ai.log import EvalLog, EvalPlan, EvalSample, EvalSampleSummary, EvalSpec
from pydantic import BaseModel

from forgetscope.core.json_values import json_object, json_value, require_bounded

RecordT = TypeVar("RecordT", bound=BaseModel)

MOST_UNPACKED = 300
"""Times its size that an entry may unpack to, beyond `ALWAYS_UNPACKED` bytes; ours, all text, unpack to ten times."""
ALWAYS_UNPACKED = 100_000_000
"""A sample of two replies of a million characters each, every one escaped, is below it."""
MOST_ENTRIES = 1_000_000

_READ_AT_ONCE = 4096
"""Packed bytes: what a compressor makes of so many is 130 MB at most, whatever the archive says it is."""
_REDUCTIONS = "reductions.json"
"""What the scores say of all samples, which Inspect reads where a run is continued; with one epoch, each once more."""
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, 93}
"""As Inspect has them; 93 is Zstandard."""


class LogArchive:
    """A log, open for reading.

    Raises:
        ValueError: it is no archive, or none that a log is: it unpacks to far more than it is, parts of it lie in each
            other, two readers would not find the same in it.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._archive = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, UnicodeError) as error:
            raise ValueError(f"{type(error).__name__}: {error}") from None
        try:
            self._require_bounded(path)
        except BaseException:
            self._archive.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._archive.close()

    def _require_bounded(self, path: Path) -> None:
        entries, size = self._archive.infolist(), path.stat().st_size
        with path.open("rb") as stream:
            stream.seek(-22, 2)
            ending = stream.read()
        # Another comment, or a beginning that is not where the ending says, and Inspect may find other entries.
        is_plain = ending[:4] == b"PK\x05\x06" and not self._archive.comment
        if not is_plain or struct.unpack_from("<I", ending, 16)[0] not in (self._archive.start_dir, 0xFFFFFFFF):
            raise ValueError("not an archive as Inspect writes it")
        if len(entries) > MOST_ENTRIES or sum(entry.compress_size for entry in entries) > size:
            raise ValueError("its entries are more than it holds")
        held = sum(entry.file_size for entry in entries if not entry.filename.startswith(("samples/", _REDUCTIONS)))
        samples = [entry for entry in entries if entry.filename.startswith("samples/")]
        said_again = sum(entry.file_size for entry in entries if entry.filename == _REDUCTIONS)
        if (
            held > _most(size)
            or any(entry.file_size > _most(entry.compress_size) for entry in samples)
            or said_again > _most(size) + sum(entry.file_size for entry in samples)
        ):
            raise ValueError("it unpacks to far more than it is")

    def _text(self, name: str) -> str:
        """An entry's text, by the last of its name.

        Raises:
            ValueError: there is none, or it is not what the archive says of it.
        """
        try:
            entry = self._archive.getinfo(name)
            if entry.compress_type not in _METHODS:
                raise ValueError(f"{name} is packed in a way that no log is")
            with self._archive.open(entry) as stream:
                parts = list(iter(lambda: stream.read(_READ_AT_ONCE), b""))
        except KeyError:
            raise ValueError(f"it has no {name}") from None
        except ValueError:
            raise
        except Exception as error:  # of as many kinds as there are compressors
            raise ValueError(f"{name} cannot be unpacked: {type(error).__name__}: {error}") from None
        return b"".join(parts).decode()

    def head(self) -> EvalLog:
        """What the log says of its run, without its samples; of a run that was stopped, what it began with.

        Raises:
            ValueError: it cannot be read.
        """
        if "header.json" in self._archive.NameToInfo:
            return _read_as(EvalLog, json_value(self._text("header.json")))
        start = json_object(self._text("_journal/start.json"))
        spec, plan = _read_as(EvalSpec, start.get("eval")), _read_as(EvalPlan, start.get("plan"))
        return EvalLog(eval=spec, plan=plan)

    def summaries(self) -> list[EvalSampleSummary]:
        """A few words of each sample; of one that was written twice, the last.

        Raises:
            ValueError: they cannot be read.
        """
        if "summaries.json" in self._archive.NameToInfo:
            names = ["summaries.json"]
        else:
            folder = "_journal/summaries/"
            found = [name for name in self._archive.NameToInfo if name.startswith(folder) and name.endswith(".json")]
            names = sorted(found, key=lambda name: int(name.removeprefix(folder).removesuffix(".json")))
        chosen: dict[tuple[str, int], EvalSampleSummary] = {}
        for name in names:
            rows = json_value(self._text(name))
            if not isinstance(rows, list):
                raise ValueError(f"{name} is no list")
            for summary in (_read_as(EvalSampleSummary, row) for row in rows):
                chosen[str(summary.id), summary.epoch] = summary
        return list(chosen.values())

    def require_whole(self) -> None:
        """See that all can be read but the samples, and that the log holds those it lists and no other.

        Raises:
            ValueError: it does not.
        """
        held = {name for name in self._archive.NameToInfo if name.startswith("samples/") and name.endswith(".json")}
        if held != {_entry(summary.id, summary.epoch) for summary in self.summaries()}:
            raise ValueError("its samples are not those it lists")
        self.head()
        if _REDUCTIONS in self._archive.NameToInfo:
            require_bounded(self._text(_REDUCTIONS))

    def sample(self, number: int | str, epoch: int, left_out: frozenset[str]) -> EvalSample:
        """A sample as Inspect wrote it, without the fields that are left out.

        Raises:
            ValueError: it is not there, or none.
        """
        held = json_object(self._text(_entry(number, epoch)))
        return _read_as(EvalSample, {name: value for name, value in held.items() if name not in left_out})


def _most(packed: int) -> int:
    return ALWAYS_UNPACKED + MOST_UNPACKED * packed


def _entry(number: int | str, epoch: int) -> str:
    return f"samples/{number}_epoch_{epoch}.json"


def _read_as(record: type[RecordT], value: object) -> RecordT:
    return record.model_validate(value, context=get_deserializing_context())


@contextmanager
def opened_log(path: Path) -> Iterator[LogArchive]:
    """A log, open in the block."""
    archive = LogArchive(path)
    try:
        yield archive
    finally:
        archive.close()
