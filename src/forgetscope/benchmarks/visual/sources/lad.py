"""LAD, the Large-scale Attribute Dataset: classes of five domains with scored attribute values.

Four text files, fields separated by commas:

* `attribute_list.txt`: `Attr_A_005, color: is brown, ...`; the letter is the domain;
* `label_list.txt`: `Label_A_01, antelope, ...`;
* `attributes_per_class.txt`: `Label_A_01, [ 0.00 0.85 ... ]`, one score for each attribute of all domains, the
  domains in the order A, F, V, E, H;
* `images.txt`: picture id, label id, box, path (the last field).

Scores belong to a class, so a value may be false of a single picture; the benchmark's README says so.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.axes import Axis
from forgetscope.benchmarks.visual.data.concepts import load_vocabulary
from forgetscope.benchmarks.visual.data.records import Picture, SplitMode, SplitRequest, SplitSizes
from forgetscope.benchmarks.visual.sources.listing import (
    AttributeListing,
    PictureSource,
    ReadOptions,
    first_existing,
    read_lines,
    sorted_pictures,
)
from forgetscope.core.errors import DataError

DOMAINS = {"A": "animal", "F": "fruit", "V": "vehicle", "E": "electronic device", "H": "hairstyle"}
"""Letter to name, in the order of the score vectors."""

_FILES = ("attribute_list.txt", "label_list.txt", "attributes_per_class.txt", "images.txt")
_LEAD = re.compile(r"^(?:is|can|has|have|eats|tastes|moves|lives (?:in|on))\s+")


@dataclass(frozen=True)
class _Value:
    """An attribute value of the wanted group: where its score stands, and its short name."""

    index: int
    name: str


def short_value(description: str) -> str:
    """The value a description states, as short as a choice.

    >>> short_value("is small (compared to pigs)"), short_value("lives in the ocean"), short_value("can swim")
    ('small', 'the ocean', 'swim')
    """
    return _LEAD.sub("", re.sub(r"\s*\([^)]*\)", "", description).strip()).strip()


def _read(source: PictureSource, root: Path, axis: Axis, options: ReadOptions) -> AttributeListing:  # noqa: ARG001 - a reader's signature
    folder = first_existing(root, ("LAD_annotations",)) or root
    for name in _FILES:
        if not (folder / name).is_file():
            raise source.missing(folder / name)
    values, width = _values(folder / _FILES[0], group=axis.name)
    if not values:
        raise DataError(f"no attribute of the group {axis.name!r}", where=str(folder / _FILES[0]))
    classes = _classes(folder / _FILES[1], domains=values)
    scores = _scores(folder / _FILES[2], classes, values, width)
    skipped: Counter[str] = Counter()
    pictures = _pictures(folder / _FILES[3], classes, scores, skipped)
    return AttributeListing(
        source.name,
        axis,
        pictures,
        {name: scores[label] for label, (name, _) in classes.items() if label in scores},
        {DOMAINS[letter]: tuple(dict.fromkeys(value.name for value in own)) for letter, own in values.items()},
        dict(skipped),
        load_vocabulary(source.vocabulary),
    )


def _fields(line: str, least: int, where: str) -> list[str]:
    fields = [field.strip() for field in line.split(",")]
    if len(fields) < least:
        raise DataError(f"a line has at least {least} fields separated by commas", where=where, found=line)
    return fields


def _letter(identifier: str, where: str) -> str:
    """The domain letter of `Attr_A_005` or `Label_A_01`."""
    parts = identifier.split("_")
    if len(parts) < 3 or parts[1] not in DOMAINS:
        raise DataError("no domain in this identifier", where=where, found=identifier, allowed="such as Label_A_01")
    return parts[1]


def _values(path: Path, *, group: str) -> tuple[dict[str, list[_Value]], int]:
    """The values of a group by domain letter, and the length of a score vector."""
    by_domain: dict[str, list[str]] = {letter: [] for letter in DOMAINS}
    for number, line in enumerate(read_lines(path), start=1):
        identifier, description = _fields(line, 2, f"{path}:{number}")[:2]
        by_domain[_letter(identifier, f"{path}:{number}")].append(description)
    values: dict[str, list[_Value]] = {}
    index = 0
    for letter, descriptions in by_domain.items():
        for description in descriptions:
            name, colon, value = description.partition(":")
            if colon and name.strip().lower() == group and short_value(value.strip()):
                values.setdefault(letter, []).append(_Value(index, short_value(value.strip())))
            index += 1
    return values, index


def _classes(path: Path, *, domains: Mapping[str, object]) -> dict[str, tuple[str, str]]:
    """Label id to class name and domain name, for the domains that have the group."""
    classes: dict[str, tuple[str, str]] = {}
    for number, line in enumerate(read_lines(path), start=1):
        label, name = _fields(line, 2, f"{path}:{number}")[:2]
        letter = _letter(label, f"{path}:{number}")
        if letter in domains:
            classes[label] = (name.replace("_", " "), DOMAINS[letter])
    return classes


def _scores(
    path: Path, classes: Mapping[str, tuple[str, str]], values: Mapping[str, list[_Value]], width: int
) -> dict[str, dict[str, float]]:
    """Label id to the scores of its domain's values; of two values with one name the higher counts."""
    scores: dict[str, dict[str, float]] = {}
    for number, line in enumerate(read_lines(path), start=1):
        where = f"{path}:{number}"
        label = _fields(line, 1, where)[0]
        if label not in classes:
            continue
        listed = re.search(r"\[([^\]]*)\]", line)
        try:
            vector = [float(text) for text in re.split(r"[\s,]+", listed.group(1).strip())] if listed else []
        except ValueError:
            raise DataError("a score is not a number", where=where, found=line) from None
        if len(vector) != width:
            raise DataError(f"a class has one score for each of the {width} attributes", where=where, found=len(vector))
        own: dict[str, float] = {}
        for value in values[_letter(label, where)]:
            own[value.name] = max(own.get(value.name, 0.0), vector[value.index])
        scores[label] = own
    return scores


def _pictures(
    path: Path,
    classes: Mapping[str, tuple[str, str]],
    scores: Mapping[str, Mapping[str, float]],
    skipped: Counter[str],
) -> tuple[Picture, ...]:
    pictures: dict[str, Picture] = {}
    for number, line in enumerate(read_lines(path), start=1):
        fields = _fields(line, 3, f"{path}:{number}")
        label, image = fields[1], fields[-1].replace("\\", "/")
        if label not in classes:
            continue
        if label not in scores:
            skipped["class without scores"] += 1
            continue
        name, domain = classes[label]
        try:
            pictures[image] = Picture(source="lad", image=image, class_name=name, supercategory=domain)
        except ValidationError:
            raise DataError(
                "a picture is named by a path below the root", where=f"{path}:{number}", found=image
            ) from None
    return sorted_pictures(pictures.values())


def _request(
    name: str, axis: str, test: int, train: int, retain_train: int, retain_test: int, *, k: int = 1, target: str = ""
) -> SplitRequest:
    sizes = SplitSizes(
        test_per_concept=test, train_per_concept=train, retain_train=retain_train, retain_test=retain_test
    )
    mode: SplitMode = "single_target" if target else "random_k"
    return SplitRequest(name, "lad", axis, mode, sizes, k, (target,) if target else ())


LAD = PictureSource(
    name="lad",
    title="LAD (Large-scale Attribute Dataset)",
    axes=(axes.COLOR, axes.SHAPE, axes.SIZE, axes.HABITAT, axes.BEHAVIOUR),
    licence="for research",
    where="https://github.com/PatrickZH/A-Large-scale-Attribute-Dataset-for-Zero-shot-Learning",
    layout="attribute_list.txt, label_list.txt, attributes_per_class.txt, images.txt (here or in LAD_annotations/) "
    "and the images/ they name",
    read=_read,
    vocabulary="attributes",
    splits=(
        _request("lad-color-random-3", "color", 100, 200, 2000, 500, k=3),
        _request("lad-color-black", "color", 200, 200, 2000, 500, target="black"),
        _request("lad-shape-random-3", "shape", 100, 200, 2000, 500, k=3),
        _request("lad-size-big", "size", 300, 300, 1500, 500, target="big"),
        _request("lad-habitat-random-3", "habitat", 50, 100, 1000, 300, k=3),
        _request("lad-behaviour-swim", "behaviour", 200, 200, 1000, 300, target="swim"),
    ),
    note="LAD's labels are per class: a value may be false of the very picture",
)
