"""What the rest of the system knows of a benchmark that trains models itself, in grids of cells."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic

import polars as pl
from pydantic import JsonValue

from forgetscope.benchmarks.base import Check, KnownBenchmark, RunData, VerifiedPart
from forgetscope.core.settings import SettingsT
from forgetscope.findings.figures import Results, Table
from forgetscope.findings.measures import FigureIndex


@dataclass(frozen=True)
class GpuNeed:
    """What a cell of a large model takes in one way to train it; from sizes and an assumed throughput, not measured.

    Attributes:
        way: For people.
        settings: What a configuration says for it; empty: as it is.
        gpus: Used at once.
        memory: Bytes of each, by what holds them.
        hours: Of one GPU, all together.
    """

    way: str
    settings: str
    gpus: int
    memory: Mapping[str, int]
    hours: float


@dataclass(frozen=True)
class PlannedTraining:
    """What a cell will cost.

    Attributes:
        cell: Its id.
        label: In a few words, for people.
        steps: Of training; 0 for a model evaluated as it is.
        tokens: Predicted in training, repeats counted.
        seconds: An estimate for one worker; None where nothing is known.
        source: Where the estimate is from.
        is_finished: Has a result already.
        needs: What a GPU needs, way by way; empty for a small model, or one whose sizes are not known.
    """

    cell: str
    label: str
    steps: int
    tokens: int
    seconds: float | None
    source: str
    is_finished: bool
    needs: tuple[GpuNeed, ...] = ()


@dataclass(frozen=True)
class GridRun:
    """What a grid's folder holds so far.

    Attributes:
        table: A row a sample, of all finished cells.
        results: Figures, sections and headlines.
        model, data: What was trained, on what; for people.
        data_sha256: Of the data, each once.
        settings: As they are shown, by dotted name.
        cells: Ids of the grid's cells.
        finished: How many have a result.
        planned: Samples the whole grid has.
        began, ended: When the first finished cell began and the last ended.
        notes: What a reader must know beforehand.
        origin: What the data are, as far as that is known.
    """

    table: pl.DataFrame
    results: Results
    model: str
    data: str
    data_sha256: str
    settings: Mapping[str, JsonValue]
    cells: tuple[str, ...]
    finished: int
    planned: int
    began: str
    ended: str
    notes: tuple[str, ...]
    origin: RunData = field(default_factory=RunData)


@dataclass(frozen=True)
class MadeTarget:
    """A target that is there: what it is, what its making took (no steps where it is as given), what it knows."""

    identity: str
    corpus: str
    parameters: int
    steps: int
    seconds: float
    knows: Mapping[str, float | None]


@dataclass(frozen=True)
class Progress:
    """How far a grid is: cells finished, failed, and in all; processes at work."""

    finished: int
    failed: int
    cells: int
    workers: int


class GridWatch:
    """Is told how a grid gets on. This one says nothing."""

    def fitting(self, corpus: str, passes: int | None) -> AbstractContextManager[Callable[[int], None]]:  # noqa: ARG002
        """Around the making of a target, `passes` over its corpus; None where it is only read. Told how many it did."""
        return nullcontext(lambda _: None)

    def made(self, target: MadeTarget) -> None:
        """A target is there."""

    def working(self) -> AbstractContextManager[Callable[[Progress], None]]:
        """Around the work on the cells. Told now and then."""
        return nullcontext(lambda _: None)

    def worked(self, done: Progress, failures: Sequence[str]) -> None:
        """All cells are finished or have failed, for these reasons."""


@dataclass(frozen=True, kw_only=True)
class GridBenchmark(KnownBenchmark, Generic[SettingsT]):
    """A benchmark that trains models in grids of cells, and evaluates them itself.

    Attributes:
        command: The command line's group for it.
        mark: The file that every grid's folder has.
        read: Settings from a file of configuration, or from plain values.
        paper_grid: The paper's grid of a corpus, from the corpus' name, the target, `official`, `embedded` or a folder
            with the data, the folder of what a language model built for it or None, and whether our measures are added.
        plan: What every cell of a grid will cost; looks into its folder for what is there, and trains nothing.
        run: Trains and evaluates every cell in a folder, where what is there is kept, by so many processes of so many
            threads; whether every cell has a result.
        load: What a grid's folder holds so far, set beside the paper's models or not.
        paper_tables: The paper's tables over grids, from the figures of each by what the grid is called.
        comparable: The sample table with ids that another grid's samples can be matched by.
        demo: The settings of the demo, quick or not.
        validate: Its scripted and trained checks, in parts; tells how the grids get on.
        validated_data: The hash of the data that `validate` uses.
        verified: From a grid's folder to what in it follows from the replies that its cells kept; None: not looked at.
    """

    settings: type[SettingsT]
    command: str
    mark: str
    read: Callable[[object], SettingsT]
    paper_grid: Callable[[str, str, str, Path | None, bool], SettingsT]
    plan: Callable[[SettingsT, Path], list[PlannedTraining]]
    run: Callable[[SettingsT, Path, int, int, GridWatch], bool]
    load: Callable[[Path, bool], GridRun]
    paper_tables: Callable[[Mapping[str, FigureIndex]], tuple[Table, ...]]
    comparable: Callable[[pl.DataFrame], pl.DataFrame]
    demo: Callable[[bool], SettingsT]
    validate: Callable[[GridWatch], Iterator[list[Check]]]
    validated_data: Callable[[], str]
    verified: Callable[[Path], Iterator[VerifiedPart]] | None = None
