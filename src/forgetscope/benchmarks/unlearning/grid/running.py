"""A grid from its settings to finished cells: data, targets, workers; whoever wants to know is told how it gets on."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import get_args

from forgetscope.benchmarks.grids import GridWatch, MadeTarget
from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.grid.preparing import (
    PreparedExperiment,
    list_cells,
    make_model,
    prepare_experiments,
    read_grid,
    write_grid,
)
from forgetscope.benchmarks.unlearning.grid.workers import run_local_workers
from forgetscope.benchmarks.unlearning.settings import GridSettings, Role
from forgetscope.benchmarks.unlearning.training.fitting import EpochLog


def run_grid(settings: GridSettings, out: Path, *, workers: int, threads: int, watch: GridWatch) -> bool:
    """Data, targets and every cell of a grid, in `out`; what is there already is kept.

    Args:
        settings: Of the grid.
        out: Its folder.
        workers: Processes on this machine.
        threads: Of each.
        watch: Is told how it gets on.

    Returns:
        Whether every cell has a result.

    Raises:
        UserError: settings or a folder are of no use, or a target does not know its corpus.
    """
    prepared = prepare_experiments(settings, GridFolder(out))
    make_models(prepared, out, threads=threads, watch=watch)
    write_grid(GridFolder(out), settings, list_cells(settings, prepared))
    return run_cells(out, workers=workers, threads=threads, watch=watch)


def make_models(
    prepared: Sequence[PreparedExperiment],
    out: Path,
    *,
    threads: int,
    watch: GridWatch,
    roles: Collection[Role] = get_args(Role),
) -> None:
    """The models of these roles of every experiment; those that are there are only read."""
    for experiment in prepared:
        for role, settings in experiment.experiment.models.items():
            if role not in roles:
                continue
            name = experiment.corpus.name if role == "target" else f"{experiment.corpus.name}, retain-only"
            with watch.fitting(name, settings.fit.epochs if settings.fit else None) as done:
                on_epoch = partial(_tell, done)
                record = make_model(experiment, role, GridFolder(out), threads=threads, on_epoch=on_epoch)
            made = {field.name: getattr(record, field.name) for field in fields(MadeTarget)}
            watch.made(MadeTarget(**{**made, "corpus": name}))


def _tell(done: Callable[[int], None], log: EpochLog) -> None:
    done(log.epoch + 1)


def run_cells(out: Path, *, workers: int, threads: int, watch: GridWatch) -> bool:
    """Run local workers to the end; whether every cell has a result."""
    with watch.working() as on_progress:
        done = run_local_workers(out, workers=workers, threads=threads, on_progress=on_progress)
    watch.worked(done, failures(GridFolder(out)))
    return done.finished == done.cells


def failures(grid: GridFolder) -> list[str]:
    """Why cells failed, each reason once with how many cells it stopped."""
    counted = Counter(reason for config in read_grid(grid).cells if (reason := grid.failure(config.id)))
    return [f"{count} of them: {reason}" for reason, count in counted.most_common()]
