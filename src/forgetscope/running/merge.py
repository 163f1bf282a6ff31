"""Shards put together: one run folder with the logs of all of them, and the table of the whole plan."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from pydantic import JsonValue

from forgetscope.core.errors import RunFolderError
from forgetscope.core.progress import Progress, silent
from forgetscope.io.files import claim_folder, replacing
from forgetscope.running.finished import FinishedRun, collect_run
from forgetscope.running.judgements import JudgementFile
from forgetscope.running.manifest import LOG_FOLDER, Manifest, read_manifest, write_manifest
from forgetscope.running.shards import Shard

_SAME = ("benchmark", "settings", "data_sha256", "prompts_version", "plan_sha256", "judges")
"""What shards of one run have in common; the model and its decoding are looked at apart."""


def merge_shards(folders: Sequence[Path], out: Path, progress: Progress = silent) -> FinishedRun:
    """Make one run of all shards of a plan. The shards are only read.

    Args:
        folders: One for each shard, in any order.
        out: New or empty; empty again where the merging is stopped.
        progress: Of reading the logs.

    Raises:
        RunFolderError: a folder is no shard, of another run, unfinished, or one is missing or doubled.
    """
    manifests = [read_manifest(folder) for folder in folders]
    ordered = _in_order(folders, manifests)
    claim_folder(out, "choose another with --out")
    try:
        _merge(ordered, out)
        return collect_run(out, progress)
    except BaseException:  # Ctrl-C too: half a run is none, and the same command begins anew
        for path in out.iterdir():
            (shutil.rmtree if path.is_dir() else Path.unlink)(path)
        raise


def _merge(ordered: Sequence[tuple[Path, Manifest]], out: Path) -> None:
    first = ordered[0][1]
    (out / LOG_FOLDER).mkdir()
    kept = JudgementFile(out)
    for folder, manifest in ordered:
        for log in sorted((folder / LOG_FOLDER).glob("*.eval")):
            if (out / LOG_FOLDER / log.name).exists():
                raise RunFolderError("another shard has a log of this name", where=str(log))
            with replacing(out / LOG_FOLDER / log.name) as copy:
                shutil.copyfile(log, copy)
        kept.take_over(JudgementFile(folder), f"shard {manifest.shard}")
    planned: dict[str, int] = {}
    for _, manifest in ordered:
        for label, count in manifest.planned.items():
            planned[label] = planned.get(label, 0) + count
    changes: dict[str, JsonValue] = {
        "shard": "",
        "merged": [manifest.shard for _, manifest in ordered],
        "planned": dict(planned),
        "notes": [note for note in first.notes if not note.startswith("shard ")],
        "started": min(manifest.started for _, manifest in ordered),
        "finished": max(manifest.finished or "" for _, manifest in ordered),
        "status": "running",
        "completeness": None,
    }
    later = {judge.model_dump_json(): judge.model_dump() for _, each in ordered for judge in each.later_judges}
    write_manifest(
        out, Manifest.model_validate({**first.model_dump(), **changes, "later_judges": list(later.values())})
    )


def _in_order(folders: Sequence[Path], manifests: Sequence[Manifest]) -> list[tuple[Path, Manifest]]:
    """Folders and manifests by the number of their shard, after every check.

    Raises:
        RunFolderError: see `merge_shards`.
    """
    for folder, manifest in zip(folders, manifests, strict=True):
        if not manifest.shard:
            raise RunFolderError(
                "not a shard", where=str(folder), next_step="merge folders of 'forgetscope run ... --shard i/n'"
            )
        if manifest.finished is None:
            raise RunFolderError(
                "this shard is not finished", where=str(folder), next_step=f"forgetscope resume {folder}"
            )
    first = manifests[0]
    for folder, manifest in zip(folders[1:], manifests[1:], strict=True):
        for field in _SAME:
            if getattr(manifest, field) != getattr(first, field):
                raise RunFolderError(
                    f"not shards of one run: their {field.replace('_', ' ')} differ",
                    where=str(folder),
                    found=getattr(manifest, field),
                    allowed=str(getattr(first, field))[:200],
                )
        for what in ("name", "decoding", "weights_sha256"):
            if getattr(manifest.model, what) != getattr(first.model, what):
                raise RunFolderError(
                    f"not shards of one run: the model's {what} differs",
                    where=str(folder),
                    found=getattr(manifest.model, what),
                    allowed=getattr(first.model, what),
                )
    shards = [Shard.parse(manifest.shard) for manifest in manifests]
    count = shards[0].count
    numbers = sorted(shard.number for shard in shards if shard.count == count)
    if numbers != list(range(1, count + 1)) or len(shards) != count:
        missing = [f"{number}/{count}" for number in range(1, count + 1) if number not in numbers]
        raise RunFolderError(
            "not every shard once",
            where=", ".join(str(folder) for folder in folders),
            found=", ".join(map(str, shards)),
            allowed=f"all of 1/{count} to {count}/{count}",
            next_step=f"run the missing ones: {', '.join(missing)}" if missing else "name each shard once",
        )
    return sorted(zip(folders, manifests, strict=True), key=lambda entry: Shard.parse(entry[1].shard).number)
