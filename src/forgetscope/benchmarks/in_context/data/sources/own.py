"""A folder of one's own: `dialogues.jsonl`, `instructions.jsonl`, `preferences.jsonl`, any of them."""

from pathlib import Path

from forgetscope.benchmarks.in_context.data.items import FillerDialogue
from forgetscope.benchmarks.in_context.data.sources.records import SourceInstruction, SourcePreference, SourceRows
from forgetscope.core.errors import DataError
from forgetscope.io.records import Provenance, RecordT, file_provenance, read_records

NAMES = ("dialogues.jsonl", "instructions.jsonl", "preferences.jsonl")


def read_folder(folder: Path) -> SourceRows:
    """What is in the folder.

    Raises:
        DataError: no such folder, none of the three files, a line that does not fit.
    """
    if not folder.is_dir() or not any((folder / name).exists() for name in NAMES):
        raise DataError(
            "nothing to build from here",
            where=str(folder),
            allowed=f"a folder with any of {', '.join(NAMES)}",
        )
    entries: list[Provenance] = []
    return SourceRows(
        "own",
        dialogues=_records(folder / NAMES[0], FillerDialogue, entries),
        instructions=_records(folder / NAMES[1], SourceInstruction, entries),
        preferences=_records(folder / NAMES[2], SourcePreference, entries),
        provenance=tuple(entries),
    )


def _records(path: Path, record: type[RecordT], entries: list[Provenance]) -> tuple[RecordT, ...]:
    if not path.exists():
        return ()
    records = read_records(path, record)
    entries.append(file_provenance("own", path, len(records), ""))
    return tuple(records)
