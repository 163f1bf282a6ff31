"""`validate`: is the instrument right? Reference models of known behaviour, expected figures asserted."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from forgetbench.cli.app import DataOption, JsonOption, LimitOption, app

if TYPE_CHECKING:
    from forgetbench.benchmarks.base import Check


@app.command()
def validate(
    benchmark: Annotated[str | None, typer.Argument(help="in-context or prospective; all when left out.")] = None,
    data: DataOption = "embedded",
    limit: LimitOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run the reference models through a benchmark and compare with the figures they must have."""
    from rich.table import Table

    from forgetbench.benchmarks import BENCHMARK_NAMES, get_benchmark
    from forgetbench.cli.printing import console
    from forgetbench.running.calibrate import calibrate

    checks: list[tuple[str, Check]] = []
    for name in [benchmark] if benchmark else BENCHMARK_NAMES:
        chosen = get_benchmark(name)
        if benchmark is None and chosen.check_reference is None:
            continue
        given = {"data": data} | ({} if limit is None else {"limit": limit})
        settings = chosen.settings.model_validate({**chosen.validation_settings, **given})
        for found in calibrate(chosen, settings):
            checks.extend((name, check) for check in found)
            if not as_json:
                console.print(
                    f"{name}: {found[0].model} done ({sum(check.holds for check in found)} of {len(found)} hold)"
                )
    if as_json:
        print(json.dumps([{"benchmark": name, **asdict(check)} for name, check in checks], indent=2))
    else:
        table = Table("benchmark", "reference model", "figure", "expected", "found", "", box=None, pad_edge=False)
        for name, check in checks:
            table.add_row(
                name, check.model, check.figure, check.expected, check.found, "holds" if check.holds else "FAILS"
            )
        console.print(table)
    raise typer.Exit(0 if all(check.holds for _, check in checks) else 1)
