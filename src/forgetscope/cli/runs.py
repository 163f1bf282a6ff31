"""`plan`, `run`, `resume`, `merge`, `report`, `rejudge`: from a command line to a run folder and its report."""

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
    JsonOption,
    JudgeArgOption,
    JudgeBaseUrlOption,
    JudgeMaxTokensOption,
    JudgeOption,
    MaxConnectionsOption,
    MaxSamplesOption,
    MaxUsdOption,
    PricesOption,
    SelfJudgeOption,
    ShardOption,
    app,
)
from forgetscope.cli.benchmark_options import benchmark_app
from forgetscope.cli.specs import asking, judge_specs, model_spec, prices_from, said_again, settings_from
from forgetscope.core.bounds import LONGEST_ATTEMPT, MOST_RETRIES, MOST_TOKENS
from forgetscope.core.errors import SettingError

if TYPE_CHECKING:
    from forgetscope.benchmarks.base import Benchmark, Plan
    from forgetscope.core.settings import Settings
    from forgetscope.report import WrittenReport
    from forgetscope.running.execute import Display, FinishedRun
    from forgetscope.running.manifest import ModelSpec

FolderArgument = Annotated[Path, typer.Argument(help="Run folder.")]
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
    from forgetscope.cli.printing import counting_progress, print_plan, stoppable
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
    from forgetscope.cli.printing import counting_progress, stoppable
    from forgetscope.running.execute import resume_run

    given = {"max_usd": max_usd, "max_samples": max_samples, "prices": prices_from(prices) or None}
    limits = {name: value for name, value in given.items() if value is not None}
    with stoppable(going_on(folder)), counting_progress("reading samples", only_if_long=True) as progress:
        finished = resume_run(
            folder,
            display=display(),
            limits=limits,
            model=said_again([model] if model else [], model_base_url, model_arg),
            judge=said_again(judge or [], judge_base_url, judge_arg, option="-J"),
            ask=asking(),
            progress=progress,
        )
    report_and_exit(finished, as_json=as_json)


@app.command()
def merge(
    folders: Annotated[list[Path], typer.Argument(help="Run folders of all shards of one plan.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the merged run; must be new or empty.")],
    as_json: JsonOption = False,
) -> None:
    """Put the shards of a run together: one folder with their logs, table and report."""
    from forgetscope.cli.printing import counting_progress, stoppable
    from forgetscope.running.merge import merge_shards

    how = "the shards are as they were; next: the same command again"
    with stoppable(how), counting_progress("reading samples", only_if_long=True) as progress:
        merged = merge_shards(folders, out, progress)
    report_and_exit(merged, as_json=as_json)


@app.command()
def report(
    folders: Annotated[
        list[Path],
        typer.Argument(help="Run folders, or logs of inspect eval; several make one page with a chapter each."),
    ],
    out: Annotated[Path | None, typer.Option("--out", help="HTML file to write; by default report.html.")] = None,
    published: Annotated[bool, typer.Option("--published", help="Set each run beside its paper's models.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Make tables, figures and report again from the logs of one or several runs, or the cells of unlearning grids."""
    from forgetscope.api.grids import grid_run, is_grid
    from forgetscope.api.inspect_logs import inspect_runs, is_inspect_logs
    from forgetscope.cli.printing import counting_progress, print_joint_outcome, stoppable, working
    from forgetscope.core.errors import SettingError
    from forgetscope.report import TableRun, write_joint_report
    from forgetscope.running.execute import FinishedRun, collect_run

    if out is not None and out.is_dir():
        next_step = f"name the file: --out {out / 'both.html'}"
        raise SettingError("the page is a file, not a folder", where="--out", found=str(out), next_step=next_step)
    finished: list[FinishedRun | TableRun] = []
    for folder in folders:
        with stoppable(AGAIN), counting_progress(f"reading {folder.name}", only_if_long=True) as progress:
            if is_grid(folder):
                finished.append(grid_run(folder, published=published))
            elif is_inspect_logs(folder):
                runs, left_out = inspect_runs(folder, progress)
                finished.extend(runs)
                for line in left_out:
                    print(f"left out: {line}", file=sys.stderr)
            else:
                finished.append(collect_run(folder, progress))
    if len(finished) == 1 and isinstance(finished[0], FinishedRun):
        report_and_exit(finished[0], as_json=as_json, out=out, published=published)
    one = folders[0] if folders[0].is_dir() else folders[0].with_suffix("")
    page = out or (Path() if len(folders) > 1 else one) / "report.html"
    with stoppable(AGAIN), working("computing figures, writing pages", is_quiet=as_json):
        page, written = write_joint_report(finished, page, published=published)
    print_joint_outcome(written, page, as_json=as_json)
    raise typer.Exit(0 if all(run.is_complete for run in finished) else 1)


@app.command()
def rejudge(
    folder: FolderArgument,
    judge: JudgeOption = None,
    judge_base_url: JudgeBaseUrlOption = None,
    judge_arg: JudgeArgOption = None,
    only: Annotated[
        str | None,
        typer.Option("--only", help="Judge only samples with this verdict: judge_unparseable, judge_error."),
    ] = None,
    judge_max_tokens: JudgeMaxTokensOption = None,
    allow_self_judge: SelfJudgeOption = False,
    as_json: JsonOption = False,
) -> None:
    """Judge a run's replies again, or for the first time, without generating again."""
    from forgetscope.cli.printing import counting_progress, stoppable
    from forgetscope.core.outcomes import Status
    from forgetscope.report import WrittenReport, write_report
    from forgetscope.running.manifest import read_manifest
    from forgetscope.running.rejudge import rejudge_run

    allowed = (Status.JUDGE_UNPARSEABLE, Status.JUDGE_ERROR)
    if only is not None and only not in allowed:
        raise SettingError("no such verdict", where="--only", found=only, allowed=allowed)
    under_test = read_manifest(folder).model.name
    judges = judge_specs(judge, judge_base_url, judge_arg, under_test=under_test, allow_self=allow_self_judge)
    again, chosen = said_again([], judge_base_url, judge_arg, option="-J"), [Status(only)] if only else []
    how = "the verdicts so far are kept; next: the same command again, which asks for the others alone"
    written: list[WrittenReport] = []
    with stoppable(how), counting_progress("judging") as progress:
        finished = rejudge_run(
            folder,
            judges,
            only=chosen,
            max_tokens=judge_max_tokens,
            progress=progress,
            again=again,
            ask=asking(),
            write_pages=lambda run: written.append(write_report(run)),
        )
    report_and_exit(finished, as_json=as_json, written=written[0])


AGAIN = "the logs and what was written before are as they were; next: the same command again"
"""What is said of a command that reads runs when it is stopped."""


def going_on(folder: Path) -> "Callable[[], str]":
    """What is said of a run that is stopped."""
    kept = f"every reply so far is kept; next: forgetscope resume {folder}"
    return lambda: kept if (folder / "run.json").exists() else "nothing was sent; next: the same command again"


def display() -> "Display":
    """Live progress on a terminal; a line now and then where output goes to a file."""
    return "rich" if sys.stdout.isatty() else "plain"


def report_and_exit(
    finished: "FinishedRun",
    *,
    as_json: bool,
    out: Path | None = None,
    published: bool = False,
    written: "WrittenReport | None" = None,
) -> NoReturn:
    """Write the report if it is not `written`, print the headlines, and exit 0, or 1 below the completeness floor."""
    from forgetscope.cli.printing import print_outcome, stoppable, working
    from forgetscope.report import write_report

    how = f"the samples are all there; next: forgetscope report {finished.folder}"
    if written is None:
        with stoppable(how), working("computing figures, writing the page", is_quiet=as_json):
            written = write_report(finished, out=out, published=published)
    print_outcome(finished, written, as_json=as_json)
    if finished.stopped:
        limits = finished.manifest.limits
        given = {"--max-usd": limits.max_usd, "--max-samples": limits.max_samples}
        higher = " ".join(f"{option} MORE" for option, value in given.items() if value is not None)
        print(
            f"forgetscope: stopped: {finished.stopped}; every reply so far is kept; "
            f"next: forgetscope resume {finished.folder} {higher}",
            file=sys.stderr,
        )
    elif not finished.is_complete and finished.manifest.replies is not None:
        missing = finished.manifest.planned_samples - finished.table.height
        file = finished.manifest.replies.file
        print(f"forgetscope: {missing:,} planned samples have no reply in {file}: missing", file=sys.stderr)
    elif not finished.is_complete and not finished.can_go_on:
        print("forgetscope: too many samples have no outcome; what inspect eval lost it sends again", file=sys.stderr)
    elif not finished.is_complete:
        print(
            "forgetscope: too many samples have no outcome (their errors are in the report); "
            f"next: forgetscope resume {finished.folder}",
            file=sys.stderr,
        )
    raise typer.Exit(0 if finished.is_complete and not finished.stopped else 1)
