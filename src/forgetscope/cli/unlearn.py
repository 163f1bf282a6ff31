"""`forgetscope unlearn`: formats, targets, grids of unlearning cells, and their report."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer

from forgetscope.api.grids import grid_settings
from forgetscope.benchmarks import GRIDS
from forgetscope.cli.app import JsonOption, WholeSentences, app
from forgetscope.cli.runs import plan_app
from forgetscope.core.bounds import MOST_PARTS, MOST_PROCESSES

if TYPE_CHECKING:
    from forgetscope.benchmarks.unlearning.grid.workers import SlurmSettings
    from forgetscope.benchmarks.unlearning.settings import Experiment, GridSettings, Role
    from forgetscope.report import WrittenReport

UNLEARNING = "unlearning"

AGAIN = "the same command again"
CELLS_ARE_KEPT = f"finished cells are kept; next: {AGAIN}, which goes on with the others"
"""What is said when a command is stopped."""

unlearn_app = typer.Typer(
    cls=WholeSentences, help="Controllable unlearning: formats, targets, grids of cells, results.", no_args_is_help=True
)
app.add_typer(unlearn_app, name="unlearn")

ConfigOption = Annotated[
    Path | None, typer.Option("--config", help="Grid as YAML or TOML; without one, the embedded corpus and defaults.")
]
GridOption = Annotated[Path, typer.Option("--out", help="Folder of the grid; the same command again goes on with it.")]
WorkersOption = Annotated[int, typer.Option("--workers", min=1, max=MOST_PROCESSES, help="Processes on this machine.")]
ThreadsOption = Annotated[int, typer.Option("--threads", min=1, max=MOST_PROCESSES, help="Threads of each process.")]
PublishedOption = Annotated[bool, typer.Option("--published", help="Set the results beside the paper's Table 1.")]


@unlearn_app.command("formats")
def formats(
    out: Annotated[Path, typer.Option("--out", help="Folder for the files; one folder a corpus where several.")],
    config: ConfigOption = None,
    source: Annotated[
        str | None, typer.Option("--source", help="embedded, muse, tofu, fairytaleqa or folder, with defaults.")
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option("-C", help="Setting of the source key=value; repeat.", metavar="KEY=VALUE")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write a corpus in every format, with triplets, entanglement, the low and high split and the questions."""
    from forgetscope.benchmarks.unlearning.data.files import write_prepared
    from forgetscope.benchmarks.unlearning.data.preparation import prepare
    from forgetscope.benchmarks.unlearning.training.target import target_tokenizer
    from forgetscope.cli.printing import counting_progress
    from forgetscope.cli.stopping import stoppable
    from forgetscope.core.errors import SettingError
    from forgetscope.io.files import require_apart

    if config is not None and source is not None:
        raise SettingError("a configuration names its own source", where="--source", found=source)
    if setting and source is None:
        raise SettingError(
            "a setting of no source", where="-C", found=setting[0], next_step="name the source: --source"
        )
    require_apart(out)
    experiments = (
        grid_settings(UNLEARNING, config).experiments if source is None else (experiment_of(source, setting or []),)
    )
    for number, experiment in enumerate(experiments, start=1):
        loaded = experiment.data.corpus.load()
        with stoppable(f"nothing is half written; next: {AGAIN}"), counting_progress(loaded.name) as progress:
            tokenizer = target_tokenizer(experiment.target, loaded)
            prepared = prepare(experiment.data, tokenizer, corpus=loaded, progress=progress)
        folder = out if len(experiments) == 1 else out / f"{number}-{loaded.name.replace(' ', '-')}"
        write_prepared(prepared, folder)
        if as_json:
            print(json.dumps(prepared.summary()))
        else:
            _print_formats(prepared.summary(), folder)


def experiment_of(source: str, setting: list[str]) -> "Experiment":
    """The default experiment on another source, with settings of it as `key=value`."""
    from forgetscope.benchmarks.unlearning.data.corpora import corpus_settings
    from forgetscope.cli.specs import key_values

    corpus = corpus_settings({"source": source, **key_values(setting, "-C")})
    one: Experiment = grid_settings(UNLEARNING, None).experiments[0]
    data = type(one.data).model_validate({**one.data.model_dump(), "corpus": corpus.model_dump()})
    return one.model_copy(update={"data": data})


@unlearn_app.command("target")
def target(
    out: GridOption,
    config: ConfigOption = None,
    retain_only: Annotated[
        bool, typer.Option("--retain-only", help="Make the model that never knew the forget side, alone.")
    ] = False,
    threads: ThreadsOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Make the models that know their corpus, and those that never knew its forget side; say what they know."""
    from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
    from forgetscope.benchmarks.unlearning.grid.preparing import prepare_experiments, require_retain_only
    from forgetscope.benchmarks.unlearning.grid.running import make_models
    from forgetscope.cli.grids import TerminalWatch
    from forgetscope.cli.stopping import stoppable

    with stoppable(CELLS_ARE_KEPT):
        prepared = prepare_experiments(grid_settings(UNLEARNING, config), GridFolder(out))
        if retain_only:
            require_retain_only(prepared)
        roles: tuple[Role, ...] = ("retain_only",) if retain_only else ("target", "retain_only")
        make_models(prepared, out, threads=threads, watch=TerminalWatch(as_json=as_json), roles=roles)


@unlearn_app.command("grid")
def grid(
    out: GridOption,
    config: ConfigOption = None,
    workers: WorkersOption = 2,
    threads: ThreadsOption = 1,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List cells, steps, tokens and time; train nothing.")
    ] = False,
    slurm: Annotated[
        list[str] | None,
        typer.Option("--slurm", help="Submit workers: partition=gpu, workers=8, minutes=120, ...", metavar="KEY=VALUE"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Unlearn and evaluate every cell. Workers may be killed at any time; finished cells are never run again."""
    from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
    from forgetscope.benchmarks.unlearning.grid.preparing import list_cells, prepare_experiments, write_grid
    from forgetscope.benchmarks.unlearning.grid.running import make_models, run_cells
    from forgetscope.benchmarks.unlearning.grid.workers import submit_workers
    from forgetscope.benchmarks.unlearning.plan import plan_grid
    from forgetscope.cli.grids import TerminalWatch, print_training_plan
    from forgetscope.cli.stopping import stoppable

    settings = grid_settings(UNLEARNING, config)
    jobs = _slurm_settings(slurm, out) if slurm else None
    if dry_run:
        print_training_plan(plan_grid(settings, out), workers=workers, as_json=as_json)
        return
    watch = TerminalWatch(as_json=as_json)
    with stoppable(CELLS_ARE_KEPT):
        prepared = prepare_experiments(settings, GridFolder(out))
        make_models(prepared, out, threads=threads, watch=watch)
        write_grid(GridFolder(out), settings, list_cells(settings, prepared))
        if jobs is not None:
            for job in submit_workers(out, jobs):
                print(f"submitted {job}")
            return
        is_whole = run_cells(out, workers=workers, threads=threads, watch=watch)
    raise typer.Exit(0 if is_whole else 1)


@plan_app.command(UNLEARNING)
def plan(
    config: ConfigOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of the grid, where it has finished cells or a target.")
    ] = None,
    workers: WorkersOption = 2,
    as_json: JsonOption = False,
) -> None:
    """Say what the cells of a grid would cost: steps, tokens, time. Trains nothing."""
    from forgetscope.cli.grids import print_training_plan

    with folder_or_temporary(out) as folder:
        planned = GRIDS[UNLEARNING].plan(grid_settings(UNLEARNING, config), folder)
    print_training_plan(planned, workers=workers, as_json=as_json)


@contextmanager
def folder_or_temporary(out: Path | None) -> Iterator[Path]:
    """The folder asked for, or one that is gone afterwards."""
    if out is not None:
        yield out
        return
    with TemporaryDirectory(prefix="forgetscope-grid-") as name:
        yield Path(name)


@unlearn_app.command("evaluate")
def evaluate(
    folder: Annotated[Path, typer.Argument(help="Folder of a grid.")],
    out: Annotated[Path | None, typer.Option("--out", help="Where the page goes, instead of into the folder.")] = None,
    published: PublishedOption = False,
    as_json: JsonOption = False,
) -> None:
    """Gather the finished cells of a grid: samples.parquet, summary.json and report.html."""
    from forgetscope.api.grids import write_grid_report
    from forgetscope.cli.printing import working

    with working("computing figures, writing the page", is_quiet=as_json):
        written, is_whole = write_grid_report(folder, out=out, published=published)
    _print_report(written, as_json=as_json)
    raise typer.Exit(0 if is_whole else 1)


@unlearn_app.command("run")
def run(
    out: GridOption,
    config: ConfigOption = None,
    workers: WorkersOption = 2,
    threads: ThreadsOption = 1,
    published: PublishedOption = False,
    as_json: JsonOption = False,
) -> None:
    """From a configuration to a report: data, targets, all cells, results."""
    run_and_report(
        grid_settings(UNLEARNING, config), out, workers=workers, threads=threads, published=published, as_json=as_json
    )


@unlearn_app.command("demo")
def demo(
    out: Annotated[
        Path, typer.Option("--out", help="Folder of the demo; the same command again goes on with it.")
    ] = Path("runs/unlearn-demo"),
    cells: Annotated[
        int, typer.Option("--cells", min=3, max=27, help="27, or 9 (formats alone), or 3 (raw text alone).")
    ] = 27,
    shipped: Annotated[
        bool, typer.Option("--shipped", help="Begin with the target in the package instead of making one.")
    ] = False,
    full: Annotated[
        bool,
        typer.Option("--full", help="Also paraphrases, retained text word for word, relearning, attacks on weights."),
    ] = False,
    seeds: Annotated[int, typer.Option("--seeds", min=1, max=MOST_PARTS, help="How many seeds of every cell.")] = 1,
    workers: WorkersOption = 2,
    as_json: JsonOption = False,
) -> None:
    """The paper's cells on the embedded corpus and a model of a million weights. Needs no key, network or GPU."""
    from forgetscope.benchmarks.unlearning.grid.demonstration import demo_settings

    target: Literal["made", "shipped"] = "shipped" if shipped else "made"
    settings = demo_settings(cells, target=target, is_full=full, seeds=range(seeds))
    run_and_report(settings, out, workers=workers, threads=1, published=True, as_json=as_json)


def run_and_report(
    settings: "GridSettings", out: Path, *, workers: int, threads: int, published: bool, as_json: bool
) -> NoReturn:
    """Train and evaluate every cell of a grid, write its report, and exit 0, or 1 where something is missing."""
    from forgetscope.api.grids import write_grid_report
    from forgetscope.cli.grids import TerminalWatch
    from forgetscope.cli.printing import working
    from forgetscope.cli.stopping import stoppable

    watch = TerminalWatch(as_json=as_json)
    with stoppable(CELLS_ARE_KEPT):
        is_whole = GRIDS[UNLEARNING].run(settings, out, workers, threads, watch)
    with stoppable(CELLS_ARE_KEPT), working("computing figures, writing the page", is_quiet=as_json):
        written, is_complete = write_grid_report(out, published=published)
    _print_report(written, as_json=as_json)
    raise typer.Exit(0 if is_whole and is_complete else 1)


def _slurm_settings(given: list[str], out: Path) -> "SlurmSettings":
    """What jobs are asked for, seen to before anything is made: the words, submitit, the cluster.

    Raises:
        SettingError: a word is no setting of a job, or the cluster is not there.
        MissingPartError: submitit is not installed.
    """
    from pydantic import ValidationError

    from forgetscope.benchmarks.unlearning.grid.workers import SlurmSettings, slurm_executor
    from forgetscope.cli.specs import key_values
    from forgetscope.core.errors import SettingError

    try:
        settings = SlurmSettings.model_validate(key_values(given, "--slurm"))
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        if name not in SlurmSettings.model_fields:
            raise SettingError(
                "no such setting of a job", where="--slurm", found=name, allowed=SlurmSettings.model_fields
            ) from None
        raise SettingError(first["msg"], where=f"--slurm {name}", found=first["input"]) from None
    slurm_executor(out, settings)
    return settings


def _print_formats(summary: "dict[str, object]", folder: Path) -> None:
    from forgetscope.cli.printing import console

    for name, value in summary.items():
        console.print(f"{name}: {json.dumps(value)}", soft_wrap=True, markup=False)
    console.print(f"Files: {folder}", soft_wrap=True)


def _print_report(written: "WrittenReport", *, as_json: bool) -> None:
    from forgetscope.cli.printing import console

    if as_json:
        print(written.summary_json)
        return
    for line in written.headlines:
        console.print(line, markup=False)
    console.print(f"Report: {written.html}", soft_wrap=True)
