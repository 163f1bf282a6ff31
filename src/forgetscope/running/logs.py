"""From Inspect's logs to the sample table. The logs are the record; the table can always be made again."""

import functools
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.scorer import Score

from forgetscope.benchmarks.base import Benchmark, LoggedSample, UnreadableSampleError
from forgetscope.core.errors import ForgetscopeError, RunFolderError, UserError
from forgetscope.core.progress import Progress, silent
from forgetscope.core.results import ROWS_AT_ONCE, Completion, Value, build_table
from forgetscope.core.version import FORMER_NAME
from forgetscope.io.archives import opened_log
from forgetscope.io.completions import completion_of, completion_of_sample
from forgetscope.judging.records import JUDGEMENTS_KEY, Judgement
from forgetscope.running.judgements import JudgementFile
from forgetscope.running.manifest import LOG_FOLDER, logs_of

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState

    from forgetscope.running.journal import ReplyJournal

_NOT_NEEDED = frozenset(
    {"events", "attachments", "store", "timelines", "events_data", "messages", "model_usage", "role_usage"}
)


def collect_table(
    folder: Path, benchmark: Benchmark, model: str, progress: Progress = silent, made: "RowsMade | None" = None
) -> pl.DataFrame:
    """The sample table of a run folder, scored anew from its logs; each id once, in order of the ids. Streams."""
    return table_of_logs(logs_of(folder), folder, benchmark, model, progress, made)


def table_of_logs(
    logs: Sequence[Path],
    folder: Path,
    benchmark: Benchmark,
    model: str,
    progress: Progress = silent,
    made: "RowsMade | None" = None,
) -> pl.DataFrame:
    """The sample table of logs, oldest first, with the later judgements of a folder. Streams.

    Samples whose rows were `made` while they were logged are not read again.
    """
    counted = _counted(logs)
    in_logs = {str(number) for written in counted.values() for number, _ in written}
    names, known = made.among(in_logs) if made else ([], build_table((), benchmark.schema))
    is_known = frozenset(names)
    left = {log: [one for one in written if str(one[0]) not in is_known] for log, written in counted.items()}

    def rows() -> Iterator[Mapping[str, Value]]:
        for name, logged in _samples(_stream(left, progress), folder, model):
            names.append(name)
            yield _row(folder, benchmark, name, logged)

    table = pl.concat([known, build_table(rows(), benchmark.schema)], rechunk=True)
    return table[sorted(range(len(names)), key=names.__getitem__)]


def _row(folder: Path, benchmark: Benchmark, name: str, logged: LoggedSample) -> Mapping[str, Value]:
    with of_benchmark(folder, name):
        return benchmark.row(logged)


class ScoringError(ForgetscopeError):
    """A sample that was read and could not be scored: a mistake of ours, or of the plug-in that scores."""


@contextmanager
def of_benchmark(folder: Path, name: str) -> Iterator[None]:
    """What is done with a logged sample; whose fault it is where that fails.

    Raises:
        RunFolderError: the log holds no sample of this benchmark there.
        ScoringError: anything else: the log is whole, and stays as it is.
    """
    try:
        yield
    except UnreadableSampleError as error:
        raise RunFolderError(
            f"sample {name} in the logs is none of this benchmark", where=str(folder / LOG_FOLDER), found=str(error)
        ) from error
    except UserError:
        raise
    except Exception as error:
        raise ScoringError(
            f"sample {name} of {folder} was read and could not be scored: a mistake in forgetscope or in a plug-in, "
            "not in the log, which is kept as it is; please report it with what stands above"
        ) from error


def collect_samples(folder: Path, model: str, progress: Progress = silent) -> Iterator[tuple[str, LoggedSample]]:
    """Every sample of a run folder with its id, log by log, with the judgements that count. Streams.

    A sample that occurs in several logs (the run was resumed) counts once: with its reply where it has one.

    Raises:
        RunFolderError: no log, or a damaged one.
    """
    yield from _samples(eval_samples(logs_of(folder), progress), folder, model)


def _samples(logged: Iterable[tuple[Path, EvalSample]], folder: Path, model: str) -> Iterator[tuple[str, LoggedSample]]:
    judgements = JudgementFile(folder)
    for log, sample in logged:
        name = str(sample.id)
        completion, judged = _logged(log, sample)
        yield name, LoggedSample(sample.metadata, completion, model, judgements.instead_of(name, judged))


def _logged(log: Path, sample: EvalSample) -> tuple[Completion, tuple[Judgement, ...]]:
    """What came back for a sample, and what its judges said.

    Raises:
        RunFolderError: a damaged log.
    """
    with _readable(log):
        return completion_of_sample(sample), logged_judgements(sample)


def eval_samples(
    logs: Sequence[Path], progress: Progress = silent, *, with_messages: bool = False
) -> Iterator[tuple[Path, EvalSample]]:
    """Every sample of logs, oldest first, as Inspect wrote it, each id once, with its log. Streams.

    Raises:
        RunFolderError: a damaged log.
    """
    yield from _stream(_counted(logs), progress, with_messages=with_messages)


def _stream(
    counted_in: Mapping[Path, Sequence[tuple[int | str, int]]], progress: Progress, *, with_messages: bool = False
) -> Iterator[tuple[Path, EvalSample]]:
    step = progress(sum(map(len, counted_in.values())))
    left_out = _NOT_NEEDED - {"messages"} if with_messages else _NOT_NEEDED
    for log, written in counted_in.items():
        for sample in _read(log, written, left_out) if written else ():
            yield log, sample
            step()


def _read(log: Path, written: Sequence[tuple[int | str, int]], left_out: frozenset[str]) -> Iterator[EvalSample]:
    """Samples of a log, one in memory at a time: one of two replies of a megabyte unpacks to seventeen."""
    with ExitStack() as opened:
        with _readable(log):
            archive = opened.enter_context(opened_log(log))
        for number, epoch in written:
            with _readable(log):
                sample = archive.sample(number, epoch, left_out)
            yield sample


def logged_judgements(sample: EvalSample) -> tuple[Judgement, ...]:
    """The judgements in a sample's scores."""
    return judgements_in((sample.scores or {}).values())


def judgements_in(scores: Iterable[Score]) -> tuple[Judgement, ...]:
    """The judgements that scores were made from."""
    held = [(score.metadata or {}).get(JUDGEMENTS_KEY, []) for score in scores]
    return tuple(Judgement.model_validate(entry) for entries in held for entry in entries)


class RowsMade:
    """The rows of what this process scored, made as it is scored; a thousand to a table, so that any run can keep them.

    Reading a sample back from its log takes as long as scoring it. What is made here counts only where a log holds the
    sample; what ended in an error, or was scored by an earlier process, has no row here and is read.

    Args:
        benchmark: Of the run.
        model: Its name, as the rows have it.
        judgements: Those that came after the logs.
    """

    def __init__(self, benchmark: Benchmark, model: str, judgements: JudgementFile) -> None:
        self._benchmark, self._model, self._judgements = benchmark, model, judgements
        self._last: dict[str, Mapping[str, Value]] = {}
        self._names: list[str] = []
        self._tables: list[pl.DataFrame] = []

    def watch(self, task: "Task") -> None:
        """Make the row of each sample of the task after its last scorer. The task is the same one to Inspect."""
        if not task.scorer:
            return
        *before, last = task.scorer

        @functools.wraps(last)  # takes over what Inspect knows the scorer by
        async def watched(state: "TaskState", target: "Target") -> "Score | None":
            score = await last(state, target)
            if state.output.choices:
                self._make(state, [*(state.scores or {}).values(), *([score] if score else [])])
            return score

        task.scorer = [*before, watched]

    def among(self, names: Collection[str]) -> tuple[list[str], pl.DataFrame]:
        """The rows of samples of these ids, as far as there are any, and whose they are."""
        self._put_away()
        table = pl.concat([build_table((), self._benchmark.schema), *self._tables])
        places = {name: place for place, name in enumerate(self._names) if name in names}  # of one sent again, the last
        return list(places), table[list(places.values())]

    def _make(self, state: "TaskState", scores: "Iterable[Score]") -> None:
        name = str(state.sample_id)
        try:
            judgements = self._judgements.instead_of(name, judgements_in(scores))
            logged = LoggedSample(state.metadata, completion_of(state.output), self._model, judgements)
            self._last[name] = self._benchmark.row(logged)
        except Exception:
            return  # it is read from the log, and whose fault it was is said there
        if len(self._last) >= ROWS_AT_ONCE:
            self._put_away()

    def _put_away(self) -> None:
        rows, self._last = self._last, {}
        try:
            self._tables.append(build_table(rows.values(), self._benchmark.schema))
        except Exception:
            return  # likewise: rows that fit no table
        self._names += rows


def read_head(log: Path) -> EvalLog:
    """What a log says of its run, without its samples.

    Raises:
        RunFolderError: it is damaged, or unpacks to far more than it is.
    """
    with _readable(log), opened_log(log) as archive:
        return archive.head()


def _counted(logs: Sequence[Path]) -> dict[Path, list[tuple[int | str, int]]]:
    """The samples that count, by the log that holds them: the oldest log without an error, else the last.

    Raises:
        RunFolderError: a damaged log.
    """
    chosen: dict[str, tuple[Path, int | str, int]] = {}
    failed: set[str] = set()
    for log in logs:
        with _readable(log), opened_log(log) as archive:
            for summary in archive.summaries():
                name = str(summary.id)
                if name not in chosen or name in failed:
                    chosen[name] = (log, summary.id, summary.epoch)
                    (failed.discard if summary.error is None else failed.add)(name)
    found: dict[Path, list[tuple[int | str, int]]] = {log: [] for log in logs}
    for log, number, epoch in chosen.values():
        found[log].append((number, epoch))
    return found


def set_damaged_aside(folder: Path) -> list[Path]:
    """Move logs that cannot be read whole out of the way of a run that is continued; what they held is sent again.

    Returns:
        Where they are now.
    """
    moved = []
    for log in sorted((folder / LOG_FOLDER).glob("*.eval")):
        try:
            with _readable(log), opened_log(log) as archive:
                archive.require_whole()
            for _, sample in eval_samples([log]):
                _logged(log, sample)
        except RunFolderError:
            place = folder / DAMAGED_FOLDER / log.name
            place.parent.mkdir(exist_ok=True)
            moved.append(log.replace(place))
    return moved


def require_own_logs(folder: Path) -> None:
    """See that a run can be continued: Inspect knows a finished sample by the name of its task, which was another.

    Raises:
        RunFolderError: its logs are of the former name.
    """
    found = sorted((folder / LOG_FOLDER).glob("*.eval"))
    name = read_head(found[0]).eval.task_registry_name if found else None
    if name and name.startswith(f"{FORMER_NAME}/"):
        raise RunFolderError(
            f"this run was started when the package was called {FORMER_NAME}, so it cannot be continued",
            where=str(folder),
            next_step=f"forgetscope report {folder} reads what is there; start a new run for the rest",
        )


DAMAGED_FOLDER = "damaged"


@contextmanager
def _readable(log: Path) -> Iterator[None]:
    """Whatever a reader of archives, JSON and records can raise about damaged content, as one error."""
    try:
        yield
    except RunFolderError:
        raise
    except Exception as error:
        raise _damaged(log, error) from error


def _damaged(log: Path, error: Exception) -> RunFolderError:
    return RunFolderError(
        "this log is damaged",
        where=str(log),
        found=f"{type(error).__name__}: {error}".splitlines()[0],
        next_step=f"forgetscope resume {log.parent.parent} sets it aside and sends again what it held",
    )


_SAYING = ("inspect_ai._eval.task.log", "inspect_ai._eval.task.run")
"""Loggers of Inspect that speak of a log's writing and of each sample's error."""


@contextmanager
def without_tracebacks(journal: "ReplyJournal") -> Iterator[None]:
    """In the block, what Inspect says of the disk is a line each: the run itself ends in one that says what to do.

    Once a reply could not be kept, samples say nothing: each that is left would say the same.
    """

    def is_said(record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], OSError):
            record.exc_info = None
        return journal.failure is None or not record.getMessage().startswith("Sample error")

    loggers = [logging.getLogger(name) for name in _SAYING]
    for logger in loggers:
        logger.addFilter(is_said)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(is_said)
