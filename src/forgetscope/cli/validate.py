"""`validate`: is the instrument right? Models of known behaviour, expected figures asserted."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgetscope.cli.app import DataOption, JsonOption, app
from forgetscope.core.bounds import LARGEST

if TYPE_CHECKING:
    from forgetscope.benchmarks.base import Check
    from forgetscope.benchmarks.visual.family.validation import SeedResult

LimitOption = Annotated[
    int | None,
    typer.Option(
        "--limit",
        min=1,
        max=LARGEST,
        help="The first so many items of each scenario, experiment or split side, with all their forms.",
    ),
]
WeightsOption = Annotated[
    list[Path] | None,
    typer.Option("--weights", help="visual: packed weights of a further training seed; repeat for several."),
]
StyleOption = Annotated[
    str | None,
    typer.Option("--style", help="visual: drawings the trained models are tested on; emojione by default."),
]
AnnouncedOption = Annotated[
    bool, typer.Option("--announced", help="visual: 640 retained items as announced, not 320; internal probes.")
]


@app.command()
def validate(
    benchmark: Annotated[str | None, typer.Argument(help="A benchmark; all without.")] = None,
    data: DataOption = "embedded",
    limit: LimitOption = None,
    weights: WeightsOption = None,
    style: StyleOption = None,
    announced: AnnouncedOption = False,
    as_json: JsonOption = False,
) -> None:
    """Run models of known behaviour through a benchmark and compare with the figures they must have.

    Scripted reference models first; then for the visual benchmark the trained family, against
    docs/design/visual-validation.md, and for unlearning seven cells from the target in the package.
    """
    from forgetscope.benchmarks import BENCHMARKS, GRIDS, get_benchmark
    from forgetscope.core.errors import SettingError

    if benchmark not in (None, "visual") and (weights or style or announced):
        raise SettingError("--weights, --style and --announced are about the visual benchmark", found=benchmark)
    if weights or style:
        _check_at_once(weights or [], style)
    checks: list[tuple[str, Check]] = []
    trained: list[SeedResult] = []
    for name in [benchmark] if benchmark else (*BENCHMARKS, *GRIDS):
        if name in GRIDS:
            checks.extend((name, check) for check in _grids(name, data, limit, quiet=as_json))
            continue
        chosen = get_benchmark(name)
        if benchmark is None and chosen.check_reference is None:
            continue
        checks.extend((name, check) for check in _scripted(name, data, limit, quiet=as_json))
        if name == "visual":
            trained.extend(_trained(weights or [], style, announced=announced, quiet=as_json))
    of_trained = [("visual", check) for seed in trained for check in seed.checks]
    if as_json:
        print(json.dumps([{"benchmark": name, **asdict(check)} for name, check in checks + of_trained], indent=2))
    else:
        _show(checks, trained)
    raise typer.Exit(0 if all(check.holds for _, check in checks + of_trained) else 1)


def _check_at_once(weights: list[Path], style: str | None) -> None:
    """What can be wrong with the options about the trained models, said before anything is run."""
    from forgetscope.benchmarks.visual.embedded.painting import styles
    from forgetscope.benchmarks.visual.family.validation import training_seeds
    from forgetscope.core.errors import UnknownNameError
    from forgetscope.models.glimpse.family import TRAINING_STYLES

    training_seeds(weights)
    allowed = tuple(found for found in styles() if found not in TRAINING_STYLES)
    if style is not None and style not in allowed:
        raise UnknownNameError("no drawings that training held out", where="--style", found=style, allowed=allowed)


def _scripted(name: str, data: str, limit: int | None, *, quiet: bool) -> "Iterator[Check]":
    from forgetscope.benchmarks import get_benchmark
    from forgetscope.cli.printing import console
    from forgetscope.core.settings import checked, option_name
    from forgetscope.running.calibrate import calibrate

    chosen = get_benchmark(name)
    given = {"data": data} | ({} if limit is None else {"limit": limit})
    settings = checked(
        chosen.settings, {**chosen.validation_settings, **given}, lambda setting: option_name(chosen.settings, setting)
    )
    for found in calibrate(chosen, settings):
        if not quiet:
            console.print(f"{name}: {found[0].model} done ({sum(check.holds for check in found)} of {len(found)} hold)")
        yield from found


def _grids(name: str, data: str, limit: int | None, *, quiet: bool) -> "Iterator[Check]":
    from forgetscope.benchmarks import GRIDS
    from forgetscope.benchmarks.grids import GridWatch
    from forgetscope.cli.grids import TerminalWatch
    from forgetscope.cli.printing import console
    from forgetscope.core.errors import SettingError

    if data != "embedded":
        raise SettingError(f"what is known of {name} is about the embedded corpus", where="--data", found=data)
    if limit is not None:
        raise SettingError(f"the validation of {name} is of one size", where="--limit", found=limit)
    for found in GRIDS[name].validate(GridWatch() if quiet else TerminalWatch(as_json=False)):
        if not quiet:
            console.print(f"{name}: {found[0].model} done ({sum(check.holds for check in found)} of {len(found)} hold)")
        yield from found


def _trained(weights: list[Path], style: str | None, *, announced: bool, quiet: bool) -> "Iterator[SeedResult]":
    from forgetscope.benchmarks.visual.embedded.source import EMOJI_STYLE
    from forgetscope.benchmarks.visual.family.examination import ANNOUNCED, QUICK
    from forgetscope.benchmarks.visual.family.validation import validate_family
    from forgetscope.cli.printing import console

    sizes = ANNOUNCED if announced else QUICK
    for seed in validate_family(
        weights,
        style=style or EMOJI_STYLE,
        sizes=sizes,
        with_probes=announced,
        report=lambda line: None if quiet else console.print(f"visual: {line}"),
    ):
        if not quiet:
            console.print(
                f"visual: seed {seed.seed} done ({sum(check.holds for check in seed.checks)} "
                f"of {len(seed.checks)} announced figures hold)"
            )
        yield seed


def _show(checks: "list[tuple[str, Check]]", trained: "list[SeedResult]") -> None:
    from rich.table import Table

    from forgetscope.benchmarks.visual.family.page import family_page
    from forgetscope.cli.printing import console

    table = Table("benchmark", "model", "figure", "expected", "found", "", box=None, pad_edge=False)
    for name, check in checks:
        table.add_row(name, check.model, check.figure, check.expected, check.found, "holds" if check.holds else "FAILS")
    console.print(table)
    for line in family_page(trained):
        console.print(line, markup=False, soft_wrap=True)
