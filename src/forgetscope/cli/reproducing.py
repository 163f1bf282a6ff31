"""`reproduce`: a paper's experiment, whole, on one's own models."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from forgetscope.cli.app import (
    MODEL,
    OUTPUT,
    AskFirstOption,
    DataOption,
    JsonOption,
    JudgeArgOption,
    JudgeBaseUrlOption,
    JudgeOption,
    MaxConnectionsOption,
    MaxSamplesOption,
    MaxUsdOption,
    PricesOption,
    SelfJudgeOption,
    ShardOption,
    app,
)
from forgetscope.cli.reports import report_and_exit
from forgetscope.cli.runs import (
    ModelArgOption,
    ModelBaseUrlOption,
    ReasoningEffortOption,
    ReasoningTokensOption,
    display,
)
from forgetscope.cli.specs import judge_specs, model_spec, prices_from
from forgetscope.core.bounds import LARGEST, MOST_PROCESSES
from forgetscope.core.errors import SettingError

if TYPE_CHECKING:
    from forgetscope.running.finished import FinishedRun

UNLEARNING = "unlearning"


@app.command()
def reproduce(
    benchmark: Annotated[str, typer.Argument(help="in-context, visual, prospective or unlearning.")],
    model: Annotated[
        list[str],
        typer.Option(
            "--model", help="Model; repeat for several. Unlearning: the target's folder.", rich_help_panel=MODEL
        ),
    ],
    model_arg: ModelArgOption = None,
    model_base_url: ModelBaseUrlOption = None,
    reasoning_effort: ReasoningEffortOption = None,
    reasoning_tokens: ReasoningTokensOption = None,
    judge: JudgeOption = None,
    judge_base_url: JudgeBaseUrlOption = None,
    judge_arg: JudgeArgOption = None,
    allow_self_judge: SelfJudgeOption = False,
    data: DataOption = "official",
    images: Annotated[str, typer.Option("--images", help="Visual: folder the pictures' paths start from.")] = "",
    corpus: Annotated[str, typer.Option("--corpus", help="Unlearning: news or books.")] = "news",
    built: Annotated[
        Path | None, typer.Option("--built", help="Unlearning: folder of build unlearning, triplets and questions.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", min=1, max=LARGEST, help="The first so many items of each scenario, experiment or split side."
        ),
    ] = None,
    shard: ShardOption = None,
    extended: Annotated[bool, typer.Option("--extended", help="Add our controls and arms.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the plan and stop: nothing is sent.")] = False,
    max_connections: MaxConnectionsOption = None,
    max_usd: MaxUsdOption = None,
    max_samples: MaxSamplesOption = None,
    prices: PricesOption = None,
    asks_first: AskFirstOption = True,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=MOST_PROCESSES, help="Unlearning: processes on this machine.")
    ] = 2,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="Folder of the run; of several models, one for each in it. The same command again goes on there.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run a paper's experiment as the paper ran it: conditions, sizes, prompts, seeds, lengths, decoding.

    The same run, plan and folder as `run` makes; resume, merge and report work on it.
    """
    from forgetscope.api.reproduction import paper_folders, paper_run, require_ready, start_paper_run
    from forgetscope.cli.printing import console, print_plan
    from forgetscope.running.manifest import Limits

    if benchmark == UNLEARNING:
        unsaid = {"--limit": limit, "--shard": shard, "--judge": judge, "--images": images or None}
        sources = (corpus, data, built)
        _unlearn(model, sources, out, unsaid, workers=workers, extended=extended, dry_run=dry_run, as_json=as_json)
        return
    if built is not None:
        raise SettingError("only unlearning reads such a folder", where="--built", found=str(built))
    priced = prices_from(prices)
    thinking = (reasoning_effort, reasoning_tokens)
    specs = [model_spec(name, model_base_url, model_arg, 0.0, thinking) for name in model]
    for name in model:
        judges = judge_specs(judge, judge_base_url, judge_arg, under_test=name, allow_self=allow_self_judge)
    given: dict[str, object] = {"images": images} if images else {}
    if allow_self_judge:
        given["allow_self_judge"] = True
    wanted = paper_run(benchmark, data=data, limit=limit, is_judged=bool(judge), is_extended=extended, given=given)
    folders = paper_folders(benchmark, model, out)
    limits = Limits(max_usd=max_usd, max_samples=max_samples, prices=priced, max_connections=max_connections)
    if not dry_run:
        require_ready(wanted, specs, folders, judges=judges, limits=limits, asks_first=asks_first)
    if not as_json or dry_run:
        for note in wanted.notes if not as_json else ():
            console.print(f"{note[0].upper()}{note[1:]}.", markup=False)
        for name in model:
            print_plan(wanted.plan, name, as_json=as_json, prices=priced)
    if dry_run:
        return
    finished = [
        start_paper_run(wanted, spec, folder, judges=judges, limits=limits, shard=shard, display=display())
        for spec, folder in zip(specs, folders, strict=True)
    ]
    if len(finished) == 1:
        report_and_exit(finished[0], as_json=as_json)
    _report_all(finished, folders[0].parent / "report.html", as_json=as_json)


def _report_all(finished: "list[FinishedRun]", page: Path, *, as_json: bool) -> NoReturn:
    """One page of all models, which begins with the paper's tables."""
    from forgetscope.cli.printing import print_joint_outcome, working
    from forgetscope.report import write_joint_report

    with working("computing figures, writing pages", is_quiet=as_json):
        written_to, written = write_joint_report(finished, page)
    print_joint_outcome(written, written_to, as_json=as_json)
    raise typer.Exit(0 if all(run.is_complete and not run.stopped for run in finished) else 1)


def _unlearn(
    models: list[str],
    sources: tuple[str, str, Path | None],
    out: Path | None,
    unsaid: Mapping[str, object],
    *,
    workers: int,
    extended: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """The paper's grid of one corpus: its name, where the data are, and what a language model built for it."""
    from forgetscope.api.reproduction import paper_folders
    from forgetscope.benchmarks import GRIDS
    from forgetscope.cli.grids import print_training_plan
    from forgetscope.cli.printing import console
    from forgetscope.cli.unlearn import folder_or_temporary, run_and_report

    for option, value in unsaid.items():
        if value is not None:
            raise SettingError("a grid has no such option", where=option, found=str(value))
    chosen = GRIDS[UNLEARNING]
    if len(models) > 1:
        raise SettingError("a grid has one target", where="--model", found=", ".join(models))
    corpus, data, built = sources
    settings = chosen.paper_grid(corpus, models[0], data, built, extended)
    if built is None and any(one.data.corpus.source == "muse" for one in settings.experiments):
        unbuilt = (
            "triplets are by rule, and low and high have no questions of their own, so Table 1's Retain is undefined"
        )
        next_step = f"forgetscope build unlearning --corpus {corpus} --builder MODEL --out FOLDER, then --built FOLDER"
        if not dry_run:
            raise SettingError(f"without a build {unbuilt}", where="--built", next_step=next_step)
        if not as_json:
            console.print(f"Without --built {unbuilt}; next: {next_step}.", markup=False, soft_wrap=True)
    with folder_or_temporary(
        out if out is not None or dry_run else paper_folders(UNLEARNING, models, None)[0]
    ) as folder:
        if not as_json or dry_run:
            print_training_plan(chosen.plan(settings, folder), workers=workers, as_json=as_json)
        if not dry_run:
            run_and_report(settings, folder, workers=workers, threads=1, published=True, as_json=as_json)
