"""Workers: any number, killed at any time, here or through submitit."""

import json
import os
import signal
import threading
import time
from pathlib import Path

import polars as pl
import pytest

from forgetscope.benchmarks.grids import Progress
from forgetscope.benchmarks.unlearning.grid.cells import FAILURE_NAME, SAMPLES_NAME, GridFolder
from forgetscope.benchmarks.unlearning.grid.preparing import gather
from forgetscope.benchmarks.unlearning.grid.workers import (
    SlurmSettings,
    _submit,
    run_local_workers,
    submit_workers,
    work,
)
from forgetscope.core.errors import RunFolderError, SettingError
from tests.benchmarks.unlearning.small_grid import cells_of, copy_grid


@pytest.fixture
def grid(made_grid: GridFolder, tmp_path: Path) -> GridFolder:
    return copy_grid(made_grid, tmp_path / "grid")


def figures(grid: GridFolder) -> pl.DataFrame:
    """All samples of a grid without the clock, in order."""
    samples = gather(grid).samples
    assert samples is not None
    return samples.drop("seconds").sort("sample_id")


def workers_of(path: Path) -> list[int]:
    """Process ids of the workers of this grid."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"forgetscope.benchmarks.unlearning.grid.workers" in command and str(path).encode() in command:
                found.append(int(entry.name))
    return found


@pytest.mark.slow
def test_a_grid_whose_workers_are_killed_three_times_comes_to_the_same_table(
    made_grid: GridFolder, grid: GridFolder, tmp_path: Path
) -> None:
    undisturbed = copy_grid(made_grid, tmp_path / "undisturbed")
    work(undisturbed.path)
    killed: set[int] = set()
    claims_seen: set[Path] = set()

    def kill_three() -> None:
        """Each time somebody has taken a cell and is at work on it."""
        until = time.monotonic() + 120
        while len(killed) < 3 and time.monotonic() < until:
            new = set(grid.path.glob("cells/*/claim-*")) - claims_seen
            for claim in new:
                owner = json.loads(claim.read_text() or "{}").get("pid")
                if owner in workers_of(grid.path) and len(killed) < 3:
                    os.kill(owner, signal.SIGKILL)
                    killed.add(owner)
            claims_seen.update(new)
            time.sleep(0.05)

    killer = threading.Thread(target=kill_three)
    killer.start()
    progress = run_local_workers(grid.path, workers=2)
    killer.join()
    assert progress == Progress(finished=3, failed=0, cells=3, workers=0)
    assert len(killed) == 3
    assert figures(grid).equals(figures(undisturbed))
    assert not [path for path in grid.path.glob("cells/*/*") if path.name.startswith((".", "tmp"))]


@pytest.mark.slow
def test_workers_submitted_through_submitit_finish_the_grid(grid: GridFolder) -> None:
    jobs = _submit(grid.path, SlurmSettings(cluster="local", workers=1, minutes=5))
    done = [job.result() for job in jobs]
    assert sorted(label for one in done for label in one.finished) == sorted(config.label for config in cells_of(grid))
    assert gather(grid).missing == 0


def test_a_cluster_that_is_not_there_is_one_line(grid: GridFolder) -> None:
    with pytest.raises(SettingError, match="--slurm: the cluster does not take these jobs"):
        submit_workers(grid.path, SlurmSettings(cluster="nowhere"))


def test_a_folder_without_a_grid_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="no grid here"):
        work(tmp_path)
    with pytest.raises(SettingError, match="at least one worker; found 0"):
        run_local_workers(tmp_path, workers=0)


def test_a_cell_that_fails_does_not_hold_up_the_others_and_is_named(grid: GridFolder) -> None:
    target, ascent, npo = cells_of(grid)
    grid.cell(ascent.id).mkdir(parents=True)
    (grid.cell(ascent.id) / FAILURE_NAME).write_text('{"error": "no luck"}')
    done = work(grid.path)
    assert set(done.finished) == {target.label, npo.label}
    gathered = gather(grid)
    assert gathered.failures == {ascent.label: "no luck"}
    assert gathered.missing == 1
    assert not (grid.cell(ascent.id) / SAMPLES_NAME).exists()
