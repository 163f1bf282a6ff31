"""Runs side by side from Python: `fb.compare("runs/a", "runs/b")`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from forgetbench.api.runs import Run
from forgetbench.figures import Finding

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
    """Set runs of one benchmark side by side, paired by sample, and write page, JSON and CSV into `out`.

    Args:
        runs: Two or more, or their folders; one is enough with `published`.
        out: Folder, made where it is not there.
        published: Set the runs beside the paper's models.

    Raises:
        SettingError: the runs cannot be paired (other data, prompts, benchmark), or there is only one.
        RunFolderError: a folder is no run's, or a file cannot be written.
    """
    from forgetbench.figure_table import figure_table
    from forgetbench.report.comparing import write_comparison

    written = write_comparison(_folders(runs), Path(out), published=published)
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


def _folders(runs: Sequence[Run | str | Path]) -> list[Path]:
    return [entry.folder if isinstance(entry, Run) else Path(entry) for entry in runs]
