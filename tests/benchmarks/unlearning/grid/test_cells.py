"""Cells: named by what they are, finished once, and honest about what went wrong."""

import contextlib
import json
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
import torch

from forgetscope.benchmarks.unlearning.grid.cell_run import run_cell
from forgetscope.benchmarks.unlearning.grid.cells import (
    FAILURE_NAME,
    LIKELIHOODS_NAME,
    RESULT_NAME,
    SAMPLES_NAME,
    TRAINING_NAME,
    CellConfig,
    CellResult,
    GridFolder,
    read_result,
)
from forgetscope.benchmarks.unlearning.grid.locks import CellLock, ClaimLostError, claim_cell
from forgetscope.benchmarks.unlearning.grid.preparing import gather
from forgetscope.benchmarks.unlearning.grid.workers import work
from forgetscope.benchmarks.unlearning.settings import ExecutionSettings
from forgetscope.benchmarks.unlearning.training.checkpoints import CHECKPOINT_NAME
from forgetscope.benchmarks.unlearning.training.target import load_target
from forgetscope.benchmarks.unlearning.training.task import StepLog
from forgetscope.core.errors import RunFolderError, SettingError
from forgetscope.core.outcomes import Status
from forgetscope.core.results import CORE_SCHEMA
from forgetscope.io.tables import read_table
from tests.benchmarks.unlearning.small_grid import cells_of, copy_grid, make_grid, small_settings


@pytest.fixture
def grid(made_grid: GridFolder, tmp_path: Path) -> GridFolder:
    return copy_grid(made_grid, tmp_path / "grid")


def run(grid: GridFolder, config: CellConfig, execution: ExecutionSettings | None = None) -> CellResult:
    claim = claim_cell(grid.cell(config.id))
    assert isinstance(claim, CellLock)
    with claim:
        return run_cell(grid, config, execution or ExecutionSettings(), claim)


def test_the_hash_of_a_cell_follows_its_whole_configuration(grid: GridFolder) -> None:
    target, ascent, npo = cells_of(grid)
    assert len({target.id, ascent.id, npo.id}) == 3
    assert CellConfig.model_validate_json(npo.model_dump_json()).id == npo.id
    assert npo.unlearning is not None
    rate = npo.unlearning.training.model_copy(update={"learning_rate": 1e-6})
    other = npo.model_copy(update={"unlearning": npo.unlearning.model_copy(update={"training": rate})})
    assert other.id != npo.id
    assert npo.model_copy(update={"seed": 1}).id != npo.id


def test_a_finished_cell_has_samples_likelihoods_a_log_and_its_result(grid: GridFolder) -> None:
    _, ascent, _ = cells_of(grid)
    result = run(grid, ascent)
    folder = grid.cell(ascent.id)
    assert result == read_result(folder)
    assert result.status == "complete"
    samples = read_table(folder / SAMPLES_NAME)
    assert set(CORE_SCHEMA) < set(samples.columns)
    assert samples["sample_id"].is_unique().all()
    assert dict(samples.group_by("measure").len().iter_rows()) == {
        "verbatim": 4,
        "knowledge_forget": 16,
        "knowledge_low": 12,
        "knowledge_high": 12,
        "knowledge_world": 24,
    }
    assert set(samples["status"]) <= {status.value for status in Status}
    assert samples["method"].unique().to_list() == ["ga"]
    likelihoods = read_table(folder / LIKELIHOODS_NAME)
    assert set(likelihoods["kind"]) == {"forget", "forget_format", "retain_low", "retain_high", "holdout"}
    known = likelihoods.filter(pl.col("kind") == "forget")
    assert known["target_nll"].null_count() == 0
    assert (known["nll"] > known["target_nll"]).all()
    lines = [json.loads(line) for line in (folder / TRAINING_NAME).read_text().splitlines()]
    assert [line["step"] for line in lines] == [0, 1]
    assert result.training is not None
    assert result.training.steps == 2
    assert result.figures["score.verbatim"] is not None
    leftovers = {path.name for path in folder.iterdir()} - {"claim-1", "cell.json"}
    assert leftovers == {RESULT_NAME, SAMPLES_NAME, LIKELIHOODS_NAME, TRAINING_NAME}


def test_the_targets_own_cell_is_the_model_as_it_is(grid: GridFolder) -> None:
    target, _, _ = cells_of(grid)
    result = run(grid, target)
    assert result.training is None
    samples = read_table(grid.cell(target.id) / SAMPLES_NAME)
    assert samples["method"].unique().to_list() == ["target"]
    assert samples["forget_format"].null_count() == len(samples)


def test_the_same_cell_gives_the_same_figures_twice(grid: GridFolder, tmp_path: Path) -> None:
    other = copy_grid(grid, tmp_path / "other")
    _, _, npo = cells_of(grid)
    assert run(grid, npo).figures == run(other, npo).figures


def test_a_finished_cell_is_never_run_again(grid: GridFolder) -> None:
    first = work(grid.path)
    assert len(first.finished) == 3
    written = {config.id: (grid.cell(config.id) / RESULT_NAME).read_bytes() for config in cells_of(grid)}
    assert work(grid.path).finished == ()
    for identity, content in written.items():
        assert (grid.cell(identity) / RESULT_NAME).read_bytes() == content


def test_a_cell_that_diverges_keeps_its_record_and_counts_every_sample_as_lost(grid: GridFolder) -> None:
    target, ascent, _ = cells_of(grid)
    folder = grid.target(target.target)
    model = load_target(folder)
    with torch.no_grad():
        for parameter in model.network.parameters():
            parameter.mul_(1e20)
    model.save(folder)
    result = run(grid, ascent)
    assert result.status == "diverged"
    assert result.training is not None
    assert result.training.ended == "diverged"
    samples = read_table(grid.cell(ascent.id) / SAMPLES_NAME)
    assert set(samples["status"]) == {"model_error"}
    assert len(samples) == 68
    assert samples["score"].null_count() == len(samples)
    assert samples["error"][0].startswith("training diverged at step 0")
    (line,) = (grid.cell(ascent.id) / TRAINING_NAME).read_text().splitlines()
    assert "NaN" not in line
    assert json.loads(line)["gradient"] is None
    assert len(read_table(grid.cell(ascent.id) / LIKELIHOODS_NAME)) == 0


def test_a_target_that_knows_nothing_is_refused_in_one_line(tmp_path: Path) -> None:
    experiment = dict(small_settings().experiments[0].model_dump(mode="json"))
    experiment["target"] = {**experiment["target"], "gate": {"verbatim": 0.9, "knowledge": 0.8}}
    settings = small_settings(experiments=[experiment])
    with pytest.raises(
        SettingError,
        match=r"the target does not know what it is to forget; found 'verbatim 0\.\d\d, knowledge_forget 0\.\d\d'; "
        r"allowed: ROUGE-L F1 of at least 0\.9 verbatim and 0\.8 knowledge.*next: fit it for more epochs",
    ) as caught:
        make_grid(tmp_path, settings)
    assert "\n" not in str(caught.value)


def test_a_cell_of_a_format_the_data_lacks_fails_in_one_line(grid: GridFolder) -> None:
    _, ascent, _ = cells_of(grid)
    assert ascent.unlearning is not None
    poems = ascent.model_copy(update={"unlearning": ascent.unlearning.model_copy(update={"forget_format": "poems"})})
    with pytest.raises(SettingError, match="the data was not made in this format; found 'poems'; allowed: raw"):
        run(grid, poems)


def test_a_worker_that_was_overtaken_writes_nothing(grid: GridFolder) -> None:
    _, ascent, _ = cells_of(grid)
    claim = claim_cell(grid.cell(ascent.id))
    assert isinstance(claim, CellLock)

    def overtake(_: StepLog) -> None:
        (grid.cell(ascent.id) / "claim-2").write_text("{}")

    with claim, pytest.raises(ClaimLostError):
        run_cell(grid, ascent, ExecutionSettings(), claim, on_step=overtake)
    assert not (grid.cell(ascent.id) / RESULT_NAME).exists()
    assert not (grid.cell(ascent.id) / SAMPLES_NAME).exists()


def test_a_killed_cell_goes_on_from_its_checkpoint(grid: GridFolder) -> None:
    _, _, npo = cells_of(grid)
    execution = ExecutionSettings(checkpoint_seconds=0)
    program = (
        "import os, sys, signal; from pathlib import Path\n"
        "from forgetscope.benchmarks.unlearning.grid.cells import *\n"
        "from forgetscope.benchmarks.unlearning.grid.cell_run import run_cell\n"
        "from forgetscope.benchmarks.unlearning.grid.locks import claim_cell\n"
        "from forgetscope.benchmarks.unlearning.settings import ExecutionSettings\n"
        "config = CellConfig.model_validate_json(sys.argv[2])\n"
        "grid = GridFolder(Path(sys.argv[1])); claim = claim_cell(grid.cell(config.id))\n"
        "def kill(log):\n"
        "    if log.step == 1: os.kill(os.getpid(), signal.SIGKILL)\n"
        "with claim: run_cell(grid, config, ExecutionSettings(checkpoint_seconds=0), claim, on_step=kill)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(grid.path), npo.model_dump_json()], check=False, capture_output=True
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
    assert (grid.cell(npo.id) / CHECKPOINT_NAME).exists()
    result = run(grid, npo, execution)
    assert result.training is not None
    assert result.training.resumed_at == 1
    assert result.attempts == 2
    assert not (grid.cell(npo.id) / CHECKPOINT_NAME).exists()


@contextlib.contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """No file may grow beyond `size` bytes: writing more fails, as on a full disk."""
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("size", [2_000, 9_000])
def test_a_full_disk_fails_the_cell_in_one_line_and_leaves_nothing_half_written(grid: GridFolder, size: int) -> None:
    with files_of_at_most(size):
        done = work(grid.path)
    assert len(done.failed) == 3
    for config in cells_of(grid):
        reason = grid.failure(config.id)
        assert reason is not None
        assert "cannot write; found 'File too large'" in reason
        assert "\n" not in reason
        folder = grid.cell(config.id)
        assert not (folder / RESULT_NAME).exists()
        assert not [path for path in folder.iterdir() if path.name.startswith((".", "tmp"))]
        (folder / FAILURE_NAME).unlink()
    assert len(work(grid.path).finished) == 3
    assert gather(grid).missing == 0


def test_results_of_another_target_under_the_same_name_are_refused(grid: GridFolder) -> None:
    work(grid.path)
    _, ascent, _ = cells_of(grid)
    path = grid.cell(ascent.id) / RESULT_NAME
    result = read_result(grid.cell(ascent.id)).model_copy(update={"weights_sha256": "0" * 64})
    path.write_text(result.model_dump_json())
    with pytest.raises(RunFolderError, match="cells of one target started from different weights"):
        gather(grid)


def test_a_damaged_result_is_one_line(grid: GridFolder) -> None:
    _, ascent, _ = cells_of(grid)
    folder = grid.cell(ascent.id)
    folder.mkdir(parents=True)
    with pytest.raises(RunFolderError, match="the cell is not finished"):
        read_result(folder)
    (folder / RESULT_NAME).write_text("{")
    with pytest.raises(RunFolderError, match="not a cell's result"):
        read_result(folder)
