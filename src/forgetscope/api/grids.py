"""Benchmarks that train in grids, as runs: settings read, folders known by their mark, tables for pages."""

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forgetscope.benchmarks import GRIDS
from forgetscope.core.errors import RunFolderError

if TYPE_CHECKING:
    from forgetscope.benchmarks.grids import GridBenchmark, GridRun
    from forgetscope.comparison.design import ComparisonDesign
    from forgetscope.report import TableRun, WrittenReport
    from forgetscope.report.summary import SummaryFacts


def grid_settings(benchmark: str, given: object) -> Any:
    """Settings of a grid: from a file, from its content as plain values, the defaults for None; as they are if made.

    Raises:
        UserError: settings that cannot be read or meant.
    """
    chosen = GRIDS[benchmark]
    if isinstance(given, chosen.settings):
        return given
    if given is None or isinstance(given, Mapping):
        return chosen.read(dict(given or {}))
    return chosen.read(Path(str(given)))


def write_grid_report(
    folder: Path, *, out: Path | None = None, published: bool = False
) -> "tuple[WrittenReport, bool]":
    """Write `samples.parquet`, `summary.json` and `report.html` of a grid; also says whether all is there:
    every cell finished, and no sample lost to a training that diverged.

    Raises:
        RunFolderError: no grid, nothing finished, or a file cannot be written.
    """
    from forgetscope.report import write_table_report

    run = grid_run(folder, published=published)
    return write_table_report(run, out=out), run.is_complete


def grid_run(folder: Path, *, published: bool = False) -> "TableRun":
    """A grid's table and results, for a page of its own or a chapter beside others.

    Raises:
        RunFolderError: no grid, or nothing finished.
    """
    from forgetscope.report import TableRun

    chosen = _benchmark_of(folder)
    found = chosen.load(folder, published)
    return TableRun(folder, _facts(chosen, found), found.table, found.results, found.origin)


def comparable_grid(folder: Path, *, published: bool = False) -> "tuple[TableRun, ComparisonDesign]":
    """A grid with sample ids that another grid's samples can be matched by, and what grids are compared by.

    Raises:
        RunFolderError: no grid, nothing finished, or grids of this benchmark are not compared.
    """
    run, chosen = grid_run(folder, published=published), _benchmark_of(folder)
    if chosen.comparison is None:
        raise RunFolderError("grids of this benchmark are not compared", where=str(folder), found=chosen.name)
    return replace(run, table=chosen.comparable(run.table)), chosen.comparison


def is_grid(folder: Path) -> bool:
    """Whether a folder is a grid's, and not an Inspect run's."""
    from forgetscope.running.manifest import MANIFEST_NAME

    is_run = (folder / MANIFEST_NAME).is_file()  # which needs no benchmark imported to see
    return not is_run and any((folder / chosen.mark).is_file() for chosen in GRIDS.values())


def _benchmark_of(folder: Path) -> "GridBenchmark[Any]":
    for chosen in GRIDS.values():
        if (folder / chosen.mark).is_file():
            return chosen
    commands = " or ".join(f"{chosen.command} grid" for chosen in GRIDS.values())
    raise RunFolderError("no grid here", where=str(folder), next_step=commands)


def _facts(chosen: "GridBenchmark[Any]", found: "GridRun") -> "SummaryFacts":
    from forgetscope.core.outcomes import Account
    from forgetscope.core.version import VERSION
    from forgetscope.report.summary import SummaryFacts

    account = Account.of(found.table["status"].to_list(), found.table["raw_pass"].to_list())
    lost = sum(count for status, count in account.counts.items() if status.is_lost)
    missing = found.planned - found.table.height
    whole = found.finished == len(found.cells)
    return SummaryFacts(
        benchmark=chosen.name,
        title=chosen.title,
        model=found.model,
        decoding="greedy",
        judge="",
        data=found.data,
        data_sha256=found.data_sha256,
        prompts_version=chosen.prompts_version,
        plan_sha256=hashlib.sha256(" ".join(sorted(found.cells)).encode()).hexdigest(),
        settings=dict(found.settings),
        forgetscope=VERSION,
        inspect_ai="",
        python=platform.python_version(),
        started=found.began,
        finished=found.ended,
        status="complete" if whole and not lost else "incomplete",
        completeness=1 - (lost + missing) / found.planned if found.planned else None,
        completeness_floor=1.0,
        planned=found.planned,
        samples=found.table.height,
        notes=found.notes,
    )
