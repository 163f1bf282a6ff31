"""Workers: processes that take the cells of a grid one by one until none is left; here, or on a SLURM cluster.

Workers know of each other only through claims. Start as many as you like, wherever the folder can be seen; kill any
of them at any time; start more later.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from forgetscope.benchmarks.grids import Progress
from forgetscope.benchmarks.unlearning.grid.cell_run import run_cell
from forgetscope.benchmarks.unlearning.grid.cells import FAILURE_NAME, CellConfig, CellFailure, GridFolder
from forgetscope.benchmarks.unlearning.grid.locks import MAX_ATTEMPTS, STALE_AFTER, ClaimLostError, Refused, claim_cell
from forgetscope.benchmarks.unlearning.grid.preparing import read_grid
from forgetscope.core.errors import MissingPartError, SettingError, UserError
from forgetscope.io.files import write_text
from forgetscope.io.processes import end_with_parent

if TYPE_CHECKING:
    import submitit

POLL_SECONDS = 1.0


@dataclass(frozen=True)
class WorkDone:
    """What a worker did: labels of the cells it finished, and of those that failed."""

    finished: tuple[str, ...]
    failed: tuple[str, ...]


def work(
    path: Path,
    *,
    stale_after: float = STALE_AFTER,
    max_attempts: int = MAX_ATTEMPTS,
    say: Callable[[str], None] = lambda _: None,
) -> WorkDone:
    """Take cells of the grid at `path` until each is finished, failed, or in other hands that are alive.

    Where the others' cells are all that is left, it waits for them: one of those workers may yet be killed.

    Args:
        path: Of the grid.
        stale_after: Seconds without a touch after which another machine's claim is void.
        max_attempts: Claims after which a cell is given up.
        say: Is told what happens.

    Raises:
        RunFolderError: there is no grid at `path`.
    """
    grid = GridFolder(path)
    record = read_grid(grid)
    finished: list[str] = []
    failed: list[str] = []
    while True:
        waiting = 0
        for config in record.cells:
            if grid.is_finished(config.id) or grid.failure(config.id) is not None:
                continue
            claim = claim_cell(grid.cell(config.id), stale_after=stale_after, max_attempts=max_attempts)
            if isinstance(claim, Refused):
                if claim.reason == "given_up":
                    _fail(grid, config, f"given up after {claim.attempts} workers ended while they had it")
                    failed.append(config.label)
                else:
                    waiting += 1
                continue
            if grid.is_finished(config.id):
                continue  # finished and left between our two looks
            with claim:
                try:
                    result = run_cell(grid, config, record.settings.execution, claim)
                except ClaimLostError:
                    say(f"lost {config.label}")
                except UserError as error:
                    _fail(grid, config, str(error))
                    claim.let_go()
                    failed.append(config.label)
                    say(f"failed {config.label}: {error}")
                except KeyboardInterrupt:
                    claim.let_go()
                    raise
                else:
                    finished.append(config.label)
                    seconds = result.seconds["train"] + result.seconds["evaluate"]
                    say(f"{result.status} {config.label} in {seconds:.1f} s")
        if not waiting:
            return WorkDone(tuple(finished), tuple(failed))
        time.sleep(POLL_SECONDS)


def _fail(grid: GridFolder, config: CellConfig, error: str) -> None:
    """Note why a cell failed; where even that cannot be written, what workers print has to do."""
    try:
        write_text(grid.cell(config.id) / FAILURE_NAME, CellFailure(error=error).model_dump_json())
    except UserError:
        print(f"failed {config.label}: {error}", flush=True)


def worker_environment(threads: int) -> dict[str, str]:
    """The variables of a worker's process: so many threads, no questions to the hub, no progress bars."""
    return {
        **os.environ,
        "OMP_NUM_THREADS": str(threads),
        "MKL_NUM_THREADS": str(threads),
        "TOKENIZERS_PARALLELISM": "false",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    }


def run_local_workers(
    path: Path,
    *,
    workers: int = 2,
    threads: int = 1,
    stale_after: float = STALE_AFTER,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> Progress:
    """Run a grid by local processes; a worker that is killed is replaced while there is work.

    Args:
        path: Of the grid.
        workers: Processes.
        threads: Of each. Several processes of one thread are faster than one of several (2.4 to 3 times, measured).
        stale_after: As in `work`.
        on_progress: Called every second or so.

    Raises:
        RunFolderError: there is no grid at `path`.
        SettingError: no worker is to run.
    """
    if workers < 1:
        raise SettingError("at least one worker", where="workers", found=workers)
    grid = GridFolder(path)
    cells = read_grid(grid).cells
    logs = path / "workers"
    logs.mkdir(exist_ok=True)
    todo = sum(not grid.is_finished(config.id) for config in cells)
    running = [_start(path, logs, threads, stale_after) for _ in range(min(workers, todo))]
    try:
        return _watch(grid, cells, running, lambda: _start(path, logs, threads, stale_after), on_progress)
    finally:
        for process in running:
            process.terminate()
            process.wait()


def _watch(
    grid: GridFolder,
    cells: Sequence[CellConfig],
    running: "list[subprocess.Popen[bytes]]",
    start: "Callable[[], subprocess.Popen[bytes]]",
    on_progress: Callable[[Progress], None],
) -> Progress:
    """Wait for the workers, replacing those that were killed; `running` is kept up to date."""
    replaced, most = 0, len(running) * MAX_ATTEMPTS
    while True:
        progress = _progress(grid, cells, sum(process.poll() is None for process in running))
        on_progress(progress)
        open_cells = progress.cells - progress.finished - progress.failed
        for place, process in enumerate(running):
            killed = process.poll() not in (None, 0)
            if killed and open_cells and replaced < most:
                running[place] = start()
                replaced += 1
        if not progress.workers and all(process.poll() is not None for process in running):
            return _progress(grid, cells, 0)
        time.sleep(POLL_SECONDS)


def _start(path: Path, logs: Path, threads: int, stale_after: float) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", __name__, str(path), str(stale_after)]
    with (logs / f"{time.time_ns()}.log").open("wb") as log:
        return subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=worker_environment(threads)
        )


def _progress(grid: GridFolder, cells: Sequence[CellConfig], workers: int) -> Progress:
    finished = [config for config in cells if grid.is_finished(config.id)]
    failed = sum(grid.failure(config.id) is not None for config in cells)
    return Progress(len(finished), failed, len(cells), workers)


class SlurmSettings(BaseModel):
    """Jobs of a SLURM cluster, each of which is one worker.

    Attributes:
        workers: Jobs at a time.
        cluster: `slurm`, or `local` to try the same path on this machine.
        minutes: Time a job may take; a job cut short loses no finished cell.
        partition, gpus, cpus, memory_gb: Of a job; None leaves it to the cluster.
        parameters: Further ones, as submitit knows them (`slurm_account`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    workers: int = Field(default=1, ge=1)
    cluster: str = "slurm"
    minutes: int = Field(default=60, ge=1)
    partition: str | None = None
    gpus: int | None = None
    cpus: int | None = None
    memory_gb: float | None = None
    parameters: dict[str, str | int] = {}


def submit_workers(path: Path, settings: SlurmSettings) -> list[str]:
    """Submit workers for the grid at `path`; returns the ids of their jobs. Nothing waits for them.

    Raises:
        MissingPartError: submitit is not installed.
        SettingError: the cluster is not there, or refuses the parameters.
    """
    return [str(job.job_id) for job in _submit(path, settings)]


def _submit(path: Path, settings: SlurmSettings) -> "list[submitit.Job[WorkDone]]":
    try:
        executor = slurm_executor(path, settings)
        with executor.batch():
            return [executor.submit(work, path) for _ in range(settings.workers)]
    except (RuntimeError, NameError, ValueError, KeyError) as error:
        raise SettingError("the cluster does not take these jobs", where="--slurm", found=str(error)) from None


def slurm_executor(path: Path, settings: SlurmSettings) -> "submitit.AutoExecutor":
    """What submits jobs of a grid.

    Raises:
        MissingPartError: submitit is not installed.
        SettingError: the cluster is not there, or refuses the parameters.
    """
    os.environ.setdefault("SUBMITIT_LOG_LEVEL", "NOCONFIG")  # it would close every handler of logging there is
    try:
        import submitit
    except ImportError:
        raise MissingPartError(
            "submitit is not installed", where="--slurm", next_step="pip install 'forgetscope[unlearning]'"
        ) from None
    wanted: Mapping[str, object] = {
        "timeout_min": settings.minutes,
        "slurm_partition": settings.partition,
        "gpus_per_node": settings.gpus,
        "cpus_per_task": settings.cpus,
        "mem_gb": settings.memory_gb,
        **settings.parameters,
    }
    try:
        executor = submitit.AutoExecutor(folder=path / "workers" / "%j", cluster=settings.cluster)
        executor.update_parameters(**{name: value for name, value in wanted.items() if value is not None})
    except (RuntimeError, NameError, ValueError, KeyError) as error:
        raise SettingError("the cluster does not take these jobs", where="--slurm", found=str(error)) from None
    return executor


def main(arguments: Sequence[str]) -> int:
    """`GRID STALE_AFTER`: one worker, as `run_local_workers` starts it."""
    end_with_parent()
    import torch

    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    try:
        work(Path(arguments[0]), stale_after=float(arguments[1]), say=lambda line: print(line, flush=True))
    except UserError as error:
        print(error, flush=True)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
