"""`merge`, `report`, `rejudge`: from run folders to their reports."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from forgetscope.cli.app import (
    FolderArgument,
    JsonOption,
    JudgeArgOption,
    JudgeBaseUrlOption,
    JudgeMaxTokensOption,
    JudgeOption,
    SelfJudgeOption,
    app,
)
from forgetscope.cli.specs import asking, judge_specs, said_again
from forgetscope.core.errors import SettingError, UserError

if TYPE_CHECKING:
    from forgetscope.report import WrittenReport
    from forgetscope.running.finished import FinishedRun

AGAIN = "the logs and what was written before are as they were; next: the same command again"
"""What is said of a command that reads runs when it is stopped."""


@app.command()
def merge(
    folders: Annotated[list[Path], typer.Argument(help="Run folders of all shards of one plan.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the merged run; must be new or empty.")],
    as_json: JsonOption = False,
) -> None:
    """Put the shards of a run together: one folder with their logs, table and report."""
    from forgetscope.cli.printing import counting_progress
    from forgetscope.cli.stopping import stoppable
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
    from forgetscope.cli.printing import counting_progress, print_joint_outcome, working
    from forgetscope.cli.stopping import stoppable
    from forgetscope.io.files import require_apart
    from forgetscope.report import TableRun, write_joint_report
    from forgetscope.running.finished import FinishedRun, collect_run
    from forgetscope.running.manifest import is_inspect_logs

    if out is not None and out.is_dir():
        next_step = f"name the file: --out {out / 'both.html'}"
        raise SettingError("the page is a file, not a folder", where="--out", found=str(out), next_step=next_step)
    if out is not None:
        require_apart(out, folders, is_page=True)
    finished: list[FinishedRun | TableRun] = []
    for folder in folders:
        with stoppable(AGAIN), counting_progress(f"reading {folder.name}", only_if_long=True) as progress:
            if is_grid(folder):
                finished.append(grid_run(folder, published=published))
            elif is_inspect_logs(folder):
                from forgetscope.api.inspect_logs import inspect_runs  # which imports Inspect

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
    from forgetscope.cli.printing import counting_progress
    from forgetscope.cli.stopping import stoppable
    from forgetscope.core.outcomes import Status
    from forgetscope.report import WrittenReport, write_report
    from forgetscope.running.manifest import read_manifest
    from forgetscope.running.rejudge import rejudge_run

    allowed = (Status.JUDGE_UNPARSEABLE, Status.JUDGE_ERROR)
    if only is not None and only not in allowed:
        raise SettingError("no such verdict", where="--only", found=only, allowed=allowed)
    under_test = read_manifest(folder).model.name
    judges = judge_specs(judge, judge_base_url, judge_arg, under_test=under_test, allow_self=allow_self_judge)
    again, chosen = said_again([], judge_base_url, judge_arg, named_by="--judge"), [Status(only)] if only else []
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


def report_and_exit(
    finished: "FinishedRun",
    *,
    as_json: bool,
    out: Path | None = None,
    published: bool = False,
    written: "WrittenReport | None" = None,
) -> NoReturn:
    """Write the report if it is not `written`, print the headlines, and exit 0, or 1 below the completeness floor."""
    from forgetscope.cli.printing import print_outcome, working
    from forgetscope.cli.stopping import stoppable
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
        what = "; ".join(
            filter(None, ("too many samples have no outcome (their errors are in the report)", finished.said_most))
        )
        print(f"forgetscope: {UserError(what, next_step=f'forgetscope resume {finished.folder}')}", file=sys.stderr)
    raise typer.Exit(0 if finished.is_complete and not finished.stopped else 1)
