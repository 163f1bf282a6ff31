"""Scores and changes epoch by epoch, by hand and from a cell that was run."""

import shutil
from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.evaluation.base import EPOCH_SCHEMA
from forgetscope.benchmarks.unlearning.grid.cell_run import run_cell
from forgetscope.benchmarks.unlearning.grid.cells import EPOCHS_NAME, CellResult, GridFolder
from forgetscope.benchmarks.unlearning.grid.locks import CellLock, claim_cell
from forgetscope.benchmarks.unlearning.grid.preparing import list_cells, prepare_experiments, write_grid
from forgetscope.benchmarks.unlearning.grid.results import grid_results
from forgetscope.benchmarks.unlearning.settings import ExecutionSettings
from forgetscope.findings.measures import FigureIndex
from forgetscope.io.tables import read_table
from tests.benchmarks.unlearning.small_grid import copy_grid, small_settings

LOOKING = ExecutionSettings(evaluate_epochs=True)


def two_epochs(grid: GridFolder) -> list[CellResult]:
    """The target and two epochs of GA, seen after each; and the same again without looking."""
    settings = small_settings(methods=["ga"], training={"epochs": 2, "batch_size": 2})
    configs = list_cells(settings, prepare_experiments(settings, grid))
    write_grid(grid, settings, configs)
    found = []
    for config in configs:
        claim = claim_cell(grid.cell(config.id))
        assert isinstance(claim, CellLock)
        with claim:
            found.append(run_cell(grid, config, LOOKING, claim))
    return found


@pytest.fixture
def grid(made_grid: GridFolder, tmp_path: Path) -> GridFolder:
    return copy_grid(made_grid, tmp_path / "grid")


def test_every_epoch_is_evaluated_and_training_is_none_the_worse(grid: GridFolder) -> None:
    _, looked = two_epochs(grid)
    assert list(looked.by_epoch) == [1]
    assert set(looked.by_epoch[1]) >= {"score.verbatim", "score.knowledge_forget"}
    assert set(read_table(grid.cell(looked.id) / EPOCHS_NAME, EPOCH_SCHEMA)["epoch"]) == {1}
    shutil.rmtree(grid.cell(looked.id))
    claim = claim_cell(grid.cell(looked.id))
    assert isinstance(claim, CellLock)
    with claim:
        plain = run_cell(grid, looked.config, ExecutionSettings(), claim)
    assert (plain.figures, plain.by_epoch) == (looked.figures, {})


def test_the_page_has_the_change_of_every_epoch_and_the_histogram_of_entanglement(grid: GridFolder) -> None:
    target, looked = two_epochs(grid)
    found = grid_results(grid)
    index = FigureIndex(found.results.figures)
    by_epoch = {
        entry.factors["epoch"]: entry.value
        for entry in index.named("epoch.score")
        if entry.factors["measure"] == "verbatim"
    }
    assert by_epoch == {1: looked.by_epoch[1]["score.verbatim"], 2: looked.figures["score.verbatim"]}
    assert target.figures["score.verbatim"] is not None
    slugs = [section.slug for section in found.results.sections]
    assert {"entanglement", "epochs"} <= set(slugs)
    (chart,) = (
        block
        for section in found.results.sections
        if section.slug == "entanglement"
        for block in section.blocks
        if getattr(block, "slug", "") == "entanglement"
    )
    counts = [point.value for series in chart.series for point in series.points if point is not None]  # type: ignore[union-attr]
    assert sum(value or 0 for value in counts) == 6


def test_shards_cannot_be_looked_at() -> None:
    with pytest.raises(ValueError, match="evaluate_epochs needs processes: 1"):
        ExecutionSettings(evaluate_epochs=True, processes=2)
