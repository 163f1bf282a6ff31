"""Grids of unlearning cells on a terminal: what is going on, shown."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from forgetscope.benchmarks.unlearning.grid.running import GridWatch
from forgetscope.benchmarks.unlearning.grid.workers import Progress as Done
from forgetscope.benchmarks.unlearning.training.fitting import EpochLog
from forgetscope.benchmarks.unlearning.training.target import TargetRecord
from forgetscope.cli.printing import console


class TerminalWatch(GridWatch):
    """Bars and lines; with `as_json` a line of JSON for each target and nothing else."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json

    @contextmanager
    def fitting(self, corpus: str, passes: int | None) -> Iterator[Callable[[EpochLog], None]]:
        """A bar of passes."""
        with _bars(is_quiet=self.as_json or passes is None) as bar:
            task = bar.add_task(f"target of {corpus}, passes", total=passes or 1)
            yield lambda log: bar.update(task, completed=log.epoch + 1)

    def made(self, record: TargetRecord) -> None:
        """What the target knows."""
        known = {
            name.removeprefix("score."): value for name, value in record.knows.items() if name.startswith("score.")
        }
        if self.as_json:
            print(json.dumps({"target": record.identity, "corpus": record.corpus, "knows": known}))
            return
        words = ", ".join(
            f"{name.replace('_', ' ')} {100 * value:.1f}" for name, value in known.items() if value is not None
        )
        made = f"made in {record.seconds:.0f} s" if record.steps else "as given"
        line = f"Target of {record.corpus}: {record.parameters:,} parameters, {made}; ROUGE-L: {words}"
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
