"""Grids of unlearning cells from a terminal: data, targets and cells, with what is going on shown."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from forgetbench.benchmarks.unlearning.cells import GridFolder
    from forgetbench.benchmarks.unlearning.configuration import GridSettings
    from forgetbench.benchmarks.unlearning.grid import PreparedExperiment
    from forgetbench.benchmarks.unlearning.target import TargetRecord


def run_grid(settings: "GridSettings", out: Path, *, workers: int, threads: int, as_json: bool) -> bool:
    """Data, targets and every cell of a grid, in `out`; whether all cells have a result.

    Raises:
        UserError: settings or a folder are of no use, or a target does not know its corpus.
    """
    from forgetbench.benchmarks.unlearning.cells import GridFolder
    from forgetbench.benchmarks.unlearning.grid import list_cells, write_grid

    prepared = prepare_all(settings, out)
    make_all_targets(prepared, out, threads=threads, as_json=as_json)
    write_grid(GridFolder(out), settings, list_cells(settings, prepared))
    return run_cells(out, workers=workers, threads=threads, as_json=as_json)


def prepare_all(settings: "GridSettings", out: Path) -> "list[PreparedExperiment]":
    """The data of every experiment, stored in the grid's folder."""
    from forgetbench.benchmarks.unlearning.cells import GridFolder
    from forgetbench.benchmarks.unlearning.grid import prepare_experiment

    return [prepare_experiment(experiment, GridFolder(out)) for experiment in settings.experiments]


def make_all_targets(prepared: "list[PreparedExperiment]", out: Path, *, threads: int, as_json: bool) -> None:
    """The models of every experiment; those that are there are only read."""
    from forgetbench.benchmarks.unlearning.cells import GridFolder
    from forgetbench.benchmarks.unlearning.fitting import EpochLog
    from forgetbench.benchmarks.unlearning.grid import make_targets

    for experiment in prepared:
        fit = experiment.experiment.target.fit
        with _progress(is_quiet=as_json or fit is None) as bar:
            task = bar.add_task(f"target of {experiment.corpus.name}, passes", total=fit.epochs if fit else 1)

            def show(log: EpochLog, bar: "Progress" = bar, task: "TaskID" = task) -> None:
                bar.update(task, completed=log.epoch + 1)

            record = make_targets(experiment, GridFolder(out), threads=threads, on_epoch=show)
        _print_target(record, as_json=as_json)


def _print_target(record: "TargetRecord", *, as_json: bool) -> None:
    from forgetbench.cli.printing import console

    known = {name.removeprefix("score."): value for name, value in record.knows.items() if name.startswith("score.")}
    if as_json:
        print(json.dumps({"target": record.identity, "corpus": record.corpus, "knows": known}))
        return
    words = ", ".join(
        f"{name.replace('_', ' ')} {100 * value:.1f}" for name, value in known.items() if value is not None
    )
    made = f"made in {record.seconds:.0f} s" if record.steps else "as given"
    console.print(
        f"Target of {record.corpus}: {record.parameters:,} parameters, {made}; ROUGE-L: {words}", soft_wrap=True
    )


def run_cells(out: Path, *, workers: int, threads: int, as_json: bool) -> bool:
    """Run local workers to the end; whether every cell has a result."""
    from forgetbench.benchmarks.unlearning.cells import GridFolder
    from forgetbench.benchmarks.unlearning.workers import Progress as Done
    from forgetbench.benchmarks.unlearning.workers import run_local_workers
    from forgetbench.cli.printing import console

    with _progress(is_quiet=as_json) as bar:
        task = bar.add_task("cells", total=None)

        def show(done: Done) -> None:
            words = f"cells, {done.workers} at work" + (f", {done.failed} failed" if done.failed else "")
            bar.update(task, description=words, completed=done.finished + done.failed, total=done.cells)

        done = run_local_workers(out, workers=workers, threads=threads, on_progress=show)
    if not as_json:
        console.print(f"{done.finished} of {done.cells} cells finished, {done.failed} failed.")
        for reason in failures(GridFolder(out)):
            console.print(reason, style="red", highlight=False, soft_wrap=True, markup=False)
    return done.finished == done.cells


def failures(grid: "GridFolder") -> list[str]:
    """Why cells failed, each reason once with how many cells it stopped."""
    from forgetbench.benchmarks.unlearning.grid import read_grid

    counted = Counter(reason for config in read_grid(grid).cells if (reason := grid.failure(config.id)))
    return [f"{count} of them: {reason}" for reason, count in counted.most_common()]


@contextmanager
def _progress(*, is_quiet: bool) -> "Iterator[Progress]":
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from forgetbench.cli.printing import console

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, *times, console=console, disable=is_quiet or not console.is_terminal) as bar:
        yield bar
