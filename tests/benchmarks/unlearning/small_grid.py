"""A grid small enough to run in a test: a few articles, a target that knows next to nothing, cells of a second."""

import shutil
from pathlib import Path

import torch

from forgetscope.benchmarks.unlearning.grid.cells import CellConfig, GridFolder
from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.benchmarks.unlearning.grid.preparing import (
    list_cells,
    make_model,
    prepare_experiment,
    read_grid,
    write_grid,
)
from forgetscope.benchmarks.unlearning.settings import GridSettings

torch.set_num_threads(1)

SMALL: dict[str, object] = {
    "experiments": [
        {
            "data": {
                "corpus": {"source": "embedded", "forget": 4, "retain": 6, "holdout": 2},
                "chunk_tokens": 400,
                "retain": {"held_back": 0},
            },
            "target": {
                "vocabulary": 400,
                "hidden": 32,
                "layers": 2,
                "fit": {"epochs": 2},
                "gate": {"verbatim": 0, "knowledge": 0},
            },
            "retain_only": None,
        }
    ],
    "methods": ["ga", "npo"],
    "formats": ["raw"],
    "retain_subsets": ["original"],
    "training": {"epochs": 1, "batch_size": 2},
    "evaluation": {"verbatim_max_tokens": 8, "knowledge_max_tokens": 4},
}


def small_settings(**changes: object) -> GridSettings:
    """The settings of the small grid, with other values for whole keys."""
    return settings_of({**SMALL, **changes})


def make_grid(folder: Path, settings: GridSettings | None = None) -> GridFolder:
    """A grid with data and targets made, ready for workers."""
    settings = settings or small_settings()
    grid = GridFolder(folder)
    prepared = [prepare_experiment(experiment, grid) for experiment in settings.experiments]
    for one in prepared:
        for role in one.identities:
            make_model(one, role, grid)
    write_grid(grid, settings, list_cells(settings, prepared))
    return grid


def copy_grid(grid: GridFolder, folder: Path) -> GridFolder:
    """A copy to work on."""
    shutil.copytree(grid.path, folder)
    return GridFolder(folder)


def cells_of(grid: GridFolder) -> tuple[CellConfig, ...]:
    """The cells of a grid."""
    return read_grid(grid).cells
