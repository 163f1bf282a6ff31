"""Whether what a run's folder says follows from its logs: `forgetscope verify RUN`. Reads, changes nothing.

From below upwards: the data and prompts of the settings by their hashes, each prompt as it was sent, each reply, each
row of the table scored again, each figure computed again, the page drawn again. Nothing is signed: whoever changes the
logs and makes everything else anew has a folder that holds together; a copy of its hashes kept elsewhere tells.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from forgetscope.api.grids import grid_run, is_grid
from forgetscope.benchmarks import GRIDS, get_benchmark
from forgetscope.benchmarks.base import Benchmark, VerifiedPart
from forgetscope.core.errors import RunFolderError, UserError
from forgetscope.core.progress import Progress, silent
from forgetscope.core.version import VERSION
from forgetscope.io.files import require_plain
from forgetscope.io.received import LARGEST_FORM, text_of
from forgetscope.io.tables import read_table
from forgetscope.running.manifest import Manifest, logs_of, read_manifest, settings_of_run

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ChatMessage, Content

    from forgetscope.report.chapters import Chapter
    from forgetscope.report.summary import Summary, SummaryFigure

CLOSE = 1e-9
"""How far apart two numbers may lie and count as one, relative to their size: sums differ by processor."""


@dataclass(frozen=True)
class Verification:
    """What was looked at, from below upwards.

    Attributes:
        folder: Of the run.
        checks: In their order.
    """

    folder: Path
    checks: tuple[VerifiedPart, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing differs; what could not be checked is named."""
        return all(check.verdict != "differs" for check in self.checks)

    @property
    def in_words(self) -> str:
        """One line."""
        differing = [check.what for check in self.checks if check.verdict == "differs"]
        if differing:
            return f"{self.folder}: does not hold together: {', '.join(differing)}"
        unchecked = [check.what for check in self.checks if check.verdict == "not checked"]
        rest = f"; not checked: {', '.join(unchecked)}" if unchecked else ""
        return f"{self.folder}: every printed figure follows{rest}"


def verify(folder: str | Path, progress: Progress = silent) -> Verification:
    """See whether what a run's folder says follows from its logs, a grid's from the replies its cells kept.

    Raises:
        RunFolderError: not such a folder, one with a link in it, or a log that cannot be read.
    """
    path = Path(folder)
    require_plain(path)
    return Verification(path, tuple(_grid(path) if is_grid(path) else _inspect_run(path, progress)))


def _grid(folder: Path) -> Iterator[VerifiedPart]:
    from forgetscope.report.write import chapter_of

    for chosen in GRIDS.values():
        if (folder / chosen.mark).is_file() and chosen.verified is not None:
            yield from chosen.verified(folder)
    run = grid_run(folder)
    yield _replies(run.table)
    yield from _table(folder, run.table)
    again = [chapter_of(run)]
    if (folder / "paper-tables").is_dir():
        again.append(chapter_of(grid_run(folder, published=True)))
    yield from _printed(folder, again)


def _inspect_run(folder: Path, progress: Progress) -> Iterator[VerifiedPart]:
    from forgetscope.report.write import chapter_of
    from forgetscope.running.finished import FinishedRun
    from forgetscope.running.logs import collect_table

    manifest = read_manifest(folder)
    benchmark = get_benchmark(manifest.benchmark)
    if manifest.forgetscope != VERSION:
        yield VerifiedPart("version", "not checked", f"made by {manifest.forgetscope}, scored again by {VERSION}")
    with benchmark.counting(manifest.unreadable):
        yield from _planned(benchmark, manifest, folder, progress)
    table = collect_table(folder, benchmark, manifest.model.name, progress)
    yield _replies(table)
    yield from _table(folder, table)
    run = FinishedRun(folder, manifest, table)
    yield from _printed(folder, (chapter_of(run, published=published) for published in (False, True)))


def _planned(benchmark: Benchmark, manifest: Manifest, folder: Path, progress: Progress) -> Iterator[VerifiedPart]:
    """Data and prompts, as the settings give them here and now."""
    settings = settings_of_run(benchmark, manifest)
    try:
        plan = benchmark.plan(settings)
        task = benchmark.task(settings)
    except UserError as error:
        yield VerifiedPart("data", "not checked", str(error))
        yield VerifiedPart("prompts", "not checked", "the data are not here")
        return
    for what, then, today in (
        ("data", manifest.data_sha256, plan.data_sha256),
        ("plan", manifest.plan_sha256, plan.sha256),
        ("prompt texts", manifest.prompts_version, benchmark.prompts_version),
    ):
        differing = [] if then == today else [f"{then[:16]} when it was made, {today[:16]} here"]
        yield VerifiedPart.of(what, differing, today if what == "prompt texts" else f"sha256 {today}")
    expected = {str(one.id): (_canonical(one.input), one.metadata or {}) for one in task.dataset}
    yield from _sent(folder, expected, progress)


def _sent(
    folder: Path, expected: Mapping[str, tuple[str, Mapping[str, object]]], progress: Progress
) -> Iterator[VerifiedPart]:
    """Each prompt in the logs as planned, and each reply in both places where a log has it."""
    from forgetscope.running.logs import eval_samples

    prompts: list[str] = []
    replies: list[str] = []
    count = 0
    for _, sample in eval_samples(logs_of(folder), progress, with_messages=True):
        count += 1
        name = str(sample.id)
        if name not in expected:
            prompts.append(f"{name} was not planned")
            continue
        sent, metadata = expected[name]
        if _canonical(sample.input) != sent or _changed(metadata, sample.metadata):
            prompts.append(f"{name} was sent otherwise than planned")
        if _is_torn(sample):
            replies.append(f"{name} has two replies")
    yield VerifiedPart.of("prompts", prompts, f"{count:,} as planned")
    yield VerifiedPart.of("logs", replies, f"{count:,} samples, each with one reply")


def _canonical(sent: "str | list[ChatMessage]") -> str:
    """A sample's input as text: its messages without the ids that Inspect gives them."""
    if isinstance(sent, str):
        return sent
    return json.dumps([{"role": turn.role, "content": _parts(turn.content)} for turn in sent], ensure_ascii=False)


def _parts(content: "str | list[Content]") -> object:
    return content if isinstance(content, str) else [getattr(part, "text", "") for part in content]


def _changed(planned: Mapping[str, object], logged: Mapping[str, object]) -> bool:
    """Whether what was planned stands otherwise in a log, which may hold more."""
    return any(_plain(value) != _plain(logged.get(key)) for key, value in planned.items())


def _plain(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _is_torn(sample: "EvalSample") -> bool:
    """Whether the last turn of the conversation is another text than the output."""
    said = [message.text for message in sample.messages if message.role == "assistant"]
    return bool(sample.output.choices) and bool(said) and said[-1] != sample.output.completion


def _replies(table: pl.DataFrame) -> VerifiedPart:
    from forgetscope.exporting.every_eval_ever import samples_sha256

    return VerifiedPart("replies", "follows", f"{table.height:,}, sha256 {samples_sha256(table)}")


def _table(folder: Path, again: pl.DataFrame) -> Iterator[VerifiedPart]:
    """The stored table beside the one made again, row by row."""
    from forgetscope.running.finished import TABLE_NAME

    try:
        stored = read_table(folder / TABLE_NAME, dict(again.schema))
    except RunFolderError as error:
        yield VerifiedPart("table", "not checked" if not (folder / TABLE_NAME).exists() else "differs", str(error))
        return
    rows = {row["sample_id"]: row for row in stored.iter_rows(named=True)}
    differing = []
    for row in again.iter_rows(named=True):
        other = rows.pop(row["sample_id"], None)
        if other is None:
            differing.append(f"{row['sample_id']} is not in it")
        elif names := [key for key, value in row.items() if not _same(value, other[key])]:
            differing.append(f"{row['sample_id']} has another {', '.join(names[:4])}")
    differing += [f"{name} is in no log" for name in rows]
    yield VerifiedPart.of("table", differing, f"{again.height:,} rows as scored again")


def _printed(folder: Path, chapters: "Iterator[Chapter] | Sequence[Chapter]") -> Iterator[VerifiedPart]:
    """`summary.json` and the page beside those made again, as they are with or without the paper's models."""
    from forgetscope.report.page import render_page
    from forgetscope.report.summary import SUMMARY_NAME, read_summary
    from forgetscope.report.write import REPORT_NAME

    ways = iter(chapters)
    first = next(ways)
    stored: Summary | None = None
    if (folder / SUMMARY_NAME).is_file():
        stored = read_summary(folder / SUMMARY_NAME)
    else:
        yield VerifiedPart("figures", "not checked", f"no {SUMMARY_NAME}")
    page = folder / REPORT_NAME
    text = text_of(page, at_most=LARGEST_FORM, kind=RunFolderError) if page.is_file() else None
    chapter = first
    is_drawn = text is None or render_page((chapter,)) == text
    if not is_drawn and (other := next(ways, None)) is not None and render_page((other,)) == text:
        chapter, is_drawn = other, True
    if stored is not None:
        yield VerifiedPart.of(
            "figures", _differing(stored, chapter.summary), f"{len(chapter.summary.figures):,} as computed again"
        )
        said = [f"found {found!r}" for found in _said(stored) if found not in _said(chapter.summary)]
        yield VerifiedPart.of("headlines", said, f"{len(chapter.summary.headlines)} as written again")
        facts = [
            f"{key} is {value!r:.60}"
            for key, value in stored.run.model_dump().items()
            if not _same(value, getattr(chapter.summary.run, key))
            and key not in ("forgetscope", "python", "completeness", "finished", "status")
        ]
        counts = [] if stored.outcomes == chapter.summary.outcomes else [f"outcomes are {stored.outcomes}"]
        yield VerifiedPart.of("facts", facts + counts, "what was run, and its account by outcome")
    if text is not None:
        yield VerifiedPart.of(
            "page", [] if is_drawn else [f"{REPORT_NAME} is not what is drawn again"], "as drawn again"
        )


def _said(summary: "Summary") -> list[str]:
    return [finding.text for finding in summary.headlines]


def _differing(stored: "Summary", again: "Summary") -> list[str]:
    """What figures differ, in words, by the name and factors of each."""
    made = {_key(figure): figure for figure in again.figures}
    words = []
    for figure in stored.figures:
        other = made.pop(_key(figure), None)
        if other is None:
            words.append(f"{_named(figure)} is printed and does not come out")
        elif names := [
            key
            for key, value in figure.model_dump(exclude={"factors"}).items()
            if not _same(value, getattr(other, key))
        ]:
            name = names[0]
            words.append(
                f"{_named(figure)}: {name} is {getattr(figure, name)!r:.40}, comes out {getattr(other, name)!r:.40}"
            )
    return words + [f"{_named(figure)} comes out and is not printed" for figure in made.values()]


def _key(figure: "SummaryFigure") -> str:
    return json.dumps([figure.name, figure.factors], sort_keys=True)


def _named(figure: "SummaryFigure") -> str:
    from forgetscope.exporting.every_eval_ever import result_id

    return result_id(figure)


def _same(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE) or (math.isnan(one) and math.isnan(other))
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))
    return one == other
