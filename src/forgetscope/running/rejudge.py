"""Judging a run again, or for the first time, without generating again.

Every judgement is kept as it arrives (`judgements`), so that a round that was stopped is continued by the same command
and asks no judge twice.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.base import Benchmark
from forgetscope.core.errors import RunFolderError, SettingError
from forgetscope.core.outcomes import Status
from forgetscope.core.progress import Progress
from forgetscope.io.files import alone_in
from forgetscope.judging.records import Judgement
from forgetscope.running.building import build_model
from forgetscope.running.finished import FinishedRun, collect_run
from forgetscope.running.judgements import JudgementFile
from forgetscope.running.manifest import Manifest, ModelSpec, now, read_manifest, update_manifest
from forgetscope.running.started import NOTHING_SAID, Ask, SaidAgain, allowed_specs, record_start

if TYPE_CHECKING:
    from inspect_ai.model import Model

    from forgetscope.judging.ask import JudgeQuestion


@dataclass(frozen=True)
class Pending:
    """A question about a sample that is to be put to a judge."""

    sample: str
    question: "JudgeQuestion"
    judge: "Model"


def rejudge_run(
    folder: Path,
    judges: Sequence[ModelSpec],
    *,
    only: Collection[Status] = (),
    max_tokens: int | None = None,
    progress: Progress,
    again: SaidAgain = NOTHING_SAID,
    ask: Ask | None = None,
    write_pages: Callable[[FinishedRun], object] = lambda _: None,
) -> FinishedRun:
    """Judge the replies of a run again, or for the first time; nothing is generated.

    Args:
        folder: A finished or half-finished run.
        judges: The judges; none means those that judged it before.
        only: Statuses of the judges' verdict to judge again; empty means everything that can be judged.
        max_tokens: Of a judge's reply; None means as in the run.
        progress: Of the questions.
        again: Address, arguments or names of judges that the folder names, said again.
        ask: Puts a question to whoever sits at the terminal.
        write_pages: Called with the run judged; a process killed before it ends is gone on with, and asks nobody twice.

    Raises:
        RunFolderError: not a run folder, nothing to judge in it, or another process works in it.
        SettingError: no judge is named and the run had none, the benchmark has nothing to judge, or the run was started
            elsewhere and says itself which judges to ask.
    """
    read_manifest(folder)
    with alone_in(folder):
        finished, close_round = _rejudge(folder, judges, only, max_tokens, progress, again, ask)
        write_pages(finished)
        close_round()
        return finished


def _rejudge(
    folder: Path,
    judges: Sequence[ModelSpec],
    only: Collection[Status],
    max_tokens: int | None,
    progress: Progress,
    again: SaidAgain,
    ask: Ask | None,
) -> tuple[FinishedRun, Callable[[], None]]:
    """The run judged, and what is called when nothing of the round is left to do."""
    manifest = read_manifest(folder)
    named_there = manifest.judges or manifest.later_judges
    specs = tuple(judges) or allowed_specs(folder, manifest, named_there, again, ask, are_judges=True)
    if not specs:
        raise SettingError("this run had no judge", where=str(folder), next_step="name one with --judge")
    questions = pending_questions(get_benchmark(manifest.benchmark), manifest, folder, only)
    if not questions:
        raise RunFolderError("nothing to judge", where=str(folder), found=", ".join(only) or "no reply with text")
    models = [build_model(spec, manifest.limits, "--judge") for spec in specs]
    kept = JudgementFile(folder)
    names = [str(model) for model in models]
    round_ = kept.open_round(names, [spec.model_dump_json() for spec in specs], now())
    named = (*manifest.judges, *manifest.later_judges)
    later = (*manifest.later_judges, *(spec for spec in specs if spec not in named))
    update_manifest(folder, manifest, {"later_judges": later})
    record_start(manifest, specs)
    pending = [
        Pending(sample, question, model)
        for sample, question in questions
        for model in models
        if not kept.has(round_, sample, question.aspect, str(model))
    ]
    lost = put_to_judges(
        pending,
        lambda sample, judgement: kept.keep(round_, sample, judgement),
        max_tokens=max_tokens or _limit_of(manifest),
        at_once=manifest.limits.max_connections or 8,
        progress=progress(len(pending)),
    )
    return collect_run(folder), lambda: None if lost else kept.close_round(round_)


def pending_questions(
    benchmark: Benchmark, manifest: Manifest, folder: Path, only: Collection[Status]
) -> "list[tuple[str, JudgeQuestion]]":
    """What there is to judge in a run, by sample, in order; `only` where the verdict so far is one of these.

    Raises:
        SettingError: the benchmark has nothing to judge.
    """
    from forgetscope.running.logs import collect_samples, of_benchmark

    if benchmark.judge_questions is None:
        raise SettingError("nothing in this benchmark is judged", found=manifest.benchmark)
    found: list[tuple[str, JudgeQuestion]] = []
    for name, logged in collect_samples(folder, manifest.model.name):
        with of_benchmark(folder, name):
            row = benchmark.row(logged) if only else {}
            found.extend(
                (name, question)
                for question in benchmark.judge_questions(logged)
                if not only or row[verdict_column(question.aspect)] in {status.value for status in only}
            )
    return sorted(found, key=lambda entry: entry[0])


def verdict_column(aspect: str) -> str:
    """The column with the status of the judges' verdict on an aspect: `judge_status`, `reask_judge_status`."""
    return "judge_status" if aspect == "answer" else f"{aspect}_judge_status"


def _limit_of(manifest: Manifest) -> int | None:
    limit = manifest.settings.get("judge_max_tokens")
    return limit if isinstance(limit, int) else None


def put_to_judges(
    pending: Sequence[Pending],
    keep: Callable[[str, Judgement], None],
    *,
    max_tokens: int | None,
    at_once: int,
    progress: Callable[[], None],
) -> int:
    """Ask every pending question, `at_once` at a time, and keep each answer as it arrives.

    Returns:
        How often a judge could not be reached.
    """
    from forgetscope.judging.ask import ask

    places = asyncio.Semaphore(at_once)

    async def one(entry: Pending) -> bool:
        async with places:
            judgement = await ask(entry.judge, str(entry.judge), entry.question, max_tokens=max_tokens)
            keep(entry.sample, judgement)
            progress()
            return bool(judgement.error)

    async def everything() -> int:
        return sum(await asyncio.gather(*map(one, pending)))

    return asyncio.run(everything())
