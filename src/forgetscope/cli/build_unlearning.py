"""`build unlearning`: triplets and questions for a corpus, written by a language model, for a grid to read."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgetscope.cli.app import DataOption
from forgetscope.cli.build import GOES_ON, Building, build_command
from forgetscope.core.bounds import LARGEST, MOST_PARTS, MOST_TOKENS

if TYPE_CHECKING:
    from forgetscope.benchmarks.unlearning.construction.plan import GridDataBuildPlan
    from forgetscope.benchmarks.unlearning.construction.run import FinishedGridDataBuild
    from forgetscope.benchmarks.unlearning.settings import Experiment


@build_command("unlearning")
def unlearning(
    *,
    corpus: Annotated[
        str | None,
        typer.Option(
            "--corpus",
            help="news or books, as in reproduce; or a source: embedded, muse, tofu, fairytaleqa, folder.",
        ),
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option("-C", help="Setting of the source key=value; repeat.", metavar="KEY=VALUE")
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", help="The grid that will read it, as YAML or TOML, for --corpus.")
    ] = None,
    experiment: Annotated[
        int, typer.Option("--experiment", min=1, max=LARGEST, help="Which of the grid's experiments.")
    ] = 1,
    data: DataOption = "official",
    target: Annotated[
        str | None, typer.Option("--target", help="The model to be unlearned: its tokenizer cuts the chunks.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder; the same command again goes on with a build that stopped."),
    ] = None,
    chunk_tokens: Annotated[
        int | None, typer.Option("--chunk-tokens", min=8, max=MOST_TOKENS, help="Instead of the grid's.")
    ] = None,
    questions: Annotated[
        int, typer.Option("--questions", min=0, max=MOST_PARTS, help="About a chunk; 0: triplets alone.")
    ] = 4,
    about: Annotated[
        str, typer.Option("--about", help="Sides asked about: retain, as in the paper; forget; or both.")
    ] = "retain",
    question_chunks: Annotated[
        int | None,
        typer.Option(
            "--question-chunks", min=1, max=LARGEST, help="Chunks of a side asked about, drawn; all by default."
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, max=LARGEST, help="Chunks of each side, to try a builder; no grid reads that."),
    ] = None,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", min=1, max=MOST_TOKENS, help="Token limit of a reply.")
    ] = 2048,
    how: Building,
) -> None:
    """Extract triplets and write questions: each a model call, each reply kept, each reject with its reason."""
    from forgetscope.api.runs import as_folder
    from forgetscope.benchmarks.unlearning.construction.plan import GridDataBuildSettings, plan_build
    from forgetscope.benchmarks.unlearning.construction.run import build_grid_data
    from forgetscope.benchmarks.unlearning.data.records import Side
    from forgetscope.benchmarks.unlearning.training.target import target_tokenizer
    from forgetscope.cli.printing import counting_progress
    from forgetscope.cli.stopping import stoppable
    from forgetscope.core.errors import SettingError

    sides = {"retain": (Side.RETAIN,), "forget": (Side.FORGET,), "both": (Side.FORGET, Side.RETAIN)}
    if about not in sides:
        raise SettingError("no such side to ask about", where="--about", found=about, allowed=sides)
    chosen = _experiment(config, experiment, corpus, setting, data, target)
    loaded = chosen.data.corpus.load()
    settings = GridDataBuildSettings(
        chunk_tokens=chunk_tokens or chosen.data.chunk_tokens,
        questions=questions,
        about=sides[about],
        question_chunks=question_chunks,
        limit=limit,
        verifies=how.gate_model is not None,
        max_tokens=max_tokens,
        temperature=how.temperature,
        seed=how.seed,
        send_schema=how.send_schema,
    )
    plan = plan_build(settings, loaded, target_tokenizer(chosen.target, loaded))
    if not how.as_json or how.plan_only:
        _print_plan(plan, how.builder, as_json=how.as_json)
    if how.plan_only:
        return
    folder = out or Path("built") / f"{as_folder(loaded.name)}-{as_folder(how.builder)}"
    models = how.models()
    with stoppable(GOES_ON), counting_progress("building") as progress:
        finished = build_grid_data(plan, models, folder, at_once=how.at_once, progress=progress)
    _print_build(finished, as_json=how.as_json)
    if finished.yields.lost:
        print(
            f"forgetscope: {finished.yields.lost} replies are lost because a model could not be reached (their errors "
            "are in rejects.jsonl); next: the same command again asks for these alone",
            file=sys.stderr,
        )
        raise typer.Exit(1)


def _experiment(
    config: Path | None, number: int, corpus: str | None, setting: list[str] | None, data: str, target: str | None
) -> "Experiment":
    """The experiment whose chunks are meant: of a grid, of the paper's, or of a source with defaults."""
    from forgetscope.api.grids import grid_settings
    from forgetscope.benchmarks.unlearning.paper import CORPORA, paper_grid
    from forgetscope.cli.unlearn import UNLEARNING, experiment_of
    from forgetscope.core.errors import SettingError

    if (config is None) == (corpus is None):
        raise SettingError("one of the two is needed", where="--config, --corpus")
    if corpus in CORPORA:
        if setting:
            raise SettingError("the paper's corpora have no settings here", where="-C", found=setting[0])
        (found,) = paper_grid(corpus, target, data).experiments
        return found
    if corpus is not None:
        found = experiment_of(corpus, setting or [])
    else:
        experiments = grid_settings(UNLEARNING, config).experiments
        if number > len(experiments):
            raise SettingError(
                "no such experiment in the grid", where="--experiment", found=number, allowed=f"1 to {len(experiments)}"
            )
        found = experiments[number - 1]
    if target is None:
        return found
    return found.model_copy(update={"target": found.target.model_copy(update={"model": target})})


def _print_plan(plan: "GridDataBuildPlan", builder: str, *, as_json: bool) -> None:
    """The calls of each step, tokens, and time where the builder's speed is known."""
    from rich.table import Table

    from forgetscope.cli.printing import console, duration
    from forgetscope.running.costs.forecast import estimated_seconds

    calls, tokens, reply = plan.all_calls, plan.all_prompt_tokens, plan.settings.max_tokens
    seconds = estimated_seconds(builder, calls, tokens, reply)
    steps = [(step, plan.calls[step], plan.prompt_tokens[step]) for step in plan.calls if plan.calls[step]]
    if as_json:
        row = {
            "corpus": plan.corpus.name,
            "chunks": len(plan.chunks),
            "chunks_asked_about": len(plan.asked_about),
            "calls": calls,
            "prompt_tokens": tokens,
            "max_reply_tokens": calls * reply,
            "estimated_seconds": seconds,
            "steps": [{"step": step, "calls": count, "prompt_tokens": of} for step, count, of in steps],
            "data": [entry.as_dict() for entry in plan.corpus.provenance],
        }
        print(json.dumps(row, indent=2))
        return
    table = Table(title=f"Plan for {plan.corpus.name}", title_justify="left", box=None, pad_edge=False)
    table.add_column("step")
    for column in ("calls", "prompt tokens"):
        table.add_column(column, justify="right")
    for step, count, of in steps:
        table.add_row(step, f"{count:,}", f"{of:,}")
    console.print(table)
    console.print(
        f"{len(plan.chunks):,} chunks, questions about {len(plan.asked_about):,} of them; at most {calls:,} calls if "
        f"no reply is asked for again, about {tokens:,} prompt tokens (cl100k), at most {calls * reply:,} reply tokens "
        f"({reply:,} each).",
        soft_wrap=True,
    )
    if seconds is not None:
        console.print(f"On this kind of machine about {duration(seconds)} with {builder}, if replies are full length.")


def _print_build(finished: "FinishedGridDataBuild", *, as_json: bool) -> None:
    """What every step gave, and how near the triplets are to those the corpus knows."""
    from rich.table import Table

    from forgetscope.cli.printing import console

    yields, usage = finished.yields, finished.usage
    if as_json:
        print(yields.model_dump_json(indent=2))
        return
    table = Table(title="Yields", title_justify="left", box=None, pad_edge=False)
    table.add_column("step")
    for column in ("asked", "readable", "unreadable", "lost", "calls", "asked again", "given", "kept"):
        table.add_column(column, justify="right")
    table.add_column("rejected", overflow="fold")
    for step in yields.steps:
        counts = (
            step.asked,
            step.readable,
            step.unreadable,
            step.lost,
            step.calls,
            step.retries,
            step.given,
            step.kept,
        )
        reasons = "\n".join(f"{count} {reason}" for reason, count in step.rejected.items())
        table.add_row(step.step, *(f"{count:,}" for count in counts), reasons)
    console.print(table)
    console.print(
        f"{yields.triplets:,} triplets and {yields.questions:,} questions ({yields.paraphrases:,} paraphrases) from "
        f"{yields.chunks:,} chunks."
    )
    for one in yields.agreement:
        shares = ", ".join(
            f"{name} {100 * value:.0f}%" if value is not None else f"{name} undefined"
            for name, value in (("precision", one.precision), ("recall", one.recall), ("F1", one.f1))
        )
        console.print(f"Against {one.gold:,} gold triplets, {one.match.replace('_', ' ')}: {shares}.")
    given_back = sum(usage.given_back.values())
    again = f", {given_back:,} kept from before" if given_back else ""
    tokens = f"{usage.input_tokens:,} prompt and {usage.output_tokens:,} reply tokens"
    console.print(f"{sum(usage.asked.values()):,} calls{again}, {tokens}.")
    console.print(f"Folder: {finished.folder} (a grid reads it as data.built)", soft_wrap=True)
