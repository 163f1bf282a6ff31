"""Runs side by side from Python: `fs.compare("runs/a", "runs/b")`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from forgetscope.api.runs import Run
from forgetscope.core.errors import SettingError
from forgetscope.core.progress import Progress, silent
from forgetscope.findings.figures import Finding
from forgetscope.io.files import require_apart

if TYPE_CHECKING:
    from forgetscope.comparison.design import ComparisonDesign
    from forgetscope.report import TableRun
    from forgetscope.report.comparing import WrittenComparison
    from forgetscope.running.finished import FinishedRun

CHANGED_SCHEMA = {
    "outcome": pl.String,
    "first": pl.String,
    "second": pl.String,
    "sample": pl.String,
    "change": pl.String,
}


@dataclass(frozen=True)
class ComparedRuns:
    """Runs paired by sample: what differs, how sure that is, and what changed.

    Attributes:
        page: The comparison's page; `comparison.json` and `comparison.csv` lie beside it.
        labels: What the runs are called, the first being what the others are seen from.
        matched: Samples that all runs hold and were sent alike; every figure is of these.
        mismatches: What is not the same in all runs beside their models, with its value in each.
        headlines: The few sentences a busy person reads, each with how sure it is.
        figures: A row a figure: differences with intervals, tests, denominators.
        changed: A row a sample that was right in one of two runs only: `lost` or `gained`.
    """

    page: Path
    labels: tuple[str, ...]
    matched: int
    mismatches: tuple[tuple[str, tuple[str, ...]], ...]
    headlines: tuple[Finding, ...]
    figures: pl.DataFrame = field(repr=False)
    changed: pl.DataFrame = field(repr=False)


def compare(*runs: Run | str | Path, out: str | Path = "comparison", published: bool = False) -> ComparedRuns:
    """Set runs of one benchmark, or unlearning grids, side by side by sample; page, JSON and CSV go into `out`.

    Args:
        runs: Two or more, or their folders; one is enough with `published`.
        out: Folder, made where it is not there.
        published: Set the runs beside the paper's models.

    Raises:
        SettingError: the runs cannot be paired (other data, prompts, benchmark), or there is only one.
        RunFolderError: a folder is no run's, or a file cannot be written.
    """
    from forgetscope.findings.figure_table import figure_table

    written = compare_folders(_folders(runs), Path(out), published=published)
    stored = written.stored
    return ComparedRuns(
        page=written.html,
        labels=tuple(entry.label for entry in stored.runs),
        matched=stored.matched_samples,
        mismatches=tuple((entry.what, entry.values) for entry in stored.mismatches),
        headlines=written.headlines,
        figures=figure_table(stored.figures),
        changed=pl.DataFrame([entry.model_dump() for entry in stored.changed], schema=CHANGED_SCHEMA, orient="row"),
    )


def compare_folders(
    folders: Sequence[Path], out: Path, *, published: bool = False, progress: Progress = silent
) -> "WrittenComparison":
    """`compare` of folders, as the files it has written; a step of `progress` a folder and one for what they share.

    Raises:
        SettingError, RunFolderError: as in `compare`.
    """
    from forgetscope.report.comparing import write_comparison

    require_apart(out, folders)
    step, runs = progress(len(folders) + 1), []
    for folder in folders:
        runs.append(_comparable(folder, published=published))
        step()
    written = write_comparison([run for run, _ in runs], runs[0][1], out, published=published)
    step()
    return written


def _comparable(folder: Path, *, published: bool) -> "tuple[FinishedRun | TableRun, ComparisonDesign]":
    """A run with samples that can be matched with another's, and what runs of its benchmark are compared by."""
    from forgetscope.api.grids import comparable_grid, is_grid
    from forgetscope.benchmarks import get_benchmark
    from forgetscope.running.finished import FinishedRun, believed_table
    from forgetscope.running.manifest import read_manifest

    if is_grid(folder):
        return comparable_grid(folder, published=published)
    manifest = read_manifest(folder)
    benchmark = get_benchmark(manifest.benchmark)
    if benchmark.comparison is None:
        raise SettingError("runs of this benchmark are not compared", found=manifest.benchmark)
    return FinishedRun(folder, manifest, believed_table(folder, manifest, benchmark)), benchmark.comparison


def _folders(runs: Sequence[Run | str | Path]) -> list[Path]:
    return [entry.folder if isinstance(entry, Run) else Path(entry) for entry in runs]
