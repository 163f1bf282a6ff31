"""Which dialogues earlier builds into a folder have taken, and what for."""

from pathlib import Path

from forgetscope.benchmarks.build_manifest import BOOKS
from forgetscope.benchmarks.in_context.construction.stages.filler import TakenDialogues
from forgetscope.benchmarks.in_context.data.items import RECORDS, AnyItem, FillerDialogue, dialogues_of, opening
from forgetscope.benchmarks.in_context.data.loading import FILLER_FILE
from forgetscope.io.records import read_objects, read_records

KEPT_NAME, REJECTS_NAME = "kept.jsonl", "rejects.jsonl"


def taken_in(folder: Path) -> TakenDialogues:
    """What lies in a data folder; nothing where there is none.

    Raises:
        DataError: a file does not fit the format.
    """
    fillers = read_records(folder / FILLER_FILE, FillerDialogue) if (folder / FILLER_FILE).exists() else []
    items: list[AnyItem] = []
    for scenario, record in RECORDS.items():
        path = folder / f"{scenario.value}.jsonl"
        items += read_records(path, record) if path.exists() else []
    rows = (
        row
        for name in (KEPT_NAME, REJECTS_NAME)
        for path in (folder / BOOKS).glob(f"*/{name}")
        if path.stat().st_size
        for _, row in read_objects(path)
    )
    sessions = (
        turns[place:]
        for item in items
        for turns in (item.unrelated, item.unrelated_before)
        for place in range(0, len(turns), 2)
    )
    return TakenDialogues(
        frozenset(
            {*(opening(turns) for item in items for turns in dialogues_of(item)), *(str(row["row"]) for row in rows)}
        ),
        frozenset(map(opening, (*(entry.turns for entry in fillers), *sessions))),
    )
