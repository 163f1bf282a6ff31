"""Where items and filler dialogues come from: our own, a folder of files in our format, or rows as published.

A folder holds any of `instructional_forgetting.jsonl`, `subtask_revision.jsonl`, `dynamic_preference.jsonl` (one item
a line, see `items`) and `filler.jsonl`. Where a scenario has no such file, all its `*.json` files are read as rows in
the format of ICF-Bench's own (`published_rows`).
"""

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from itertools import chain, zip_longest
from pathlib import Path
from typing import TypeVar

from forgetscope.benchmarks.in_context.data.items import (
    RECORDS,
    AnyItem,
    DynamicPreferenceItem,
    FillerDialogue,
    InstructionalForgettingItem,
    Scenario,
    SubtaskRevisionItem,
    dialogues_of,
    opening,
)
from forgetscope.benchmarks.in_context.data.published_rows import read_published_rows
from forgetscope.core.errors import DataError
from forgetscope.io.records import Provenance, file_sha256, read_records, rows_sha256

FILLER_FILE = "filler.jsonl"
EMBEDDED_FOLDERS = {"embedded": "embedded", "embedded-small": "embedded_small"}
"""Our own items: those of the paper's difficulty, and plainer ones in short dialogues, for models of few weights."""
T = TypeVar("T")


@dataclass(frozen=True)
class InContextData:
    """The items of a data set in their fixed order, its filler, and where they come from.

    Attributes:
        fillers: Without those that an item is made of.
        not_filler: How many those are.
    """

    source: str
    items: tuple[AnyItem, ...]
    fillers: tuple[FillerDialogue, ...]
    provenance: tuple[Provenance, ...]
    sha256: str
    not_filler: int = 0


@functools.lru_cache(maxsize=4)
def load_data(source: str) -> InContextData:
    """The data of a source: one of `EMBEDDED_FOLDERS`, or a folder.

    Raises:
        DataError: a file is missing, unreadable or does not fit the format; an id occurs twice; nothing is there.
    """
    if source in EMBEDDED_FOLDERS:
        with as_file(files("forgetscope.benchmarks.in_context.data").joinpath(EMBEDDED_FOLDERS[source])) as folder:
            return _read_folder(source, folder, f"forgetscope {source}", "Apache-2.0")
    if source == "official":
        raise DataError(
            "the authors' items cannot be had: their repository was not reachable when this was written",
            where="--data official",
            next_step="build items from the same sources with 'forgetscope build in-context', then --data FOLDER",
        )
    return _read_folder(source, Path(source), "", "")


def _read_folder(source: str, folder: Path, name: str, licence: str) -> InContextData:
    if not folder.is_dir():
        allowed = f"{', '.join(EMBEDDED_FOLDERS)}, or a folder with item files"
        raise DataError("no such folder", where=str(folder), allowed=allowed)
    items: dict[Scenario, list[AnyItem]] = {}
    provenance: list[Provenance] = []
    for scenario, record in RECORDS.items():
        own, published = folder / f"{scenario.value}.jsonl", sorted(folder.glob(f"{scenario.value}*.json"))
        for path in [own] if own.exists() else published:
            read = read_records(path, record) if path == own else read_published_rows(path, scenario)
            items.setdefault(scenario, []).extend(read)
            provenance.append(_provenance(scenario.value, path, name, licence, len(read)))
    if not items:
        raise DataError(
            "no items here",
            where=str(folder),
            allowed=", ".join(f"{scenario.value}.jsonl" for scenario in RECORDS),
            next_step="see the benchmark's README for the format, or build items with 'forgetscope build in-context'",
        )
    fillers: list[FillerDialogue] = []
    filler_path = folder / FILLER_FILE
    if filler_path.exists():
        fillers = read_records(filler_path, FillerDialogue)
        provenance.append(_provenance("filler", filler_path, name, licence, len(fillers)))
    ordered = tuple(interleaved([_by_kind(items[scenario]) for scenario in RECORDS if scenario in items]))
    _require_unique(ordered, folder)
    sources = {opening(turns) for item in ordered for turns in dialogues_of(item)}
    unrelated = tuple(entry for entry in fillers if opening(entry.turns) not in sources)
    return InContextData(
        source,
        ordered,
        unrelated,
        tuple(provenance),
        rows_sha256([entry.role, entry.sha256] for entry in provenance),
        len(fillers) - len(unrelated),
    )


def _provenance(role: str, path: Path, name: str, licence: str, rows: int) -> Provenance:
    return Provenance(role, name or path.name, "", file_sha256(path), rows, licence)


def _require_unique(items: Iterable[AnyItem], folder: Path) -> None:
    seen: set[str] = set()
    for item in items:
        if item.id in seen:
            raise DataError("an item id occurs twice", where=str(folder), found=item.id, allowed="one item an id")
        seen.add(item.id)


def _by_kind(items: Sequence[AnyItem]) -> list[AnyItem]:
    """The items of a scenario, its kinds in turn: what is forgotten, what the revision did, how it is expressed."""
    kinds: dict[str, list[AnyItem]] = {}
    for item in items:
        kinds.setdefault(item_kind(item), []).append(item)
    return list(interleaved(kinds.values()))


def item_kind(item: AnyItem) -> str:
    """The factor by which a scenario's items are interleaved."""
    match item:
        case InstructionalForgettingItem():
            return item.forgotten.value
        case SubtaskRevisionItem():
            return item.change
        case DynamicPreferenceItem():
            return item.expression


def interleaved(groups: Iterable[Sequence[T]]) -> Iterator[T]:
    """One of each group in turn, until all are used up.

    >>> list(interleaved([[1, 2, 3], [10]]))
    [1, 10, 2, 3]
    """
    missing = object()
    for entry in chain.from_iterable(zip_longest(*groups, fillvalue=missing)):
        if entry is not missing:
            yield entry  # type: ignore[misc]
