"""A cell trained by several processes, its weights sharded over them (FSDP2).

The worker that has the cell starts `torchrun`, which runs this module once a process; the trained weights come back
through a file. `accelerate launch` starts it as well: both only set the variables that tell a process its rank.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import torch
from safetensors.torch import load_file, save
from torch.distributed import barrier, destroy_process_group

from forgetscope.benchmarks.unlearning.data.prepared import GridData
from forgetscope.benchmarks.unlearning.grid.cells import CELL_NAME, CellConfig, GridFolder
from forgetscope.benchmarks.unlearning.grid.locks import ClaimLostError
from forgetscope.benchmarks.unlearning.grid.tasks import prepared_model, unlearning_task
from forgetscope.benchmarks.unlearning.settings import ExecutionSettings
from forgetscope.benchmarks.unlearning.training.checkpoints import CHECKPOINT_NAME, whole_weights
from forgetscope.benchmarks.unlearning.training.loop import TrainingOutcome, unlearn
from forgetscope.benchmarks.unlearning.training.models import LanguageModel
from forgetscope.benchmarks.unlearning.training.processes import Processes, current_processes
from forgetscope.benchmarks.unlearning.training.reference_cache import LiveReference, ReferenceSource, reference_cache
from forgetscope.benchmarks.unlearning.training.target import load_target, read_target
from forgetscope.benchmarks.unlearning.training.task import StepLog
from forgetscope.core.errors import ForgetscopeError, RunFolderError, SettingError
from forgetscope.io.files import write_bytes, write_text
from forgetscope.io.received import read_form

SHARDED_NAME = "sharded"
_WEIGHTS, _OUTCOME = "weights.safetensors", "outcome.json"


def train_sharded(
    grid: GridFolder,
    config: CellConfig,
    execution: ExecutionSettings,
    model: LanguageModel,
    is_lost: Callable[[], bool],
) -> TrainingOutcome:
    """Train the cell by `execution.processes` processes of this machine and put the weights into `model`.

    Args:
        grid: With data, target and reference values in place.
        config: Of the cell, whose folder holds `cell.json`.
        execution: How many processes, among others.
        model: As it is before training, adapter included.
        is_lost: Asked now and then; True ends the processes.

    Raises:
        ClaimLostError: the cell is another worker's by now.
        RunFolderError: a process ended without its result; its log says why.
    """
    folder = grid.cell(config.id) / SHARDED_NAME
    folder.mkdir(parents=True, exist_ok=True)
    command = [
        *(sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", str(execution.processes)),
        *("-m", __name__, str(grid.path), config.id, execution.model_dump_json()),
    ]
    log = folder / "log.txt"
    with log.open("w") as stream, subprocess.Popen(command, stdout=stream, stderr=stream) as processes:  # noqa: S603
        while processes.poll() is None:
            if is_lost():
                processes.terminate()
                processes.wait()
                raise ClaimLostError(config.id)
            time.sleep(0.2)
    if not (folder / _OUTCOME).exists():
        last = log.read_text(errors="replace").strip().splitlines()[-1:] or ["nothing was printed"]
        raise RunFolderError("sharded training ended without a result", where=str(log), found=last[0])
    model.network.load_state_dict(load_file(folder / _WEIGHTS), strict=False)
    stored = json.loads((folder / _OUTCOME).read_text(encoding="utf-8"))
    return TrainingOutcome(stored["ended"], tuple(StepLog(**row) for row in stored["steps"]), stored["resumed_at"])


def train_here(grid: GridFolder, config: CellConfig, execution: ExecutionSettings) -> None:
    """What one of the processes does: train its shard; the first one writes what came of it.

    Raises:
        SettingError: the cell has nothing to train.
    """
    one = config.unlearning
    if one is None:
        raise SettingError("this cell is evaluated as it is", where="cell", found=config.label)
    processes = current_processes(one.training.precision)
    if processes.count != execution.processes:
        raise SettingError(
            "the launcher started another number of processes",
            where="execution.processes",
            found=processes.count,
            allowed=str(execution.processes),
        )
    data = GridData.load(grid.data(config.data))
    model = load_target(grid.target(config.target))
    task = unlearning_task(config, one, data, model.tokenizer)
    cached = reference_cache(
        grid.reference(read_target(grid.target(config.target)).weights_sha256), model, top_k=execution.top_k
    )
    model = prepared_model(model, one.training, config.seed)
    _place(model, processes)
    reference: ReferenceSource = cached
    if execution.reference == "live":
        second = model if model.has_adapter else load_target(grid.target(config.target))
        if second is not model:
            _place(second, processes)
        reference = LiveReference(second)
    folder = grid.cell(config.id)
    outcome = unlearn(model, reference, task, execution, processes, checkpoint=folder / CHECKPOINT_NAME)
    weights = whole_weights(model.network)
    if processes.is_main:
        owned = {name: value.clone().contiguous() for name, value in weights.items()}
        write_bytes(folder / SHARDED_NAME / _WEIGHTS, save(owned))
        content = {
            "ended": outcome.ended,
            "resumed_at": outcome.resumed_at,
            "steps": [asdict(log) for log in outcome.steps],
        }
        write_text(folder / SHARDED_NAME / _OUTCOME, json.dumps(content))
    if processes.count > 1:
        barrier()
        destroy_process_group()


def _place(model: LanguageModel, processes: Processes) -> None:
    model.move(processes.device)
    processes.shard(model.network)


def main(arguments: list[str]) -> int:
    """`GRID CELL EXECUTION`, as `train_sharded` starts it."""
    path, identity, execution = arguments
    grid = GridFolder(Path(path))
    torch.set_num_threads(max(1, torch.get_num_threads()))
    try:
        config = read_form(grid.cell(identity) / CELL_NAME, CellConfig, "not a cell")
        train_here(grid, config, ExecutionSettings.model_validate_json(execution))
    except ForgetscopeError as error:
        print(error)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
