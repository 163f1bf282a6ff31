"""`plan`, `run`, `resume`: from a command line to a run folder and its report."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from forgetscope.cli.app import (
    LIMITS,
    MODEL,
    OUTPUT,
    AskFirstOption,
    FolderArgument,
    JsonOption,
    JudgeArgOption,
    JudgeBaseUrlOption,
    JudgeOption,
    MaxConnectionsOption,
    MaxSamplesOption,
    MaxUsdOption,
    PricesOption,
    ShardOption,
    app,
)
from forgetscope.cli.benchmark_options import benchmark_app
from forgetscope.cli.reports import report_and_exit
from forgetscope.cli.specs import asking, judge_specs, model_spec, prices_from, said_again, settings_from
from forgetscope.core.bounds import LONGEST_ATTEMPT, MOST_RETRIES, MOST_TOKENS
from forgetscope.core.errors import SettingError

if TYPE_CHECKING:
    from forgetscope.benchmarks.base import Benchmark, Plan
    from forgetscope.core.settings import Settings
    from forgetscope.running.execute import Display
    from forgetscope.running.manifest import ModelSpec

ModelArgOption = Annotated[
    list[str] | None,
    typer.Option("-M", help="Model argument key=value; repeat for several.", rich_help_panel=MODEL),
]

ModelBaseUrlOption = Annotated[
    str | None, typer.Option("--model-base-url", help="Address of the model's server.", rich_help_panel=MODEL)
]

ReasoningEffortOption = Annotated[
    str | None,
    typer.Option(
        "--reasoning-effort",
        help="How long a thinking model thinks: none, minimal, low, medium, high, xhigh, max; a provider has some.",
        rich_help_panel=MODEL,
    ),
]
ReasoningTokensOption = Annotated[
    int | None,
    typer.Option(
        "--reasoning-tokens",
        min=1,
        max=MOST_TOKENS,
        help="Tokens a thinking model may think, at most.",
        rich_help_panel=MODEL,
    ),
]


def plan(
    benchmark: str,
    *,
    given: Mapping[str, object],
    model: Annotated[str | None, typer.Option(help="For an estimate of time and cost.", rich_help_panel=MODEL)] = None,
    judge: JudgeOption = None,
    prices: PricesOption = None,
    write_prompts_to: Annotated[
        Path | None,
        typer.Option(
            "--write-prompts", help="Also write every prompt, JSON Lines, to answer elsewhere: run --replies."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what a run would send and could find: samples, tokens, time, cost, power. Calls no model."""
    settings = settings_from(benchmark, given, judge)
    from forgetscope.benchmarks import get_benchmark
    from forgetscope.cli.printing import print_plan
    from forgetscope.models.naming import require_known

    if model is not None:
        judge_specs(judge, None, None, under_test=model, allow_self=bool(given.get("allow_self_judge")))
    chosen = get_benchmark(benchmark)
    if model is not None:
        require_known(model, chosen.reference_models)
    for judge_name in judge or ():
        require_known(judge_name, chosen.reference_judges, "--judge")
    made = chosen.plan(settings)
    print_plan(made, model, as_json=as_json, prices=prices_from(prices))
    if write_prompts_to is not None:
        from forgetscope.api.reply_files import write_prompts

        written = write_prompts(chosen, settings, write_prompts_to)
        print(f"{written:,} prompts: {write_prompts_to}", file=sys.stderr)


def run(
    benchmark: str,
    *,
    given: Mapping[str, object],
    model: Annotated[
        str | None,
        typer.Option(
            help="Name as Inspect AI knows it, or one of ours: forgetscope list. With --replies: whose they are.",
            rich_help_panel=MODEL,
        ),
    ],
    replies: Annotated[
        Path | None,
        typer.Option(
            "--replies",
            help="Replies you already have, JSON Lines: nothing is sent. Prompts: plan --write-prompts.",
            rich_help_panel=MODEL,
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Refuse replies of which a row is in no planned sample.", rich_help_panel=MODEL),
    ] = False,
    model_arg: ModelArgOption = None,
    model_base_url: ModelBaseUrlOption = None,
    frequency_penalty: Annotated[
        float,
        typer.Option(
            min=-2,
            max=2,
            help="Against loops of small models; labelled as not the paper's decoding.",
            rich_help_panel=MODEL,
        ),
    ] = 0.0,
    reasoning_effort: ReasoningEffortOption = None,
    reasoning_tokens: ReasoningTokensOption = None,
    judge: JudgeOption = None,
    judge_base_url: JudgeBaseUrlOption = None,
    judge_arg: JudgeArgOption = None,
    max_connections: MaxConnectionsOption = None,
    max_retries: Annotated[
        int,
        typer.Option(min=0, max=MOST_RETRIES, help="Per request, with exponential backoff.", rich_help_panel=LIMITS),
    ] = 5,
    attempt_timeout: Annotated[
        int,
        typer.Option(
            min=1, max=LONGEST_ATTEMPT, help="Seconds before one attempt is given up.", rich_help_panel=LIMITS
        ),
    ] = 600,
    max_usd: MaxUsdOption = None,
    max_samples: MaxSamplesOption = None,
    prices: PricesOption = None,
    asks_first: AskFirstOption = True,
    completeness: Annotated[
        float,
        typer.Option(min=0, max=1, help="Exit 1 below this share of samples with an outcome.", rich_help_panel=OUTPUT),
    ] = 0.98,
    shard: ShardOption = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the run; must be new or empty.", rich_help_panel=OUTPUT)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run a benchmark on a model: plan, samples, table, report."""
    settings = settings_from(benchmark, given, judge)
    from forgetscope.api.runs import default_folder
    from forgetscope.benchmarks import get_benchmark
    from forgetscope.cli.printing import counting_progress, print_plan
    from forgetscope.cli.stopping import stoppable
    from forgetscope.running.execute import start_run
    from forgetscope.running.manifest import Limits
    from forgetscope.running.shards import Shard

    chosen = get_benchmark(benchmark)
    made = chosen.plan(settings)
    if replies is not None:
        if shard is not None:
            raise SettingError("replies are those of the whole plan", where="--shard", found=shard)
        named = model or replies.stem
        judges = judge_specs(judge, judge_base_url, judge_arg, under_test=named, allow_self=False)
        folder = out or default_folder(chosen.name, named)
        run_from_replies(
            chosen,
            settings,
            made,
            replies,
            folder,
            model=named,
            judges=judges,
            floor=completeness,
            strict=strict,
            as_json=as_json,
        )
    if model is None or strict:
        raise SettingError("this is about replies, and there are none", where="--strict", next_step="--replies FILE")
    priced = prices_from(prices)
    thinking = (reasoning_effort, reasoning_tokens)
    spec = model_spec(model, model_base_url, model_arg, frequency_penalty, thinking)
    allow_self = bool(given.get("allow_self_judge"))
    judges = judge_specs(judge, judge_base_url, judge_arg, under_test=model, allow_self=allow_self)
    limits = Limits(
        max_usd=max_usd,
        max_samples=max_samples,
        prices=priced,
        max_connections=max_connections,
        max_retries=max_retries,
        attempt_timeout=attempt_timeout,
        completeness_floor=completeness,
    )
    folder = out or default_folder(chosen.name, model)
    part = None if shard is None else Shard.parse(shard)
    with stoppable(going_on(folder)), counting_progress("reading samples", only_if_long=True) as progress:
        finished = start_run(
            chosen,
            settings,
            made,
            spec,
            limits,
            folder,
            display=display(),
            judges=judges,
            shard=part,
            progress=progress,
            announce=lambda: None if as_json else print_plan(made, model, as_json=False, prices=priced),
            asks_first=asks_first,
        )
    report_and_exit(finished, as_json=as_json)


def run_from_replies(
    benchmark: "Benchmark",
    settings: "Settings",
    plan: "Plan",
    replies: Path,
    folder: Path,
    *,
    model: str,
    judges: "tuple[ModelSpec, ...]",
    floor: float,
    strict: bool,
    as_json: bool,
) -> NoReturn:
    """Make a run of replies made elsewhere, name the rows left out, have it judged if judges are named, report it."""
    from forgetscope.api.reply_files import run_replies

    made = run_replies(benchmark, settings, plan, replies, folder, model=model, completeness_floor=floor, strict=strict)
    for line in made.left_out:
        print(f"left out: {line}", file=sys.stderr)
    if made.left_out:
        print(f"{len(made.left_out):,} of {made.rows:,} rows were left out", file=sys.stderr)
    finished = made.finished
    if judges:
        from forgetscope.cli.printing import counting_progress
        from forgetscope.running.rejudge import rejudge_run

        with counting_progress("judging") as progress:
            finished = rejudge_run(folder, judges, progress=progress)
    report_and_exit(finished, as_json=as_json)


plan_app = benchmark_app(plan)
app.add_typer(plan_app, name="plan")
app.add_typer(benchmark_app(run), name="run")


@app.command()
def resume(
    folder: FolderArgument,
    model: Annotated[
        str | None, typer.Option(help="The run's model, named again: of a run not started here.", rich_help_panel=MODEL)
    ] = None,
    model_arg: ModelArgOption = None,
    model_base_url: ModelBaseUrlOption = None,
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", help="A judge of the run, named again: of a run not started here."),
    ] = None,
    judge_base_url: JudgeBaseUrlOption = None,
    judge_arg: JudgeArgOption = None,
    max_usd: MaxUsdOption = None,
    max_samples: MaxSamplesOption = None,
    prices: PricesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Finish a run that was stopped or killed. Finished samples are kept and not sent again.

    A run that you did not start here asks nobody before you name its model and judges again (their address, where it
    names one, and arguments with -M and -J).
    """
    from forgetscope.cli.printing import counting_progress
    from forgetscope.cli.stopping import stoppable
    from forgetscope.running.execute import resume_run

    given = {"max_usd": max_usd, "max_samples": max_samples, "prices": prices_from(prices) or None}
    limits = {name: value for name, value in given.items() if value is not None}
    with stoppable(going_on(folder)), counting_progress("reading samples", only_if_long=True) as progress:
        finished = resume_run(
            folder,
            display=display(),
            limits=limits,
            model=said_again([model] if model else [], model_base_url, model_arg),
            judge=said_again(judge or [], judge_base_url, judge_arg, named_by="--judge"),
            ask=asking(),
            progress=progress,
        )
    report_and_exit(finished, as_json=as_json)


def going_on(folder: Path) -> "Callable[[], str]":
    """What is said of a run that is stopped."""
    kept = f"every reply so far is kept; next: forgetscope resume {folder}"
    return lambda: kept if (folder / "run.json").exists() else "nothing was sent; next: the same command again"


def display() -> "Display":
    """Live progress on a terminal; a line now and then where output goes to a file."""
    return "rich" if sys.stdout.isatty() else "plain"
