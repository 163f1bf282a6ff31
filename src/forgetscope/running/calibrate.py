"""Run a benchmark's reference models and judges through it and hold the figures to what they must be."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from forgetscope.benchmarks.base import Benchmark, Check
from forgetscope.core.errors import SettingError
from forgetscope.core.settings import Settings
from forgetscope.running.execute import start_run
from forgetscope.running.manifest import Limits, ModelSpec


def calibrate(benchmark: Benchmark, settings: Settings) -> Iterator[list[Check]]:
    """The checks of each reference model, then of the judged runs, then of the trained models; a real run each.

    Raises:
        SettingError: the benchmark has no reference models.
    """
    if benchmark.check_reference is None:
        raise SettingError("this benchmark has no reference models", found=benchmark.name)
    for name in benchmark.reference_models:
        yield benchmark.check_reference(name, _table(benchmark, settings, _scripted(name)))
    for run in benchmark.judged_references:
        judged = benchmark.settings.model_validate({**settings.model_dump(), **run.settings})
        judges = [_scripted(judge) for judge in run.judges]
        yield benchmark.check_reference(run.name, _table(benchmark, judged, _scripted(run.model), judges))
    for trained in benchmark.trained_references:
        chosen = benchmark.settings.model_validate(trained.settings)
        yield benchmark.check_reference(trained.model, _table(benchmark, chosen, ModelSpec(name=trained.model)))


def _table(
    benchmark: Benchmark, settings: Settings, model: ModelSpec, judges: Sequence[ModelSpec] = ()
) -> pl.DataFrame:
    with tempfile.TemporaryDirectory(prefix="forgetscope-validate-") as folder:
        finished = start_run(
            benchmark,
            settings,
            benchmark.plan(settings),
            model,
            Limits(),
            Path(folder) / model.name.replace("/", "-"),
            display="none",
            judges=judges,
        )
        return finished.table


def _scripted(name: str) -> ModelSpec:
    return ModelSpec(name=f"forgetscope/reference/{name}")
