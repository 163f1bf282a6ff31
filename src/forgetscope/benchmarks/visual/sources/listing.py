"""What a reader finds in a source's folder, and what all readers share.

Three kinds of listing: pictures of classes, pictures of classes whose attributes are scored, and questions that
come ready made. Readers list; they open no picture (`pictures.py` does, with care, when one is sent).
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError

from forgetscope.benchmarks.visual.data.axes import Axis
from forgetscope.benchmarks.visual.data.concepts import Concept, load_vocabulary
from forgetscope.benchmarks.visual.data.records import Part, Picture, Side, SplitRequest, VisualRecord
from forgetscope.core.errors import DataError, SettingError
from forgetscope.io.received import parse_json, read_text

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".gif"})


@dataclass(frozen=True)
class ClassListing:
    """Pictures and the class each shows.

    Attributes:
        concepts: Every class, also one without a picture: all may be distractors. A name may occur in two
            supercategories (a brand).
        skipped: Pictures that were passed over, by reason.
    """

    source: str
    axis: Axis
    pictures: tuple[Picture, ...]
    concepts: tuple[Concept, ...]
    skipped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class AttributeListing:
    """Pictures of classes, and how far each attribute value is true of each class.

    The labels are per class, not per picture: a value may be false of the very picture.

    Attributes:
        pictures: `supercategory` is the domain the class belongs to.
        scores: For each class name, each value of its domain with its score, 0-1.
        values: For each domain, its values in the source's order.
        vocabulary: Aliases and clues of the values.
    """

    source: str
    axis: Axis
    pictures: tuple[Picture, ...]
    scores: Mapping[str, Mapping[str, float]]
    values: Mapping[str, tuple[str, ...]]
    skipped: Mapping[str, int] = field(default_factory=dict)
    vocabulary: Mapping[str, Concept] = field(default_factory=dict)


class SourceQuestion(VisualRecord):
    """A question that came with its options. A published row has a stray key, so other fields are passed over.

    Attributes:
        class_name: What the picture shows, where the source says so; else the axis stands for it.
        scale: What the options are measured by, asked with the question; the item's id is made without it.
        concept: What is to be forgotten, where that is not the answer: the person whom the question is about.
        side, part: Where it belongs, in a source that publishes its sides.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    image: str
    question: str
    options: tuple[str, ...]
    answer: str
    class_name: str = ""
    scale: str = ""
    concept: str = ""
    side: Side | None = None
    part: Part | None = None


@dataclass(frozen=True)
class QuestionListing:
    """Ready-made questions over pictures; a picture may have several.

    Attributes:
        vocabulary: Aliases and clues of the options.
    """

    source: str
    axis: Axis
    questions: tuple[SourceQuestion, ...]
    skipped: Mapping[str, int] = field(default_factory=dict)
    vocabulary: Mapping[str, Concept] = field(default_factory=dict)


Listing = ClassListing | AttributeListing | QuestionListing


@dataclass(frozen=True)
class ReadOptions:
    """What a reader may be told.

    Attributes:
        acknowledged: Sources whose terms the user has acknowledged by name.
        ontology: A JSON file from folder names to `display_name` and `supercategory`, instead of ours.
        split: Of a source that publishes its sides, the split to read; by default the first that is here.
        pictures: Folder for the pictures of a source that has them inside its tables.
    """

    acknowledged: frozenset[str] = frozenset()
    ontology: Path | None = None
    split: str = ""
    pictures: Path | None = None


@dataclass(frozen=True)
class PictureSource:
    """A published picture set and how to read it as it is laid out on disk.

    Attributes:
        where: Where it is to be had.
        layout: What must lie below the root, for people.
        read: From the source itself, its root, one of its axes and options to what is there.
        vocabulary: The CSV file with names, supercategories, aliases and clues: the name of one in `data/vocabulary/`,
            or a path; empty where there is none.
        splits: What `forgetscope visual split` can draw from it, by name.
        terms: What must be acknowledged before it is read; empty where nothing must.
        note: What whoever reads a figure of it should know; kept with every split.
    """

    name: str
    title: str
    axes: tuple[Axis, ...]
    licence: str
    where: str
    layout: str
    read: "Callable[[PictureSource, Path, Axis, ReadOptions], Listing]"
    vocabulary: str | Path = ""
    splits: tuple[SplitRequest, ...] = ()
    terms: str = ""
    note: str = ""

    def listing(self, root: Path, axis: str, options: ReadOptions) -> Listing:
        """The listing of this source below a root, for the axis of this name.

        Raises:
            SettingError: the axis is not this source's, or its terms are not acknowledged.
            DataError: it is not here, or not laid out as published.
        """
        found = next((own for own in self.axes if own.name == axis), None)
        if found is None:
            raise SettingError(
                "this source has no such axis",
                where=self.name,
                found=axis,
                allowed=[own.name for own in self.axes],
            )
        if self.terms and self.name not in options.acknowledged:
            raise SettingError(
                f"{self.title}: {self.terms}",
                where=self.name,
                next_step=f"if that is so, say it with --acknowledge {self.name}",
            )
        if not root.is_dir():
            raise self.missing(root)
        return self.read(self, root, found, options)

    def missing(self, path: Path) -> DataError:
        """The error of a source that is not where it was looked for: what to get, and how to lay it out."""
        return DataError(
            f"{self.title} is not here",
            where=str(path),
            allowed=f"a folder with {self.layout}",
            next_step=f"get it from {self.where} ({self.licence}) and name its folder with --root",
        )


class OntologyEntry(VisualRecord):
    """What a class folder is called, and what it belongs to."""

    display_name: str
    supercategory: str


_ENTRIES = TypeAdapter(dict[str, OntologyEntry])


def named_concepts(source: PictureSource, options: ReadOptions) -> Mapping[str, Concept]:
    """The vocabulary by folder name; where an ontology is given, its names and supercategories, with our aliases.

    Raises:
        DataError: the ontology is not readable, or not of this form.
    """
    vocabulary = load_vocabulary(source.vocabulary) if source.vocabulary else {}
    if options.ontology is None:
        return vocabulary
    try:
        rows = parse_json(read_text(options.ontology), where=str(options.ontology))
        entries = _ENTRIES.validate_python(rows)
    except ValidationError as error:
        raise DataError(
            "not an ontology",
            where=str(options.ontology),
            found=" ".join(str(error).split())[:100],
            allowed='{"folder": {"display_name": "...", "supercategory": "..."}, ...}',
        ) from None
    return {
        key: Concept(entry.display_name, entry.supercategory, *_known(vocabulary.get(key), entry.display_name))
        for key, entry in entries.items()
    }


def _known(concept: Concept | None, name: str) -> tuple[tuple[str, ...], str]:
    """Aliases and clue of a concept of ours under another name; our own name is an alias then."""
    if concept is None:
        return (), ""
    aliases = tuple(alias for alias in concept.names if alias.casefold() != name.casefold())
    return aliases, concept.clue


def picture_files(folder: Path, skipped: Counter[str]) -> list[str]:
    """Names of the picture files of a folder, sorted; other files are passed over, odd ones counted."""
    names: list[str] = []
    for entry in os.scandir(folder):
        if entry.name.startswith(".") or not entry.is_file():
            continue
        if Path(entry.name).suffix.lower() not in PICTURE_SUFFIXES:
            skipped["not a picture file"] += 1
        elif not _is_text(entry.name):
            skipped["name is not UTF-8"] += 1
        else:
            names.append(entry.name)
    return sorted(names)


def class_folders(folder: Path, skipped: Counter[str]) -> list[str]:
    """Names of the folders in a folder, sorted; links are not followed."""
    names: list[str] = []
    for entry in os.scandir(folder):
        if entry.name.startswith(".") or not entry.is_dir(follow_symlinks=True):
            continue
        if entry.is_symlink():
            skipped["folder is a link"] += 1
        elif not _is_text(entry.name):
            skipped["name is not UTF-8"] += 1
        else:
            names.append(entry.name)
    return sorted(names)


def _is_text(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\\" not in name


def read_lines(path: Path) -> list[str]:
    """The lines of a text file without surrounding blanks, empty ones left out.

    Raises:
        DataError: missing, unreadable or not UTF-8.
    """
    text = read_text(path)
    return [line.strip() for line in text.splitlines() if line.strip()]


def first_existing(root: Path, candidates: Sequence[str]) -> Path | None:
    """The first of these paths below the root that exists."""
    return next((root / name for name in candidates if (root / name).exists()), None)


def sorted_pictures(pictures: Iterable[Picture]) -> tuple[Picture, ...]:
    """Pictures in order of their paths."""
    return tuple(sorted(pictures, key=lambda picture: picture.image))
