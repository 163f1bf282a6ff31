"""Examining a grid before it runs: its texts under the target, two steps of every combination, time and memory."""

import copy
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import psutil  # type: ignore[import-untyped]
import torch

from forgetscope.benchmarks.grids import PlannedTraining
from forgetscope.benchmarks.unlearning.doctor.advice import TRIED_STEPS
from forgetscope.benchmarks.unlearning.doctor.findings import Cost
from forgetscope.benchmarks.unlearning.evaluation.likelihood import TextLikelihood, text_likelihoods
from forgetscope.benchmarks.unlearning.grid.cells import CellConfig, GridFolder, Unlearning
from forgetscope.benchmarks.unlearning.grid.preparing import PreparedExperiment
from forgetscope.benchmarks.unlearning.grid.tasks import prepared_model, unlearning_task
from forgetscope.benchmarks.unlearning.methods.advice import FirstSteps, FormatBudget
from forgetscope.benchmarks.unlearning.methods.base import WeightEdit
from forgetscope.benchmarks.unlearning.settings import GridSettings
from forgetscope.benchmarks.unlearning.training import losses
from forgetscope.benchmarks.unlearning.training.footprint import ModelShape, footprint
from forgetscope.benchmarks.unlearning.training.loop import unlearn
from forgetscope.benchmarks.unlearning.training.models import LanguageModel
from forgetscope.benchmarks.unlearning.training.processes import Processes
from forgetscope.benchmarks.unlearning.training.reference_cache import LiveReference, ReferenceSource, reference_cache
from forgetscope.benchmarks.unlearning.training.target import TargetRecord, load_target, read_target
from forgetscope.benchmarks.unlearning.training.task import UnlearningTask


@dataclass(frozen=True)
class Patient:
    """An experiment: its target loaded, cells that unlearn it in steps, its forget texts as the target sees them."""

    prepared: PreparedExperiment
    cells: tuple[CellConfig, ...]
    record: TargetRecord
    model: LanguageModel
    scored: dict[str, list[TextLikelihood]]

    def task(self, config: CellConfig, one: Unlearning) -> UnlearningTask:
        """What a cell trains on."""
        return unlearning_task(config, one, self.prepared.data, self.model.tokenizer)


def admit(prepared: PreparedExperiment, cells: Sequence[CellConfig], grid: GridFolder, processes: Processes) -> Patient:
    """Load the target of an experiment and score its forget texts in every format that a cell trains on.

    Raises:
        RunFolderError: the target was not made.
    """
    folder = grid.target(prepared.target)
    record = read_target(folder)
    model = load_target(folder)
    model.move(processes.device)
    own = tuple(cell for cell in cells if cell.target == prepared.target and _takes_steps(cell))
    formats = dict.fromkeys(cell.unlearning.forget_format for cell in own if cell.unlearning is not None)
    data = prepared.data
    scored = {name: text_likelihoods(model, model.tokenizer.packed(data.texts[name], data.forget)) for name in formats}
    return Patient(prepared, own, record, model, scored)


def _takes_steps(cell: CellConfig) -> bool:
    return cell.unlearning is not None and not isinstance(cell.unlearning.method, WeightEdit)


def budgets(patient: Patient) -> list[FormatBudget]:
    """What each format is to the target and takes to train on."""
    found = []
    for name, scored in patient.scored.items():
        of_subset: dict[str, UnlearningTask] = {}
        for cell in patient.cells:
            one = cell.unlearning
            if one is not None and one.forget_format == name and one.retain_subset.value not in of_subset:
                of_subset[one.retain_subset.value] = patient.task(cell, one)
        tasks = list(of_subset.values())
        tokens = sum(one.tokens for one in scored)
        per_token = [one.nll / one.tokens for one in scored]
        found.append(
            FormatBudget(
                corpus=patient.prepared.data.corpus,
                format=name,
                sequences=len(scored),
                tokens=tokens,
                longest=max(len(text.ids) for text in tasks[0].forget),
                nll=sum(one.nll for one in scored) / tokens,
                nll_lowest=min(per_token),
                nll_highest=max(per_token),
                steps=len(tasks[0].schedule()),
                retain_passes={
                    subset: sum(len(step.retain) for step in task.schedule()) / max(1, len(task.retain))
                    for subset, task in of_subset.items()
                },
                retain_tokens={
                    subset: sum(text.predicted for text in task.retain) for subset, task in of_subset.items()
                },
            )
        )
    return found


def trials(patient: Patient, settings: GridSettings, grid: GridFolder, processes: Processes) -> list[FirstSteps]:
    """Two steps of each method, semantics and format, on the first retain subset, learning rate and seed there is."""
    chosen: dict[tuple[str, str, str], tuple[CellConfig, Unlearning]] = {}
    for cell in patient.cells:
        one = cell.unlearning
        if one is not None:
            chosen.setdefault((one.method.model_dump_json(), one.semantics, one.forget_format), (cell, one))
    return [_trial(patient, cell, one, settings, grid, processes) for cell, one in chosen.values()]


def _trial(
    patient: Patient,
    config: CellConfig,
    one: Unlearning,
    settings: GridSettings,
    grid: GridFolder,
    processes: Processes,
) -> FirstSteps:
    task = patient.task(config, one)
    execution = settings.execution.model_copy(update={"log_gradients": True, "processes": 1})
    steps = task.schedule()[:TRIED_STEPS]
    reference: ReferenceSource
    if task.reads_cache(execution):
        cached = reference_cache(grid.reference(patient.record.weights_sha256), patient.model, top_k=execution.top_k)
        cached.fill(patient.model, task.reference_texts(steps))
        reference = cached
    else:
        reference = LiveReference(patient.model)
    copied = replace(patient.model, network=copy.deepcopy(patient.model.network))
    changed = prepared_model(copied, one.training, config.seed)
    outcome = unlearn(changed, reference, task, execution, processes, first_steps=TRIED_STEPS)
    scored = patient.scored[one.forget_format]
    nll = torch.tensor([text.nll for text in scored])
    weights = None
    if one.semantics == "proper":
        weights = one.method.weight(nll, torch.tensor([float(text.tokens) for text in scored]), nll)
    first, last = outcome.steps[0], outcome.steps[-1]
    return FirstSteps(
        corpus=config.corpus,
        method=_name(one),
        settings=one.method.model_dump(),
        semantics=one.semantics,
        format=one.forget_format,
        saturated=None if weights is None else float((weights < losses.SATURATED_BELOW).float().mean()),
        weight=None if weights is None else float(weights.mean()),
        saturated_second=last.saturated,
        forget_gradient=last.forget_gradient,
        retain_gradient=last.retain_gradient,
        forget_nll=(first.forget_nll, last.forget_nll),
        seconds=last.seconds,
        step_tokens=last.forget_tokens + last.retain_tokens,
        diverged=outcome.ended == "diverged",
    )


def _name(one: Unlearning) -> str:
    settings = one.method.model_dump(exclude={"kind"}, exclude_defaults=True)
    words = {name: f"{value:g}" if isinstance(value, float) else value for name, value in settings.items()}
    return one.method.title + "".join(f" {name} {value}" for name, value in words.items())


def cost(
    planned: Sequence[PlannedTraining],
    tried: Sequence[FirstSteps],
    patients: Sequence[Patient],
    settings: GridSettings,
    processes: Processes,
) -> Cost:
    """Time from the trials, memory from the sizes of things."""
    still = [one for one in planned if not one.is_finished]
    tokens = sum(one.tokens for one in still)
    per_token = sum(one.seconds for one in tried) / max(1, sum(one.step_tokens for one in tried))
    return Cost(
        cells=len(planned),
        open_cells=len(still),
        steps=sum(one.steps for one in still),
        tokens=tokens,
        training_seconds=tokens * per_token,
        memory_bytes=max(_memory(patient, settings, processes) for patient in patients),
        peak_bytes=_peak(processes),
        available_bytes=_available(processes),
        precision="bfloat16" if processes.bfloat16 else "float32",
    )


def _memory(patient: Patient, settings: GridSettings, processes: Processes) -> int:
    """Bytes a worker holds at its peak (`training.footprint` has the formula)."""
    longest = max((text.tokens for texts in patient.scored.values() for text in texts), default=0) + 2
    config = patient.model.network.config
    shape = ModelShape(
        layers=int(config.num_hidden_layers),
        hidden=int(config.hidden_size),
        intermediate=int(getattr(config, "intermediate_size", 4 * config.hidden_size)),
        key_value=int(config.hidden_size),
        vocabulary=patient.model.vocabulary,
        is_tied=bool(getattr(config, "tie_word_embeddings", False)),
    )
    return footprint(shape, settings.training, settings.execution, longest, bfloat16=processes.bfloat16).total


def _peak(processes: Processes) -> int:
    if processes.device.type == "cuda":
        return int(torch.cuda.max_memory_allocated(processes.device))
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _available(processes: Processes) -> int:
    if processes.device.type == "cuda":
        return int(torch.cuda.mem_get_info(processes.device)[0])
    return int(psutil.virtual_memory().available)
