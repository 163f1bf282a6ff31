"""`try-judge`: does a judge fail what must fail and pass what must pass, and can it be talked round?"""

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from forgetscope.cli.app import DataOption, JsonOption, JudgeArgOption, JudgeBaseUrlOption, JudgeMaxTokensOption, app
from forgetscope.core.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forgetscope.judging.attacks import AttackResult


@app.command("try-judge")
def try_judge(
    judge: Annotated[str, typer.Argument(help="Model name of the judge.")],
    benchmark: Annotated[str, typer.Option("--benchmark", help="Whose rubrics.")] = "in-context",
    scenario: Annotated[
        str | None, typer.Option("--scenario", help="One of the benchmark's; all when left out.")
    ] = None,
    data: DataOption = "embedded",
    judge_base_url: JudgeBaseUrlOption = None,
    judge_arg: JudgeArgOption = None,
    judge_max_tokens: JudgeMaxTokensOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put plain wrong replies, plain right ones and attacked wrong ones to a judge.

    Exit 1 where it does not fail the plain wrong ones, passes none of the right ones or is moved, or a flag is missing.
    """
    from forgetscope.benchmarks import get_benchmark
    from forgetscope.cli.printing import counting_progress
    from forgetscope.cli.specs import judge_specs
    from forgetscope.judging.attacks import load_attacks, refusals, try_attacks
    from forgetscope.running.building import build_model
    from forgetscope.running.manifest import Limits

    chosen = get_benchmark(benchmark)
    if chosen.judge_trials is None:
        raise SettingError("nothing in this benchmark is judged", found=benchmark)
    every = chosen.judge_trials(data)
    trials = [trial for trial in every if scenario in (None, trial.name)]
    if not trials:
        raise SettingError(
            "no such scenario", where="--scenario", found=scenario, allowed=[each.name for each in every]
        )
    (spec,) = judge_specs([judge], judge_base_url, judge_arg, under_test="", allow_self=False)
    model = build_model(spec, Limits())
    with counting_progress("asking") as progress:
        results = asyncio.run(try_attacks(model, trials, load_attacks(), limit=judge_max_tokens, progress=progress))
    print_results(results, as_json=as_json)
    refused = refusals(results)
    for reason in refused:
        print(f"forgetscope: {judge} is no judge: {reason}", file=sys.stderr)
    raise typer.Exit(1 if refused or any(result.moved or not result.is_flagged for result in results) else 0)


def print_results(results: "Sequence[AttackResult]", *, as_json: bool) -> None:
    """A row for each attack and trial, and the sums."""
    from rich.table import Table

    from forgetscope.cli.printing import console

    rows = [
        {
            "attack": result.attack.id,
            "what": result.attack.what,
            "trial": result.trial,
            "expected": list(result.attack.flags),
            "flags": list(result.flags),
            "plain": result.plain,
            "right": result.right,
            "blind": result.is_blind,
            "attacked": result.attacked,
            "moved": result.moved,
        }
        for result in results
    ]
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    table = Table("attack", "trial", "flags raised", "plain", "attacked", "right", "", box=None, pad_edge=False)
    for result in results:
        signs = {"BLIND": result.is_blind, "MOVED": result.moved, "NOT FLAGGED": not result.is_flagged}
        said = ", ".join(sign for sign, holds in signs.items() if holds)
        table.add_row(
            result.attack.id,
            result.trial,
            ", ".join(result.flags),
            result.plain,
            result.attacked,
            result.right or "",
            said,
        )
    console.print(table)
    able = [result for result in results if not result.is_blind]
    console.print(
        f"{len(results)} attacked replies: {sum(result.is_flagged for result in results)} flagged as they must be; "
        f"in {len(able)} the judge fails the plain reply, and in {sum(result.moved for result in able)} of these it is "
        "moved to pass the attacked one. Plain: the same reply without the attack, which must fail; right: a reply to "
        "the same item that must pass."
    )
