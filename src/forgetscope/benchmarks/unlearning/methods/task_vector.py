"""Task vector: away from what training on the forget text would have done."""

import copy
from typing import ClassVar, Literal

import torch
from pydantic import Field

from forgetscope.benchmarks.unlearning.methods.base import WeightEdit
from forgetscope.benchmarks.unlearning.training.fitting import fit
from forgetscope.benchmarks.unlearning.training.models import LanguageModel
from forgetscope.benchmarks.unlearning.training.processes import Processes
from forgetscope.benchmarks.unlearning.training.target_settings import FitSettings
from forgetscope.benchmarks.unlearning.training.task import UnlearningTask


class TaskVector(WeightEdit):
    """``w - scale (w_learnt - w)``, w_learnt after training on the forget text (Ilharco et al. 2023, arXiv:2212.04089).

    Attributes:
        scale: How far back; the authors choose it on held-out data, up to 1.
        epochs: Of learning the forget text, at the grid's learning rate.
    """

    title: ClassVar[str] = "Task vector"

    kind: Literal["task_vector"] = "task_vector"
    scale: float = Field(default=1.0, gt=0)
    epochs: int = Field(default=2, ge=1)

    def edit(self, model: LanguageModel, task: UnlearningTask, processes: Processes) -> None:
        """Learn the forget text on a copy, and go as far the other way."""
        learnt = LanguageModel(copy.deepcopy(model.network), model.tokenizer, model.name)
        settings = FitSettings(epochs=self.epochs, learning_rate=task.settings.learning_rate)
        fit(learnt, task.forget, settings, processes, seed=task.seed)
        with torch.no_grad():
            for mine, theirs in zip(model.network.parameters(), learnt.network.parameters(), strict=True):
                mine.sub_(self.scale * (theirs - mine))


METHOD = TaskVector
