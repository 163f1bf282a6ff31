"""From settings to cells."""

from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.data.prepared import GridData
from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.benchmarks.unlearning.grid.preparing import (
    gather,
    list_cells,
    prepare_experiment,
    read_grid,
    write_grid,
)
from forgetscope.benchmarks.unlearning.settings import ExecutionSettings
from forgetscope.core.errors import RunFolderError
from tests.benchmarks.unlearning.small_grid import SMALL, small_settings


def test_the_papers_grid_is_27_cells_a_corpus_and_its_target(tmp_path: Path) -> None:
    settings = small_settings(methods=["ga", "npo", "simnpo"], formats=[], retain_subsets=["low", "high", "original"])
    prepared = [prepare_experiment(experiment, GridFolder(tmp_path)) for experiment in settings.experiments]
    cells = list_cells(settings, prepared)
    assert [cell.role for cell in cells] == ["target"] + ["unlearned"] * 27
    assert len({cell.id for cell in cells}) == 28
    kinds = {
        (c.unlearning.method.kind, c.unlearning.forget_format, c.unlearning.retain_subset)
        for c in cells
        if c.unlearning
    }
    assert len(kinds) == 27
    epochs = {c.unlearning.forget_format: c.unlearning.training.epochs for c in cells if c.unlearning}
    assert epochs == {"raw": 1, "pruned": 1, "triplets": 2}, "triplets are trained on for twice the epochs"


def test_every_factor_multiplies_the_cells(tmp_path: Path) -> None:
    settings = small_settings(
        seeds=[0, 1], learning_rates=[1e-3, 1e-4], lambdas=[0, 1], epochs=[1, 2, 3], semantics=["proper", "muse-compat"]
    )
    prepared = [prepare_experiment(experiment, GridFolder(tmp_path)) for experiment in settings.experiments]
    assert len(list_cells(settings, prepared)) == 1 + 2 * 2 * 2 * 3 * 2 * 2


def test_how_a_machine_does_it_is_no_part_of_a_cells_name(tmp_path: Path) -> None:
    plain, split = small_settings(), small_settings(execution={"micro_batch_size": 1, "processes": 2})
    prepared = [prepare_experiment(experiment, GridFolder(tmp_path)) for experiment in plain.experiments]
    assert split.execution == ExecutionSettings(micro_batch_size=1, processes=2)
    assert list_cells(plain, prepared) == list_cells(split, prepared)


def test_a_grid_is_written_and_read(tmp_path: Path) -> None:
    settings, grid = small_settings(), GridFolder(tmp_path)
    prepared = [prepare_experiment(experiment, grid) for experiment in settings.experiments]
    cells = list_cells(settings, prepared)
    write_grid(grid, settings, cells)
    assert read_grid(grid).cells == cells
    assert read_grid(grid).settings == settings
    assert gather(grid).missing == len(cells)
    assert gather(grid).samples is None


def test_prepared_data_is_written_and_read(tmp_path: Path) -> None:
    grid = GridFolder(tmp_path)
    prepared = prepare_experiment(small_settings().experiments[0], grid)
    path = grid.data(prepared.data.sha256)
    assert GridData.load(path) == prepared.data
    assert GridData.load(path).sha256 == prepared.data.sha256
    with pytest.raises(RunFolderError, match="no prepared data"):
        GridData.load(tmp_path / "none.json")
    path.write_text("{")
    with pytest.raises(RunFolderError, match="not the data of a grid"):
        GridData.load(path)


def test_a_folder_that_holds_no_grid_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match=r"no grid here.*next: forgetscope unlearn grid"):
        read_grid(GridFolder(tmp_path))
    (tmp_path / "grid.json").write_text("[]")
    with pytest.raises(RunFolderError, match="not a grid"):
        read_grid(GridFolder(tmp_path))


def test_a_retain_only_model_of_the_same_recipe_is_a_cell_of_its_own_by_default(tmp_path: Path) -> None:
    one = dict(SMALL["experiments"][0])  # type: ignore[index]
    settings, grid = small_settings(experiments=[{**one, "retain_only": "auto"}]), GridFolder(tmp_path)
    experiment = settings.experiments[0]
    prepared = prepare_experiment(experiment, grid)
    assert prepared.identities["retain_only"] != prepared.target
    assert [cell.role for cell in list_cells(settings, [prepared])][:2] == ["target", "retain_only"]
    assert experiment.models["retain_only"] == experiment.target.model_copy(update={"sides": "retain"})


def test_a_target_as_given_has_no_retain_only_model_but_the_shipped_one_has_its_own() -> None:
    shipped = settings_of({"experiments": [{"target": {"model": "shipped", "fit": None}}]}).experiments[0]
    assert shipped.models["retain_only"].model == "shipped-retain-only"
    assert shipped.models["retain_only"].fit is None
    given = settings_of({"experiments": [{"target": {"model": "a/b", "fit": None}}]}).experiments[0]
    assert list(given.models) == ["target"]
    named = settings_of(
        {"experiments": [{"target": {"model": "a/b", "fit": None}, "retain_only": {"model": "a/c", "fit": None}}]}
    )
    assert named.experiments[0].models["retain_only"].model == "a/c"
    assert list(settings_of({"experiments": [{"retain_only": None}]}).experiments[0].models) == ["target"]
