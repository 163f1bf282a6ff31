"""A build from its plan to a folder that `--data` loads: asked row by row, kept call by call, written when all is done.

::

    OUT/
      instructional_forgetting.jsonl, subtask_revision.jsonl, dynamic_preference.jsonl     the items
      filler.jsonl                      unrelated dialogues for controlled lengths
      data_card.json, data_card.md      what the folder holds, over all its builds
      construction/SOURCE/
        build.json                      what the build was
        calls.jsonl                     every reply, as it arrived
        kept.jsonl, rejects.jsonl       warnings and reasons of each item; each reject with stage and reason
        yields.json                     rows in and out of every stage
"""

import contextlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from forgetscope.benchmarks.build_calls import CallJournal
from forgetscope.benchmarks.build_manifest import (
    BOOKS,
    BuildManifest,
    new_manifest,
    now,
    write_manifest,
)
from forgetscope.benchmarks.building import Builder, BuilderDecoding, BuildModels, Usage, ask_rows
from forgetscope.benchmarks.in_context.construction.card import CARD_NAMES, DataCard, data_card, markdown
from forgetscope.benchmarks.in_context.construction.plan import BuildPlan, BuildRow
from forgetscope.benchmarks.in_context.construction.prompts import CONSTRUCTION_VERSION, MANNER
from forgetscope.benchmarks.in_context.construction.stages import forgetting, preference, revision
from forgetscope.benchmarks.in_context.construction.stages.preference import PreferenceRow
from forgetscope.benchmarks.in_context.construction.taken import KEPT_NAME, REJECTS_NAME
from forgetscope.benchmarks.in_context.construction.trail import Stopped, Trail, Yields, yields_of
from forgetscope.benchmarks.in_context.data.items import AnyItem, FillerDialogue, Scenario
from forgetscope.benchmarks.in_context.data.loading import FILLER_FILE
from forgetscope.benchmarks.in_context.data.sources import SOURCES
from forgetscope.benchmarks.in_context.data.sources.records import SourceInstruction
from forgetscope.core.errors import RunFolderError
from forgetscope.core.progress import Progress
from forgetscope.io.files import make_folder, write_text
from forgetscope.io.received import read_text


@dataclass(frozen=True)
class FinishedBuild:
    """A build that went through all its rows; some may be lost, because a model could not be reached."""

    folder: Path
    manifest: BuildManifest
    yields: Yields
    usage: Usage
    card: DataCard


def build(
    plan: BuildPlan,
    models: BuildModels,
    out: Path,
    *,
    at_once: int,
    progress: Progress,
) -> FinishedBuild:
    """Build, or go on with a build that was stopped or killed: nothing is asked twice.

    Args:
        plan: What to build.
        models: Who builds.
        out: The data folder; new, empty, one of this very build, or one with builds of other scenarios.
        at_once: Rows under way at a time.
        progress: From the number of rows to what is called after each.

    Raises:
        RunFolderError: the folder holds another build of the source, or items from elsewhere; or cannot be written.
        UserError: a model refuses how it is asked.
    """
    books, manifest = _open_books(plan, models, out)
    settings = plan.settings
    decoding = BuilderDecoding(settings.max_tokens, settings.temperature, settings.seed, settings.send_schema)
    builder = Builder(models, CallJournal(books), decoding, MANNER)

    async def one(row: BuildRow) -> Trail:
        trail = Trail(row.scenario, row.name)
        with contextlib.suppress(Stopped):
            await _construct(row, plan, builder, trail)
        return trail

    trails = ask_rows(plan.rows, one, at_once=at_once, advance=progress(len(plan.rows)))
    return _write(plan, manifest, trails, builder.usage, out, books)


async def _construct(row: BuildRow, plan: BuildPlan, builder: Builder, trail: Trail) -> None:
    seed, direction = plan.settings.seed, plan.settings.direction
    match row.material:
        case FillerDialogue():
            await forgetting.construct(row.material, row.origin, builder, trail)
        case SourceInstruction():
            await revision.construct(row.material, row.origin, seed, builder, trail)
        case PreferenceRow():
            await preference.construct(row.material, row.origin, direction, seed, builder, trail)


def _open_books(plan: BuildPlan, models: BuildModels, out: Path) -> tuple[Path, BuildManifest]:
    """The folder of this build's books, with its manifest: a new one, or the one to go on with."""
    source = plan.settings.source
    books = out / BOOKS / (source if source in SOURCES else "own")
    manifest = new_manifest(
        CONSTRUCTION_VERSION,
        models.named,
        plan.settings.model_dump(mode="json"),
        plan.provenance,
        plan.data_sha256,
        {scenario.value: sum(row.scenario is scenario for row in plan.rows) for scenario in plan.stages()},
        left_out=plan.left_out,
        terms=plan.terms,
    )
    earlier = manifest.goes_on(books)
    if earlier is not None:
        return books, earlier
    for scenario in plan.stages():
        if (out / _items_name(scenario)).exists():
            raise RunFolderError(
                "the folder has items of this scenario from elsewhere",
                where=str(out / _items_name(scenario)),
                next_step="choose another folder with --out",
            )
    _require_same_filler(plan.filler.dialogues, out)
    make_folder(books)
    write_manifest(books, manifest)
    return books, manifest


def _require_same_filler(dialogues: Sequence[FillerDialogue], out: Path) -> None:
    """Builds that share a folder share its filler: a session inside an item must not stand in it."""
    path = out / FILLER_FILE
    if dialogues and path.exists() and read_text(path, kind=RunFolderError) != _lines(dialogues):
        raise RunFolderError(
            "the folder has other filler",
            where=str(path),
            next_step="repeat the filler options and the seed it was made with, say --filler none, or choose another "
            "folder with --out",
        )


def _write(
    plan: BuildPlan, manifest: BuildManifest, trails: Sequence[Trail], usage: Usage, out: Path, books: Path
) -> FinishedBuild:
    yields = yields_of(trails, plan.stages(), usage.asked + usage.given_back, usage.retries, preference.STEPS)
    for trail in trails:
        if trail.item is not None:
            trail.item = _with_sessions(trail.item, plan)
    for scenario in plan.stages():
        items = [trail.item for trail in trails if trail.scenario is scenario and trail.item is not None]
        path = out / _items_name(scenario)
        if items:
            write_text(path, _lines(items))
        else:
            path.unlink(missing_ok=True)
    if plan.filler.dialogues:
        write_text(out / FILLER_FILE, _lines(plan.filler.dialogues))
    write_text(books / KEPT_NAME, _json_lines(_kept(trail) for trail in trails if trail.item is not None))
    write_text(books / REJECTS_NAME, _json_lines(_reject(trail) for trail in trails if trail.item is None))
    write_text(books / "yields.json", yields.model_dump_json(indent=2) + "\n")
    ended = manifest.model_copy(update={"status": "incomplete" if yields.lost else "complete", "finished": now()})
    write_manifest(books, ended)
    card = data_card(out)
    for name, text in zip(CARD_NAMES, (card.model_dump_json(indent=2) + "\n", markdown(card)), strict=True):
        write_text(out / name, text)
    return FinishedBuild(out, ended, yields, usage, card)


def _with_sessions(item: AnyItem, plan: BuildPlan) -> AnyItem:
    drawn = plan.filler.sessions_of(item, plan.settings.filler_settings)
    return item.model_copy(update={"unrelated": drawn.after, "unrelated_before": drawn.before})


def _items_name(scenario: Scenario) -> str:
    return f"{scenario.value}.jsonl"


def _lines(records: Iterable[AnyItem | FillerDialogue]) -> str:
    return "".join(record.model_dump_json() + "\n" for record in records)


def _json_lines(rows: Iterable[dict[str, object]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _kept(trail: Trail) -> dict[str, object]:
    return {
        "row": trail.row,
        "item": trail.item.id if trail.item else "",
        "warnings": [asdict(entry) for entry in trail.warnings],
        **trail.notes,
    }


def _reject(trail: Trail) -> dict[str, object]:
    return {
        "row": trail.row,
        "scenario": trail.scenario.value,
        "stage": trail.stage,
        "is_lost": trail.is_lost,
        "reason": trail.rejected.reason if trail.rejected else "",
        "detail": trail.rejected.detail if trail.rejected else "",
        "passed": trail.passed,
        "warnings": [asdict(entry) for entry in trail.warnings],
        "reply": trail.said,
    }
