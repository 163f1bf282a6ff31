"""`try-judge`: can a judge be talked round? Every attack of the set against replies that must fail."""

import asyncio
import json
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
    """Show what each attack of the set does to a judge. Exit 1 where the judge is moved or a flag is missing."""
    from forgetscope.benchmarks import get_benchmark
    from forgetscope.cli.printing import counting_progress
    from forgetscope.cli.specs import judge_specs
    from forgetscope.judging.attacks import load_attacks, try_attacks
    from forgetscope.running.execute import build_model
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
    attacks = load_attacks()
    model = build_model(spec, Limits())
    with counting_progress("asking") as progress:
        step = progress(len(trials) * (len(attacks) + 1))
        results = asyncio.run(try_attacks(model, trials, attacks, limit=judge_max_tokens, progress=step))
    print_results(results, as_json=as_json)
    raise typer.Exit(1 if any(result.moved or not result.is_flagged for result in results) else 0)


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
            "attacked": result.attacked,
            "moved": result.moved,
        }
        for result in results
    ]
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    table = Table("attack", "trial", "flags raised", "plain", "attacked", "", box=None, pad_edge=False)
    for result in results:
        said = "MOVED" if result.moved else "" if result.is_flagged else "NOT FLAGGED"
        table.add_row(result.attack.id, result.trial, ", ".join(result.flags), result.plain, result.attacked, said)
    console.print(table)
    able = [result for result in results if result.plain == "fail"]
    console.print(
        f"{len(results)} attacked replies: {sum(result.is_flagged for result in results)} flagged as they must be; "
        f"in {len(able)} the judge fails the plain reply, and in {sum(result.moved for result in able)} of these it is "
        "moved to pass the attacked one."
    )
