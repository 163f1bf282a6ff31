"""Runs that `inspect eval` made without us: logs of our tasks, grouped by task, arguments and model.

What our own runs have in `run.json` is taken from the heads of the logs: settings, model, decoding, judge, data.
Nothing that a log names is opened, so what was planned is what the logs hold and say of their size.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from forgetscope.benchmarks import BENCHMARKS
from forgetscope.benchmarks.base import Benchmark, LoggedSample
from forgetscope.benchmarks.tasks import DATA_SHA256
from forgetscope.core.errors import RunFolderError, UserError
from forgetscope.core.progress import Progress, silent
from forgetscope.core.results import Value
from forgetscope.core.settings import Settings, checked
from forgetscope.core.version import VERSION
from forgetscope.io.files import make_folder, require_own_name
from forgetscope.io.tables import write_table
from forgetscope.judging.panel import GRADER
from forgetscope.models.decoding import Decoding
from forgetscope.running.finished import TABLE_NAME, FinishedRun, run_completeness
from forgetscope.running.logs import read_head, table_of_logs
from forgetscope.running.manifest import LOG_FOLDER, MANIFEST_NAME, Limits, Manifest, ModelSpec, now

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

_LONGEST_NAME = 200
"""Characters of a name out of a log that are passed on."""


@dataclass(frozen=True)
class LoggedRun:
    """The logs of one task with the same arguments on one model, oldest first, with the head of each."""

    benchmark: Benchmark
    settings: Settings
    logs: Mapping[Path, "EvalLog"]

    @property
    def head(self) -> "EvalLog":
        """The head of the last log."""
        return list(self.logs.values())[-1]


def inspect_runs(path: Path, progress: Progress = silent) -> tuple[list[FinishedRun], list[str]]:
    """The runs of a log, or of a folder of logs, with their tables; and a line for each log that is none of ours.

    The table of a single run is written where its logs are (of a log, into a folder of its name), of several into
    `forgetscope/` there, a folder each.

    Raises:
        RunFolderError: no log is of a task of ours, one is damaged, or its arguments are none of its task's.
    """
    if path.name == LOG_FOLDER and (path.parent / MANIFEST_NAME).is_file():
        how = f"forgetscope report {path.parent}"
        raise RunFolderError("these are the logs of a run of forgetscope", where=str(path), next_step=how)
    logs = sorted(path.glob("*.eval")) if path.is_dir() else [path]
    for log in logs:
        require_own_name(log)
        if not log.is_file() or (path.is_dir() and log.is_symlink()):
            raise RunFolderError("not a log but a link, a folder or a pipe", where=str(log), next_step="take it away")
    found, left_out = _grouped(logs)
    if not found:
        raise RunFolderError("no log of a forgetscope task", where=str(path), found="; ".join(left_out)[:_LONGEST_NAME])
    base = path if path.is_dir() else path.with_suffix("")
    names = [f"{place}-{one.benchmark.name}" for place, one in enumerate(found, 1)]
    folders = [base] if len(found) == 1 else [base / "forgetscope" / name for name in names]
    for made in {inner for folder in folders for inner in (folder, folder.parent)} - {path, path.parent}:
        if made.is_symlink():
            raise RunFolderError("a link stands where tables are written", where=str(made), next_step="take it away")
    return [_finished(one, folder, progress) for one, folder in zip(found, folders, strict=True)], left_out


def _grouped(logs: Sequence[Path]) -> tuple[list[LoggedRun], list[str]]:
    """Logs by task, settings and model, as they first occur; and what is none of ours."""
    ours = {one.task_name: one for one in BENCHMARKS.values()}
    groups: dict[tuple[str, str, str], LoggedRun] = {}
    left_out = []
    for log in logs:
        head = read_head(log)
        name = (head.eval.task_registry_name or head.eval.task).removeprefix("forgetscope/")
        if name not in ours:
            left_out.append(f"{log.name} is of the task {name[:_LONGEST_NAME]}")
            continue
        settings = _settings(log, ours[name], head)
        key = (name, settings.model_dump_json(), head.eval.model)
        earlier = groups[key].logs if key in groups else {}
        groups[key] = LoggedRun(ours[name], settings, {**earlier, log: head})
    return list(groups.values()), left_out


def _settings(log: Path, benchmark: Benchmark, head: "EvalLog") -> Settings:
    """The settings of a task's arguments, with what Inspect's own options changed of them.

    Raises:
        RunFolderError: arguments that the task does not have.
    """
    given = {name: value for name, value in head.eval.task_args.items() if name != DATA_SHA256}
    sent = head.plan.config
    changed = {"max_tokens": sent.max_tokens, "temperature": sent.temperature}
    changed = {name: value for name, value in changed.items() if value is not None and name in given}
    try:
        return checked(benchmark.settings, {**given, **changed})
    except UserError as error:
        raise RunFolderError(
            f"the arguments of this log are none of {benchmark.name}'s",
            where=str(log),
            found=str(error).splitlines()[0][:_LONGEST_NAME],
        ) from None


def _finished(run: LoggedRun, folder: Path, progress: Progress) -> FinishedRun:
    """The table of a run's logs, scored anew, and what they say of it."""
    cells: Counter[str] = Counter()

    def row(logged: LoggedSample) -> dict[str, Value]:
        scored = run.benchmark.row(logged)
        cells[run.benchmark.cell_of(logged.metadata) if run.benchmark.cell_of else str(scored["form"])] += 1
        return scored

    table = table_of_logs(list(run.logs), folder, replace(run.benchmark, row=row), run.head.eval.model, progress)
    planned = max(table.height, _logged_size(run.head))
    completeness = run_completeness(table, planned)
    limits = Limits()
    status: Literal["complete", "incomplete"] = (
        "complete" if completeness >= limits.completeness_floor else "incomplete"
    )
    make_folder(folder)
    write_table(table, folder / TABLE_NAME)
    manifest = _manifest(run, dict(cells), planned - table.height, limits)
    changes = {"status": status, "completeness": completeness}
    return FinishedRun(folder, manifest.model_copy(update=changes), table, can_go_on=False)


def _logged_size(head: "EvalLog") -> int:
    """Samples that a log was to have; 0 where it does not say."""
    if head.results is not None and head.results.total_samples:
        return head.results.total_samples // max(1, head.eval.config.epochs or 1)
    return len(head.eval.dataset.sample_ids or ()) or head.eval.dataset.samples or 0


def _manifest(run: LoggedRun, cells: dict[str, int], missing: int, limits: Limits) -> Manifest:
    """What a run's logs say of it, as our own runs write it down."""
    spec, config, said = run.head.eval, run.head.plan.config, run.head.eval.metadata or {}
    asked = (spec.model_roles or {}).get(GRADER, [])
    judges = [role.model for role in (asked if isinstance(asked, list) else [asked])]
    notes = [f"made from {len(run.logs)} logs of Inspect's own: {', '.join(log.name for log in run.logs)}"[:1000]]
    if missing:
        notes.append(f"{missing:,} samples that the run was to have are not in its logs")
    if (spec.config.epochs or 1) > 1:
        notes.append(f"{spec.config.epochs} epochs: the first of each sample counts")
    return Manifest(
        benchmark=run.benchmark.name,
        forgetscope=VERSION,
        inspect_ai=str(spec.packages.get("inspect_ai", version("inspect-ai")))[:_LONGEST_NAME],
        python="",
        model=ModelSpec(name=spec.model[:1000], decoding=_decoding(config.temperature, config.frequency_penalty)),
        judges=tuple(ModelSpec(name=name[:1000]) for name in judges),
        settings=run.settings.model_dump(mode="json"),
        limits=limits,
        data=[],
        data_sha256=str(said.get(DATA_SHA256, ""))[:_LONGEST_NAME],
        prompts_version=str(said.get("prompts_version", spec.task_version))[:_LONGEST_NAME],
        plan_sha256="",
        planned=cells,
        notes=notes,
        started=str(spec.created)[:_LONGEST_NAME],
        finished=now(),
    )


def _decoding(temperature: float | None, penalty: float | None) -> str:
    """How was decoded, in words; a temperature that was not sent is the provider's."""
    if temperature is None:
        return "the provider's default"
    try:
        return Decoding(temperature=temperature, frequency_penalty=penalty or 0.0).label()
    except UserError:
        return f"temperature {temperature:g}"
