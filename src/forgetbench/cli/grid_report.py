"""A grid's results as a report: what a page has to say of a run that was training and not an Inspect run."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forgetbench.benchmarks.unlearning.grid_results import GridResults
    from forgetbench.report import WrittenReport
    from forgetbench.report.summary import RunFacts

TITLE = "Controllable unlearning"


def write_grid_report(
    folder: Path, *, out: Path | None = None, published: bool = False
) -> "tuple[WrittenReport, bool]":
    """Write `samples.parquet`, `summary.json` and `report.html` of a grid; also says whether all of it is finished.

    Raises:
        RunFolderError: no grid, nothing finished, or a file cannot be written.
    """
    from forgetbench.benchmarks.unlearning.cells import GridFolder
    from forgetbench.benchmarks.unlearning.grid_results import grid_results
    from forgetbench.report import write_table_report

    found = grid_results(GridFolder(folder), published=published)
    facts = _facts(found)
    written = write_table_report(facts, found.table, found.results, folder, out=out)
    return written, facts.status == "complete"


def _facts(found: "GridResults") -> "RunFacts":
    import hashlib
    import platform

    import forgetbench
    from forgetbench.benchmarks.unlearning.evaluation.base import BENCHMARK
    from forgetbench.benchmarks.unlearning.evaluation.prompts import PROMPTS_VERSION
    from forgetbench.outcomes import Account
    from forgetbench.report.summary import RunFacts

    account = Account.of(found.table["status"].to_list(), found.table["raw_pass"].to_list())
    lost = sum(count for status, count in account.counts.items() if status.is_lost)
    missing = found.planned - found.table.height
    whole = len(found.finished) == len(found.cells)
    completeness = 1 - (lost + missing) / found.planned if found.planned else None
    data = sorted({config.data for config in found.cells})
    cells = " ".join(sorted(config.id for config in found.cells))
    settings = found.settings.model_dump(mode="json", exclude={"experiments", "execution"})
    return RunFacts(
        benchmark=BENCHMARK,
        title=TITLE,
        model=", ".join(sorted({Path(one.target.model).name for one in found.settings.experiments})),
        decoding="greedy",
        judge="",
        data=", ".join(sorted({config.corpus for config in found.cells})),
        data_sha256=", ".join(data),
        prompts_version=PROMPTS_VERSION,
        plan_sha256=hashlib.sha256(cells.encode()).hexdigest(),
        settings=settings,
        forgetbench=forgetbench.__version__,
        inspect_ai="",
        python=platform.python_version(),
        started=min(result.started for result in found.finished),
        finished=max(result.finished for result in found.finished),
        status="complete" if whole else "incomplete",
        completeness=completeness,
        completeness_floor=1.0,
        planned=found.planned,
        samples=found.table.height,
        notes=(f"{len(found.finished)} of {len(found.cells)} cells are finished.",),
    )
