"""`list`, `data`, `score-ifeval`: what there is, the data sets, and the checkers alone."""

import json
from pathlib import Path
from typing import Annotated

import typer

from forgetscope.cli.app import JsonOption, app

data_app = typer.Typer(help="Data sets: list, fetch, verify.", no_args_is_help=True)
app.add_typer(data_app, name="data")


@app.command("list")
def list_all(as_json: JsonOption = False) -> None:
    """Benchmarks, models of ours, and where items come from."""
    from forgetscope.api.grids import TITLE as UNLEARNING_TITLE
    from forgetscope.benchmarks import BENCHMARK_NAMES, get_benchmark
    from forgetscope.cli.printing import console
    from forgetscope.models.provider import known_models

    benchmarks = {name: get_benchmark(name) for name in BENCHMARK_NAMES}
    titles = {name: chosen.title for name, chosen in benchmarks.items()} | {"unlearning": UNLEARNING_TITLE}
    models = known_models()
    if as_json:
        listing = {
            "benchmarks": titles,
            "models": models,
            "reference_models": {name: dict(chosen.reference_models) for name, chosen in benchmarks.items()},
            "reference_judges": {name: dict(chosen.reference_judges) for name, chosen in benchmarks.items()},
        }
        print(json.dumps(listing, indent=2))
        return
    console.print("Benchmarks")
    for name, title in titles.items():
        console.print(f"  {name:<14} {title}" + (" (forgetscope unlearn)" if name == "unlearning" else ""))
    console.print("Data (--data)")
    console.print("  embedded       in the package, written for this project")
    console.print("  official       the published sets, at pinned revisions (forgetscope data list)")
    console.print("  PATH           a folder with local copies in the published formats")
    console.print("Models (--model): any name Inspect AI knows, such as openai/gpt-5 or vllm/NAME, and")
    for model, summary in models.items():
        console.print(f"  {model:<26} {summary}")
    for chosen in benchmarks.values():
        for name, summary in (*chosen.reference_models.items(), *chosen.reference_judges.items()):
            console.print(f"  forgetscope/reference/{name:<17} {summary}")


@data_app.command("list")
def list_data(as_json: JsonOption = False) -> None:
    """The official data sets with their pinned revisions and licences."""
    from forgetscope.benchmarks.prospective.data.loading import HUB_SETS
    from forgetscope.cli.printing import console

    if as_json:
        print(json.dumps([vars(hub_set) for hub_set in HUB_SETS], indent=2))
        return
    for hub_set in HUB_SETS:
        name = hub_set.path + (f" ({hub_set.config})" if hub_set.config else "")
        console.print(f"{hub_set.role:<14} {name}, {hub_set.split}, {hub_set.revision}, {hub_set.licence}")


@data_app.command("fetch")
def fetch() -> None:
    """Download the official data sets into the datasets library's cache."""
    _print_data("official")


@data_app.command("verify")
def verify(source: Annotated[str, typer.Argument(help="embedded, official, or a folder.")]) -> None:
    """Read a source line by line and print what is in it, with hashes."""
    _print_data(source)


def _print_data(source: str) -> None:
    from forgetscope.benchmarks.prospective.data.loading import load_data
    from forgetscope.cli.printing import console

    data = load_data(source)
    for entry in data.provenance:
        console.print(f"{entry.role:<14} {entry.rows:>6,} rows  sha256 {entry.sha256}  {entry.name} {entry.revision}")
    for note in data.left_out:
        console.print(note)
    console.print(f"all together: sha256 {data.sha256}")


@app.command("score-ifeval")
def score_ifeval(
    prompts: Annotated[Path, typer.Argument(help="IFEval prompts, JSON Lines.")],
    responses: Annotated[Path, typer.Argument(help="Rows of {prompt, response}, JSON Lines.")],
    out: Annotated[Path, typer.Option("--out", help="Where to write the verdicts, JSON Lines.")],
    behaviour: Annotated[str, typer.Option(help="reference, or repaired.")] = "reference",
    as_json: JsonOption = False,
) -> None:
    """Score recorded replies with the checkers alone; strict and loose verdicts as two rows a reply."""
    from forgetscope.checkers import Behaviour
    from forgetscope.checkers.scoring_file import score_responses
    from forgetscope.cli.printing import print_scores
    from forgetscope.core.errors import SettingError

    if behaviour not in [*Behaviour]:
        raise SettingError("no such behaviour", where="--behaviour", found=behaviour, allowed=[*Behaviour])
    print_scores(score_responses(prompts, responses, out, behaviour=Behaviour(behaviour)), out, as_json=as_json)
