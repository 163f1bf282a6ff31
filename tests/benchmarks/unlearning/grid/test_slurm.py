"""A grid on a real Slurm of this machine: submitted, one worker killed, one requeued, finished."""

import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.grid.workers import SlurmSettings, submit_workers, work
from tests.benchmarks.unlearning.grid.test_workers import figures
from tests.benchmarks.unlearning.small_grid import cells_of, copy_grid
from tools.one_machine_slurm import missing, one_machine_slurm

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing() or "there is one")]
_SECONDS = 600.0


@pytest.fixture
def _slurm(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with tempfile.TemporaryDirectory(prefix="slurm") as folder, one_machine_slurm(Path(folder)) as environment:
        for name in ("SLURM_CONF", "PATH"):
            monkeypatch.setenv(name, environment[name])
        yield


def slurm(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()


def state_of(job: str) -> str:
    return slurm("squeue", "--noheader", "--states=all", "--format=%T", f"--jobs={job}")


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + _SECONDS
    while not is_so():
        assert time.monotonic() < until, what
        time.sleep(0.2)


@pytest.mark.usefixtures("_slurm")
def test_workers_that_slurm_kills_and_requeues_finish_the_grid_to_the_local_table(
    made_grid: GridFolder, tmp_path: Path
) -> None:
    local = copy_grid(made_grid, tmp_path / "local")
    work(local.path)
    grid = copy_grid(made_grid, tmp_path / "grid")
    killed, requeued = submit_workers(grid.path, SlurmSettings(workers=2, minutes=20, cpus=1))
    wait_until(lambda: any(grid.path.glob("cells/*/claim-*")), "nobody takes a cell")
    slurm("scontrol", "requeue", requeued)
    slurm("scancel", killed)
    wait_until(lambda: state_of(killed) == "CANCELLED", "the job is not cancelled")
    wait_until(lambda: state_of(requeued) == "PENDING", "the job is not requeued")
    slurm("scontrol", "update", f"JobId={requeued}", "StartTime=now")  # else it waits for its begin time
    wait_until(lambda: state_of(requeued) == "COMPLETED", "the requeued job does not finish")
    assert "Restarts=1" in slurm("scontrol", "show", "job", requeued)
    assert all(grid.is_finished(config.id) for config in cells_of(grid))
    assert figures(grid).equals(figures(local))
