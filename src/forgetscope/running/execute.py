"""Start a run and finish one that was stopped: Inspect's eval set in a folder with a manifest."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import polars as pl
from pydantic import JsonValue

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.base import Benchmark, Plan
from forgetscope.benchmarks.papers import Arm
from forgetscope.core.errors import MissingPartError, RunFolderError, SettingError, UnknownNameError, UserError
from forgetscope.core.outcomes import Account, Status
from forgetscope.core.progress import Progress, silent
from forgetscope.core.results import CORE_SCHEMA
from forgetscope.core.secrets import require_no_password, with_secrets
from forgetscope.core.settings import Settings
from forgetscope.io.files import alone_in, claim_folder
from forgetscope.io.tables import read_table, write_table
from forgetscope.judging.panel import GRADER
from forgetscope.models.naming import require_known
from forgetscope.running.manifest import (
    Limits,
    Manifest,
    ModelSpec,
    new_manifest,
    now,
    read_manifest,
    settings_of_run,
    update_manifest,
    write_manifest,
)
from forgetscope.running.prices import required_price
from forgetscope.running.shards import PARTS_AT_ONCE, Shard, cut_to_shard, in_parts, planned_of
from forgetscope.running.started import NOTHING_SAID, Ask, SaidAgain, allowed_specs, record_start

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.model import Model

TABLE_NAME = "samples.parquet"

Display = Literal["rich", "plain", "none"]
"""Inspect's progress: live on a terminal, lines now and then, or nothing."""


@dataclass(frozen=True)
class FinishedRun:
    """A run folder with its table, after the last sample."""

    folder: Path
    manifest: Manifest
    table: pl.DataFrame
    stopped: str = ""
    """Why the run ended before everything was sent, by a budget or its inputs; empty where it did not."""
    can_go_on: bool = True
    """Whether `resume` can send what is missing; not where the samples are of somebody else's run."""

    @property
    def is_complete(self) -> bool:
        """Whether completeness reaches the floor."""
        return self.manifest.status == "complete"

    @property
    def judged_by(self) -> str:
        """The judges whose verdicts count in the table, in words; of one that could not be read, that."""
        if "judge_names" not in self.table.columns:
            return ""
        read, unread = (set(self.table[name].explode().drop_nulls()) for name in ("judge_names", "judge_unread"))
        first = [spec.name for spec in self.manifest.judges]
        named = [*first, *(spec.name for spec in self.manifest.later_judges)]
        asked = sorted(read | unread, key=lambda name: (named.index(name) if name in named else -1, name))
        words = {name: name if name in read else f"{name} (no verdict of it could be read)" for name in asked}
        during = ", ".join(words[name] for name in asked if name in first or name not in named)
        after = ", ".join(words[name] for name in asked if name in named and name not in first)
        return f"{during}; judged again by {after}" if during and after else during or after

    @property
    def has_lost_samples(self) -> bool:
        """Whether a sample has no outcome for lack of a reply."""
        return bool((self.table["status"] == Status.MODEL_ERROR.value).any())


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
            ask_first(benchmark, settings, model, judges, limits)
        announce()
        write_manifest(folder, manifest)
        record_start(manifest, (manifest.model, *manifest.judges))
        return _execute(benchmark, task, manifest, built, built_judges, folder, display, progress)


def ready_models(benchmark: Benchmark, model: ModelSpec, judges: Sequence[ModelSpec], limits: Limits) -> "list[Model]":
    """The model of a run and its judges, built, once all that can be known without asking them is known to be right.

    Raises:
        UserError: one is unknown, its key is missing, or its price where `limits` needs one; or the model, in this
            process, reads text alone where there are pictures.
    """
    from forgetscope.models.local import LocalModel

    require_known(model.name, benchmark.reference_models)
    for judge in judges:
        require_known(judge.name, benchmark.reference_judges, "--judge")
    require_prices(limits, (model, *judges))
    built = build_model(model, limits)
    if benchmark.shows_pictures and isinstance(built.api, LocalModel):
        raise SettingError(
            "this model reads text alone, and the benchmark shows pictures",
            where=f"--model {model.name}",
            next_step="forgetscope list tells which of ours see",
        )
    return [built, *(build_model(judge, limits, "--judge") for judge in judges)]


def ask_first(
    benchmark: Benchmark, settings: Settings, model: ModelSpec, judges: Sequence[ModelSpec], limits: Limits
) -> None:
    """Find out by one short request each whether a model and its judges answer; those that run here are not asked.

    Raises:
        SettingError: one does not, or refuses what every request of the run would ask.
    """
    from inspect_ai.model import GenerateConfig

    from forgetscope.models.probe import is_asked, require_answer

    config = GenerateConfig(temperature=float(getattr(settings, "temperature", 0.0)), max_tokens=settings.max_tokens)
    for spec, option in ((model, "--model"), *((judge, "--judge") for judge in judges)):
        if is_asked(spec.name, spec.base_url):
            shows = benchmark.shows_pictures and spec is model
            require_answer(build_model(spec, limits, option), config, option, shows_picture=shows)


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


def require_prices(limits: Limits, models: Sequence[ModelSpec]) -> None:
    """See that every model of a run has a price where the run is limited by one.

    Raises:
        SettingError: one has none.
    """
    if limits.max_usd is not None:
        for spec in models:
            required_price(limits.prices, spec.name, "--max-usd")


def read_run_table(folder: Path, benchmark: Benchmark) -> pl.DataFrame:
    """The sample table of a run folder as it was last written.

    Raises:
        RunFolderError: there is none, or none of this benchmark.
    """
    return read_table(folder / TABLE_NAME, {**CORE_SCHEMA, **benchmark.schema})


def collect_run(folder: Path, progress: Progress = silent) -> FinishedRun:
    """Make the sample table again from the logs, and bring the manifest up to it."""
    manifest = read_manifest(folder)
    return _collect(get_benchmark(manifest.benchmark), manifest, folder, progress)


def build_model(spec: ModelSpec, limits: Limits, option: str = "--model") -> "Model":
    """The Inspect model of a specification, with the run's patience; `option` named it, for messages.

    Raises:
        UserError: the provider or model is unknown, a key is missing, an argument is wrong, or a model in this process
            is told how to think.
    """
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.model import GenerateConfig, get_model

    from forgetscope.running.patience import patient, total_timeout

    in_process = spec.name.startswith("forgetscope/")
    config = GenerateConfig(
        max_retries=limits.max_retries,
        timeout=None if in_process else total_timeout(limits),
        attempt_timeout=None if in_process else limits.attempt_timeout,
        max_connections=limits.max_connections,
        frequency_penalty=spec.frequency_penalty or None,
        reasoning_effort=spec.reasoning_effort,
        reasoning_tokens=spec.reasoning_tokens,
    )
    if in_process and (spec.reasoning_effort or spec.reasoning_tokens):
        raise SettingError("a model in this process thinks as it will", where=f"{option} {spec.name}")
    try:
        arguments: dict[str, Any] = with_secrets(spec.args, f"-M of {spec.name}")
        model = get_model(spec.name, base_url=spec.base_url, config=config, memoize=False, **arguments)
        model.model_args = dict(spec.args)  # which Inspect logs: with the names of variables, not what they hold
        require_no_password(getattr(model.api, "base_url", None), f"the address of {spec.name}")  # also from a variable
        if in_process and limits.max_connections is None:
            # Inspect would start with twenty and feel its way up; what runs here knows how many it takes.
            model.config.max_connections = model.api.max_connections()
        return patient(model, limits, in_process=in_process)
    except UserError:
        raise
    except PrerequisiteError as error:
        raise SettingError(
            _plain(str(error)).removeprefix("ERROR: "),
            where=f"{option} {spec.name}",
            next_step="set the variable it names, or try a model without one: --model forgetscope/smollm2",
        ) from None
    except ModuleNotFoundError as error:
        raise MissingPartError(_plain(str(error)), where=f"{option} {spec.name}") from None
    except (
        ValueError,
        TypeError,
        ImportError,
        OSError,
        LookupError,
        RuntimeError,
    ) as error:
        raise UnknownNameError(
            "cannot make this model",
            where=f"{option} {spec.name}",
            found=_plain(str(error)),
            next_step="forgetscope list, or any model name of Inspect AI such as openai/gpt-5",
        ) from None


def describe_model(spec: ModelSpec, model: "Model", settings: Settings) -> ModelSpec:
    """The specification completed with what the model says of itself: its decoding, its weights' hash."""
    from inspect_ai.model import GenerateConfig

    from forgetscope.models.decoding import Decoding
    from forgetscope.models.local import LocalModel

    penalty, temperature = spec.frequency_penalty, float(getattr(settings, "temperature", 0.0))
    if not isinstance(model.api, LocalModel):
        thinks = {"effort": spec.reasoning_effort, "tokens": spec.reasoning_tokens}
        words = "".join(f", reasoning {name} {value}" for name, value in thinks.items() if value is not None)
        return spec.model_copy(
            update={"decoding": Decoding(temperature=temperature, frequency_penalty=penalty).label() + words}
        )
    config = GenerateConfig(temperature=temperature, max_tokens=settings.max_tokens, frequency_penalty=penalty or None)
    return spec.model_copy(
        update={"decoding": model.api.decoding_label(config), "weights_sha256": model.api.weights_sha256()}
    )


def _plain(text: str) -> str:
    """Inspect's messages carry terminal markup and several lines."""
    return " ".join(re.sub(r"\[/?[a-z ]*\]", "", text).split())


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

    from forgetscope.running.budget import Budget, InputFloor
    from forgetscope.running.journal import ReplyJournal, journaled
    from forgetscope.running.logs import LOG_FOLDER, without_tracebacks

    journal, limits = ReplyJournal(folder), manifest.limits
    budget = Budget(limits.max_usd, limits.max_samples, limits.prices, journal.spent)
    inputs = InputFloor(manifest.planned_samples, limits.completeness_floor)
    inputs.watch(task)
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
    finished = _collect(benchmark, manifest, folder, progress)
    if finished.manifest.finished is not None and not finished.has_lost_samples:  # whose first calls it may hold
        journal.discard()
    return replace(finished, stopped=budget.reached or inputs.reached)


LOG_BUFFER = 100
"""Samples kept back before the log is written, for each writing copies it whole; the journal has what is kept back."""


def _collect(benchmark: Benchmark, manifest: Manifest, folder: Path, progress: Progress) -> FinishedRun:
    from forgetscope.running.logs import collect_table

    table = collect_table(folder, benchmark, manifest.model.name, progress)
    completeness = run_completeness(table, manifest.planned_samples)
    write_table(table, folder / TABLE_NAME)
    reached = completeness >= manifest.limits.completeness_floor
    changes: Mapping[str, JsonValue] = {
        "status": "complete" if reached else "incomplete",
        "completeness": completeness,
        "finished": (manifest.finished or now()) if table.height == manifest.planned_samples else None,
    }
    return FinishedRun(folder, update_manifest(folder, manifest, changes), table)


def run_completeness(table: pl.DataFrame, planned: int) -> float:
    """Share of the planned samples that are neither lost to model or judge nor missing from the logs."""
    if not planned:
        return 1.0
    account = Account.of(table["status"].to_list(), table["raw_pass"].to_list())
    lost = sum(count for status, count in account.counts.items() if status.is_lost)
    return 1 - (lost + planned - table.height) / planned
