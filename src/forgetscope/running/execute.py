"""Start a run and finish one that was stopped: Inspect's eval set in a folder with a manifest."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.base import Benchmark, Plan
from forgetscope.benchmarks.papers import Arm
from forgetscope.core.errors import RunFolderError, SettingError
from forgetscope.core.progress import Progress, silent
from forgetscope.core.settings import Settings
from forgetscope.io.files import alone_in, claim_folder, nothing_left
from forgetscope.judging.panel import GRADER
from forgetscope.running.building import ask_first, build_model, describe_model, ready_models, require_prices
from forgetscope.running.finished import FinishedRun, collect_samples
from forgetscope.running.manifest import (
    LOG_FOLDER,
    Limits,
    Manifest,
    ModelSpec,
    new_manifest,
    read_manifest,
    settings_of_run,
    update_manifest,
    write_manifest,
)
from forgetscope.running.shards import PARTS_AT_ONCE, Shard, cut_to_shard, in_parts, planned_of
from forgetscope.running.started import NOTHING_SAID, Ask, SaidAgain, allowed_specs, record_start

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.model import Model

Display = Literal["rich", "plain", "none"]
"""Inspect's progress: live on a terminal, lines now and then, or nothing."""


def start_run(
    benchmark: Benchmark,
    settings: Settings,
    plan: Plan,
    model: ModelSpec,
    limits: Limits,
    folder: Path,
    *,
    display: Display,
    judges: Sequence[ModelSpec] = (),
    shard: Shard | None = None,
    reproduces: Arm = "",
    progress: Progress = silent,
    announce: Callable[[], None] = lambda: None,
    asks_first: bool = False,
) -> FinishedRun:
    """Run a benchmark on a model in a new folder; `judges` judge its replies; of a plan only a `shard`, where given.

    `reproduces` is written down where the settings are those of a paper's experiment. `announce` is called once all
    that can be known beforehand is known to be right: models, keys, prices, folder; with `asks_first` also that the
    model and its judges answer one short request (`models.probe`).

    Raises:
        RunFolderError: the folder holds something already, or cannot be written.
        UserError: the model is unknown, its key is missing, or its price where `limits` needs one; it reads text alone
            where there are pictures, or does not answer.
        KeyboardInterrupt: it was stopped; every reply so far is kept.
    """
    built, *built_judges = ready_models(benchmark, model, judges, limits)
    described = describe_model(model, built, settings)
    manifest = new_manifest(benchmark.name, benchmark.prompts_version, settings, plan, described, limits, tuple(judges))
    manifest = manifest.model_copy(update={"reproduces": reproduces})
    task = benchmark.task(settings)
    if shard is not None:
        task = cut_to_shard(task, shard)
        manifest = manifest.model_copy(
            update={
                "shard": str(shard),
                "planned": planned_of(benchmark, task),
                "notes": [f"shard {shard} of the plan: every {shard.count}th item", *manifest.notes],
            }
        )
    claim_folder(folder, f"forgetscope resume {folder}, or another folder with --out")
    with alone_in(folder):
        if asks_first:
            with nothing_left(folder):
                ask_first(benchmark, settings, model, judges, limits)
        announce()
        write_manifest(folder, manifest)
        record_start(manifest, (manifest.model, *manifest.judges))
        return _execute(benchmark, task, manifest, built, built_judges, folder, display, progress)


def resume_run(
    folder: Path,
    *,
    display: Display,
    limits: Mapping[str, object] | None = None,
    model: SaidAgain = NOTHING_SAID,
    judge: SaidAgain = NOTHING_SAID,
    ask: Ask | None = None,
    progress: Progress = silent,
) -> FinishedRun:
    """Finish a run that was stopped or killed: finished samples are kept, the others are sent.

    Args:
        folder: Of the run.
        display: Inspect's progress.
        limits: Fields of `Limits` that are other than before: a higher budget.
        model: The model's address, arguments or name, said again: needed where the run was started elsewhere.
        judge: Likewise of its judges.
        ask: Puts a question to whoever sits at the terminal.
        progress: Of reading the logs at the end.

    Raises:
        RunFolderError: not a run folder, one of another version, one that another process works in, or its data or
            prompts have changed since.
        SettingError: the run was merged from shards, a model lacks the price a budget needs, or the run was started
            elsewhere and says itself whom to ask.
    """
    read_manifest(folder)
    with alone_in(folder):
        return _resume(folder, display, limits or {}, model, judge, ask, progress)


def _resume(
    folder: Path,
    display: Display,
    limits: Mapping[str, object],
    model: SaidAgain,
    judge: SaidAgain,
    ask: Ask | None,
    progress: Progress,
) -> FinishedRun:
    from forgetscope.running.logs import require_own_logs, set_damaged_aside

    manifest = read_manifest(folder)
    damaged = set_damaged_aside(folder)
    require_own_logs(folder)
    if manifest.replies is not None:
        raise SettingError(
            "a run made of replies from elsewhere is not resumed: nothing is sent for it",
            where=str(folder),
            found=manifest.replies.file,
            next_step=f"add what is missing to the file, then forgetscope run {manifest.benchmark} --replies FILE",
        )
    if manifest.merged:
        raise SettingError(
            "a merged run is not resumed",
            where=str(folder),
            found=", ".join(manifest.merged),
            next_step="resume its shards and merge them again",
        )
    if damaged:
        said = f"set aside as damaged: {', '.join(path.name for path in damaged)}; what it held was sent again"
        manifest = update_manifest(folder, manifest, {"notes": [*manifest.notes, said], "finished": None})
    if limits:
        changed = Limits.model_validate({**manifest.limits.model_dump(), **limits})
        require_prices(changed, (manifest.model, *manifest.judges))
        manifest = update_manifest(folder, manifest, {"limits": changed})
    benchmark = get_benchmark(manifest.benchmark)
    settings = settings_of_run(benchmark, manifest)
    with benchmark.counting(manifest.unreadable):
        _require_as_planned(benchmark, manifest, benchmark.plan(settings), folder)
        (spec,) = allowed_specs(folder, manifest, [manifest.model], model, ask)
        specs = allowed_specs(folder, manifest, manifest.judges, judge, ask, are_judges=True)
        manifest = update_manifest(folder, manifest, {"model": spec, "judges": specs})
        built = build_model(spec, manifest.limits)
        judges = [build_model(one, manifest.limits, "--judge") for one in specs]
        task = benchmark.task(settings)
        if manifest.shard:
            task = cut_to_shard(task, Shard.parse(manifest.shard))
        return _execute(benchmark, task, manifest, built, judges, folder, display, progress)


def _require_as_planned(benchmark: Benchmark, manifest: Manifest, plan: Plan, folder: Path) -> None:
    """See that what would be sent is what the run was started with.

    Raises:
        RunFolderError: it is not; names what changed, or an input that was there and cannot be read any more.
    """
    for what, then, today in (
        ("prompt texts", manifest.prompts_version, benchmark.prompts_version),
        ("data", manifest.data_sha256, plan.data_sha256),
        ("planned prompts", manifest.plan_sha256, plan.sha256),
    ):
        if then == today:
            continue
        gone = {name: why for name, why in plan.unreadable.items() if name not in manifest.unreadable}
        if what == "data" and gone:
            name, why = next(iter(gone.items()))
            raise RunFolderError(
                f"{len(gone)} inputs of this run could be read when it was started and cannot now",
                where=str(folder),
                found=f"{name}: {why}",
                next_step=f"bring them back as they were, then forgetscope resume {folder}",
            )
        raise RunFolderError(
            f"the {what} changed since this run was started, so it cannot be continued",
            where=str(folder),
            found=today[:12],
            allowed=then[:12],
            next_step=f"use forgetscope {manifest.forgetscope} and the same data, or start a new run",
        )


def _execute(
    benchmark: Benchmark,
    task: "Task",
    manifest: Manifest,
    model: "Model",
    judges: "Sequence[Model]",
    folder: Path,
    display: Display,
    progress: Progress,
) -> FinishedRun:
    from inspect_ai import eval_set

    from forgetscope.running.costs.budget import Budget, InputFloor
    from forgetscope.running.journal import ReplyJournal, journaled
    from forgetscope.running.judgements import JudgementFile
    from forgetscope.running.logs import RowsMade, without_tracebacks

    journal, limits = ReplyJournal(folder), manifest.limits
    budget = Budget(limits.max_usd, limits.max_samples, limits.prices, journal.spent)
    inputs = InputFloor(manifest.planned_samples, limits.completeness_floor)
    inputs.watch(task)
    made = RowsMade(benchmark, manifest.model.name, JudgementFile(folder))
    made.watch(task)
    parts = in_parts(task, manifest.samples_a_log)
    wrapped_judges = [
        journaled(judge, spec.name, journal, budget, is_judge=True)
        for judge, spec in zip(judges, manifest.judges, strict=True)
    ]
    try:
        with without_tracebacks(journal):
            _, logs = eval_set(
                parts,
                log_dir=str(folder / LOG_FOLDER),
                model=journaled(model, manifest.model.name, journal, budget, is_judge=False),
                model_roles={GRADER: wrapped_judges} if judges else None,
                retry_attempts=0,
                retry_immediate=False,
                fail_on_error=True,
                continue_on_fail=True,
                log_format="eval",
                log_buffer=LOG_BUFFER,
                log_realtime=False,
                log_images=False,
                log_level="warning",
                display=display,
                score_display=False,
                max_tasks=PARTS_AT_ONCE,
                log_dir_allow_dirty=True,
                # A sample that is being scored holds its place; twice as many keep the engine of a local model fed.
                max_samples=2 * model.api.max_connections() if manifest.model.name.startswith("forgetscope/") else None,
            )
    except OSError as error:  # of the disk: what a provider's connection raises ends in its sample
        raise RunFolderError(
            "cannot write the run's log",
            where=str(error.filename or folder / LOG_FOLDER),
            found=error.strerror or str(error),
            next_step=f"make room, then forgetscope resume {folder}",
        ) from None
    journal.require_sound()
    if len(logs) < len(parts) or any(log.status == "cancelled" for log in logs):
        raise KeyboardInterrupt  # which Inspect keeps to itself: it gives no log of what was stopped
    finished = collect_samples(benchmark, manifest, folder, progress, made)
    if finished.manifest.finished is not None and not finished.has_lost_samples:  # whose first calls it may hold
        journal.discard()
    return replace(finished, stopped=budget.reached or inputs.reached)


LOG_BUFFER = 100
"""Samples kept back before the log is written, for each writing copies it whole; the journal has what is kept back."""
