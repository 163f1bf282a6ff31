"""Two processes with sharded weights take the same steps as one."""

import json
import sys
from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.grid.cell_run import run_cell
from forgetscope.benchmarks.unlearning.grid.cells import CELL_NAME, TRAINING_NAME, CellConfig, CellResult, GridFolder
from forgetscope.benchmarks.unlearning.grid.locks import CellLock, claim_cell
from forgetscope.benchmarks.unlearning.grid.sharded import main, train_sharded
from forgetscope.benchmarks.unlearning.settings import ExecutionSettings
from forgetscope.benchmarks.unlearning.training.target import load_target
from forgetscope.core.errors import RunFolderError
from tests.benchmarks.unlearning.small_grid import cells_of, copy_grid


def run(
    grid: GridFolder, config: CellConfig, execution: ExecutionSettings
) -> tuple[CellResult, list[dict[str, float]]]:
    claim = claim_cell(grid.cell(config.id))
    assert isinstance(claim, CellLock)
    with claim:
        result = run_cell(grid, config, execution, claim)
    lines = (grid.cell(config.id) / TRAINING_NAME).read_text().splitlines()
    return result, [json.loads(line) for line in lines]


@pytest.mark.slow
def test_two_processes_give_the_losses_of_one(made_grid: GridFolder, tmp_path: Path) -> None:
    """Three forget texts a step: the second process has one, and repeats it with weight 0 for the second pass."""
    _, _, npo = cells_of(made_grid)
    assert npo.unlearning is not None
    training = npo.unlearning.training.model_copy(update={"batch_size": 3, "epochs": 2})
    config = npo.model_copy(update={"unlearning": npo.unlearning.model_copy(update={"training": training})})
    alone, steps = run(
        copy_grid(made_grid, tmp_path / "one"), config, ExecutionSettings(processes=1, micro_batch_size=1)
    )
    shared, same_steps = run(
        copy_grid(made_grid, tmp_path / "two"), config, ExecutionSettings(processes=2, micro_batch_size=1)
    )
    assert len(steps) == len(same_steps) == 4
    for one, two in zip(steps, same_steps, strict=True):
        for name in ("forget_loss", "forget_nll", "forget_gradient", "gradient", "weight"):
            assert two[name] == pytest.approx(one[name], rel=1e-4), name
        for name in ("retain_loss", "retain_gradient", "gradient_cosine"):
            assert two[name] == pytest.approx(one[name], rel=1e-2, abs=1e-6), name
    nll, same_nll = alone.figures["nll.forget"], shared.figures["nll.forget"]
    assert nll is not None
    assert same_nll == pytest.approx(nll, rel=1e-4)


def test_sharded_training_that_ends_early_is_one_line_with_its_log(
    made_grid: GridFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = copy_grid(made_grid, tmp_path / "grid")
    _, _, npo = cells_of(grid)
    model = load_target(grid.target(npo.target))
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(RunFolderError, match=r"log\.txt: sharded training ended without a result; found 'nothing was"):
        train_sharded(grid, npo, ExecutionSettings(processes=2), model, lambda: False)


def test_a_process_that_cannot_train_says_why_in_one_line(
    made_grid: GridFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grid = copy_grid(made_grid, tmp_path / "grid")
    _, _, npo = cells_of(grid)
    grid.cell(npo.id).mkdir(parents=True)
    (grid.cell(npo.id) / CELL_NAME).write_text(npo.model_dump_json())
    execution = ExecutionSettings(processes=2).model_dump_json()
    assert main([str(grid.path), npo.id, execution]) == 2
    assert capsys.readouterr().out == (
        "execution.processes: the launcher started another number of processes; found 1; allowed: 2\n"
    )
