"""`forgetscope unlearn doctor`: what a grid would come to, before it is trained."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgetscope.api.grids import grid_settings
from forgetscope.cli.app import JsonOption
from forgetscope.cli.unlearn import UNLEARNING, folder_or_temporary, unlearn_app

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forgetscope.benchmarks.unlearning.doctor.findings import Cost, Diagnosis
    from forgetscope.benchmarks.unlearning.methods.advice import Advice, FirstSteps, FormatBudget


@unlearn_app.command("doctor")
def doctor(
    config: Annotated[
        Path | None, typer.Argument(help="Grid as YAML or TOML; without one, the embedded corpus and defaults.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder of the grid: data and target made here are there when it is run."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say before training what will go wrong: vanished gradients, swamped losses, tokens, memory, time; and the cure.

    Makes the data and the target where they are not there yet, and takes two steps of each method on a copy of it.
    Exits 1 where something would make the results worthless.
    """
    from forgetscope.benchmarks.unlearning.doctor.diagnosis import diagnose, prepare_patients
    from forgetscope.benchmarks.unlearning.grid.cells import GridFolder
    from forgetscope.cli.printing import console

    settings = grid_settings(UNLEARNING, config)
    with folder_or_temporary(out) as folder, console.status("Two steps of every combination ...") as status:
        if as_json:
            status.stop()
        grid = GridFolder(folder)
        found = diagnose(settings, prepare_patients(settings, grid), grid)
    if as_json:
        print(json.dumps(found.as_dict(), allow_nan=False))
    else:
        _print(found)
    raise typer.Exit(1 if found.is_hopeless else 0)


def _print(found: "Diagnosis") -> None:
    from forgetscope.cli.printing import console

    _print_budgets(found.budgets)
    _print_trials(found.trials)
    _print_cost(found.cost)
    console.print()
    for advice in found.advice:
        _print_advice(advice)
    if not found.advice:
        console.print("Nothing to change.")


def _print_budgets(budgets: "Sequence[FormatBudget]") -> None:
    from rich.table import Table

    from forgetscope.cli.printing import console

    console.print("Formats as the target sees them. Nats a token, all and by text; how often a cell sees retain texts.")
    table = Table(box=None, pad_edge=False)
    for name in ("corpus", "format"):
        table.add_column(name, no_wrap=True)
    for name in ("texts", "tokens", "longest", "nats", "by text", "steps", "retain"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in budgets:
        passes = sorted(one.retain_passes.values())
        table.add_row(
            one.corpus,
            one.format,
            f"{one.sequences:,}",
            f"{one.tokens:,}",
            f"{one.longest:,}",
            f"{one.nll:.2f}",
            f"{one.nll_lowest:.2f}-{one.nll_highest:.2f}",
            f"{one.steps:,}",
            "-".join(dict.fromkeys(f"{value:.1f}" for value in (passes[0], passes[-1]))),
        )
    console.print(table)


def _print_trials(trials: "Sequence[FirstSteps]") -> None:
    from rich.table import Table

    from forgetscope.cli.printing import console

    console.print("\nTwo steps of each combination. Let go: sequences without gradient, before and after one step.")
    console.print("Gradient norms of the second step; nats a token of the first and the second step's forget texts.")
    table = Table(box=None, pad_edge=False)
    for name in ("method", "losses", "format"):
        table.add_column(name, no_wrap=True)
    for name in ("let go", "then", "forget", "retain", "nats", "then"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in trials:
        table.add_row(
            one.method,
            one.semantics,
            one.format,
            "" if one.saturated is None else f"{one.saturated:.0%}",
            "" if one.saturated_second is None else f"{one.saturated_second:.0%}",
            "" if one.forget_gradient is None else f"{one.forget_gradient:.2g}",
            "" if one.retain_gradient is None else f"{one.retain_gradient:.2g}",
            f"{one.forget_nll[0]:.2f}",
            "no number" if one.diverged else f"{one.forget_nll[1]:.2f}",
        )
    console.print(table)


def _print_cost(cost: "Cost") -> None:
    from forgetscope.cli.printing import console, duration

    console.print()
    console.print(
        f"{cost.open_cells} of {cost.cells} cells to run: {cost.steps:,} steps, {cost.tokens:,} tokens, about "
        f"{duration(cost.training_seconds)} of training by one worker ({cost.precision}); evaluation comes on top.",
        soft_wrap=True,
    )
    console.print(
        f"A worker needs about {cost.memory_bytes / 1e9:.2f} GB beside its libraries; "
        f"{cost.available_bytes / 1e9:.1f} GB are free.",
        soft_wrap=True,
    )


def _print_advice(advice: "Advice") -> None:
    from rich.markup import escape

    from forgetscope.cli.printing import console

    colour = {"stop": "red", "change": "yellow", "know": "cyan"}[advice.level]
    console.print(f"[bold {colour}]{advice.level}[/] {escape(advice.about)}: {escape(advice.found)}.", soft_wrap=True)
    console.print(f"     {escape(advice.change)}.", soft_wrap=True)
