"""`forgetscope unlearn train`: one cell, with the model it leaves."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgetscope.api.grids import grid_settings
from forgetscope.cli.app import JsonOption
from forgetscope.cli.unlearn import UNLEARNING, ConfigOption, unlearn_app

if TYPE_CHECKING:
    from forgetscope.benchmarks.unlearning.grid.cells import CellConfig

MODEL_NAME = "model"


@unlearn_app.command("train")
def train(
    out: Annotated[Path, typer.Option("--out", help="Folder of the grid; the model is stored in its folder 'model'.")],
    config: ConfigOption = None,
    cell: Annotated[
        str | None, typer.Option("--cell", help="Beginning of the cell's hash, where the grid has several.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Unlearn one model and keep it: weights in safetensors, tokenizer, figures."""
    from forgetscope.benchmarks.unlearning.grid.cell_run import run_cell
    from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
    from forgetscope.benchmarks.unlearning.grid.locks import Refused, claim_cell
    from forgetscope.benchmarks.unlearning.grid.preparing import list_cells, prepare_experiments
    from forgetscope.benchmarks.unlearning.grid.running import make_models
    from forgetscope.cli.grids import TerminalWatch
    from forgetscope.cli.printing import console
    from forgetscope.core.errors import RunFolderError

    settings = grid_settings(UNLEARNING, config)
    grid = GridFolder(out)
    prepared = prepare_experiments(settings, grid)
    chosen = _choose(list_cells(settings, prepared), cell)
    make_models(prepared, out, threads=1, watch=TerminalWatch(as_json=as_json))
    claim = claim_cell(grid.cell(chosen.id))
    if isinstance(claim, Refused):
        raise RunFolderError("another process is at work on this cell", where=str(grid.cell(chosen.id)))
    with claim:
        result = run_cell(grid, chosen, settings.execution, claim, keep=out / MODEL_NAME)
    if as_json:
        print(result.model_dump_json())
        return
    for name in ("verbatim", "knowledge_forget", "knowledge_low", "knowledge_high", "knowledge_world"):
        value = result.figures.get(f"score.{name}")
        if value is not None:
            console.print(f"{name.replace('_', ' ')}: ROUGE-L F1 {100 * value:.1f}")
    console.print(f"{chosen.label}: {result.status}. Model: {out / MODEL_NAME}", soft_wrap=True)


def _choose(cells: "tuple[CellConfig, ...]", wanted: str | None) -> "CellConfig":
    from forgetscope.core.errors import SettingError

    unlearned = [config for config in cells if config.unlearning is not None]
    found = [config for config in unlearned if config.id.startswith(wanted or "")]
    if len(found) != 1:
        raise SettingError(
            "one cell is to be trained",
            where="--cell",
            found=wanted if wanted is not None else f"{len(found)} cells",
            allowed=[f"{config.id} ({config.label})" for config in unlearned],
        )
    return found[0]
