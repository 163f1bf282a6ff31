"""`forgetbench unlearn`: formats, targets, grids of unlearning cells, and their report."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgetbench.cli.app import JsonOption, app

if TYPE_CHECKING:
    from forgetbench.benchmarks.unlearning.cells import CellConfig
    from forgetbench.benchmarks.unlearning.configuration import GridSettings
    from forgetbench.benchmarks.unlearning.grid import PreparedExperiment
    from forgetbench.report import WrittenReport

unlearn_app = typer.Typer(
    help="Controllable unlearning: formats, targets, grids of cells, results.", no_args_is_help=True
)
app.add_typer(unlearn_app, name="unlearn")

ConfigOption = Annotated[
    Path | None, typer.Option("--config", help="Grid as YAML or TOML; without one, the embedded corpus and defaults.")
]
GridOption = Annotated[Path, typer.Option("--out", help="Folder of the grid; the same command again goes on with it.")]
WorkersOption = Annotated[int, typer.Option("--workers", min=1, help="Processes on this machine.")]
ThreadsOption = Annotated[int, typer.Option("--threads", min=1, help="Threads of each process.")]
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
    from forgetbench.benchmarks.unlearning.corpora import corpus_settings
    from forgetbench.benchmarks.unlearning.data_files import write_prepared
    from forgetbench.benchmarks.unlearning.preparation import prepare
    from forgetbench.benchmarks.unlearning.target import target_tokenizer
    from forgetbench.cli.runs import parse_model_args
    from forgetbench.errors import SettingError

    if config is not None and source is not None:
        raise SettingError("a configuration names its own source", where="--source", found=source)
    settings = _settings(config)
    experiments = settings.experiments
    if source is not None:
        corpus = corpus_settings({"source": source, **parse_model_args(setting or [])})
        one = experiments[0]
        data = type(one.data).model_validate({**one.data.model_dump(), "corpus": corpus.model_dump()})
        experiments = (one.model_copy(update={"data": data}),)
    for number, experiment in enumerate(experiments, start=1):
        loaded = experiment.data.corpus.load()
        prepared = prepare(experiment.data, target_tokenizer(experiment.target, loaded), corpus=loaded)
        folder = out if len(experiments) == 1 else out / f"{number}-{loaded.name.replace(' ', '-')}"
        write_prepared(prepared, folder)
        if as_json:
            print(json.dumps(prepared.summary()))
        else:
            _print_formats(prepared.summary(), folder)


@unlearn_app.command("target")
def target(out: GridOption, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Make the models that know their corpus, and say what they know; refused below the gate."""
    _, prepared = _prepared(_settings(config), out)
    _make_targets(prepared, out, as_json=as_json)


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
    from forgetbench.benchmarks.unlearning.cells import GridFolder
    from forgetbench.benchmarks.unlearning.grid import list_cells, write_grid

    settings, prepared = _prepared(_settings(config), out)
    cells = list_cells(settings, prepared)
    if dry_run:
        _print_plan(cells, prepared, out, as_json=as_json)
        return
    _make_targets(prepared, out, as_json=as_json)
    write_grid(GridFolder(out), settings, cells)
    if slurm:
        _submit(out, slurm)
        return
    raise typer.Exit(_work(out, workers, threads, as_json=as_json))


@unlearn_app.command("evaluate")
def evaluate(
    folder: Annotated[Path, typer.Argument(help="Folder of a grid.")],
    out: Annotated[Path | None, typer.Option("--out", help="Where the page goes, instead of into the folder.")] = None,
    published: PublishedOption = False,
    as_json: JsonOption = False,
) -> None:
    """Gather the finished cells of a grid: samples.parquet, summary.json and report.html."""
    from forgetbench.cli.grid_report import write_grid_report

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
    from forgetbench.benchmarks.unlearning.cells import GridFolder
    from forgetbench.benchmarks.unlearning.grid import list_cells, write_grid
    from forgetbench.cli.grid_report import write_grid_report

    settings, prepared = _prepared(_settings(config), out)
    _make_targets(prepared, out, as_json=as_json)
    write_grid(GridFolder(out), settings, list_cells(settings, prepared))
    code = _work(out, workers, threads, as_json=as_json)
    written, _ = write_grid_report(out, published=published)
    _print_report(written, as_json=as_json)
    raise typer.Exit(code)


@unlearn_app.command("demo")
def demo(
    out: Annotated[Path, typer.Option("--out", help="Folder of the demo.")] = Path("runs/unlearn-demo"),
    workers: WorkersOption = 2,
    as_json: JsonOption = False,
) -> None:
    """The 27 cells of the paper on the embedded corpus and a small model made here. Needs no key, network or GPU."""
    run(out=out, config=None, workers=workers, threads=1, published=True, as_json=as_json)


def _settings(config: Path | None) -> "GridSettings":
    from forgetbench.benchmarks.unlearning.configuration import read_settings, settings_of

    return settings_of({}) if config is None else read_settings(config)


def _prepared(settings: "GridSettings", out: Path) -> "tuple[GridSettings, list[PreparedExperiment]]":
    from forgetbench.benchmarks.unlearning.cells import GridFolder
    from forgetbench.benchmarks.unlearning.grid import prepare_experiment

    return settings, [prepare_experiment(experiment, GridFolder(out)) for experiment in settings.experiments]


def _make_targets(prepared: "list[PreparedExperiment]", out: Path, *, as_json: bool) -> None:
    from forgetbench.benchmarks.unlearning.cells import GridFolder
    from forgetbench.benchmarks.unlearning.grid import make_targets
    from forgetbench.cli.printing import console

    for experiment in prepared:
        record = make_targets(experiment, GridFolder(out))
        known = {
            name.removeprefix("score."): value for name, value in record.knows.items() if name.startswith("score.")
        }
        if as_json:
            print(json.dumps({"target": record.identity, "corpus": record.corpus, "knows": known}))
            continue
        words = ", ".join(f"{name} {100 * value:.1f}" for name, value in known.items() if value is not None)
        console.print(
            f"Target of {record.corpus}: {record.parameters:,} parameters, {record.seconds:.0f} s; ROUGE-L {words}"
        )


def _work(out: Path, workers: int, threads: int, *, as_json: bool) -> int:
    """Run local workers to the end; 0 where every cell has a result."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from forgetbench.benchmarks.unlearning.workers import Progress as Done
    from forgetbench.benchmarks.unlearning.workers import run_local_workers
    from forgetbench.cli.printing import console

    columns = (TextColumn("cells"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=as_json or not console.is_terminal) as bar:
        task = bar.add_task("cells", total=None)

        def show(done: Done) -> None:
            bar.update(task, completed=done.finished + done.failed, total=done.cells)

        done = run_local_workers(out, workers=workers, threads=threads, on_progress=show)
    if not as_json:
        console.print(f"{done.finished} of {done.cells} cells finished, {done.failed} failed.")
    return 0 if done.finished == done.cells else 1


def _submit(out: Path, given: list[str]) -> None:
    from pydantic import ValidationError

    from forgetbench.benchmarks.unlearning.workers import SlurmSettings, submit_workers
    from forgetbench.cli.runs import parse_model_args
    from forgetbench.errors import SettingError

    try:
        settings = SlurmSettings.model_validate(parse_model_args(given))
    except ValidationError as error:
        first = error.errors()[0]
        raise SettingError(
            first["msg"], where="--slurm", found=first["loc"][0], allowed=SlurmSettings.model_fields
        ) from None
    for job in submit_workers(out, settings):
        print(f"submitted {job}")


def _print_plan(
    cells: "tuple[CellConfig, ...]", prepared: "list[PreparedExperiment]", out: Path, *, as_json: bool
) -> None:
    from rich.table import Table

    from forgetbench.benchmarks.unlearning.cells import GridFolder
    from forgetbench.benchmarks.unlearning.grid import describe, plan_cells
    from forgetbench.cli.printing import console

    planned = plan_cells(cells, prepared, GridFolder(out))
    if as_json:
        print(describe(planned))
        return
    table = Table("cell", "steps", "tokens", "finished", box=None, pad_edge=False)
    for one in planned:
        table.add_row(one.config.label, f"{one.steps:,}", f"{one.tokens:,}", "yes" if one.is_finished else "")
    console.print(table)
    steps, tokens = sum(one.steps for one in planned), sum(one.tokens for one in planned)
    console.print(f"{len(planned)} cells, {steps:,} steps, {tokens:,} tokens.")


def _print_formats(summary: "dict[str, object]", folder: Path) -> None:
    from forgetbench.cli.printing import console

    for name, value in summary.items():
        console.print(f"{name}: {json.dumps(value)}", soft_wrap=True, markup=False)
    console.print(f"Files: {folder}", soft_wrap=True)


def _print_report(written: "WrittenReport", *, as_json: bool) -> None:
    from forgetbench.cli.printing import console

    if as_json:
        print(written.summary_json)
        return
    for line in written.headlines:
        console.print(line, markup=False)
    console.print(f"Report: {written.html}", soft_wrap=True)
