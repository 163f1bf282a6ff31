"""Unlearning grids as runs: what a page has to say of a run that was training and not Inspect's."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import JsonValue

    from forgetscope.benchmarks.unlearning.grid.results import GridResults
    from forgetscope.comparison.design import ComparisonDesign
    from forgetscope.report import TableRun, WrittenReport
    from forgetscope.report.summary import SummaryFacts

TITLE = "Controllable unlearning"
GRID_NAME = "grid.json"


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
    from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
    from forgetscope.benchmarks.unlearning.grid.results import grid_results
    from forgetscope.report import TableRun

    found = grid_results(GridFolder(folder), published=published)
    return TableRun(folder, _facts(found), found.table, found.results)


def comparable_grid(folder: Path, *, published: bool = False) -> "tuple[TableRun, ComparisonDesign]":
    """A grid with sample ids that another grid's samples can be matched by, and what grids are compared by.

    Raises:
        RunFolderError: no grid, or nothing finished.
    """
    from dataclasses import replace

    from forgetscope.benchmarks.unlearning.report.comparison import COMPARISON, comparable_table

    run = grid_run(folder, published=published)
    return replace(run, table=comparable_table(run.table)), COMPARISON


def is_grid(folder: Path) -> bool:
    """Whether a folder is a grid's, and not an Inspect run's."""
    return (folder / GRID_NAME).is_file()


def _facts(found: "GridResults") -> "SummaryFacts":
    import hashlib
    import platform

    from forgetscope.benchmarks.unlearning.evaluation.base import BENCHMARK
    from forgetscope.benchmarks.unlearning.evaluation.prompts import PROMPTS_VERSION
    from forgetscope.core.outcomes import Account
    from forgetscope.core.version import VERSION
    from forgetscope.report.summary import SummaryFacts

    account = Account.of(found.table["status"].to_list(), found.table["raw_pass"].to_list())
    lost = sum(count for status, count in account.counts.items() if status.is_lost)
    missing = found.planned - found.table.height
    whole = len(found.finished) == len(found.cells)
    completeness = 1 - (lost + missing) / found.planned if found.planned else None
    data = sorted({config.data for config in found.cells})
    cells = " ".join(sorted(config.id for config in found.cells))
    settings = _flat(found.settings.model_dump(mode="json", exclude={"experiments", "execution"}))
    return SummaryFacts(
        benchmark=BENCHMARK,
        title=TITLE,
        model=", ".join(sorted({_model_name(one.target.model) for one in found.settings.experiments})),
        decoding="greedy",
        judge="",
        data=", ".join(sorted({config.corpus for config in found.cells})),
        data_sha256=", ".join(data),
        prompts_version=PROMPTS_VERSION,
        plan_sha256=hashlib.sha256(cells.encode()).hexdigest(),
        settings=settings,
        forgetscope=VERSION,
        inspect_ai="",
        python=platform.python_version(),
        started=min(result.started for result in found.finished),
        finished=max(result.finished for result in found.finished),
        status="complete" if whole and not lost else "incomplete",
        completeness=completeness,
        completeness_floor=1.0,
        planned=found.planned,
        samples=found.table.height,
        notes=(f"{len(found.finished)} of {len(found.cells)} cells are finished.", *_model_notes(found)),
    )


def _flat(settings: "dict[str, JsonValue]", under: str = "") -> "dict[str, JsonValue]":
    """Settings in settings as `training.epochs`; what is empty is left out."""
    flat: dict[str, JsonValue] = {}
    for name, value in settings.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{under}{name}.")
        elif value not in (None, []):
            flat[under + name] = value
    return flat


def _model_name(model: str) -> str:
    """What a page calls the model that is unlearned: models of ours by what they are, others by their last name."""
    from forgetscope.benchmarks.unlearning.training.shipped import SHIPPED
    from forgetscope.benchmarks.unlearning.training.target import EMBEDDED

    ours = {EMBEDDED: "target made here (embedded)", SHIPPED: "shipped target (embedded)"}
    return ours.get(model, Path(model).name)


def _model_notes(found: "GridResults") -> tuple[str, ...]:
    """What a reader must know of models of ours."""
    from forgetscope.benchmarks.unlearning.training.shipped import SHIPPED
    from forgetscope.benchmarks.unlearning.training.target import EMBEDDED

    models = {one.target.model for one in found.settings.experiments}
    notes = {
        EMBEDDED: "The target was made from nothing on this machine and knows the embedded corpus alone.",
        SHIPPED: "The target is the one in the package, an embedded reference: it knows the embedded corpus alone.",
    }
    return tuple(text for name, text in notes.items() if name in models)
