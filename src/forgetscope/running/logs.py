"""From Inspect's logs to the sample table. The logs are the record; the table can always be made again."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
from inspect_ai.log import (
    EvalSample,
    list_eval_logs,
    read_eval_log_sample_summaries,
    read_eval_log_samples_by_id,
)

from forgetscope.benchmarks.base import Benchmark, LoggedSample
from forgetscope.core.errors import RunFolderError
from forgetscope.core.results import build_table
from forgetscope.io.completions import completion_of_sample
from forgetscope.judging.records import JUDGEMENTS_KEY, Judgement
from forgetscope.running.judgements import JudgementFile

LOG_FOLDER = "logs"

_READ_AT_ONCE = 500
"""Samples read with one look at a log's table of contents: with one each, the time grows with the square."""

_NOT_NEEDED = {"events", "attachments", "store", "timelines", "events_data"}


def collect_table(folder: Path, benchmark: Benchmark, model: str) -> pl.DataFrame:
    """The sample table of a run folder, scored anew from its logs; each id once, in order of the ids."""
    rows = [benchmark.row(logged) for _, logged in collect_samples(folder, model)]
    return build_table(rows, benchmark.schema)


def collect_samples(folder: Path, model: str) -> Iterator[tuple[str, LoggedSample]]:
    """Every sample of a run folder with its id, in order of the ids, with the judgements that count.

    A sample that occurs in several logs (the run was resumed) counts once: with its reply where it has one.
    """
    judgements = JudgementFile(folder)
    chosen: dict[str, EvalSample] = {}
    for sample in _logged_samples(folder / LOG_FOLDER):
        name = str(sample.id)
        if name not in chosen or chosen[name].error is not None:
            chosen[name] = sample
    for name, sample in sorted(chosen.items()):
        counted = judgements.instead_of(name, logged_judgements(sample))
        yield name, LoggedSample(sample.metadata, completion_of_sample(sample), model, counted)


def logged_judgements(sample: EvalSample) -> tuple[Judgement, ...]:
    """The judgements in a sample's scores."""
    held = [(score.metadata or {}).get(JUDGEMENTS_KEY, []) for score in (sample.scores or {}).values()]
    return tuple(Judgement.model_validate(entry) for entries in held for entry in entries)


def _logged_samples(folder: Path) -> Iterator[EvalSample]:
    """Samples of all logs of a folder, the oldest log first."""
    logs = list_eval_logs(str(folder), formats=["eval"], descending=False)
    if not logs:
        raise RunFolderError("no logs yet", where=str(folder), next_step="forgetscope resume DIR")
    for log in logs:
        written = [(summary.id, summary.epoch) for summary in read_eval_log_sample_summaries(log)]
        for start in range(0, len(written), _READ_AT_ONCE):
            part = written[start : start + _READ_AT_ONCE]
            yield from read_eval_log_samples_by_id(log, part, exclude_fields=_NOT_NEEDED)
