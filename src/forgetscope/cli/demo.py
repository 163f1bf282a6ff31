"""`demo`: a real evaluation of the embedded models on every benchmark, small enough for a laptop, with one report."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgetscope.cli.app import JsonOption, app
from forgetscope.core.bounds import MOST_PROCESSES

if TYPE_CHECKING:
    from forgetscope.report import TableRun
    from forgetscope.running.finished import FinishedRun


@dataclass(frozen=True)
class DemoRun:
    """One benchmark's part of the demo: models, settings that keep it small, and what `--quick` changes in them."""

    benchmark: str
    models: tuple[str, ...]
    settings: Mapping[str, object]
    quick: Mapping[str, object]
    frequency_penalty: float = 0.0


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
    ),
)
"""Two models of known truth that differ in what a benchmark asks about, where we have them, and plain SmolLM2 on fewer
items: its replies are long. The dialogues are the plain ones, for models of few weights, with the never-told arms.
Twelve pictures of each of sixteen forget concepts, the fewest that a verdict can rest on, and 160 of others.

Without the penalty 31 of 75 prospective replies of plain SmolLM2 end in a loop, with it 3, and as many keep their
format (lab notes). In dialogues it keeps the model from saying again what was said before, so there is none.
"""


@app.command()
def demo(
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of the demo; a new one beside it if it exists.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer dialogues and prompts, three cells of unlearning: two minutes.")
    ] = False,
    workers: Annotated[int, typer.Option("--workers", min=1, max=MOST_PROCESSES, help="Processes that unlearn.")] = 2,
    as_json: JsonOption = False,
) -> None:
    """Evaluate the embedded models on embedded data and write one report. Needs no key, network or GPU."""
    from forgetscope.api.grids import grid_run
    from forgetscope.api.runs import default_folder
    from forgetscope.benchmarks import GRIDS, get_benchmark
    from forgetscope.cli.grids import TerminalWatch
    from forgetscope.cli.parts import require_demo_parts
    from forgetscope.cli.printing import print_joint_outcome, print_plan, working
    from forgetscope.cli.runs import display
    from forgetscope.report import write_joint_report
    from forgetscope.running.execute import start_run
    from forgetscope.running.manifest import Limits, ModelSpec

    require_demo_parts()
    folder = free_folder(out) if out else default_folder("demo", "embedded-models")
    finished: list[FinishedRun | TableRun] = []
    for part in DEMO_RUNS:
        chosen = get_benchmark(part.benchmark)
        given = {**part.settings, **(part.quick if quick else {})}
        settings = chosen.settings.model_validate({"data": "embedded", **given})
        plan = chosen.plan(settings)
        for model in part.models:
            if not as_json:
                print_plan(plan, model, as_json=False)
            spec = ModelSpec(name=model, frequency_penalty=part.frequency_penalty)
            place = folder / f"{part.benchmark}-{model.rpartition('/')[2]}"
            finished.append(start_run(chosen, settings, plan, spec, Limits(), place, display=display()))
    for name, trained in GRIDS.items():
        trained.run(trained.demo(quick), folder / name, workers, 1, TerminalWatch(as_json=as_json))
    with working("computing figures, writing pages", is_quiet=as_json):
        finished.extend(grid_run(folder / name) for name in GRIDS)
        page, written = write_joint_report(finished, folder)
    print_joint_outcome(written, page, as_json=as_json)
    raise typer.Exit(0 if all(run.is_complete for run in finished) else 1)


def free_folder(wanted: Path) -> Path:
    """The folder itself where it is new or empty, else the first free name with a number: nothing is overwritten."""
    candidate, number = wanted, 1
    while candidate.is_file() or (candidate.is_dir() and any(candidate.iterdir())):
        number += 1
        candidate = wanted.with_name(f"{wanted.name}-{number}")
    return candidate
