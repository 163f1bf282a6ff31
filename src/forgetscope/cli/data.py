"""`list`, `data`: what there is, and the data sets."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from forgetscope.cli.app import JsonOption, WholeSentences, app

if TYPE_CHECKING:
    from forgetscope.api.data import VerifiedSource

data_app = typer.Typer(cls=WholeSentences, help="Data sets: list, fetch, verify.", no_args_is_help=True)
app.add_typer(data_app, name="data")


@app.command("list")
def list_all(as_json: JsonOption = False) -> None:
    """Benchmarks, models of ours, and where items come from."""
    from forgetscope.benchmarks import listed
    from forgetscope.cli.printing import console, print_columns
    from forgetscope.models.provider import known_models

    benchmarks = listed()
    models = known_models()
    if as_json:
        listing = {
            "benchmarks": {name: one.title for name, one in benchmarks.items()},
            "models": models,
            "reference_models": {name: dict(one.models) for name, one in benchmarks.items() if not one.command},
            "reference_judges": {name: dict(one.judges) for name, one in benchmarks.items() if not one.command},
        }
        print(json.dumps(listing, indent=2))
        return
    console.print("Benchmarks")
    print_columns((name, one.title + (f" ({one.command})" if one.command else "")) for name, one in benchmarks.items())
    console.print("Data (--data)")
    print_columns(
        (
            ("embedded", "in the package, written for this project"),
            ("official", "the published sets, at pinned revisions (forgetscope data list)"),
            ("PATH", "a folder with local copies in the published formats"),
        )
    )
    console.print("Models (--model): any name Inspect AI knows, such as openai/gpt-5 or vllm/NAME, and")
    print_columns(models.items())
    for key, chosen in benchmarks.items():
        if chosen.command:
            continue
        for what, known in (("models", chosen.models), ("judges", chosen.judges)):
            if known:
                console.print(f"Reference {what} of {key}: forgetscope/reference/")
                print_columns(known.items())


_Benchmark = Annotated[str, typer.Argument(help="A benchmark; all without one.", show_default=False)]


@data_app.command("list")
def list_data(benchmark: _Benchmark = "", as_json: JsonOption = False) -> None:
    """The data sets of each benchmark: what they are for, whether they are here, where from, under which licence."""
    from forgetscope.api.data import chosen_sources
    from forgetscope.cli.printing import console

    chosen = chosen_sources(benchmark)
    if as_json:
        print(
            json.dumps(
                [
                    {
                        "benchmark": key,
                        "name": source.name,
                        "state": source.state,
                        "role": source.role,
                        "where": source.where,
                        "revision": source.revision,
                        "licence": source.licence,
                    }
                    for key, source in chosen
                ],
                indent=2,
            )
        )
        return
    shown = ""
    for key, source in chosen:
        if key != shown:
            console.print(key)
            shown = key
        console.print(f"  {source.name:<19} {source.state:<11} {source.role}", soft_wrap=True)
        detail = ", ".join(filter(None, (source.where, source.revision, source.licence)))
        if detail:
            console.print(f"    {detail}", style="dim", soft_wrap=True)


@data_app.command("fetch")
def fetch(
    benchmark: _Benchmark = "",
    name: Annotated[str, typer.Argument(help="One of its sources; all without one.", show_default=False)] = "",
) -> None:
    """Download published data sets into the datasets library's cache, and read them."""
    from forgetscope.api.data import fetched

    _print_found(fetched(benchmark, name))


@data_app.command("verify")
def verify(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            help="A benchmark, then one of its sources or a folder, then a local copy; or embedded, for what is in the "
            "package. Without a word, everything that is here.",
            metavar="[BENCHMARK] [SOURCE|FOLDER] [PLACE]",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Read data sets line by line and print how many rows each part has, with its hash."""
    from forgetscope.api.data import verified

    _print_found(verified(what or ()))


def _print_found(found: "Iterable[VerifiedSource]") -> None:
    from forgetscope.cli.printing import console
    from forgetscope.io.records import rows_sha256

    for one in found:
        console.print(f"{one.benchmark} {one.source.name}")
        width = max(len(entry.role) for entry in one.found.entries)
        for entry in one.found.entries:
            source = f"{entry.name} {entry.revision}".strip()
            said = f"  {entry.role:<{width}} {entry.rows:>7,} rows  sha256 {entry.sha256}  {source}"
            console.print(said, soft_wrap=True)
        if len(one.found.entries) > 1:
            whole = rows_sha256([entry.as_dict() for entry in one.found.entries])
            console.print(f"  all together: sha256 {whole}", soft_wrap=True)
        for note in one.found.notes:
            console.print(f"  {note}", soft_wrap=True)
