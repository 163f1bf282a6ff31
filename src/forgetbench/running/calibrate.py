"""Run a benchmark's reference models through it and hold the figures to what they must be."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from forgetbench.benchmarks.base import Benchmark, Check, Settings
from forgetbench.errors import SettingError
from forgetbench.running.execute import start_run
from forgetbench.running.manifest import Limits, ModelSpec


def calibrate(benchmark: Benchmark, settings: Settings) -> Iterator[list[Check]]:
    """The checks of each reference model in turn, from a real run each.

    Raises:
        SettingError: the benchmark has no reference models.
    """
    if benchmark.check_reference is None:
        raise SettingError("this benchmark has no reference models", found=benchmark.name)
    plan = benchmark.plan(settings)
    for name in benchmark.reference_models:
        with tempfile.TemporaryDirectory(prefix="forgetbench-validate-") as folder:
            finished = start_run(
                benchmark,
                settings,
                plan,
                ModelSpec(name=f"forgetbench/reference/{name}"),
                Limits(),
                Path(folder) / name,
                display="none",
            )
            yield benchmark.check_reference(name, finished.table)
