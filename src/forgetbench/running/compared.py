"""Run folders as a comparison takes them."""

from collections.abc import Sequence
from pathlib import Path, PurePath

from forgetbench.benchmarks import get_benchmark
from forgetbench.benchmarks.base import RunFacts
from forgetbench.comparison.runs import ComparedRun, labelled
from forgetbench.results import read_table
from forgetbench.running.execute import TABLE_NAME
from forgetbench.running.manifest import Manifest, read_manifest


def read_compared(folders: Sequence[Path]) -> tuple[ComparedRun, ...]:
    """The runs of these folders, from their manifests and sample tables, each with a label of its own.

    Raises:
        RunFolderError: no run folder, or it has no sample table yet.
    """
    return labelled([_compared(folder) for folder in folders])


def _compared(folder: Path) -> ComparedRun:
    manifest = read_manifest(folder)
    source = str(manifest.settings.get("data", ""))
    return ComparedRun(
        label="",
        folder=folder.resolve().name,
        benchmark=manifest.benchmark,
        model=manifest.model.name,
        decoding=manifest.model.decoding,
        judge=manifest.judged_by,
        data=source if source in ("embedded", "official", "") else PurePath(source).name,
        data_sha256=manifest.data_sha256,
        prompts_version=manifest.prompts_version,
        plan_sha256=manifest.plan_sha256,
        settings=manifest.settings,
        forgetbench=manifest.forgetbench,
        completeness=manifest.completeness,
        planned=manifest.planned_samples,
        table=read_table(folder / TABLE_NAME),
    )


def facts_of(manifest: Manifest, *, published: bool = False) -> RunFacts:
    """What a benchmark's figures need to know of a run beside its table."""
    return RunFacts(
        settings=get_benchmark(manifest.benchmark).settings.model_validate(manifest.settings),
        planned=manifest.planned,
        completeness_floor=manifest.limits.completeness_floor,
        published=published,
        decoding=manifest.model.decoding,
        data_sha256=manifest.data_sha256,
    )
