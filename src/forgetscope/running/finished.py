"""A run after its last sample: its folder, manifest and table, and the table made of the logs."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from pydantic import JsonValue

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.base import Benchmark
from forgetscope.core.outcomes import Account, Status
from forgetscope.core.progress import Progress, silent
from forgetscope.core.results import CORE_SCHEMA
from forgetscope.io.tables import read_table, write_table
from forgetscope.running.manifest import Manifest, now, read_manifest, update_manifest

TABLE_NAME = "samples.parquet"


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
    def has_lost_samples(self) -> bool:
        """Whether a sample has no outcome for lack of a reply."""
        return bool((self.table["status"] == Status.MODEL_ERROR.value).any())


def read_run_table(folder: Path, benchmark: Benchmark) -> pl.DataFrame:
    """The sample table of a run folder as it was last written.

    Raises:
        RunFolderError: there is none, or none of this benchmark.
    """
    return read_table(folder / TABLE_NAME, {**CORE_SCHEMA, **benchmark.schema})


def collect_run(folder: Path, progress: Progress = silent) -> FinishedRun:
    """Make the sample table again from the logs, and bring the manifest up to it."""
    manifest = read_manifest(folder)
    return collect_samples(get_benchmark(manifest.benchmark), manifest, folder, progress)


def collect_samples(benchmark: Benchmark, manifest: Manifest, folder: Path, progress: Progress) -> FinishedRun:
    """The same for a benchmark and manifest at hand."""
    from forgetscope.running.logs import collect_table

    table = collect_table(folder, benchmark, manifest.model.name, progress)
    completeness = run_completeness(table, manifest.planned_samples)
    write_table(table, folder / TABLE_NAME)
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
