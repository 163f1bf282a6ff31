"""Running a cell: its target loaded, unlearned, evaluated, and what came of it written."""

import math
import platform
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import polars as pl
import torch
from pydantic import JsonValue

from forgetscope.benchmarks.unlearning.data.prepared import GridData
from forgetscope.benchmarks.unlearning.evaluation.base import EPOCH_SCHEMA, Subject
from forgetscope.benchmarks.unlearning.evaluation.measures import evaluate
from forgetscope.benchmarks.unlearning.grid.cells import (
    CELL_NAME,
    EPOCHS_NAME,
    FAILURE_NAME,
    LIKELIHOODS_NAME,
    RESULT_NAME,
    SAMPLES_NAME,
    TRAINING_NAME,
    CellConfig,
    CellResult,
    GridFolder,
    TrainingSummary,
    Unlearning,
)
from forgetscope.benchmarks.unlearning.grid.locks import CellLock, ClaimLostError
from forgetscope.benchmarks.unlearning.grid.sharded import SHARDED_NAME, train_sharded
from forgetscope.benchmarks.unlearning.grid.tasks import prepared_model, unlearning_task
from forgetscope.benchmarks.unlearning.settings import ExecutionSettings, MeasureName
from forgetscope.benchmarks.unlearning.training.checkpoints import CHECKPOINT_NAME
from forgetscope.benchmarks.unlearning.training.loop import TrainingOutcome, unlearn
from forgetscope.benchmarks.unlearning.training.processes import Processes, current_processes
from forgetscope.benchmarks.unlearning.training.reference_cache import (
    CachedReference,
    LiveReference,
    ReferenceSource,
    reference_cache,
)
from forgetscope.benchmarks.unlearning.training.target import corpus_lexicon, load_target, read_target
from forgetscope.benchmarks.unlearning.training.task import StepLog, UnlearningTask
from forgetscope.core.version import VERSION
from forgetscope.io.files import write_lines, write_text
from forgetscope.io.tables import read_table, write_table


def run_cell(
    grid: GridFolder,
    config: CellConfig,
    execution: ExecutionSettings,
    claim: CellLock,
    *,
    on_step: Callable[[StepLog], None] = lambda _: None,
    keep: Path | None = None,
) -> CellResult:
    """Unlearn, evaluate and write one cell; its claim must be ours.

    Args:
        grid: With data and target in place.
        config: Of the cell.
        execution: How this machine does it.
        claim: On the cell.
        on_step: Called after each step of training.
        keep: Folder for the unlearned model; None: its figures are kept and its weights are not.

    Raises:
        UserError: settings that cannot be meant, or a folder that cannot be written.
        ClaimLostError: the cell is another worker's by now.
    """
    folder = grid.cell(config.id)
    started, wall, cpu = datetime.now(UTC), time.perf_counter(), time.process_time()
    _clear(folder)
    write_text(folder / CELL_NAME, config.model_dump_json(indent=2))
    run = _CellRun(grid, config, execution, claim, on_step)
    loaded = time.perf_counter()
    summary, outcome = run.train()
    trained = time.perf_counter()
    evaluation = evaluate(run.subject(outcome))
    evaluated = time.perf_counter()
    if keep is not None and (outcome is None or outcome.ended != "diverged"):
        run.keep(keep)
    result = CellResult(
        id=config.id,
        config=config,
        status="diverged" if outcome is not None and outcome.ended == "diverged" else "complete",
        figures=evaluation.figures,
        by_question=evaluation.by_question,
        by_epoch=_means_by_epoch(run.seen) if execution.evaluate_epochs else {},
        training=summary,
        weights_sha256=run.record.weights_sha256,
        attempts=claim.attempt,
        seconds={
            "load": loaded - wall,
            "train": trained - loaded,
            "evaluate": evaluated - trained,
            "cpu": time.process_time() - cpu,
        },
        environment=environment(run.processes),
        started=started.isoformat(timespec="seconds"),
        finished=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    if claim.is_lost:
        raise ClaimLostError(config.id)
    if outcome is not None:
        write_lines(folder / TRAINING_NAME, map(_numbers, outcome.steps))
    write_table(evaluation.samples, folder / SAMPLES_NAME)
    write_table(evaluation.likelihoods, folder / LIKELIHOODS_NAME)
    write_text(folder / RESULT_NAME, result.model_dump_json(indent=2))
    (folder / CHECKPOINT_NAME).unlink(missing_ok=True)
    if not execution.evaluate_epochs:
        (folder / EPOCHS_NAME).unlink(missing_ok=True)
    (folder / FAILURE_NAME).unlink(missing_ok=True)
    return result


def _numbers(log: StepLog) -> dict[str, float | None]:
    """A step's log as JSON can hold it: what is no finite number is None."""
    return {name: value if value is None or math.isfinite(value) else None for name, value in asdict(log).items()}


LOOKED_AT: tuple[MeasureName, ...] = ("verbatim", "knowledge")
"""Measures of an epoch: those of the paper."""


def _epochs_so_far(path: Path) -> pl.DataFrame | None:
    """What a killed worker had seen of a cell's epochs."""
    return read_table(path, EPOCH_SCHEMA) if path.exists() else None


def _means_by_epoch(seen: pl.DataFrame | None) -> dict[int, dict[str, float | None]]:
    """Mean score of each measure after each epoch, as an evaluation names them."""
    found: dict[int, dict[str, float | None]] = {}
    if seen is not None:
        means = seen.group_by("epoch", "measure", maintain_order=True).agg(pl.col("score").mean())
        for epoch, measure, score in means.iter_rows():
            found.setdefault(epoch, {})[f"score.{measure}"] = score
    return found


def _epoch_ends(task: UnlearningTask) -> dict[int, int]:
    """From the last step of each epoch but the last to how many epochs are done then."""
    steps = task.schedule()
    last = {step.epoch: number for number, step in enumerate(steps)}
    return {number: epoch + 1 for epoch, number in last.items() if epoch < steps[-1].epoch}


def _clear(folder: Path) -> None:
    """Take away what a killed worker left half-written."""
    for path in folder.iterdir():
        if path.is_file() and path.name.startswith((".", "tmp")) and not path.name.startswith(".claim-"):
            path.unlink(missing_ok=True)


def environment(processes: Processes) -> dict[str, JsonValue]:
    """What the figures may depend on beside the configuration."""
    return {
        "forgetscope": VERSION,
        "torch": torch.__version__,
        "transformers": version("transformers"),
        "python": platform.python_version(),
        "device": str(processes.device),
        "processes": processes.count,
        "threads": torch.get_num_threads(),
        "precision": "bfloat16" if processes.bfloat16 else "float32",
    }


class _CellRun:
    """One run of a cell: the target loaded, trained, and then the subject of the evaluation."""

    def __init__(
        self,
        grid: GridFolder,
        config: CellConfig,
        execution: ExecutionSettings,
        claim: CellLock,
        on_step: Callable[[StepLog], None],
    ) -> None:
        self._grid = grid
        self._config = config
        self._execution = execution
        self._claim = claim
        self._on_step = on_step
        self.record = read_target(grid.target(config.target))
        if config.role == "target":
            self.record.require_knowledge()
        self._data = GridData.load(grid.data(config.data))
        precision = config.unlearning.training.precision if config.unlearning else self.record.settings.precision
        self.processes = current_processes(precision)
        self._model = load_target(grid.target(config.target))
        self._model.move(self.processes.device)
        self._target_nll: dict[str, float] = {}
        self._epoch_ends: dict[int, int] = {}
        self.seen = _epochs_so_far(grid.cell(config.id) / EPOCHS_NAME)

    def train(self) -> tuple[TrainingSummary | None, TrainingOutcome | None]:
        """Unlearn the model; None for one that is evaluated as it is."""
        one = self._config.unlearning
        if one is None:
            return None, None
        task = unlearning_task(self._config, one, self._data, self._model.tokenizer)
        reference = self._reference(one, task)
        self._model = prepared_model(self._model, one.training, self._config.seed)
        if self._execution.processes > 1:
            self._model.move(torch.device("cpu"))  # the processes need the room
            folder = self._grid.cell(self._config.id)
            outcome = train_sharded(self._grid, self._config, self._execution, self._model, lambda: self._claim.is_lost)
            shutil.rmtree(folder / SHARDED_NAME, ignore_errors=True)
            self._model.move(self.processes.device)
        else:
            self._epoch_ends = _epoch_ends(task) if self._execution.evaluate_epochs else {}
            outcome = unlearn(
                self._model,
                reference if reference is not None else LiveReference(self._model),
                task,
                self._execution,
                self.processes,
                checkpoint=self._grid.cell(self._config.id) / CHECKPOINT_NAME,
                on_step=self._step_taken,
            )
        return TrainingSummary.of(outcome, task), outcome

    def _reference(self, one: Unlearning, task: UnlearningTask) -> ReferenceSource | None:
        """What the target said; None for a method that does not ask, or an adapter whose reference is the model itself
        with the adapter off."""
        folder = self._grid.reference(self.record.weights_sha256)
        forget = self._model.tokenizer.chunks(self._data.forget)
        likelihoods = CachedReference(folder, kept="nll", pad_id=self._model.tokenizer.pad_id)
        likelihoods.fill(self._model, [*task.forget, *forget])
        self._target_nll = likelihoods.nll([*task.forget, *forget])
        if task.reads_cache(self._execution):
            cached = reference_cache(folder, self._model, top_k=self._execution.top_k)
            cached.fill(self._model, task.reference_texts())
            return cached
        if one.training.lora is not None or not task.reference_texts():
            return None
        second = load_target(self._grid.target(self._config.target))
        second.move(self.processes.device)
        return LiveReference(second)

    def _step_taken(self, log: StepLog) -> None:
        if self._claim.is_lost:
            raise ClaimLostError(self._config.id)
        self._on_step(log)
        epoch = self._epoch_ends.get(log.step)
        if epoch is not None and math.isfinite(log.forget_loss):
            self._look(epoch)

    def _look(self, epoch: int) -> None:
        """Evaluate the model as it is after an epoch; what was found outlives the process."""
        network = self._model.network
        was_training = network.training
        network.train(False)
        looked = replace(
            self.subject(None), settings=self._config.evaluation.model_copy(update={"measures": LOOKED_AT})
        )
        rows = evaluate(looked).samples.with_columns(epoch=pl.lit(epoch, dtype=pl.Int64)).select(tuple(EPOCH_SCHEMA))
        network.train(was_training)
        before = [] if self.seen is None else [self.seen.filter(pl.col("epoch") != epoch)]
        self.seen = pl.concat([*before, rows])
        write_table(self.seen, self._grid.cell(self._config.id) / EPOCHS_NAME)

    def keep(self, folder: Path) -> None:
        """Store the model as it is now; the folder is whole or not there."""
        unfinished = folder.with_name(f".{folder.name}-unfinished")
        for old in (unfinished, folder):
            shutil.rmtree(old, ignore_errors=True)
        self._model.save(unfinished)
        unfinished.rename(folder)

    def subject(self, outcome: TrainingOutcome | None) -> Subject:
        """The model as it is now, to be evaluated."""
        config = self._config
        failure = ""
        if outcome is not None and outcome.ended == "diverged":
            place = f" at step {outcome.steps[-1].step}: a loss or gradient" if outcome.steps else ": a weight"
            failure = f"training diverged{place} was no number"
        return Subject(
            model=self._model,
            data=self._data,
            settings=config.evaluation,
            factors=config.factors(),
            seed=config.seed,
            lexicon=corpus_lexicon(self._data) if self.record.settings.knows_its_corpus_alone else frozenset(),
            forget_format=config.unlearning.forget_format if config.unlearning else None,
            method=config.unlearning.method if config.unlearning else None,
            target_nll=self._target_nll,
            failure=failure,
        )
