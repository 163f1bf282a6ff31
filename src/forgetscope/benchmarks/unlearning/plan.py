"""What a grid will cost: steps, tokens and time, without training anything."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from forgetscope.benchmarks.grids import PlannedTraining
from forgetscope.benchmarks.unlearning.grid.cells import CellConfig, CellResult, GridFolder, read_result
from forgetscope.benchmarks.unlearning.grid.preparing import PreparedExperiment, list_cells, prepare_experiments
from forgetscope.benchmarks.unlearning.grid.tasks import unlearning_task
from forgetscope.benchmarks.unlearning.settings import GridSettings, TargetSettings
from forgetscope.benchmarks.unlearning.training.target import read_target
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
    return plan_cells(list_cells(settings, prepared), prepared, grid)


def plan_cells(
    cells: Sequence[CellConfig], prepared: Sequence[PreparedExperiment], grid: GridFolder
) -> list[PlannedTraining]:
    """The cost of each cell.

    Args:
        cells: Of the grid.
        prepared: Its experiments.
        grid: Where finished cells and targets are looked for.
    """
    by_data = {one.data.sha256: one for one in prepared}
    results = [read_result(grid.cell(config.id)) for config in cells if grid.is_finished(config.id)]
    paces = {one.target: pace_of(one.target, one.experiment.target, results, grid) for one in prepared}
    planned = []
    for config in cells:
        one = by_data[config.data]
        steps = tokens = 0
        if config.unlearning is not None:
            task = unlearning_task(config, config.unlearning, one.data, one.tokenizer)
            schedule = task.schedule()
            steps = len(schedule)
            tokens = sum(
                sum(task.forget[i].predicted for i in step.forget) + sum(task.retain[i].predicted for i in step.retain)
                for step in schedule
            )
        pace = paces[one.target]
        seconds, source = (pace.seconds(tokens), pace.source) if pace else (None, "")
        is_finished = grid.is_finished(config.id)
        planned.append(PlannedTraining(config.id, config.label, steps, tokens, seconds, source, is_finished))
    return planned
