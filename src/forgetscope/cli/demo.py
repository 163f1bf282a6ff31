"""`demo`: a real evaluation of the embedded models on every benchmark, small enough for a laptop, with one report."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgetscope.cli.app import JsonOption, app
from forgetscope.core.bounds import MOST_PROCESSES
from forgetscope.core.errors import RunFolderError, UserError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from forgetscope.report import TableRun
    from forgetscope.running.execute import Display
    from forgetscope.running.finished import FinishedRun


@dataclass(frozen=True)
class DemoRun:
    """One benchmark's part of the demo: models, settings that keep it small, and what `--quick` changes in them.

    Attributes:
        is_apart: Whether it runs in a process of its own, beside the others.
    """

    benchmark: str
    models: tuple[str, ...]
    settings: Mapping[str, object]
    quick: Mapping[str, object]
    frequency_penalty: float = 0.0
    is_apart: bool = False


_DIALOGUES = {"data": "embedded-small", "scenarios": "instructional_forgetting", "probes": "none", "max_tokens": 48}
DEMO_RUNS = (
    DemoRun(
        "in-context",
        ("forgetscope/murmur-obedient", "forgetscope/murmur-stubborn"),
        _DIALOGUES,
        quick={"limit": 20},
    ),
    DemoRun("in-context", ("forgetscope/smollm2",), {**_DIALOGUES, "limit": 16}, quick={"limit": 4}),
    DemoRun(
        "prospective",
        ("forgetscope/smollm2",),
        {"experiments": "load", "loads": "triviaqa", "seeds": (42,), "limit": 15, "max_tokens": 128},
        quick={"limit": 5, "max_tokens": 96},
        frequency_penalty=0.5,
    ),
    DemoRun(
        "visual",
        ("forgetscope/glimpse-obedient", "forgetscope/glimpse-stubborn"),
        {"splits": "embedded-identity", "controls": "no_image", "probes": "choice", "phrasings": 1},
        quick={"limit": 32},
        is_apart=True,
    ),
)
"""Two models of known truth that differ in what a benchmark asks about, where we have them, and plain SmolLM2 on fewer
items: its replies are long. The dialogues are the plain ones, for models of few weights, with the never-told arms.
Twelve pictures of each of sixteen forget concepts, the fewest that a verdict can rest on, and 160 of others.

Without the penalty 31 of 75 prospective replies of plain SmolLM2 end in a loop, with it 3, and as many keep their
format (lab notes). In dialogues it keeps the model from saying again what was said before, so there is none.
"""


_WORKERS = "Processes that unlearn; with 1, the visual models are not asked beside the others either."


@app.command()
def demo(
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of the demo; a new one beside it if it exists.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer dialogues and prompts, three cells of unlearning: two minutes.")
    ] = False,
    workers: Annotated[int, typer.Option("--workers", min=1, max=MOST_PROCESSES, help=_WORKERS)] = 2,
    as_json: JsonOption = False,
) -> None:
    """Evaluate the embedded models on embedded data and write one report. Needs no key, network or GPU."""
    from forgetscope.api.grids import grid_run
    from forgetscope.api.runs import default_folder
    from forgetscope.benchmarks import GRIDS
    from forgetscope.cli.grids import TerminalWatch
    from forgetscope.cli.parts import require_demo_parts
    from forgetscope.cli.printing import print_joint_outcome, working
    from forgetscope.cli.runs import display
    from forgetscope.report import write_joint_report

    require_demo_parts()
    folder = free_folder(out) if out else default_folder("demo", "embedded-models")
    finished: list[FinishedRun | TableRun] = []
    beside = tuple(part for part in DEMO_RUNS if part.is_apart and workers > 1)
    for part in beside:
        if not as_json:
            print(f"{part.benchmark}: {' and '.join(part.models)} are asked beside the others, by another process")
    with _begun_apart(beside, folder, is_quick=quick) as runs_apart:
        for part in DEMO_RUNS:
            if part not in beside:
                finished.extend(_runs(part, folder, display(), is_quick=quick, is_silent=as_json))
        for name, trained in GRIDS.items():
            trained.run(trained.demo(quick), folder / name, workers, 1, TerminalWatch(as_json=as_json))
        with working("asking the visual models", is_quiet=as_json):
            finished.extend(runs_apart())
    with working("computing figures, writing pages", is_quiet=as_json):
        finished.extend(grid_run(folder / name) for name in GRIDS)
        page, written = write_joint_report(finished, folder)
    print_joint_outcome(written, page, as_json=as_json)
    raise typer.Exit(0 if all(run.is_complete for run in finished) else 1)


def _runs(
    part: DemoRun, folder: Path, display: "Display", *, is_quick: bool, is_silent: bool
) -> "Iterator[FinishedRun]":
    """Run each model of a part into a folder of its own."""
    from forgetscope.benchmarks import get_benchmark
    from forgetscope.cli.printing import print_plan
    from forgetscope.running.execute import start_run
    from forgetscope.running.manifest import Limits, ModelSpec

    chosen = get_benchmark(part.benchmark)
    given = {**part.settings, **(part.quick if is_quick else {})}
    settings = chosen.settings.model_validate({"data": "embedded", **given})
    plan = chosen.plan(settings)
    for model in part.models:
        if not is_silent:
            print_plan(plan, model, as_json=False)
        spec = ModelSpec(name=model, frequency_penalty=part.frequency_penalty)
        place = folder / f"{part.benchmark}-{model.rpartition('/')[2]}"
        yield start_run(chosen, settings, plan, spec, Limits(), place, display=display)


@contextmanager
def _begun_apart(
    parts: tuple[DemoRun, ...], folder: Path, *, is_quick: bool
) -> "Iterator[Callable[[], list[FinishedRun]]]":
    """In the block, parts run in a process of their own, which ends with it; gives what waits for their runs."""
    if not parts:
        yield list
        return
    fresh = multiprocessing.get_context("spawn")
    receiving, sending = fresh.Pipe(duplex=False)
    process = fresh.Process(target=_run_apart, args=(parts, folder, is_quick, sending), daemon=True)
    process.start()
    sending.close()

    def runs() -> "list[FinishedRun]":
        try:
            found: list[FinishedRun] | UserError = receiving.recv()
        except EOFError:
            raise RunFolderError(
                "the process that asked the visual models ended early",
                where=str(folder),
                next_step="forgetscope demo --workers 1",
            ) from None
        if isinstance(found, UserError):
            raise found
        return found

    try:
        yield runs
    finally:
        process.terminate()
        process.join()


def _run_apart(parts: tuple[DemoRun, ...], folder: Path, is_quick: bool, found: "Connection") -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who began it ends it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        runs = (run for part in parts for run in _runs(part, folder, "none", is_quick=is_quick, is_silent=True))
        found.send(list(runs))
    except UserError as error:
        found.send(error)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def free_folder(wanted: Path) -> Path:
    """The folder itself where it is new or empty, else the first free name with a number: nothing is overwritten."""
    candidate, number = wanted, 1
    while candidate.is_file() or (candidate.is_dir() and any(candidate.iterdir())):
        number += 1
        candidate = wanted.with_name(f"{wanted.name}-{number}")
    return candidate
