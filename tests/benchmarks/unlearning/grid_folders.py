"""Grid folders as workers leave them, without training: cells with made-up scores."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import polars as pl

from forgetscope.benchmarks.unlearning.data.records import RetainSubset
from forgetscope.benchmarks.unlearning.evaluation.base import LIKELIHOOD_SCHEMA, SAMPLE_SCHEMA
from forgetscope.benchmarks.unlearning.grid.cells import (
    FAILURE_NAME,
    LIKELIHOODS_NAME,
    RESULT_NAME,
    SAMPLES_NAME,
    CellConfig,
    CellResult,
    GridFolder,
    TrainingSummary,
    Unlearning,
)
from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.benchmarks.unlearning.grid.preparing import write_grid
from forgetscope.benchmarks.unlearning.metrics.study import MEASURES
from forgetscope.benchmarks.unlearning.settings import GridSettings
from forgetscope.core.outcomes import Status
from forgetscope.core.results import CORE_SCHEMA, Value, build_table
from forgetscope.io.tables import write_table

SETTINGS = settings_of({"formats": ["raw"]})

Score = Callable[[CellConfig], float | None]
"""What every sample of a cell scores; None where training diverged."""


def cells(settings: GridSettings = SETTINGS, *, data: str = "d" * 64, target: str = "t" * 16) -> list[CellConfig]:
    """The target and one cell a method, on raw text and the low retain set."""
    return [
        CellConfig(corpus="embedded", data=data, target=target, role="target"),
        *(
            CellConfig(
                corpus="embedded",
                data=data,
                target=target,
                unlearning=Unlearning(
                    method=method, forget_format="raw", retain_subset=RetainSubset.LOW, training=settings.training
                ),
            )
            for method in settings.methods
        ),
    ]


def samples(config: CellConfig, score: float | None) -> pl.DataFrame:
    """Two samples a measure."""
    rows: list[dict[str, Value]] = []
    for measure in MEASURES:
        for number in range(2):
            row: dict[str, Value] = dict.fromkeys({**CORE_SCHEMA, **SAMPLE_SCHEMA})
            found = None if score is None else score * (0.9 + 0.2 * number)
            status = Status.MODEL_ERROR if found is None else Status.CORRECT if found >= 0.5 else Status.INCORRECT
            row.update(config.factors())
            row.update(
                benchmark="unlearning",
                model="embedded",
                sample_id=f"unlearning/{measure}-{number}/knowledge/cell={config.id}",
                item=f"{measure}-{number}",
                form="knowledge",
                seed=config.seed,
                status=status.value,
                raw_pass=None if found is None else found >= 0.5,
                finish_reason="stop",
                looped=False,
                messages="[]",
                reply="a reply",
                measure=measure,
                score=found,
            )
            rows.append(row)
    return build_table(rows, SAMPLE_SCHEMA)


def finish(
    grid: GridFolder,
    config: CellConfig,
    score: float | None,
    figures: Mapping[str, float] | None = None,
    training: TrainingSummary | None = None,
) -> None:
    """Leave what a worker leaves of a finished cell."""
    folder = grid.cell(config.id)
    folder.mkdir(parents=True, exist_ok=True)
    write_table(samples(config, score), folder / SAMPLES_NAME)
    write_table(pl.DataFrame(schema=LIKELIHOOD_SCHEMA), folder / LIKELIHOODS_NAME)
    result = CellResult(
        id=config.id,
        config=config,
        status="diverged" if score is None else "complete",
        figures=dict(figures or {}),
        training=training,
        weights_sha256="w" * 64,
        attempts=1,
        seconds={},
        environment={},
        started="2026-01-01T00:00:00+00:00",
        finished="2026-01-01T00:01:00+00:00",
    )
    (folder / RESULT_NAME).write_text(result.model_dump_json(), encoding="utf-8")


def write_cells(
    path: Path, configs: Sequence[CellConfig], score: Score, settings: GridSettings = SETTINGS
) -> GridFolder:
    """A grid all of whose cells are finished."""
    grid = GridFolder(path)
    write_grid(grid, settings, configs)
    for config in configs:
        finish(grid, config, score(config))
    return grid


def unfinish(grid: GridFolder, config: CellConfig, reason: str | None = None) -> None:
    """Take a cell's result away again; with a reason it failed."""
    (grid.cell(config.id) / RESULT_NAME).unlink()
    if reason is not None:
        (grid.cell(config.id) / FAILURE_NAME).write_text(f'{{"error": "{reason}"}}', encoding="utf-8")


def by_method(config: CellConfig) -> float:
    """Scores that differ by method: the target 0.8, GA 0.2, NPO 0.4, SimNPO 0.6."""
    if config.unlearning is None:
        return 0.8
    return {"ga": 0.2, "npo": 0.4, "simnpo": 0.6}[config.unlearning.method.kind]
