"""A cell: one model unlearned in one way and evaluated. A folder named by the hash of its full configuration.

What a cell leaves: `train.jsonl` (one line a step), `samples.parquet`, `likelihoods.parquet`, and `result.json`. The
last is written last and at once, so a cell with a result is finished and one without is not, whatever else lies there.
"""

import hashlib
import json
import math
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from forgetscope.benchmarks.unlearning.data.records import RetainSubset
from forgetscope.benchmarks.unlearning.settings import AnyMethod, EvaluationSettings, Semantics, TrainingSettings
from forgetscope.benchmarks.unlearning.training.loop import TrainingOutcome
from forgetscope.benchmarks.unlearning.training.task import StepLog, UnlearningTask
from forgetscope.core.errors import RunFolderError
from forgetscope.core.results import Value
from forgetscope.io.received import read_form

CELL_VERSION: Literal[1] = 1
"""Raised whenever the same configuration would give another result."""

RESULT_NAME, FAILURE_NAME, CELL_NAME = "result.json", "failure.json", "cell.json"
EPOCHS_NAME = "epochs.parquet"
"""Scores item by item after each epoch but the last, where they were asked for."""
SAMPLES_NAME, LIKELIHOODS_NAME, TRAINING_NAME = "samples.parquet", "likelihoods.parquet", "train.jsonl"


class Unlearning(BaseModel):
    """How the model of a cell is unlearned.

    Attributes:
        method: With its settings.
        semantics: `proper`, or `muse-compat` for what the published code computes.
        forget_format: Of the forget texts.
        retain_subset: What the retain term sees.
        training: All of it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    method: AnyMethod
    semantics: Semantics = "proper"
    forget_format: str
    retain_subset: RetainSubset
    training: TrainingSettings


class CellConfig(BaseModel):
    """The full configuration of a cell. Its hash is the cell's name: the same configuration is never run twice.

    Attributes:
        corpus: Name, for people.
        data: SHA-256 of the prepared data.
        target: Identity of the model it starts from.
        role: `unlearned`; `target`: that model as it is; `retain_only`: one that never knew the forget side, as it is.
        unlearning: None for a model evaluated as it is.
        evaluation: All of it.
        seed: Of order and adapters.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = CELL_VERSION
    corpus: str
    data: str
    target: str
    role: Literal["unlearned", "target", "retain_only"] = "unlearned"
    unlearning: Unlearning | None = None
    evaluation: EvaluationSettings = EvaluationSettings()
    seed: int = 0

    @property
    def id(self) -> str:
        """The hash of the configuration in canonical JSON, 16 hexadecimal digits."""
        content = json.dumps(self.model_dump(mode="json"), sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    @property
    def label(self) -> str:
        """In a few words, for people."""
        if self.unlearning is None:
            return f"{self.corpus} {self.role}"
        one = self.unlearning
        semantics = "" if one.semantics == "proper" else f" {one.semantics}"
        return (
            f"{self.corpus} {one.method.title}{semantics} {one.forget_format} {one.retain_subset} "
            f"lr {one.training.learning_rate:g} seed {self.seed}"
        )

    def factors(self) -> dict[str, Value]:
        """The columns of `evaluation.base.FACTOR_SCHEMA`."""
        one = self.unlearning
        return {
            "cell": self.id,
            "corpus": self.corpus,
            "method": one.method.kind if one else self.role,
            "semantics": one.semantics if one else None,
            "forget_format": one.forget_format if one else None,
            "retain_subset": one.retain_subset.value if one else None,
            "learning_rate": one.training.learning_rate if one else None,
            "lambda_retain": one.training.lambda_retain if one else None,
            "epochs": float(one.training.epochs) if one else None,
        }


class TrainingSummary(BaseModel):
    """What training was, from its log.

    Attributes:
        ended: As in `training.TrainingOutcome`.
        steps: Taken; none by a method that edits weights at once.
        effective_batch: Forget texts a full step, over all processes and micro-batches; as many retain texts.
        forget_tokens, retain_tokens: Predicted, repeats counted.
        unique_retain_tokens: Of the texts the retain term could see.
        forget_nll_first, forget_nll_last: Nats a token over all forget texts, each before its step of the first and of
            the last epoch.
        saturated_first, saturated_last: Share of sequences without gradient in the first and last epoch.
        gradient_ratio: Median over steps of the retain term's gradient over the forget term's; above 1 it leads.
        shortened: Share of steps whose gradient was shortened.
        padding: Mean share of padded positions.
        resumed_at: Step a checkpoint was continued from.
        seconds: Of all steps.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    ended: Literal["complete", "stopped", "diverged"]
    steps: int
    effective_batch: int
    forget_tokens: int
    retain_tokens: int
    unique_retain_tokens: int
    forget_nll_first: float | None
    forget_nll_last: float | None
    saturated_first: float | None
    saturated_last: float | None
    gradient_ratio: float | None
    shortened: float
    padding: float
    resumed_at: int | None
    seconds: float

    @classmethod
    def of(cls, outcome: TrainingOutcome, task: UnlearningTask) -> "TrainingSummary":
        """The summary of a training."""
        steps, limit = outcome.steps, task.settings.max_gradient_norm
        ratios = [
            log.retain_gradient / log.forget_gradient
            for log in steps
            if log.retain_gradient is not None and log.forget_gradient
        ]
        return cls(
            ended=outcome.ended,
            steps=len(steps),
            effective_batch=task.settings.batch_size,
            forget_tokens=sum(log.forget_tokens for log in steps),
            retain_tokens=sum(log.retain_tokens for log in steps),
            unique_retain_tokens=sum(text.predicted for text in task.retain),
            forget_nll_first=_epoch_nll([log for log in steps if log.epoch == steps[0].epoch]),
            forget_nll_last=_epoch_nll([log for log in steps if log.epoch == steps[-1].epoch]),
            saturated_first=_mean([log.saturated for log in steps if log.epoch == steps[0].epoch]),
            saturated_last=_mean([log.saturated for log in steps if log.epoch == steps[-1].epoch]),
            gradient_ratio=_finite(median(ratios)) if ratios else None,
            shortened=sum(limit is not None and log.gradient > limit for log in steps) / max(1, len(steps)),
            padding=sum(log.padding for log in steps) / max(1, len(steps)),
            resumed_at=outcome.resumed_at,
            seconds=sum(log.seconds for log in steps),
        )


def _epoch_nll(steps: Sequence[StepLog]) -> float | None:
    """Nats a token over the forget texts of an epoch, each before its own step; None where a step has no number."""
    tokens = sum(log.forget_tokens for log in steps)
    return _finite(sum(log.forget_nll * log.forget_tokens for log in steps) / tokens) if tokens else None


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


class CellResult(BaseModel):
    """The content of `result.json`.

    Attributes:
        status: `complete`, or `diverged`: a loss or gradient was no number, so there is nothing to evaluate and every
            sample counts as lost.
        figures: Of the cell, as the measures name them; proportions are 0-1, likelihoods in nats; None: undefined.
        by_question: Truth ratios of single forget questions, by the question's id; none in earlier folders.
        by_epoch: Scores of the measures after each epoch but the last, where they were asked for: by epoch, from 1.
        weights_sha256: Of the model it started from.
        attempts: Claims it took, this one included.
        seconds: Wall time of loading, training and evaluating; `cpu`: CPU time of the process.
        environment: Versions, device, threads, precision.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    config: CellConfig
    status: Literal["complete", "diverged"]
    figures: dict[str, float | None]
    by_question: dict[str, dict[str, float]] = {}
    by_epoch: dict[int, dict[str, float | None]] = {}
    training: TrainingSummary | None
    weights_sha256: str
    attempts: int
    seconds: dict[str, float]
    environment: dict[str, JsonValue]
    started: str
    finished: str


class GridFolder:
    """Where the parts of a grid lie.

    ::

        grid.json                    settings and cells
        data/SHA256.json             prepared data
        targets/IDENTITY/            models that know their corpus
        reference/WEIGHTS/           what a target said of each text
        cells/HASH/                  one folder a cell
        workers/                     what workers print
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def data(self, sha256: str) -> Path:
        """The file of prepared data."""
        return self.path / "data" / f"{sha256[:16]}.json"

    def target(self, identity: str) -> Path:
        """The folder of a target."""
        return self.path / "targets" / identity

    def reference(self, weights_sha256: str) -> Path:
        """The folder of a target's reference values."""
        return self.path / "reference" / weights_sha256[:16]

    def cell(self, identity: str) -> Path:
        """The folder of a cell."""
        return self.path / "cells" / identity

    def is_finished(self, identity: str) -> bool:
        """Whether the cell has a result."""
        return (self.cell(identity) / RESULT_NAME).exists()

    def failure(self, identity: str) -> str | None:
        """Why the cell failed, if it did and was not tried again since."""
        path = self.cell(identity) / FAILURE_NAME
        try:
            return read_form(path, CellFailure, "not a cell's failure").error
        except (FileNotFoundError, RunFolderError):
            return None


class CellFailure(BaseModel):
    """The content of `failure.json`: why a cell failed, in a line."""

    error: str


def read_result(folder: Path) -> CellResult:
    """The result of a finished cell.

    Raises:
        RunFolderError: there is none, or it is damaged.
    """
    path = folder / RESULT_NAME
    try:
        return read_form(path, CellResult, "not a cell's result")
    except FileNotFoundError:
        raise RunFolderError("the cell is not finished", where=str(folder)) from None
