"""Grids of cells on a terminal: what they will cost, and how they get on."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from forgetscope.benchmarks.grids import GridWatch, MadeTarget, PlannedTraining
from forgetscope.benchmarks.grids import Progress as Done
from forgetscope.cli.printing import console, duration


class TerminalWatch(GridWatch):
    """Bars and lines; with `as_json` a line of JSON for each target and nothing else."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json

    @contextmanager
    def fitting(self, corpus: str, passes: int | None) -> Iterator[Callable[[int], None]]:
        """A bar of passes."""
        with _bars(is_quiet=self.as_json or passes is None) as bar:
            task = bar.add_task(f"target of {corpus}, passes", total=passes or 1)
            yield lambda done: bar.update(task, completed=done)

    def made(self, target: MadeTarget) -> None:
        """What the target knows."""
        known = {
            name.removeprefix("score."): value for name, value in target.knows.items() if name.startswith("score.")
        }
        if self.as_json:
            print(json.dumps({"target": target.identity, "corpus": target.corpus, "knows": known}))
            return
        words = ", ".join(
            f"{name.replace('_', ' ')} {100 * value:.1f}" for name, value in known.items() if value is not None
        )
        made = f"made in {target.seconds:.0f} s" if target.steps else "as given"
        line = f"Target of {target.corpus}: {target.parameters:,} parameters, {made}; ROUGE-L: {words}"
        console.print(line, soft_wrap=True)

    @contextmanager
    def working(self) -> Iterator[Callable[[Done], None]]:
        """A bar of cells."""
        with _bars(is_quiet=self.as_json) as bar:
            task = bar.add_task("cells", total=None)

            def show(done: Done) -> None:
                words = f"cells, {done.workers} at work" + (f", {done.failed} failed" if done.failed else "")
                bar.update(task, description=words, completed=done.finished + done.failed, total=done.cells)

            yield show

    def worked(self, done: Done, failures: Sequence[str]) -> None:
        """How many cells finished, and why the others did not."""
        if self.as_json:
            return
        console.print(f"{done.finished} of {done.cells} cells finished, {done.failed} failed.")
        for reason in failures:
            console.print(reason, style="red", highlight=False, soft_wrap=True, markup=False)


@contextmanager
def _bars(*, is_quiet: bool) -> Iterator[Progress]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, *times, console=console, disable=is_quiet or not console.is_terminal) as bar:
        yield bar


def print_training_plan(planned: Sequence[PlannedTraining], *, workers: int, as_json: bool) -> None:
    """Every cell with its steps, tokens and time, and what they come to."""
    if as_json:
        rows = [
            {
                "cell": one.cell,
                "label": one.label,
                "steps": one.steps,
                "tokens": one.tokens,
                "seconds": one.seconds,
                "seconds_from": one.source or None,
                "finished": one.is_finished,
                **({"gpus": [asdict(need) for need in one.needs]} if one.needs else {}),
            }
            for one in planned
        ]
        print(json.dumps(rows, indent=1))
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("cell")
    for name in ("steps", "tokens", "time"):
        table.add_column(name, justify="right")
    for one in planned:
        time = "finished" if one.is_finished else "" if one.seconds is None else duration(one.seconds)
        table.add_row(one.label, f"{one.steps:,}", f"{one.tokens:,}", time)
    console.print(table)
    todo = [one for one in planned if not one.is_finished]
    steps, tokens = sum(one.steps for one in todo), sum(one.tokens for one in todo)
    console.print(f"{len(todo)} of {len(planned)} cells to run, {steps:,} steps, {tokens:,} tokens.")
    known = [one.seconds for one in todo if one.seconds is not None]
    if todo and len(known) == len(todo):
        sources = "; ".join(dict.fromkeys(one.source for one in todo))
        took = f"about {duration(sum(known) / workers)} by {workers} workers" if workers > 1 else duration(sum(known))
        console.print(f"Time of the cells: {took} ({sources}).", soft_wrap=True)
    elif todo:
        console.print("Time unknown until there is a target: forgetscope unlearn doctor takes two steps and says.")
    _print_needs(todo)


def _print_needs(todo: Sequence[PlannedTraining]) -> None:
    """Memory and hours of GPUs, way by way: the most a cell holds, and the sum over cells."""
    from forgetscope.benchmarks.unlearning.training.footprint import BANDWIDTH, GPU, PEAK_FLOPS, UTILISATION

    large = [one for one in todo if one.needs]
    if not large:
        return
    console.print("GPUs, estimated (the most that a cell holds; hours of all cells):")
    for place, way in enumerate(large[0].needs):
        most = max((one.needs[place].memory for one in large), key=lambda memory: sum(memory.values()))
        parts = ", ".join(f"{name} {size / 1e9:,.1f}" for name, size in most.items() if size >= 5e7)
        hours = sum(one.needs[place].hours for one in large)
        console.print(
            f"  {way.way}: {sum(most.values()) / 1e9:,.1f} GB each ({parts}), {hours:,.1f} GPU hours",
            soft_wrap=True,
            markup=False,
        )
        if way.settings:
            console.print(f"    {way.settings}", soft_wrap=True, markup=False)
    console.print(
        f"Not measured: an {GPU} at {100 * UTILISATION:.0f}% of {PEAK_FLOPS / 1e12:.0f} TFLOP/s in bfloat16, tokens "
        f"written at {BANDWIDTH / 1e12:.0f} TB/s; the formula stands in training/footprint.py.",
        soft_wrap=True,
        markup=False,
    )
