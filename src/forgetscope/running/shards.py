"""Parts of a plan: shards, a folder each, and what one log of a large run holds.

A shard is every n-th item with all its forms, so that paired figures stay whole on any machine. Items are dealt out in
the order of the plan, which mixes scenarios and types, so shards are alike. A shard depends on the plan and on `i/n`
alone; together the shards of a plan send every sample once.

A large run has several logs, so that it holds and rewrites no more than a part: of a task Inspect keeps something for
every sample until its last one is done, planned or finished, and it copies the whole log each time it adds to it.
"""

import copy
import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forgetscope.benchmarks.base import Benchmark
from forgetscope.core.errors import SettingError

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.log import EvalSpec
    from inspect_ai.scorer import SampleScore
    from pydantic import JsonValue

SAMPLES_A_LOG = 2000
"""Samples of one log; at 30,000 tokens each it is about 100 MB."""

MOST_SHARDS = 100_000
"""Far more than any plan has items for each."""

PARTS_AT_ONCE = 2
"""Logs that are written at the same time: while the last samples of one are awaited, the next begins."""


@dataclass(frozen=True, slots=True)
class Shard:
    """The part `number` of `count`, from 1."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """From `2/3`.

        Raises:
            SettingError: not two whole numbers, or no such part.
        """
        number, slash, count = text.partition("/")
        counts = all(part.isdecimal() and len(part) <= len(str(MOST_SHARDS)) for part in (number, count))
        if slash and counts and 1 <= int(number) <= int(count) <= MOST_SHARDS:
            return cls(int(number), int(count))
        allowed = f"i/n with i from 1 to n, n up to {MOST_SHARDS:,}, such as 2/3"
        raise SettingError("no such shard", where="--shard", found=text, allowed=allowed)

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def holds(self, place: int) -> bool:
        """Whether the item at this place of the plan, from 0, is in it."""
        return place % self.count == self.number - 1


def cut_to_shard(task: "Task", shard: Shard) -> "Task":
    """The task with the shard's samples alone. Changes the task it is given.

    Raises:
        SettingError: nothing is left: there are more shards than items.
    """
    places: dict[str, int] = {}
    for sample in task.dataset:
        places.setdefault(_item(sample.metadata), len(places))
    task.dataset = task.dataset.filter(lambda sample: shard.holds(places[_item(sample.metadata)]))
    if not len(task.dataset):
        raise SettingError(
            "this shard is empty", where="--shard", found=str(shard), allowed=f"at most {len(places)} shards: the items"
        )
    return task


def planned_of(benchmark: Benchmark, task: "Task") -> dict[str, int]:
    """Samples of a task per cell of the plan.

    Raises:
        SettingError: the benchmark does not say which cell a sample is of.
    """
    if benchmark.cell_of is None:
        raise SettingError("this benchmark has no shards", where="--shard", found=benchmark.name)
    return dict(Counter(benchmark.cell_of(sample.metadata or {}) for sample in task.dataset))


def _item(metadata: dict[str, object] | None) -> str:
    return str((metadata or {})["item"])


def in_parts(task: "Task", most: int) -> "list[Task]":
    """The task, cut where it has more samples than `most`; of one part it is the task itself, under its own name.

    Args:
        task: Of a run.
        most: Samples of a part; 0 for one part, whatever it holds.
    """
    from inspect_ai import task_with
    from inspect_ai.dataset import MemoryDataset

    samples = list(task.dataset)
    if not most or len(samples) <= most:
        return [task]
    count = math.ceil(len(samples) / most)
    parts = []
    for number in range(count):
        held = MemoryDataset(samples[number * most : (number + 1) * most], name=task.dataset.name)
        name = f"{task.name}_{number + 1}_of_{count}"  # by it Inspect knows again which part a log is of
        parts.append(task_with(copy.copy(task), dataset=held, name=name, early_stopping=Light()))
    return parts


class Light:
    """Stops no sample early; lets go of what Inspect holds of a finished one until the run's end, but for its factors.

    Inspect keeps each sample's metadata, for metrics by group; the log has them whole.
    """

    async def start_task(self, task: "EvalSpec", samples: "list[Sample]", epochs: int) -> str:  # noqa: ARG002
        """A name for the log's header."""
        return "none"

    async def schedule_sample(self, id: str | int, epoch: int) -> None:  # noqa: ARG002
        """Every sample runs."""
        return

    async def complete_sample(self, id: str | int, epoch: int, scores: "dict[str, SampleScore]") -> None:  # noqa: ARG002
        """Keep of the metadata what is one word or number each."""
        for score in scores.values():
            held = (score.sample_metadata or {}).items()
            score.sample_metadata = {name: value for name, value in held if isinstance(value, str | int | float)}

    async def complete_task(self) -> "dict[str, JsonValue]":
        """Nothing to say."""
        return {}
