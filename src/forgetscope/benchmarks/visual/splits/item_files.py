"""Items and splits on disk: JSON Lines in and out, also in the form the authors publish theirs in."""

from collections.abc import Iterable
from pathlib import Path

from pydantic import ConfigDict, model_validator

from forgetscope.benchmarks.visual.data.axes import Axis
from forgetscope.benchmarks.visual.data.records import (
    PARTS,
    Item,
    RejectedItem,
    Side,
    Split,
    SplitRecord,
    VisualRecord,
    file_name,
)
from forgetscope.benchmarks.visual.sources import known_axes
from forgetscope.core.errors import DataError
from forgetscope.io.files import make_folder, write_text
from forgetscope.io.received import LARGEST_FORM, text_of
from forgetscope.io.records import parse_record, read_records, validate_record

SPLIT_FILE = "split.json"
REJECTED_FILE = "rejected.jsonl"


class _Loose(VisualRecord):
    """A row of somebody else's file: what is not needed is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _PublishedMeta(_Loose):
    class_name: str
    superclass: str = ""
    forget_concept: str | None = None


class _PublishedItem(_Loose):
    """An item as the authors' repository writes it."""

    id: str
    image: str
    question: str
    choices: tuple[str, ...]
    answer_index: int
    concept_axis: str
    meta: _PublishedMeta


class PromptRow(_Loose):
    """What a prompt needs of an item; other fields are passed over, a `meta` object is looked into.

    Attributes:
        forget_concept: Empty where nothing is to be forgotten, as on the retain side of published files.
        side: `retain` items get no oracle text; without a side an item with a forget concept is to be forgotten.
    """

    question: str
    choices: tuple[str, ...]
    class_name: str
    forget_concept: str = ""
    side: Side | None = None

    @property
    def is_forgotten(self) -> bool:
        """Whether its concept is listed and named by the oracles."""
        return bool(self.forget_concept) and self.side != "retain"


def read_prompt_rows(path: Path) -> list[PromptRow]:
    """Rows of {question, choices, class_name, forget_concept}, JSON Lines; the last may be missing or null.

    Raises:
        DataError: missing, unreadable, or a row lacks a field; names file and line.
    """
    rows = []
    for number, row in enumerate(_objects(path), start=1):
        meta = row.get("meta")
        merged = {**(meta if isinstance(meta, dict) else {}), **row}
        if merged.get("forget_concept") is None:
            merged.pop("forget_concept", None)
        rows.append(validate_record(merged, PromptRow, where=f"{path}, row {number}"))
    return rows


def read_items(path: Path) -> list[Item]:
    """Items of a JSON Lines file, ours or as the authors publish theirs (`answer_index`, `concept_axis`, `meta`).

    Raises:
        DataError: missing, unreadable, a row does not fit, or two have one id.
    """
    items: dict[str, Item] = {}
    for number, row in enumerate(_objects(path), start=1):
        where = f"{path}, row {number}"
        item = _from_published(row, where) if "answer_index" in row else validate_record(row, Item, where=where)
        if item.id in items:
            raise DataError("two items with one id", where=where, found=item.id)
        items[item.id] = item
    return list(items.values())


class ItemRow(VisualRecord):
    """Any JSON object, read before it is known which form it has."""

    model_config = ConfigDict(frozen=True, extra="allow")

    @model_validator(mode="before")
    @classmethod
    def _object_of_text(cls, row: object) -> object:
        if not isinstance(row, dict):
            raise ValueError("a line is one JSON object, in braces")
        return row


def _objects(path: Path) -> list[dict[str, object]]:
    return [dict(row.model_extra or {}) for row in read_records(path, ItemRow)]


def _from_published(row: dict[str, object], where: str) -> Item:
    published = validate_record(row, _PublishedItem, where=where)
    axis = _axis(published.concept_axis, where)
    answer_in_range = 0 <= published.answer_index < len(published.choices)
    value = published.choices[published.answer_index] if answer_in_range else ""
    named = published.meta.forget_concept
    concept = named if named is not None else value if axis.level.forgets_answer_value else published.meta.class_name
    return validate_record(
        {
            "id": published.id.replace("/", "-"),
            "level": axis.level,
            "axis": axis.name,
            "source": published.id.split("_")[0],
            "image": published.image,
            "question": published.question,
            "choices": published.choices,
            "answer": published.answer_index,
            "class_name": published.meta.class_name,
            "forget_concept": concept,
            "supercategory": "" if published.meta.superclass == "unknown" else published.meta.superclass,
        },
        Item,
        where=where,
    )


def _axis(written: str, where: str) -> Axis:
    """Their axis names are ours, some with a prefix: `attribute_color`."""
    name = written.removeprefix("attribute_").removeprefix("privacy_")
    axes = known_axes()
    if name not in axes:
        raise DataError("no such concept axis", where=where, found=written, allowed=axes)
    return axes[name]


def write_records(path: Path, records: Iterable[VisualRecord]) -> None:
    """Records as JSON Lines, fields at their defaults left out.

    Raises:
        RunFolderError: the file cannot be written.
    """
    write_text(path, "".join(record.model_dump_json(exclude_defaults=True) + "\n" for record in records))


def write_split(split: Split, folder: Path) -> None:
    """The four files of a split, `split.json`, and the rejected items where there are any.

    Raises:
        RunFolderError: the folder cannot be written.
    """
    make_folder(folder)
    for part, side in PARTS:
        write_records(folder / file_name(part, side), split.of(part, side))
    if split.rejected:
        write_records(folder / REJECTED_FILE, split.rejected)
    write_text(folder / SPLIT_FILE, split.record.model_dump_json(indent=2) + "\n")


def read_split(folder: Path) -> Split:
    """A split as `write_split` wrote it.

    Raises:
        DataError: a file is missing or does not fit, or an item is in a file it does not belong to.
    """
    record = _read_record(folder / SPLIT_FILE)
    items: list[Item] = []
    for part, side in PARTS:
        path = folder / file_name(part, side)
        found = [] if record.counts.get(path.name) == 0 else read_items(path)
        for item in found:
            if (item.part, item.side) != (part, side):
                raise DataError(f"item {item.id!r} is not of this part", where=str(path), found=(item.part, item.side))
        if len(found) != record.counts.get(path.name):
            raise DataError(
                "not as many items as split.json says",
                where=str(path),
                found=len(found),
                allowed=str(record.counts.get(path.name)),
            )
        items.extend(found)
    rejected = folder / REJECTED_FILE
    return Split(record, tuple(items), tuple(read_records(rejected, RejectedItem)) if rejected.exists() else ())


def _read_record(path: Path) -> SplitRecord:
    try:
        text = text_of(path, at_most=LARGEST_FORM, kind=DataError)
    except FileNotFoundError:
        raise DataError(
            "not a split: it has no split.json", where=str(path.parent), next_step="forgetscope visual split"
        ) from None
    return parse_record(text, SplitRecord, where=str(path))
