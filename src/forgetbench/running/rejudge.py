"""Judging a run again, or for the first time, without generating again.

Every judgement is appended to `judgements.jsonl` in the run folder as it arrives. The table takes, for each sample and
aspect, the judgements of the last round that reached it, and those of the log where there was none.
"""

import asyncio
import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from forgetbench.errors import RunFolderError
from forgetbench.judging.records import Judgement

if TYPE_CHECKING:
    from inspect_ai.model import Model

    from forgetbench.judging.ask import Question

JUDGEMENTS_NAME = "judgements.jsonl"


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    round: str
    sample: str
    judgement: Judgement


@dataclass(frozen=True)
class Pending:
    """A question about a sample that is to be put to the judges."""

    sample: str
    question: "Question"


class JudgementFile:
    """The judgements of a run folder that came after its logs.

    Raises:
        RunFolderError: the file cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / JUDGEMENTS_NAME
        self._lines: list[_Line] = []
        try:
            text = self._path.read_bytes() if self._path.exists() else b""
        except OSError as error:
            raise RunFolderError("cannot read judgements", where=str(self._path), found=error.strerror) from None
        self._ends_whole = not text or text.endswith(b"\n")
        for raw in text.splitlines():
            try:
                self._lines.append(_Line.model_validate_json(raw))
            except ValidationError:  # a process was killed while it wrote this line
                continue

    def instead_of(self, sample: str, logged: tuple[Judgement, ...]) -> tuple[Judgement, ...]:
        """The judgements that count for a sample: per aspect those of its last round, else the logged ones."""
        rounds: defaultdict[str, dict[str, list[Judgement]]] = defaultdict(dict)
        for line in self._lines:
            if line.sample == sample:
                rounds[line.judgement.aspect].setdefault(line.round, []).append(line.judgement)
        kept = tuple(entry for entry in logged if entry.aspect not in rounds)
        return (*kept, *(entry for by_round in rounds.values() for entry in list(by_round.values())[-1]))

    def append(self, round_: str, sample: str, judgement: Judgement) -> None:
        """Keep one judgement; it outlives the process from here on.

        Raises:
            RunFolderError: the file cannot be written.
        """
        line = _Line(round=round_, sample=sample, judgement=judgement)
        raw = (b"" if self._ends_whole else b"\n") + line.model_dump_json().encode() + b"\n"
        try:
            handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                os.write(handle, raw)
            finally:
                os.close(handle)
        except OSError as error:
            raise RunFolderError("cannot keep judgements here", where=str(self._path), found=error.strerror) from None
        self._ends_whole = True
        self._lines.append(line)


def put_to_judges(
    judges: "Sequence[Model]",
    pending: Sequence[Pending],
    keep: Callable[[str, Judgement], None],
    *,
    at_once: int,
    progress: Callable[[], None],
) -> None:
    """Ask every judge every pending question, `at_once` at a time; each answer is kept as it arrives."""
    from forgetbench.judging.ask import ask

    async def one(judge: "Model", entry: Pending, places: asyncio.Semaphore) -> None:
        async with places:
            keep(entry.sample, await ask(judge, str(judge), entry.question))
            progress()

    async def everything() -> None:
        places = asyncio.Semaphore(at_once)
        async with asyncio.TaskGroup() as group:
            for entry in pending:
                for judge in judges:
                    group.create_task(one(judge, entry, places))

    asyncio.run(everything())
