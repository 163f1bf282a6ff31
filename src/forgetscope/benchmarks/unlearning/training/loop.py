"""The unlearning loop: steps one after the other, continued from a checkpoint, ended where it diverges."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import torch
from torch.optim import AdamW

from forgetscope.benchmarks.unlearning.methods.base import WeightEdit
from forgetscope.benchmarks.unlearning.settings import (
    ExecutionSettings,
    TrainingSettings,
)
from forgetscope.benchmarks.unlearning.training.checkpoints import Checkpoint, load_checkpoint, save_checkpoint
from forgetscope.benchmarks.unlearning.training.models import LanguageModel
from forgetscope.benchmarks.unlearning.training.processes import Processes
from forgetscope.benchmarks.unlearning.training.reference_cache import ReferenceSource
from forgetscope.benchmarks.unlearning.training.step import StepTaker
from forgetscope.benchmarks.unlearning.training.task import StepLog, UnlearningTask
from forgetscope.core.errors import SettingError


@dataclass(frozen=True)
class TrainingOutcome:
    """How a training ended.

    Attributes:
        ended: `complete`; `stopped` at the forget likelihood asked for; `diverged`: a loss or gradient was not a
            number, and the step was not taken, or an edit left weights that are none.
        steps: One entry a step taken, the diverging one included; none of an edit.
        resumed_at: The step a checkpoint was continued from; None when it ran through.
    """

    ended: Literal["complete", "stopped", "diverged"]
    steps: tuple[StepLog, ...]
    resumed_at: int | None


def unlearn(
    model: LanguageModel,
    reference: ReferenceSource,
    task: UnlearningTask,
    execution: ExecutionSettings,
    processes: Processes,
    *,
    checkpoint: Path | None = None,
    first_steps: int | None = None,
    on_step: Callable[[StepLog], None] = lambda _: None,
) -> TrainingOutcome:
    """Unlearn the task's forget texts; `model` is changed.

    Args:
        model: The target, on its device; sharded if there are several processes.
        reference: What the target said before.
        checkpoint: File to continue from and to write now and then; None keeps none.
        first_steps: Take only so many, to try the settings out; None takes all.
        on_step: Called after each step.

    Raises:
        RunFolderError: a checkpoint cannot be written.
        SettingError: lambda is not 0 and there is no retain text, or a loss needs of the reference what is not kept.
    """
    if isinstance(task.method, WeightEdit):
        task.method.edit(model, task, processes)
        is_finite = all(bool(torch.isfinite(parameter).all()) for parameter in model.network.parameters())
        return TrainingOutcome("complete" if is_finite else "diverged", (), None)
    if task.settings.lambda_retain and not task.retain:
        raise SettingError("no retain text for the retain term", where="retain", allowed="text, or lambda_retain 0")
    with _flushed_denormals():
        return _unlearn(model, reference, task, execution, processes, checkpoint, first_steps, on_step)


@contextmanager
def _flushed_denormals() -> Iterator[None]:
    """A vanished gradient leaves moments of 1e-40, which cost twice the time; elsewhere they are numbers as any."""
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


def _unlearn(
    model: LanguageModel,
    reference: ReferenceSource,
    task: UnlearningTask,
    execution: ExecutionSettings,
    processes: Processes,
    checkpoint: Path | None,
    first_steps: int | None,
    on_step: Callable[[StepLog], None],
) -> TrainingOutcome:
    optimizer = make_optimizer(model, task.settings, processes)
    steps: list[StepLog] = []
    first, resumed_at = 0, None
    if checkpoint is not None:
        found = load_checkpoint(checkpoint, model.network, optimizer, fingerprint=task.fingerprint)
        if found is not None:
            first = resumed_at = found.step
            steps = [StepLog(**row) for row in found.log]  # type: ignore[arg-type]
    model.network.train()
    if execution.gradient_checkpointing:
        model.network.gradient_checkpointing_enable()  # type: ignore[no-untyped-call]
    taker = StepTaker(model, reference, task, execution, processes, optimizer)
    saved_at = time.monotonic()
    for index, step in enumerate(task.schedule()[first:first_steps], start=first):
        log = taker.step(index, step)
        steps.append(log)
        on_step(log)
        if not _is_finite(log):
            return TrainingOutcome("diverged", tuple(steps), resumed_at)
        limit = task.settings.stop_at_forget_nll
        if limit is not None and log.forget_nll >= limit:
            return TrainingOutcome("stopped", tuple(steps), resumed_at)
        if checkpoint is not None and time.monotonic() - saved_at >= execution.checkpoint_seconds:
            state = Checkpoint(index + 1, task.fingerprint, tuple(asdict(entry) for entry in steps))
            save_checkpoint(checkpoint, model.network, optimizer, state, writes=processes.is_main)
            saved_at = time.monotonic()
    return TrainingOutcome("complete", tuple(steps), resumed_at)


def make_optimizer(model: LanguageModel, settings: TrainingSettings, processes: Processes) -> AdamW:
    """AdamW over the weights that train."""
    trained = [parameter for parameter in model.network.parameters() if parameter.requires_grad]
    fused = processes.count == 1
    return AdamW(trained, lr=settings.learning_rate, weight_decay=settings.weight_decay, fused=fused)


def _is_finite(log: StepLog) -> bool:
    return all(math.isfinite(value) for value in (log.forget_loss, log.retain_loss or 0.0, log.gradient))
