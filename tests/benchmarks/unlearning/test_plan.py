"""What a grid will cost, before anything is trained, and where the estimate of time is from."""

from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.grid.cell_run import run_cell
from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.grid.locks import CellLock, claim_cell
from forgetscope.benchmarks.unlearning.grid.preparing import list_cells, prepare_experiment
from forgetscope.benchmarks.unlearning.plan import EMBEDDED_PACE, Pace, pace_of, plan_cells
from forgetscope.benchmarks.unlearning.settings import ExecutionSettings
from forgetscope.benchmarks.unlearning.training.target import read_target
from forgetscope.benchmarks.unlearning.training.target_settings import TargetSettings
from tests.benchmarks.unlearning.small_grid import cells_of, copy_grid, small_settings


def test_a_plan_counts_steps_and_tokens_without_a_target(tmp_path: Path) -> None:
    """Four articles in steps of two, one epoch: two steps, each of as many retain articles."""
    settings, grid = small_settings(), GridFolder(tmp_path)
    prepared = [prepare_experiment(experiment, grid) for experiment in settings.experiments]
    planned = plan_cells(list_cells(settings, prepared), prepared, grid)
    assert [one.steps for one in planned] == [0, 2, 2]
    forget = sum(len(text.ids) - 1 for text in prepared[0].tokenizer.chunks(prepared[0].data.forget))
    assert planned[1].tokens > forget
    assert planned[1].seconds == pytest.approx(planned[1].tokens * 0.19e-3 + 1.2)
    assert not any(one.is_finished for one in planned)
    assert not (tmp_path / "targets").exists()
    assert planned[2].label == "embedded NPO raw original lr 0.0007 seed 0"
    assert planned[2].source.startswith("stored")


def test_time_is_known_from_the_making_of_the_target_and_better_from_a_finished_cell(
    made_grid: GridFolder, tmp_path: Path
) -> None:
    grid, settings = copy_grid(made_grid, tmp_path / "grid"), small_settings()
    prepared = [prepare_experiment(experiment, grid) for experiment in settings.experiments]
    before = plan_cells(cells_of(grid), prepared, grid)[1]
    made = read_target(grid.target(prepared[0].target))
    assert before.source == "measured: making the target; evaluation comes on top"
    assert before.seconds == pytest.approx(before.tokens * made.seconds / made.tokens)
    config = cells_of(grid)[1]
    claim = claim_cell(grid.cell(config.id))
    assert isinstance(claim, CellLock)
    with claim:
        result = run_cell(grid, config, ExecutionSettings(), claim)
    assert result.training is not None
    after = plan_cells(cells_of(grid), prepared, grid)
    assert [one.is_finished for one in after] == [False, True, False]
    assert after[2].source == "measured: 1 finished cell in this folder"
    tokens = result.training.forget_tokens + result.training.retain_tokens
    pace = result.training.seconds / tokens
    assert after[2].seconds == pytest.approx(after[2].tokens * pace + result.seconds["evaluate"])


def test_nothing_is_guessed_of_a_model_never_seen(tmp_path: Path) -> None:
    given = TargetSettings(model="smollm2", fit=None)
    assert pace_of("t" * 16, given, [], GridFolder(tmp_path)) is None
    assert pace_of("t" * 16, TargetSettings(), [], GridFolder(tmp_path)) == EMBEDDED_PACE


def test_the_seconds_of_a_cell_by_hand() -> None:
    assert Pace(0.001, 2.0, "").seconds(3000) == 5.0
