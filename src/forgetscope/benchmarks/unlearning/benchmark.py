"""The unlearning benchmark as the rest of the system sees it."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import polars as pl

from forgetscope.benchmarks.base import Check, FigureFacts, VerifiedPart
from forgetscope.benchmarks.grids import GridBenchmark, GridRun, GridWatch, PlannedTraining
from forgetscope.benchmarks.unlearning.data.catalogue import SOURCES
from forgetscope.benchmarks.unlearning.evaluation.base import SAMPLE_COLUMNS
from forgetscope.benchmarks.unlearning.listed import COMMAND, TITLE
from forgetscope.benchmarks.unlearning.prompts import PROMPTS_VERSION
from forgetscope.benchmarks.unlearning.report.comparison import COMPARISON, comparable_table
from forgetscope.benchmarks.unlearning.report.profile import AIMS
from forgetscope.benchmarks.unlearning.settings import Experiment, GridSettings
from forgetscope.benchmarks.unlearning.validation.reference import REFERENCE_MODELS
from forgetscope.findings.figures import Results, Table
from forgetscope.findings.measures import FigureIndex


def _results(table: pl.DataFrame, facts: FigureFacts) -> Results:
    from forgetscope.benchmarks.unlearning.report.results import results

    return results(table, facts)


def _paper_tables(runs: Mapping[str, FigureIndex]) -> tuple[Table, ...]:
    from forgetscope.benchmarks.unlearning.report.table1 import paper_tables

    return paper_tables(runs)


def _load(folder: Path, published: bool) -> GridRun:
    from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
    from forgetscope.benchmarks.unlearning.grid.results import grid_run

    return grid_run(GridFolder(folder), published=published)


def _paper_grid(corpus: str, target: str, data: str, built: Path | None, is_extended: bool) -> GridSettings:
    from forgetscope.benchmarks.unlearning.paper import paper_grid

    return paper_grid(corpus, target, data, built=built, is_extended=is_extended)


def _plan(settings: GridSettings, folder: Path) -> list[PlannedTraining]:
    from forgetscope.benchmarks.unlearning.plan import plan_grid

    return plan_grid(settings, folder)


def _run(settings: GridSettings, folder: Path, workers: int, threads: int, watch: GridWatch) -> bool:
    from forgetscope.benchmarks.unlearning.grid.running import run_grid

    return run_grid(settings, folder, workers=workers, threads=threads, watch=watch)


def _read(given: object) -> GridSettings:
    from forgetscope.benchmarks.unlearning.grid.configuration import read_settings, settings_of

    return read_settings(given) if isinstance(given, Path) else settings_of(given)


def _demo(quick: bool) -> GridSettings:
    """From the shipped target: three methods on three formats, or on raw text alone."""
    from forgetscope.benchmarks.unlearning.grid.demonstration import demo_settings

    return demo_settings(3 if quick else 9, target="shipped")


def _validate(watch: GridWatch) -> Iterator[list[Check]]:
    from forgetscope.benchmarks.unlearning.validation.expectations import validate_unlearning

    return validate_unlearning(watch=watch)


def _verified(folder: Path) -> Iterator[VerifiedPart]:
    from forgetscope.benchmarks.unlearning.grid.verifying import verified_grid

    return verified_grid(folder)


BENCHMARK = GridBenchmark[GridSettings](
    name="unlearning",
    title=TITLE,
    settings=GridSettings,
    prompts_version=PROMPTS_VERSION,
    columns=SAMPLE_COLUMNS,
    results=_results,
    reference_models=REFERENCE_MODELS,
    comparison=COMPARISON,
    sources=SOURCES,
    aims=AIMS,
    command=COMMAND,
    mark="grid.json",
    read=_read,
    paper_grid=_paper_grid,
    plan=_plan,
    run=_run,
    load=_load,
    paper_tables=_paper_tables,
    comparable=comparable_table,
    demo=_demo,
    validate=_validate,
    verified=_verified,
    validated_data=lambda: Experiment().data.corpus.load().sha256,
)
