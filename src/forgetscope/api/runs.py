"""Plan, run, load and report from Python: `import forgetscope as fs`, then `fs.run(...)`.

import forgetscope as fs

print(fs.plan("prospective", limit=15).samples)
run = fs.run("prospective", "forgetscope/smollm2", limit=15, seed=42, max_tokens=192, out="runs/mine")
run.table.group_by("condition").len()          # a row a sample; .to_pandas() where pandas is wanted
run.figures.filter(figure="compliance.strict.completed")
run.report()
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from forgetscope.api.settings import settings_of
from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.base import Plan
from forgetscope.core.errors import UnknownNameError
from forgetscope.core.outcomes import Status
from forgetscope.core.progress import silent
from forgetscope.findings.figure_table import figure_table
from forgetscope.findings.figures import Figure, Finding, Results
from forgetscope.io.addresses import require_address
from forgetscope.judging.panel import require_judges
from forgetscope.running.manifest import Limits, ModelSpec, read_manifest
from forgetscope.running.secret_arguments import require_no_secret_name, without_secrets
from forgetscope.running.started import NOTHING_SAID, SaidAgain

if TYPE_CHECKING:
    from forgetscope.benchmarks.unlearning.settings import GridSettings
    from forgetscope.report import TableRun
    from forgetscope.running.execute import Display
    from forgetscope.running.finished import FinishedRun


@dataclass(frozen=True)
class Run:
    """A run in its folder: the sample table, every figure, the report.

    Attributes:
        folder: Where it lies.
        benchmark: Its name.
        model: The model under test; of an unlearning grid its targets.
        table: A row a sample, a Polars data frame: ids, factors, `status`, scores, tokens, the reply itself.
        is_complete: Whether enough planned samples have an outcome (`completeness_floor`).
        stopped: Why the run ended before everything was sent, by a budget or its inputs; empty where it did not.
    """

    folder: Path
    benchmark: str
    model: str
    table: pl.DataFrame = field(repr=False)
    is_complete: bool
    stopped: str
    _source: "FinishedRun | TableRun" = field(repr=False)

    def __str__(self) -> str:
        """What it is of, whether it is complete, and its headlines: what `print(run)` shows."""
        state = self.stopped or ("complete" if self.is_complete else "below its completeness floor")
        head = f"{self.benchmark} on {self.model}: {self.table.height:,} samples, {state}; {self.folder}"
        return "\n".join([head, *(f"- {finding.verdict}: {finding.text}" for finding in self.headlines)])

    @cached_property
    def results(self) -> Results:
        """Figures, headlines and the sections of the report, computed from the table when first asked for."""
        from forgetscope.report.write import chapter_of

        return chapter_of(self._source).results

    @property
    def figures(self) -> pl.DataFrame:
        """Every figure as a data frame: `figure`, a column a factor, value, interval, denominators, method."""
        return figure_table(self.results.figures)

    @property
    def headlines(self) -> tuple[Finding, ...]:
        """The few sentences a busy person reads, each with how sure it is (`verdict`)."""
        return self.results.headlines

    def figure(self, name: str, **factors: str | int | float | bool) -> Figure:
        """The figure of a name with exactly these factors, or else the only one that has these among its own.

        Raises:
            UnknownNameError: there is none, or several; the message lists factors that tell them apart.
        """
        named = [entry for entry in self.results.figures if entry.name == name]
        exact = [entry for entry in named if dict(entry.factors) == factors]
        found = exact or [entry for entry in named if factors.items() <= dict(entry.factors).items()]
        if len(found) == 1:
            return found[0]
        if not named:
            raise UnknownNameError("no such figure", found=name, next_step="run.figures lists those there are")
        raise UnknownNameError(
            "several figures have this name and these factors" if found else "no figure of this name has these factors",
            where=name,
            found=factors,
            allowed="; ".join(str(dict(entry.factors)) for entry in (found or named)[:5]),
        )

    def report(self, out: str | Path | None = None, *, published: bool = False) -> Path:
        """Write `summary.json` and the report's page, and return the page's path.

        Args:
            out: Where the page goes; by default `report.html` in the run's folder.
            published: Set the run beside its paper's models (grids: as they were loaded).
        """
        from forgetscope.report import TableRun, write_report, write_table_report

        path = None if out is None else Path(out)
        if isinstance(self._source, TableRun):
            return write_table_report(self._source, out=path).html
        return write_report(self._source, out=path, published=published).html


def plan(
    benchmark: str,
    *,
    data: str | Path = "embedded",
    limit: int | None = None,
    seed: int | Sequence[int] | None = None,
    max_tokens: int | None = None,
    **settings: object,
) -> Plan:
    """What a run would send: samples by cell, tokens, what to know beforehand. Calls no model.

    Args:
        benchmark: Its name, one of `fs.BENCHMARK_NAMES`.
        data: `embedded`, `official`, or a folder.
        limit: The first so many items of each scenario, experiment or split side, with all their forms.
        seed: One; `prospective` takes several, the paper's three by default.
        max_tokens: Token limit of a reply.
        settings: Others of the benchmark, named as on the command line: `loads="mmlu"`, `lengths="native,1000"`.

    Raises:
        UserError: an unknown benchmark or setting, a value that is not allowed, data that are not there.

    Example:
        >>> plan("prospective", limit=2, seed=42, loads=["mmlu"], experiments="load").samples
        10
    """
    given = {"limit": limit, "max_tokens": max_tokens, **settings}
    made = settings_of(benchmark, given, data=data, seed=seed)
    return get_benchmark(benchmark).plan(made)


def run(
    benchmark: str,
    model: str | ModelSpec,
    *,
    out: str | Path | None = None,
    data: str | Path = "embedded",
    limit: int | None = None,
    seed: int | Sequence[int] | None = None,
    max_tokens: int | None = None,
    judges: Sequence[str | ModelSpec] = (),
    limits: Limits | None = None,
    shard: str = "",
    display: "Display" = "none",
    asks_first: bool = True,
    **settings: object,
) -> Run:
    """Run a benchmark on a model in a new folder: manifest, logs, sample table. `Run.report` writes the page.

    Args:
        benchmark: Its name, one of `fs.BENCHMARK_NAMES`.
        model: A name as Inspect AI knows it (`openai/gpt-5-mini`) or one of ours (`forgetscope/smollm2`); with
            arguments, an address or a penalty a `ModelSpec`.
        out: The run's folder, new or empty; by default `runs/BENCHMARK-MODEL-TIME`.
        data: `embedded`, `official`, or a folder.
        limit: The first so many items of each scenario, experiment or split side, with all their forms.
        seed: One; `prospective` takes several, the paper's three by default.
        max_tokens: Token limit of a reply.
        judges: Models that judge replies, where the benchmark has judges; several are a panel.
        limits: Retries, timeouts, requests at once, the completeness floor, budgets in samples or dollars.
        shard: Only part i of n of the items, such as `2/3`; `merge` puts the parts together.
        display: Inspect's progress: `rich`, `plain` or `none`.
        asks_first: Find out by one short request whether the model and its judges answer, before anything is sent.
        settings: Others of the benchmark, as in `plan`.

    Raises:
        UserError: as in `plan`; an unknown model; a folder that is not empty; a judge that is the model under test.

    Example:
        >>> from tempfile import mkdtemp
        >>> done = run("prospective", "forgetscope/reference/perfect", out=mkdtemp(), limit=2, seed=42, loads="mmlu",
        ...            experiments="load")
        >>> done.table.height, done.is_complete
        (10, True)
    """
    from forgetscope.running.execute import start_run
    from forgetscope.running.shards import Shard

    judging: dict[str, object] = {"judged": "all"} if judges else {}
    given = {"limit": limit, "max_tokens": max_tokens, **judging, **settings}
    chosen, made = get_benchmark(benchmark), settings_of(benchmark, given, data=data, seed=seed)
    spec, specs = _spec(model), tuple(_spec(judge) for judge in judges)
    allowed = bool(getattr(made, "allow_self_judge", False))
    require_judges([judge.name for judge in specs], under_test=spec.name, allow_self=allowed)
    finished = start_run(
        chosen,
        made,
        chosen.plan(made),
        spec,
        limits or Limits(),
        default_folder(chosen.name, spec.name) if out is None else Path(out),
        display=display,
        judges=specs,
        shard=Shard.parse(shard) if shard else None,
        asks_first=asks_first,
    )
    return inspect_run(finished)


def unlearn(
    settings: "str | Path | Mapping[str, object] | GridSettings",
    out: str | Path,
    *,
    workers: int = 1,
    threads: int = 1,
    published: bool = False,
) -> Run:
    """Unlearn and evaluate every cell of a grid; the run's table has the samples of all finished cells.

    Args:
        settings: A configuration file, its content as plain values, or settings made of it.
        out: The grid's folder; the same call again goes on with it, and a finished cell is never run twice.
        workers: Processes on this machine.
        threads: Of each worker.
        published: Set the grid beside the paper's models.

    Raises:
        UserError: settings that cannot be meant, a target that does not know its corpus, nothing finished.
    """
    from forgetscope.api.grids import grid_settings
    from forgetscope.benchmarks import GRIDS
    from forgetscope.benchmarks.grids import GridWatch

    chosen = grid_settings("unlearning", settings)
    GRIDS["unlearning"].run(chosen, Path(out), workers, threads, GridWatch())
    return load(out, published=published)


def resume(
    folder: str | Path,
    *,
    limits: Mapping[str, object] | None = None,
    model: SaidAgain = NOTHING_SAID,
    judge: SaidAgain = NOTHING_SAID,
    display: "Display" = "none",
) -> Run:
    """Finish a run that was stopped or killed: what was answered is kept, the rest is sent.

    Args:
        folder: The run's.
        limits: Fields of `Limits` that are other than before: `{"max_samples": 500}`.
        model: The model's address and arguments, where they are others now, or the run was started on another machine;
            there its name, where it has neither.
        judge: Likewise of its judges.
        display: Inspect's progress: `rich`, `plain` or `none`.

    Raises:
        RunFolderError: not a run's folder, or its data or prompts have changed since.
        SettingError: the run was started elsewhere and says itself whom to ask.
    """
    from forgetscope.running.execute import resume_run

    return inspect_run(resume_run(Path(folder), display=display, limits=limits, model=model, judge=judge))


def merge(shards: Sequence[Run | str | Path], out: str | Path) -> Run:
    """One run of all shards of a plan, with the table of the unsharded run. The shards are only read.

    Args:
        shards: One run or folder for each shard, in any order.
        out: Folder of the merged run, new or empty.

    Raises:
        RunFolderError: a folder is no shard, of another run, unfinished, or one is missing or doubled.
    """
    from forgetscope.running.merge import merge_shards

    folders = [entry.folder if isinstance(entry, Run) else Path(entry) for entry in shards]
    return inspect_run(merge_shards(folders, Path(out)))


def rejudge(
    folder: str | Path,
    judges: Sequence[str | ModelSpec] = (),
    *,
    only: Sequence[Status] = (),
    max_tokens: int | None = None,
    allow_self_judge: bool = False,
    again: SaidAgain = NOTHING_SAID,
) -> Run:
    """Judge a run's replies again, or for the first time; nothing is generated again.

    Args:
        folder: The run's.
        judges: By default those that judged it before.
        only: Verdicts to judge again: `Status.JUDGE_UNPARSEABLE`, `Status.JUDGE_ERROR`; by default all.
        max_tokens: Token limit of a judge's reply; by default the run's.
        allow_self_judge: Whether the model under test may judge itself.
        again: Address and arguments of the run's judges, where they are others now, or it was started elsewhere.

    Raises:
        RunFolderError: not a run's folder, or nothing in it to judge.
        SettingError: no judge, one named twice, or the model under test.
    """
    from forgetscope.running.rejudge import rejudge_run

    path, specs = Path(folder), tuple(_spec(judge) for judge in judges)
    under_test = read_manifest(path).model.name
    require_judges([judge.name for judge in specs], under_test=under_test, allow_self=allow_self_judge)
    return inspect_run(rejudge_run(path, specs, only=only, max_tokens=max_tokens, progress=silent, again=again))


def load(folder: str | Path, *, from_logs: bool = False, published: bool = False) -> Run:
    """A run from its folder, or an unlearning grid from its own: the table and what can be computed from it.

    Args:
        folder: As `run`, `forgetscope run` or `forgetscope unlearn grid` left it.
        from_logs: Score anew from the logs (after a change of a scorer) and write `samples.parquet` again, as where
            there is none yet. A table that was not made on this machine from these logs is not believed either way.
        published: Set a grid beside the paper's models.

    Raises:
        RunFolderError: not such a folder, or nothing finished in it.
    """
    from forgetscope.api.grids import grid_run, is_grid
    from forgetscope.running.finished import TABLE_NAME, FinishedRun, believed_table, collect_run

    path = Path(folder)
    if is_grid(path):
        return _grid_run(grid_run(path, published=published))
    manifest = read_manifest(path)
    if from_logs or not (path / TABLE_NAME).is_file():
        return inspect_run(collect_run(path, is_anew=from_logs))
    table = believed_table(path, manifest, get_benchmark(manifest.benchmark))
    return inspect_run(FinishedRun(path, manifest, table))


def joint_report(runs: Sequence[Run | str | Path], out: str | Path, *, published: bool = False) -> Path:
    """One page over several runs, a chapter each; every run also gets its own page and `summary.json`.

    Args:
        runs: Runs or their folders, in the order of their chapters.
        out: Where the page goes; a folder gets `report.html` in it.
        published: Set each run beside its paper's models.
    """
    from forgetscope.report import write_joint_report

    loaded = [entry if isinstance(entry, Run) else load(entry, published=published) for entry in runs]
    page, _ = write_joint_report([entry._source for entry in loaded], Path(out), published=published)
    return page


def default_folder(benchmark: str, model: str) -> Path:
    """`runs/BENCHMARK-MODEL-TIME`, readable and new."""
    return Path("runs") / f"{benchmark}-{as_folder(model)}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"


def as_folder(model: str) -> str:
    """A model's name as that of a folder."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", model).strip("-")


def _spec(model: str | ModelSpec) -> ModelSpec:
    """As a run may write it down.

    Raises:
        SettingError: an argument looks like a secret that stands in no environment variable, the name or address holds
            one, or the address is none.
    """
    spec = model if isinstance(model, ModelSpec) else ModelSpec(name=model)
    require_no_secret_name(spec.name, "model")
    require_address(spec.base_url, f"base_url of {spec.name}")
    return spec.model_copy(update={"args": without_secrets(spec.args, f"args of {spec.name}")})


def inspect_run(finished: "FinishedRun") -> Run:
    """A run that Inspect's logs stand behind, as `fs` offers it."""
    manifest = finished.manifest
    return Run(
        folder=finished.folder,
        benchmark=manifest.benchmark,
        model=manifest.model.name,
        table=finished.table,
        is_complete=finished.is_complete,
        stopped=finished.stopped,
        _source=finished,
    )


def _grid_run(found: "TableRun") -> Run:
    return Run(
        folder=found.folder,
        benchmark=found.facts.benchmark,
        model=found.facts.model,
        table=found.table,
        is_complete=found.is_complete,
        stopped="",
        _source=found,
    )
