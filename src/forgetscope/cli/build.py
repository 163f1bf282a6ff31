"""`build in-context`: items from a source of dialogues, instructions or preferences, written by a language model."""

import inspect
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forgetscope.cli.app import JsonOption, WholeSentences, app
from forgetscope.core.bounds import LARGEST, LONGEST_ATTEMPT, MOST_CONNECTIONS, MOST_PARTS, MOST_RETRIES, MOST_TOKENS

if TYPE_CHECKING:
    from forgetscope.benchmarks.building import BuildModels
    from forgetscope.benchmarks.in_context.construction.plan import BuildPlan
    from forgetscope.benchmarks.in_context.construction.run import FinishedBuild
    from forgetscope.running.manifest import Limits

build_app = typer.Typer(cls=WholeSentences, help="Build data with a language model.", no_args_is_help=True)
app.add_typer(build_app, name="build")

AT_ONCE = 2 * 32
"""Rows under way where no number of connections was given."""
GOES_ON = "every reply is kept; next: the same command again, which goes on with the build"
"""What is said of a build that is stopped."""


@dataclass(frozen=True, kw_only=True)
class Building:
    """The options that every build has: the models that write and check, and how they are asked."""

    builder: Annotated[str, typer.Option("--builder", help="Model that writes, as Inspect AI knows it, or ours.")]
    seed: Annotated[int, typer.Option("--seed", min=0, max=LARGEST, help="Of everything that is drawn.")] = 42
    temperature: Annotated[float, typer.Option("--temperature", min=0, max=2, help="0 is greedy.")] = 0.0
    gate_model: Annotated[
        str | None,
        typer.Option("--gate-model", help="Model that checks; by default the builder (in-context), none (unlearning)."),
    ] = None
    builder_arg: Annotated[
        list[str] | None,
        typer.Option("-M", help="Builder argument key=value; repeat for several.", metavar="KEY=VALUE"),
    ] = None
    builder_base_url: Annotated[
        str | None, typer.Option("--builder-base-url", help="Address of the builder's server.")
    ] = None
    gate_arg: Annotated[
        list[str] | None, typer.Option("-G", help="Gate model argument key=value.", metavar="KEY=VALUE")
    ] = None
    gate_base_url: Annotated[
        str | None, typer.Option("--gate-base-url", help="Address of the gate model's server.")
    ] = None
    frequency_penalty: Annotated[float, typer.Option(min=-2, max=2, help="Against loops of small builders.")] = 0.0
    max_connections: Annotated[
        int | None, typer.Option(min=1, max=MOST_CONNECTIONS, help="Requests in flight at once.")
    ] = None
    max_retries: Annotated[
        int, typer.Option(min=0, max=MOST_RETRIES, help="Per request, with exponential backoff.")
    ] = 5
    attempt_timeout: Annotated[
        int, typer.Option(min=1, max=LONGEST_ATTEMPT, help="Seconds before one attempt is given up.")
    ] = 600
    send_schema: Annotated[
        bool, typer.Option("--send-schema/--no-send-schema", help="Let providers that can enforce the reply's form.")
    ] = True
    plan_only: Annotated[bool, typer.Option("--plan-only", help="Print what would be sent, and stop.")] = False
    as_json: JsonOption = False

    @property
    def at_once(self) -> int:
        """Rows under way."""
        return 2 * self.max_connections if self.max_connections else AT_ONCE

    def models(self) -> "BuildModels":
        """The builder and the model for the gates.

        Raises:
            SettingError: something is said of a gate model, and there is none.
            UserError: a model cannot be made.
        """
        from forgetscope.running.manifest import Limits

        limits = Limits(
            max_connections=self.max_connections, max_retries=self.max_retries, attempt_timeout=self.attempt_timeout
        )
        return build_models(
            (self.builder, self.builder_base_url, self.builder_arg),
            (self.gate_model, self.gate_base_url, self.gate_arg),
            limits,
            self.frequency_penalty,
        )


def build_command(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes a function a `build` subcommand; the options of `Building` come to it as its parameter `how`."""

    def made(command: Callable[..., None]) -> Callable[..., None]:
        own = [one for one in inspect.signature(command, eval_str=True).parameters.values() if one.name != "how"]
        shared = list(inspect.signature(Building, eval_str=True).parameters.values())

        def call(**values: Any) -> None:
            how = Building(**{one.name: values.pop(one.name) for one in shared})
            command(how=how, **values)

        parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in (*own, *shared)]
        call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
        call.__annotations__ = {one.name: one.annotation for one in parameters}
        build_app.command(name, help=command.__doc__)(call)
        return command

    return made


@build_app.callback()
def _group() -> None:
    """Build data with a language model."""


@build_command("in-context")
def in_context(
    *,
    source: Annotated[
        str,
        typer.Option("--source", help="chatalpaca, followbench, prefeval, mt_bench_101, or a folder of your records."),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", help="Folder for the items; the same command again goes on with a build that stopped."),
    ],
    data: Annotated[Path | None, typer.Option("--data", help="Local copy of the source: a folder or file.")] = None,
    revision: Annotated[
        str | None, typer.Option("--revision", help="Commit of the source, for the pinned one.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, max=LARGEST, help="Rows per scenario.")] = None,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", min=1, max=MOST_TOKENS, help="Token limit of a reply.")
    ] = 1024,
    max_source_tokens: Annotated[
        int,
        typer.Option(
            "--max-source-tokens", min=1, max=MOST_TOKENS, help="Longer dialogues and instructions are left out."
        ),
    ] = 2000,
    direction: Annotated[
        str, typer.Option("--direction", help="forward (NEW is the source's preference) or reversed.")
    ] = "forward",
    source_pairing: Annotated[
        str, typer.Option("--source-pairing", help="Options of a preference question: coherent, or the paper's.")
    ] = "coherent",
    expressions: Annotated[
        str, typer.Option("--expressions", help="Any of direct, multiple_choice, dialogue; rows get them in turn.")
    ] = "direct,multiple_choice,dialogue",
    filler: Annotated[
        str, typer.Option("--filler", help="Unrelated turns: embedded, mt_bench_101, lmsys, a folder, or none.")
    ] = "embedded",
    filler_data: Annotated[
        Path | None, typer.Option("--filler-data", help="Local copy of the filler's source.")
    ] = None,
    filler_tokens: Annotated[
        int, typer.Option("--filler-tokens", min=1, max=LARGEST, help="Tokens of filler written, at most.")
    ] = 200_000,
    sessions: Annotated[
        int,
        typer.Option(
            "--sessions",
            min=0,
            max=MOST_PARTS,
            help="Unrelated sessions inside an item, at most; drawn for each, 0 for none.",
        ),
    ] = 3,
    unrelated: Annotated[
        int, typer.Option("--unrelated", min=0, max=MOST_PARTS, help="Exchanges of such a session, at most; drawn.")
    ] = 2,
    how: Building,
) -> None:
    """Build in-context items: each step a model call, each reply kept, each reject with its reason."""
    from forgetscope.benchmarks.in_context.construction.plan import make_plan, settings_from
    from forgetscope.benchmarks.in_context.construction.run import build
    from forgetscope.benchmarks.in_context.construction.taken import taken_in
    from forgetscope.cli.printing import counting_progress
    from forgetscope.cli.stopping import stoppable

    plan = make_plan(
        settings_from(
            {
                "source": source,
                "data": None if data is None else str(data),
                "revision": revision,
                "limit": limit,
                "seed": how.seed,
                "max_tokens": max_tokens,
                "temperature": how.temperature,
                "send_schema": how.send_schema,
                "max_source_tokens": max_source_tokens,
                "direction": direction,
                "source_pairing": source_pairing,
                "expressions": tuple(part.strip() for part in expressions.split(",") if part.strip()),
                "filler": filler,
                "filler_data": None if filler_data is None else str(filler_data),
                "filler_tokens": filler_tokens,
                "sessions": sessions,
                "unrelated": unrelated,
            }
        ),
        taken_in(out),
    )
    if not how.as_json or how.plan_only:
        print_build_plan(plan, how.builder, as_json=how.as_json)
    if how.plan_only:
        return
    models = how.models()
    with stoppable(GOES_ON), counting_progress("building") as progress:
        finished = build(plan, models, out, at_once=how.at_once, progress=progress)
    print_build(finished, as_json=how.as_json)
    if finished.yields.lost:
        print(
            f"forgetscope: {finished.yields.lost} rows are lost because a model could not be reached (their errors are "
            "in rejects.jsonl); next: the same command again asks for these alone",
            file=sys.stderr,
        )
        raise typer.Exit(1)


def build_models(
    builder: tuple[str, str | None, list[str] | None],
    gates: tuple[str | None, str | None, list[str] | None],
    limits: "Limits",
    frequency_penalty: float,
) -> "BuildModels":
    """The builder and the model for the gates as the user named them: name, address and arguments of each.

    Raises:
        SettingError: something is said of a gate model, and there is none.
    """
    from forgetscope.benchmarks.building import BuildModels, described
    from forgetscope.cli.specs import model_spec
    from forgetscope.core.errors import SettingError
    from forgetscope.running.building import build_model

    name, base_url, arguments = builder
    spec = model_spec(name, base_url, arguments, frequency_penalty, named_by="--builder")
    model = build_model(spec, limits, "--builder")
    gate_name, gate_url, gate_arguments = gates
    if gate_name is None:
        if gate_url or gate_arguments:
            raise SettingError(
                "options of a gate model without one", where="--gate-base-url, -G", allowed="--gate-model"
            )
        known = described(spec.model_dump(mode="json"), model)
        return BuildModels(model, model, {"builder": known, "gates": known})
    gate_spec = model_spec(gate_name, gate_url, gate_arguments, 0.0, named_by="--gate-model")
    gate = build_model(gate_spec, limits, "--gate-model")
    named = {
        "builder": described(spec.model_dump(mode="json"), model),
        "gates": described(gate_spec.model_dump(mode="json"), gate),
    }
    return BuildModels(model, gate, named)


def print_build_plan(plan: "BuildPlan", builder: str, *, as_json: bool) -> None:
    """The calls of each step, tokens, time where the builder's speed is known, and where the material comes from."""
    from rich.table import Table

    from forgetscope.cli.printing import console
    from forgetscope.running.costs.forecast import estimated_seconds

    seconds = estimated_seconds(builder, plan.calls, plan.prompt_tokens, plan.settings.max_tokens)
    if as_json:
        print(
            json.dumps(
                {
                    "rows": len(plan.rows),
                    "calls": plan.calls,
                    "prompt_tokens": plan.prompt_tokens,
                    "max_reply_tokens": plan.calls * plan.settings.max_tokens,
                    "estimated_seconds": seconds,
                    "steps": [
                        {
                            "scenario": step.scenario.value,
                            "step": step.step,
                            "calls": step.calls,
                            "prompt_tokens": step.prompt_tokens,
                        }
                        for step in plan.steps
                    ],
                    "left_out": plan.left_out,
                    "data": [entry.as_dict() for entry in plan.provenance],
                    "data_sha256": plan.data_sha256,
                },
                indent=2,
            )
        )
        return
    table = Table(title="Plan", title_justify="left", box=None, pad_edge=False)
    for column, justify in (("scenario", "left"), ("step", "left"), ("calls", "right"), ("prompt tokens", "right")):
        table.add_column(column, justify=justify)  # type: ignore[arg-type]
    for step in plan.steps:
        table.add_row(step.scenario.value, step.step, f"{step.calls:,}", f"{step.prompt_tokens:,}")
    console.print(table)
    console.print(
        f"{len(plan.rows):,} rows, at most {plan.calls:,} calls if every row comes through and no reply is asked for "
        f"again, about {plan.prompt_tokens:,} prompt tokens (cl100k), at most "
        f"{plan.calls * plan.settings.max_tokens:,} reply tokens ({plan.settings.max_tokens} each)."
    )
    if seconds is not None:
        duration = f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
        console.print(f"On this kind of machine about {duration} with {builder}, if every reply is full length.")
    if plan.left_out:
        console.print("Left out: " + ", ".join(f"{count:,} {reason}" for reason, count in plan.left_out.items()) + ".")
    console.print("Data: " + ", ".join(f"{entry.role} {entry.name} ({entry.rows:,} rows)" for entry in plan.provenance))
    for term in plan.terms:
        console.print(f"Note: {term}.")


def print_build(finished: "FinishedBuild", *, as_json: bool) -> None:
    """Rows in and out of every stage, and what the folder now holds."""
    from rich.table import Table

    from forgetscope.cli.printing import console

    yields = finished.yields
    if as_json:
        print(yields.model_dump_json(indent=2))
        return
    for scenario in yields.rows:
        table = Table(title=f"Yields of {scenario}", title_justify="left", box=None, pad_edge=False)
        table.add_column("stage")
        for column in ("rows in", "passed", "share", "lost", "calls", "asked again"):
            table.add_column(column, justify="right")
        table.add_column("rejected", overflow="fold")
        for stage in yields.stages:
            if stage.scenario == scenario:
                share = f"{100 * stage.passed / stage.entered:.0f}%" if stage.entered else ""
                reasons = "\n".join(f"{count} {reason}" for reason, count in stage.rejected.items())
                counts = (stage.entered, stage.passed, share, stage.lost, stage.calls, stage.retries)
                table.add_row(
                    stage.stage, *(f"{count:,}" if isinstance(count, int) else count for count in counts), reasons
                )
        console.print(table)
    for scenario, items in yields.items.items():
        rows, verified = yields.rows[scenario], yields.verified[scenario]
        console.print(f"{scenario}: {items:,} items of {rows:,} rows, {verified:,} of them scored by rule.")
        for warning, count in yields.warnings[scenario].items():
            console.print(f"  warning, {count:,} items: {warning}")
    usage = finished.usage
    given_back = sum(usage.given_back.values())
    again = f", {given_back:,} kept from before" if given_back else ""
    tokens = f"{usage.input_tokens:,} prompt and {usage.output_tokens:,} reply tokens"
    console.print(f"{sum(usage.asked.values()):,} calls{again}, {tokens}.")
    console.print(f"Folder: {finished.folder} (load it with --data; data_card.md says what it holds)", soft_wrap=True)
