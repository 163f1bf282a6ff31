"""What a grid will cost: steps, tokens and time, without training anything."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

from forgetscope.benchmarks.grids import GpuNeed, PlannedTraining
from forgetscope.benchmarks.unlearning.grid.cells import CellConfig, CellResult, GridFolder, read_result
from forgetscope.benchmarks.unlearning.grid.preparing import PreparedExperiment, list_cells, prepare_experiments
from forgetscope.benchmarks.unlearning.grid.tasks import unlearning_task
from forgetscope.benchmarks.unlearning.settings import ExecutionSettings, GridSettings, TrainingSettings
from forgetscope.benchmarks.unlearning.training.footprint import (
    LARGE,
    CellWork,
    ModelShape,
    footprint,
    gpu_seconds,
    shape_of,
    ways,
)
from forgetscope.benchmarks.unlearning.training.target import read_target
from forgetscope.benchmarks.unlearning.training.target_settings import TargetSettings
from forgetscope.core.errors import RunFolderError
from forgetscope.findings.phrasing import counted


@dataclass(frozen=True)
class Pace:
    """How fast cells of one target are.

    Attributes:
        per_token: Seconds of training a token.
        evaluation: Seconds of evaluating a cell.
        source: Where this is known from, in words.
    """

    per_token: float
    evaluation: float
    source: str

    def seconds(self, tokens: int) -> float:
        """Of a cell that trains on so many tokens."""
        return tokens * self.per_token + self.evaluation


BATCH = 8
"""Samples that an evaluation writes at once."""

EMBEDDED_PACE = Pace(0.19e-3, 1.2, "stored: the embedded model on one thread of one machine, 2026-11-21")
"""CPU seconds of the 27 cells of the demo; lab notes. No figure of any other model is stored."""


def pace_of(target: str, settings: TargetSettings, results: Sequence[CellResult], grid: GridFolder) -> Pace | None:
    """How fast cells of a target are: as fast as those finished in this folder, as its making, or as stored.

    Args:
        target: Its identity.
        settings: Its settings.
        results: Of finished cells.
        grid: Where it may have been made.

    Returns:
        None where nothing is known: `forgetscope unlearn doctor` takes two steps and knows.
    """
    own = [result for result in results if result.config.target == target and result.training is not None]
    if own:
        paces = [
            result.training.seconds / max(1, result.training.forget_tokens + result.training.retain_tokens)
            for result in own
            if result.training is not None
        ]
        evaluation = median(result.seconds["evaluate"] for result in own)
        return Pace(median(paces), evaluation, f"measured: {counted(len(own), 'finished cell')} in this folder")
    try:
        record = read_target(grid.target(target))
    except RunFolderError:
        record = None
    if record is not None and record.tokens:
        return Pace(record.seconds / record.tokens, 0.0, "measured: making the target; evaluation comes on top")
    return EMBEDDED_PACE if settings.knows_its_corpus_alone else None


def plan_grid(settings: GridSettings, out: Path) -> list[PlannedTraining]:
    """The cost of each cell of a grid; its data are made in `out`, which may hold finished cells and targets."""
    grid = GridFolder(out)
    prepared = prepare_experiments(settings, grid)
    return plan_cells(list_cells(settings, prepared), prepared, grid, settings.execution)


def plan_cells(
    cells: Sequence[CellConfig],
    prepared: Sequence[PreparedExperiment],
    grid: GridFolder,
    execution: ExecutionSettings | None = None,
) -> list[PlannedTraining]:
    """The cost of each cell.

    Args:
        cells: Of the grid.
        prepared: Its experiments.
        grid: Where finished cells and targets are looked for.
        execution: How the machine does it; None: the defaults.
    """
    execution = execution or ExecutionSettings()
    by_data = {one.data.sha256: one for one in prepared}
    results = [read_result(grid.cell(config.id)) for config in cells if grid.is_finished(config.id)]
    paces = {one.target: pace_of(one.target, one.experiment.target, results, grid) for one in prepared}
    shapes = {one.target: shape_of(one.experiment.target.model) for one in prepared}
    planned = []
    for config in cells:
        one = by_data[config.data]
        pace, shape = paces[one.target], shapes[one.target]
        plan = PlannedTraining(config.id, config.label, 0, 0, None, "", grid.is_finished(config.id))
        longest = 0
        training = config.unlearning.training if config.unlearning else TrainingSettings()
        if config.unlearning is not None:
            task = unlearning_task(config, config.unlearning, one.data, one.tokenizer)
            schedule = task.schedule()
            tokens = sum(
                sum(task.forget[i].predicted for i in step.forget) + sum(task.retain[i].predicted for i in step.retain)
                for step in schedule
            )
            longest = max((len(text.ids) for text in (*task.forget, *task.retain)), default=0)
            plan = replace(plan, steps=len(schedule), tokens=tokens)
        if pace is not None:
            plan = replace(plan, seconds=pace.seconds(plan.tokens), source=pace.source)
        if shape is not None and shape.parameters >= LARGE:
            work = CellWork(plan.tokens, _reference_tokens(one, len(cells)), *_evaluated(config, one))
            plan = replace(plan, needs=_needs(shape, training, execution, longest, work))
        planned.append(plan)
    return planned


def _reference_tokens(one: PreparedExperiment, cells: int) -> int:
    """A cell's share of the one pass that caches what the target says of every text."""
    texts = sum(text.tokens for texts in one.data.texts.values() for text in texts)
    return (texts + sum(chunk.tokens for chunk in one.data.retain)) // max(1, cells)


def _evaluated(config: CellConfig, one: PreparedExperiment) -> tuple[int, int]:
    """Tokens of the evaluation's prompts, about 100 a question with what stands before it, and rounds of writing."""
    evaluation = config.evaluation
    questions = len(one.data.questions) + len(one.data.world)
    chunks = one.data.verbatim or one.data.forget
    half = sum(chunk.tokens for chunk in one.data.forget) // 2
    rounds = (len(chunks) * evaluation.verbatim_max_tokens + questions * evaluation.knowledge_max_tokens) // BATCH
    return half + 100 * questions, rounds


def _needs(
    shape: ModelShape, training: TrainingSettings, execution: ExecutionSettings, longest: int, work: CellWork
) -> tuple[GpuNeed, ...]:
    found = []
    for way in ways(training, execution):
        held = footprint(shape, way.training, way.execution, longest, bfloat16=True)
        hours = gpu_seconds(shape, way.training, way.execution, work) / 3600
        found.append(GpuNeed(way.name, way.settings, way.execution.processes, asdict(held), hours))
    return tuple(found)
