"""A run after its last sample: its folder, manifest and table, and the table made of the logs."""

import contextlib
import functools
import hashlib
import platform
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, entry_points, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
from pydantic import JsonValue

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.base import Benchmark
from forgetscope.core.errors import RunFolderError
from forgetscope.core.outcomes import Account, Status
from forgetscope.core.progress import Progress, silent
from forgetscope.core.results import CORE_SCHEMA
from forgetscope.core.version import VERSION
from forgetscope.io.records import file_sha256
from forgetscope.io.tables import read_table, write_table
from forgetscope.running.judgements import JUDGEMENTS_NAME
from forgetscope.running.manifest import LOG_FOLDER, Manifest, logs_of, now, read_manifest, update_manifest
from forgetscope.running.started import state_folder

if TYPE_CHECKING:
    from forgetscope.running.logs import RowsMade

TABLE_NAME = "samples.parquet"

LONGEST_SAID = 300
"""Characters of a sample's error in a message."""


@dataclass(frozen=True)
class FinishedRun:
    """A run folder with its table, after the last sample."""

    folder: Path
    manifest: Manifest
    table: pl.DataFrame
    stopped: str = ""
    """Why the run ended before everything was sent, by a budget or its inputs; empty where it did not."""
    can_go_on: bool = True
    """Whether `resume` can send what is missing; not where the samples are of somebody else's run."""

    @property
    def is_complete(self) -> bool:
        """Whether completeness reaches the floor."""
        return self.manifest.status == "complete"

    @property
    def judged_by(self) -> str:
        """The judges whose verdicts count in the table, in words; of one that could not be read, that."""
        if "judge_names" not in self.table.columns:
            return ""
        read, unread = (set(self.table[name].explode().drop_nulls()) for name in ("judge_names", "judge_unread"))
        first = [spec.name for spec in self.manifest.judges]
        named = [*first, *(spec.name for spec in self.manifest.later_judges)]
        asked = sorted(read | unread, key=lambda name: (named.index(name) if name in named else -1, name))
        words = {name: name if name in read else f"{name} (no verdict of it could be read)" for name in asked}
        during = ", ".join(words[name] for name in asked if name in first or name not in named)
        after = ", ".join(words[name] for name in asked if name in named and name not in first)
        return f"{during}; judged again by {after}" if during and after else during or after

    @property
    def said_most(self) -> str:
        """What most samples without an outcome say, and how many do; one that was not sent only repeats another."""
        lost = [status.value for status in Status if status.is_lost]
        errors = [error for error in self.table.filter(pl.col("status").is_in(lost))["error"] if error]
        sent = [error for error in errors if not error.startswith("ProviderDown")]
        if not errors:
            return ""
        ((words, count),) = Counter(sent or errors).most_common(1)
        return (
            f"{count:,} of {len(errors):,} say: {words if len(words) <= LONGEST_SAID else words[:LONGEST_SAID] + '...'}"
        )

    @property
    def has_lost_samples(self) -> bool:
        """Whether a sample has no outcome for lack of a reply."""
        return bool((self.table["status"] == Status.MODEL_ERROR.value).any())


def read_run_table(folder: Path, benchmark: Benchmark) -> pl.DataFrame:
    """The sample table of a run folder as it was last written.

    Raises:
        RunFolderError: there is none, or none of this benchmark.
    """
    return read_table(folder / TABLE_NAME, {**CORE_SCHEMA, **benchmark.schema})


def collect_run(folder: Path, progress: Progress = silent, *, is_anew: bool = False) -> FinishedRun:
    """The run of a folder with its sample table, made again where it does not follow from what is there now.

    `is_anew` makes it again whatever is there. The manifest is brought up to it.
    """
    manifest = read_manifest(folder)
    return collect_samples(get_benchmark(manifest.benchmark), manifest, folder, progress, is_anew=is_anew)


def collect_samples(
    benchmark: Benchmark,
    manifest: Manifest,
    folder: Path,
    progress: Progress,
    made: "RowsMade | None" = None,
    *,
    is_anew: bool = False,
) -> FinishedRun:
    """The same for a benchmark and manifest at hand, and rows `made` while the run went on."""
    origin = made_from(folder, manifest)
    table = None if is_anew else _kept_table(folder, benchmark, origin)
    if table is None:
        from forgetscope.running.logs import collect_table  # which imports Inspect

        table = collect_table(folder, benchmark, manifest.model.name, progress, made)
        _note_table(write_table(table, folder / TABLE_NAME), origin)
    completeness = run_completeness(table, manifest.planned_samples)
    reached = completeness >= manifest.limits.completeness_floor
    changes: Mapping[str, JsonValue] = {
        "status": "complete" if reached else "incomplete",
        "completeness": completeness,
        "finished": (manifest.finished or now()) if table.height == manifest.planned_samples else None,
    }
    return FinishedRun(folder, update_manifest(folder, manifest, changes), table)


def run_completeness(table: pl.DataFrame, planned: int) -> float:
    """Share of the planned samples that are neither lost to model or judge nor missing from the logs."""
    if not planned:
        return 1.0
    account = Account.of(table["status"].to_list(), table["raw_pass"].to_list())
    lost = sum(count for status, count in account.counts.items() if status.is_lost)
    return 1 - (lost + planned - table.height) / planned


def made_from(folder: Path, manifest: Manifest) -> str:
    """What the rows of a run follow from, as one hash.

    It covers the logs, the judgements that came after them, and the code that scores, ours and that of plug-ins, with
    the versions of what it stands on. So a scorer that was mended still mends old runs.

    Raises:
        RunFolderError: it has no logs, or one that is no file that can be read.
    """
    later = folder / JUDGEMENTS_NAME
    read = [*logs_of(folder), *([later] if later.is_file() else [])]
    try:
        held = [f"{path.name} {file_sha256(path)}" for path in read]
    except OSError as error:
        raise RunFolderError("a log that cannot be read", where=str(error.filename), found=error.strerror) from None
    parts = [code_sha256(), manifest.benchmark, manifest.model.name, *held]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@functools.cache
def code_sha256() -> str:
    """Over the files of this package and of installed plug-ins that a score may depend on."""
    found = [f"{VERSION} {platform.python_version()}", *_stands_on()]
    found.extend(f"{path} {file_sha256(path)}" for path in _files())
    return hashlib.sha256("\n".join(found).encode()).hexdigest()


def _stands_on() -> Iterator[str]:
    """Names and versions of the packages this one needs; nothing of one, or of itself, that is not installed."""
    try:
        for requirement in requires("forgetscope") or ():
            if "extra ==" not in requirement and (name := re.match(r"[\w.-]+", requirement)):
                yield f"{name[0]} {version(name[0])}"
    except PackageNotFoundError:
        return


def _files() -> Iterator[Path]:
    groups = [group for group in entry_points().groups if group.startswith("forgetscope.")]
    modules = {entry.module.partition(".")[0] for group in groups for entry in entry_points(group=group)}
    for module in ["forgetscope", *sorted(modules - {"forgetscope"})]:
        spec = find_spec(module)
        for place in (spec.submodule_search_locations or [str(spec.origin)]) if spec else ():
            root = Path(place)
            for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
                if path.suffix not in _NOT_READ_BY_SCORERS and path.is_file():
                    yield path


_NOT_READ_BY_SCORERS = frozenset({".pyc", ".safetensors", ".webp", ".css", ".js", ".html"})


def _note_table(sha256: str, origin: str) -> None:
    """Note in the user's own record that this table was made here from that; nothing where there is no place for it."""
    with contextlib.suppress(OSError):
        place = _noted(sha256, origin)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()


def _kept_table(folder: Path, benchmark: Benchmark, origin: str) -> pl.DataFrame | None:
    """The table as it was last written, where the user's own record says that it was made here from the same.

    What a folder says of its table proves nothing, as the folder may have come from anybody.
    """
    try:
        is_ours = _noted(file_sha256(folder / TABLE_NAME), origin).is_file()
        return read_run_table(folder, benchmark) if is_ours else None
    except (RunFolderError, OSError):
        return None


def believed_table(folder: Path, manifest: Manifest, benchmark: Benchmark) -> pl.DataFrame:
    """The table of a run to be read: as it was written here, else made of its logs. Nothing is written.

    A run that has no logs at all (one of replies from a file) has nothing but its table.
    """
    if not any((folder / LOG_FOLDER).glob("*.eval")):
        return read_run_table(folder, benchmark)
    table = _kept_table(folder, benchmark, made_from(folder, manifest))
    if table is None:
        from forgetscope.running.logs import collect_table  # which imports Inspect

        table = collect_table(folder, benchmark, manifest.model.name)
    return table


def _noted(sha256: str, origin: str) -> Path:
    return state_folder() / "tables" / f"{sha256}-{origin}"
