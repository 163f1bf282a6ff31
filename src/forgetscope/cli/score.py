"""`score`: verdicts on replies one already has."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from forgetscope.cli.app import DataOption, JsonOption, app


@app.command("score")
def score_replies(
    kind: Annotated[
        str,
        typer.Argument(help="in-context, gsm8k, mmlu, triviaqa, visual, refusals or constraints: what the rows hold."),
    ],
    replies: Annotated[
        Path, typer.Argument(help="Replies, JSON Lines: reply, and what names its item (docs/how-to/own-replies.md).")
    ],
    out: Annotated[Path, typer.Option("--out", help="Where to write the verdicts, JSON Lines, a row a reply.")],
    prompts: Annotated[
        Path | None, typer.Option("--prompts", help="Prompts of IFEval, IFBench or Multi-IF (constraints).")
    ] = None,
    data: DataOption = "embedded",
    strict: Annotated[
        bool, typer.Option("--strict", help="Write nothing if a row cannot be scored; by default it is left out.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Score replies you already have: a verdict row for each, the account by status, rates with intervals."""
    from rich.markup import escape
    from rich.table import Table

    from forgetscope.api.scoring import score
    from forgetscope.cli.printing import console

    scored = score(kind, replies, out, prompts=prompts, data=data, strict=strict)
    for line in scored.left_out:
        typer.echo(f"left out: {line}", err=True)
    if scored.left_out:
        typer.echo(f"{len(scored.left_out):,} of {len(scored.left_out) + scored.scored:,} rows were left out", err=True)
    if as_json:
        figures = {name: asdict(rate) for name, rate in scored.rates.items()}
        print(
            json.dumps(
                {
                    "kind": scored.kind,
                    "scored": scored.scored,
                    "left_out": scored.left_out,
                    "account": scored.account,
                    "account_of": scored.account_of,
                    "rates": figures,
                    "notes": scored.notes,
                },
                indent=2,
            )
        )
        return
    account = ", ".join(f"{count:,} {status.replace('_', ' ')}" for status, count in scored.account.items())
    console.print(f"{scored.scored:,} {'reply' if scored.scored == 1 else 'replies'} {scored.account_of}: {account}")
    table = Table("", "rate", "95% interval", "n", box=None, pad_edge=False)
    for name, rate in scored.rates.items():
        value = "–" if rate.value is None else f"{100 * rate.value:.1f}%"
        ends = (
            rate.undefined
            if rate.low is None or rate.high is None
            else f"{100 * rate.low:.1f} to {100 * rate.high:.1f}"
        )
        table.add_row(escape(name), value, ends, f"{rate.n:,}")
    console.print(table)
    for note in scored.notes:
        console.print(f"{note}.")
    console.print(f"Verdicts: {out}", soft_wrap=True)
