"""COCO 2017: the objects of pictures that show one category only.

The annotation file (450 MB for the training pictures) is streamed, never held: three passes, for pictures, objects
and categories, keep a few numbers a picture.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import ijson  # ships no types

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.axes import Axis
from forgetscope.benchmarks.visual.data.concepts import Concept, load_vocabulary
from forgetscope.benchmarks.visual.data.records import Picture, SplitRequest, SplitSizes
from forgetscope.benchmarks.visual.sources.listing import (
    ClassListing,
    PictureSource,
    ReadOptions,
    picture_files,
    sorted_pictures,
)
from forgetscope.core.errors import DataError

PARTS = ("train2017", "val2017")
SMALLEST_SHARE = 0.02
"""Share of the picture's area the object covers at least (protocols.md, section 2)."""


@dataclass
class _Seen:
    """What the objects of a picture come to: the largest of its categories, or why it is no picture of one."""

    category: int
    largest: float
    several: bool = False
    crowd: bool = False


def _read(source: PictureSource, root: Path, axis: Axis, options: ReadOptions) -> ClassListing:  # noqa: ARG001 - a reader's signature
    annotated = [part for part in PARTS if _annotations(root, part).is_file()]
    if not annotated:
        raise source.missing(root)
    skipped: Counter[str] = Counter()
    concepts: dict[int, Concept] = {}
    pictures: list[Picture] = []
    for part in annotated:
        folder = root / part
        if not folder.is_dir():
            raise source.missing(folder)
        path = _annotations(root, part)
        concepts.update(_categories(source, path))
        pictures.extend(_pictures(path, part, frozenset(picture_files(folder, skipped)), concepts, skipped))
    return ClassListing(source.name, axis, sorted_pictures(pictures), tuple(concepts.values()), dict(skipped))


def _annotations(root: Path, part: str) -> Path:
    return root / "annotations" / f"instances_{part}.json"


def _pictures(
    path: Path, part: str, present: frozenset[str], concepts: dict[int, Concept], skipped: Counter[str]
) -> Iterator[Picture]:
    seen = _objects(path)
    for row in _stream(path, "images.item"):
        found = seen.get(int(_number(row, "id", path)))
        name, area = str(row.get("file_name")), _number(row, "width", path) * _number(row, "height", path)
        reason = _reason_against(found, area)
        if reason is None and name not in present:
            reason = "annotated picture is not there"
        if reason is not None or found is None:
            skipped[reason or "no object"] += 1
            continue
        if found.category not in concepts:
            raise DataError("an object of a category the file does not list", where=str(path), found=found.category)
        concept = concepts[found.category]
        yield Picture(
            source="coco", image=f"{part}/{name}", class_name=concept.name, supercategory=concept.supercategory
        )


def _reason_against(seen: _Seen | None, area: float) -> str | None:
    """Why a picture does not show exactly one category well enough to be asked about."""
    if seen is None:
        return "no object"
    if seen.crowd:
        return "a crowd"
    if seen.several:
        return "several categories"
    if area <= 0 or seen.largest / area < SMALLEST_SHARE:
        return "object below 2% of the area"
    return None


def _objects(path: Path) -> dict[int, _Seen]:
    """What is annotated, by picture id."""
    seen: dict[int, _Seen] = {}
    for row in _stream(path, "annotations.item"):
        image, category = int(_number(row, "image_id", path)), int(_number(row, "category_id", path))
        area, crowd = _number(row, "area", path), bool(row.get("iscrowd", 0))
        before = seen.get(image)
        if before is None:
            seen[image] = _Seen(category, area, crowd=crowd)
            continue
        before.several = before.several or before.category != category
        before.crowd = before.crowd or crowd
        before.largest = max(before.largest, area)
    return seen


def _categories(source: PictureSource, path: Path) -> dict[int, Concept]:
    known = load_vocabulary(source.vocabulary)
    found: dict[int, Concept] = {}
    for row in _stream(path, "categories.item"):
        name, supercategory = str(row.get("name")), str(row.get("supercategory") or "")
        ours = known.get(name)
        found[int(_number(row, "id", path))] = Concept(
            name, supercategory, ours.aliases if ours else (), ours.clue if ours else ""
        )
    if not found:
        raise DataError("the annotation file lists no categories", where=str(path), allowed="COCO 2017 instances")
    return found


def _stream(path: Path, prefix: str) -> Iterator[dict[str, object]]:
    """The objects of one array of a JSON file, one at a time.

    Raises:
        DataError: not JSON, cut off, or an entry is no object.
    """
    try:
        with path.open("rb") as stream:
            for row in ijson.items(stream, prefix, use_float=True):
                if not isinstance(row, dict):
                    raise DataError(f"an entry of {prefix} is no object", where=str(path), found=row)
                yield row
    except (ijson.JSONError, UnicodeDecodeError) as error:
        raise DataError("not readable JSON", where=str(path), found=" ".join(str(error).split())[:100]) from None
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", where=str(path)) from None


def _number(row: dict[str, object], key: str, path: Path) -> float:
    value = row.get(key)
    if not isinstance(value, int | float):
        raise DataError(f"{key!r} is not a number", where=str(path), found=value, allowed="COCO 2017 instances")
    return value


COCO = PictureSource(
    name="coco",
    title="COCO 2017",
    axes=(axes.IDENTITY,),
    licence="annotations CC BY 4.0; each picture has its own licence",
    where="https://cocodataset.org/#download",
    layout="annotations/instances_train2017.json, annotations/instances_val2017.json, train2017/ and val2017/ "
    "(either part alone will do)",
    read=_read,
    vocabulary="coco",
    splits=(
        SplitRequest("coco-random-10", "coco", "identity", "random_k", SplitSizes(), k=10),
        SplitRequest("coco-balanced-10", "coco", "identity", "superclass_balanced_k", SplitSizes(), k=10),
    ),
)
