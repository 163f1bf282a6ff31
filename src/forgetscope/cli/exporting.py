"""`export` and `verify`: a run in the forms others read, and whether its figures follow from its logs."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from forgetscope.cli.app import JsonOption, app
from forgetscope.io.files import real_path


@app.command()
def export(
    folder: Annotated[
        Path, typer.Argument(help="A run's folder, or an unlearning grid's; for croissant also a build's.")
    ],
    form: Annotated[str, typer.Option("--format", help="eee, croissant, hf, hf-all, csv or latex.")],
    out: Annotated[Path | None, typer.Option("--out", help="New folder; by default exports/RUN-FORMAT.")] = None,
) -> None:
    """Write a run for others to read: Every Eval Ever, Croissant, a model card, CSV or LaTeX."""
    from forgetscope.api.exports import export as export_run
    from forgetscope.cli.printing import console
    from forgetscope.cli.reports import AGAIN
    from forgetscope.cli.stopping import stoppable

    place = out or Path("exports") / f"{real_path(folder).name}-{form}"
    with stoppable(AGAIN):
        written = export_run(folder, form, place)
    for path in written:
        console.print(str(path), soft_wrap=True, markup=False)


@app.command()
def verify(
    folder: Annotated[Path, typer.Argument(help="A run's folder, or an unlearning grid's; nothing in it is changed.")],
    as_json: JsonOption = False,
) -> None:
    """See whether every figure of a run follows from its logs: hashes, replies scored again, figures computed again."""
    from forgetscope.api.verification import verify as verify_run
    from forgetscope.cli.printing import console, counting_progress
    from forgetscope.cli.reports import AGAIN
    from forgetscope.cli.stopping import stoppable

    with stoppable(AGAIN), counting_progress("reading logs", only_if_long=True) as progress:
        found = verify_run(folder, progress)
    if as_json:
        print(json.dumps({"holds": found.holds, "checks": [asdict(check) for check in found.checks]}, indent=2))
    else:
        for check in found.checks:
            console.print(f"{check.verdict:<12} {check.what}: {check.found}", soft_wrap=True, markup=False)
        console.print(found.in_words, soft_wrap=True, markup=False)
    raise typer.Exit(0 if found.holds else 1)
