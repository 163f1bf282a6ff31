"""Plans and outcomes on a terminal, or as JSON."""

import json
import sys
import time
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from pydantic import JsonValue

    from forgetscope.benchmarks.base import Plan
    from forgetscope.core.progress import Progress as Steps
    from forgetscope.report import WrittenReport
    from forgetscope.running.costs.forecast import HighestCost
    from forgetscope.running.costs.prices import Price
    from forgetscope.running.finished import FinishedRun

console = Console(highlight=False)


SECONDS_BETWEEN_LINES = 10.0
"""How often progress is written where it goes to a file."""


@contextmanager
def counting_progress(what: str, *, only_if_long: bool = False) -> "Iterator[Steps]":
    """How far something is: a bar on a terminal from its first step on, elsewhere a line now and then.

    The lines go to standard error, so that what a command prints as JSON stays JSON.

    Args:
        what: It is, in a word or two.
        only_if_long: No line before `SECONDS_BETWEEN_LINES` have gone by.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    if not console.is_terminal:
        yield lambda total: _lines_of_progress(what, total, only_if_long=only_if_long)
        return
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=only_if_long,
    )

    def start(total: int) -> "Callable[[], None]":
        bar.start()  # not before: until then the terminal may be Inspect's
        task = bar.add_task(what, total=total)
        return lambda: bar.advance(task)

    try:
        yield start
    finally:
        bar.stop()


def _lines_of_progress(what: str, total: int, *, only_if_long: bool) -> "Callable[[], None]":
    """Writes where it stands: at the start, every `SECONDS_BETWEEN_LINES` at most, and at the end."""
    done, written, is_said = 0, time.monotonic(), not only_if_long

    def write() -> None:
        print(f"{what}: {done:,} of {total:,}", file=sys.stderr, flush=True)

    def step() -> None:
        nonlocal done, written, is_said
        done += 1
        now = time.monotonic()
        if (done == total and is_said) or now - written >= SECONDS_BETWEEN_LINES:
            written, is_said = now, True
            write()

    if is_said:
        write()
    return step


@contextmanager
def working(what: str, *, is_quiet: bool) -> "Iterator[None]":
    """A line on a terminal while something runs that cannot say how far it is; nothing where output goes to a file."""
    if is_quiet or not console.is_terminal:
        yield
        return
    with console.status(f"{what} ..."):
        yield


def print_columns(rows: "Iterable[tuple[str, str]]") -> None:
    """Names and what is said of each, in two columns, whatever the width of the terminal."""
    table = Table(box=None, show_header=False, pad_edge=True, padding=(0, 0, 0, 2))
    table.add_column(no_wrap=True, overflow="fold")
    table.add_column(overflow="fold")
    for name, said in rows:
        table.add_row(escape(name), escape(said))
    console.print(table)


def print_plan(plan: "Plan", model: str | None, *, as_json: bool, prices: "Mapping[str, Price] | None" = None) -> None:
    """Samples per cell, what differences they could show, tokens, time and cost where they are known, and notes."""
    from forgetscope.models.probe import is_asked
    from forgetscope.running.costs.forecast import CHANGING, detectable_in, estimated_seconds, highest_costs, own_cost

    seconds = estimated_seconds(model, plan.calls, plan.prompt_tokens, plan.max_tokens) if model else None
    costs = highest_costs(plan, model, prices or {})
    if as_json:
        print(json.dumps(_plan_as_json(plan, seconds, costs), indent=2))
        return
    table = Table(title="Plan", title_justify="left", box=None, pad_edge=False)
    table.add_column("cell")
    table.add_column("samples", justify="right")
    table.add_column("prompt tokens each", justify="right")
    table.add_column("finds, points", justify="right")
    for cell in plan.cells:
        found = detectable_in(cell)
        power = "–" if found is None else f"{100 * found:.1f}"
        table.add_row(cell.label, f"{cell.samples:,}", f"{cell.prompt_tokens:,.0f}", power)
    console.print(table)
    console.print(
        f"Last column: the smallest difference between two runs or conditions over a cell's items that is found in 80% "
        f"of repetitions, if {CHANGING:.0%} of the items change (McNemar, 5%, one test). – is too few items."
    )
    console.print(
        f"{plan.samples:,} samples, about {plan.prompt_tokens:,} prompt tokens (cl100k), "
        f"at most {plan.calls * plan.max_tokens:,} reply tokens ({plan.max_tokens} each)."
    )
    if seconds is not None:
        console.print(f"On this kind of machine about {duration(seconds)} with {model}, if every reply is full length.")
    own = own_cost(plan)
    console.print(
        f"Logs of about {size(own.log_bytes)}; beside the model the run takes about {duration(own.seconds)} "
        "of one core."
    )
    _print_costs(plan, costs)
    if model is not None and is_asked(model):
        console.print("Beside these, one short request each finds out beforehand whether the model and judges answer.")
    for note in plan.notes:
        console.print(f"Note: {note}.")
    console.print("Data: " + ", ".join(f"{entry.role} {entry.name} ({entry.rows:,} rows)" for entry in plan.provenance))


def _print_costs(plan: "Plan", costs: "Sequence[HighestCost]") -> None:
    from forgetscope.running.costs.prices import dollars

    for entry in costs:
        console.print(
            f"Cost with {entry.model}: {dollars(entry.prompts)} for the prompts and at most {dollars(entry.replies)} "
            f"for the replies, together at most {dollars(entry.total)}.",
            markup=False,
        )
    if costs and plan.judge_questions:
        console.print(f"Not in it: {plan.judge_questions:,} questions to each judge.")


def _plan_as_json(plan: "Plan", seconds: float | None, costs: "Sequence[HighestCost]") -> "dict[str, JsonValue]":
    from forgetscope.running.costs.forecast import CHANGING, detectable_in, own_cost

    own = own_cost(plan)
    cells: list[JsonValue] = [{**asdict(cell), "detectable": detectable_in(cell)} for cell in plan.cells]
    data: list[JsonValue] = [dict(entry.as_dict()) for entry in plan.provenance]
    return {
        "samples": plan.samples,
        "prompt_tokens": plan.prompt_tokens,
        "calls": plan.calls,
        "judge_questions": plan.judge_questions,
        "max_reply_tokens": plan.calls * plan.max_tokens,
        "estimated_seconds": seconds,
        "log_bytes": round(own.log_bytes),
        "own_cpu_seconds": round(own.seconds, 1),
        "cost_usd": {entry.model: {"prompts": entry.prompts, "replies_at_most": entry.replies} for entry in costs},
        "detectable": {"power": 0.8, "level": 0.95, "changing": CHANGING, "test": "McNemar, paired"},
        "cells": cells,
        "data": data,
        "data_sha256": plan.data_sha256,
        "plan_sha256": plan.sha256,
        "notes": list(plan.notes),
    }


def size(bytes_: float) -> str:
    """In the unit people would use."""
    megabytes = max(1.0, bytes_ / 1e6)
    return f"{megabytes:,.0f} MB" if megabytes < 1000 else f"{megabytes / 1000:.1f} GB"


def duration(seconds: float) -> str:
    """In the unit people would use."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def print_outcome(finished: "FinishedRun", written: "WrittenReport", *, as_json: bool) -> None:
    """The headline figures of a finished run, and where its report lies."""
    if as_json:
        print(written.summary_json)
        return
    for line in written.headlines:
        console.print(line)
    manifest = finished.manifest
    console.print(
        f"{finished.table.height:,} of {manifest.planned_samples:,} planned samples, "
        f"completeness {100 * (manifest.completeness or 0):.1f}% ({manifest.status})."
    )
    console.print(f"Report: {written.html}", soft_wrap=True)


def print_joint_outcome(written: "Sequence[WrittenReport]", page: "Path", *, as_json: bool) -> None:
    """The headlines of several runs, and where their one report lies."""
    if as_json:
        from forgetscope.core.json_values import json_value

        print(json.dumps([json_value(report.summary_json) for report in written], indent=2))
        return
    for report in written:
        console.print()
        console.print(f"[bold]{report.benchmark}[/bold]")
        for line in report.headlines:
            console.print(escape(line))
    total, planned = sum(report.samples for report in written), sum(report.planned for report in written)
    console.print(f"\n{total:,} of {planned:,} planned samples.")
    console.print(f"Report: {page}", soft_wrap=True)
