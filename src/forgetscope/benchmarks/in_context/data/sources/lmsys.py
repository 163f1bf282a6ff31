"""LMSYS-Chat-1M (Zheng et al., 2023): the source of unrelated turns.

English dialogues are kept in which no name was masked (NAME_1) and which OpenAI's moderation, where the rows carry
its verdicts, did not flag. Ours: the paper does not say what it left out.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from forgetscope.benchmarks.in_context.data.items import FillerDialogue
from forgetscope.benchmarks.in_context.data.sources.dialogues import MASK, data_files, placed_rows, read_dialogues
from forgetscope.benchmarks.in_context.data.sources.records import SourceRows
from forgetscope.io.hub import HubSet, RowLoader, load_hub_rows, read_hub_rows
from forgetscope.io.records import Provenance, file_provenance, read_objects, rows_sha256

LICENCE = "LMSYS-Chat-1M Dataset License Agreement"
TERMS = "LMSYS-Chat-1M has a licence agreement of its own, which forbids passing its dialogues on"

HUB = HubSet("lmsys/lmsys-chat-1m", None, "train", "200748d9d3cddcc9d782887541057aca0b18c5da", streaming=True)
"""Gated: the hub wants its agreement accepted and a token."""

ROWS_READ = 20_000
"""Rows read from the hub, from the first: about ten million tokens, more than any filler takes."""


def read_local(place: Path) -> SourceRows:
    """A file in LMSYS-Chat-1M's format, or a folder with such files (its Parquet parts).

    Raises:
        DataError: nothing is there, or a row holds no dialogue.
    """
    left_out: Counter[str] = Counter()
    dialogues, entries = [], []
    for path in data_files(place, called="LMSYS-Chat-1M"):
        rows = list(read_objects(path))
        dialogues += _usable(rows, left_out)
        entries.append(file_provenance("lmsys", path, len(rows), LICENCE))
    return SourceRows("lmsys", tuple(entries), dialogues=tuple(dialogues), left_out=left_out, terms=TERMS)


def read_official(revision: str | None, load: RowLoader = load_hub_rows) -> SourceRows:
    """The first rows of the hub's set at the pinned revision, or another.

    Raises:
        UserError: the hub cannot be reached, or the agreement was not accepted.
    """
    hub = HUB.at(revision)
    rows = read_hub_rows(hub, load, ROWS_READ)
    left_out: Counter[str] = Counter()
    dialogues = _usable(placed_rows(hub, rows), left_out)
    digest = rows_sha256([row.get("conversation_id"), row.get("conversation")] for row in rows)
    entry = Provenance("lmsys", f"{HUB.path} {HUB.split}, first {len(rows)}", hub.revision, digest, len(rows), LICENCE)
    return SourceRows("lmsys", (entry,), dialogues=tuple(dialogues), left_out=left_out, terms=TERMS)


def _usable(rows: Iterable[tuple[str, Mapping[str, object]]], left_out: Counter[str]) -> list[FillerDialogue]:
    kept = []
    for where, row in rows:
        reason = _reason_against(row)
        if reason:
            left_out[reason] += 1
        else:
            kept.append((where, row))
    dialogues = []
    for dialogue in read_dialogues(kept, "lmsys", left_out, id_field="conversation_id"):
        if any(MASK.search(turn.content) for turn in dialogue.turns):
            left_out["masked names"] += 1
        else:
            dialogues.append(dialogue)
    return dialogues


def _reason_against(row: Mapping[str, object]) -> str:
    if row.get("language", "English") != "English":
        return "not English"
    if row.get("redacted"):
        return "masked names"
    verdicts = row.get("openai_moderation")
    if isinstance(verdicts, list) and any(isinstance(entry, dict) and entry.get("flagged") for entry in verdicts):
        return "flagged by moderation"
    return ""
