"""The sources whose folders are their labels: MIT Indoor-67, AID, Celebrity Face Image, Logo-2K+.

`read_class_folders` reads any set with one folder a class; it is a plug-in's shortest reader.
"""

from collections import Counter
from pathlib import Path

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.axes import Axis
from forgetscope.benchmarks.visual.data.concepts import Concept
from forgetscope.benchmarks.visual.data.records import Picture, SplitRequest, SplitSizes
from forgetscope.benchmarks.visual.sources.listing import (
    PICTURE_SUFFIXES,
    ClassListing,
    PictureSource,
    ReadOptions,
    class_folders,
    first_existing,
    named_concepts,
    picture_files,
    read_lines,
    sorted_pictures,
)
from forgetscope.core.errors import DataError


def _read_indoor(source: PictureSource, root: Path, axis: Axis, options: ReadOptions) -> ClassListing:
    """The pictures the two published lists name; the lists hold some hundred of each class."""
    if not (root / "Images").is_dir() or not any((root / name).is_file() for name in _INDOOR_LISTS):
        raise source.missing(root)
    concepts = named_concepts(source, options)
    skipped: Counter[str] = Counter()
    present: dict[str, frozenset[str]] = {}
    pictures: dict[str, Picture] = {}
    for name in _INDOOR_LISTS:
        if not (root / name).is_file():
            continue
        for number, line in enumerate(read_lines(root / name), start=1):
            folder, slash, file = line.partition("/")
            if not slash or "/" in file or folder in (".", "..") or "\\" in line:
                raise DataError(
                    "a line names a class folder and a picture in it",
                    where=f"{root / name}:{number}",
                    found=line,
                    allowed="bakery/bakery_0001.jpg",
                )
            if folder not in concepts:
                skipped["unknown class"] += 1
                continue
            if folder not in present:
                below = root / "Images" / folder
                present[folder] = frozenset(picture_files(below, skipped)) if below.is_dir() else frozenset()
            if Path(file).suffix.lower() not in PICTURE_SUFFIXES or file not in present[folder]:
                skipped["listed picture is not there"] += 1
                continue
            pictures[line] = _picture(source, f"Images/{line}", concepts[folder])
    return ClassListing(source.name, axis, sorted_pictures(pictures.values()), tuple(concepts.values()), dict(skipped))


_INDOOR_LISTS = ("TrainImages.txt", "TestImages.txt")


def read_class_folders(
    source: PictureSource, root: Path, axis: Axis, options: ReadOptions, *, wrapped_in: str = ""
) -> ClassListing:
    """Pictures of the class folders that the source's vocabulary knows; other folders are counted, not guessed at.

    Without a vocabulary every folder is a class, by its name with blanks for underscores.

    Args:
        source: Whose pictures they are, with its vocabulary.
        root: The folder as downloaded.
        axis: What is asked of them.
        options: Another ontology than ours.
        wrapped_in: A folder that may lie between the root and the class folders.
    """
    skipped: Counter[str] = Counter()
    inner = first_existing(root, (wrapped_in,)) if wrapped_in else None
    base, prefix = (inner, f"{inner.name}/") if inner else (root, "")
    folders = class_folders(base, skipped)
    concepts = named_concepts(source, options) or {name: Concept(_words(name)) for name in folders}
    found = [name for name in folders if name in concepts]
    if not found:
        raise source.missing(base)
    skipped["unknown folder"] += len(folders) - len(found)
    pictures = [
        _picture(source, f"{prefix}{folder}/{file}", concepts[folder])
        for folder in found
        for file in picture_files(base / folder, skipped)
    ]
    return ClassListing(source.name, axis, sorted_pictures(pictures), tuple(concepts.values()), _counted(skipped))


def _read_celebrity(source: PictureSource, root: Path, axis: Axis, options: ReadOptions) -> ClassListing:
    return read_class_folders(source, root, axis, options, wrapped_in="Celebrity Faces Dataset")


def _read_logos(source: PictureSource, root: Path, axis: Axis, options: ReadOptions) -> ClassListing:  # noqa: ARG001 - a reader's signature
    """Two levels of folders: root category, brand. Underscores in a brand's folder name are blanks."""
    skipped: Counter[str] = Counter()
    inner = first_existing(root, ("Logo-2K+",))
    base, prefix = (inner, f"{inner.name}/") if inner else (root, "")
    pictures: list[Picture] = []
    concepts: list[Concept] = []
    for category in class_folders(base, skipped):
        for brand in class_folders(base / category, skipped):
            concept = Concept(_words(brand), category)
            concepts.append(concept)
            pictures.extend(
                _picture(source, f"{prefix}{category}/{brand}/{file}", concept)
                for file in picture_files(base / category / brand, skipped)
            )
    if not pictures:
        raise source.missing(base)
    return ClassListing(source.name, axis, sorted_pictures(pictures), tuple(concepts), _counted(skipped))


def _words(folder: str) -> str:
    return " ".join(folder.replace("_", " ").split())


def _picture(source: PictureSource, image: str, concept: Concept) -> Picture:
    return Picture(source=source.name, image=image, class_name=concept.name, supercategory=concept.supercategory)


def _counted(skipped: Counter[str]) -> dict[str, int]:
    return {reason: count for reason, count in skipped.items() if count}


INDOOR67 = PictureSource(
    name="indoor67",
    title="MIT Indoor-67",
    axes=(axes.TYPE_INDOOR,),
    licence="for research",
    where="https://web.mit.edu/torralba/www/indoor.html",
    layout="Images/CLASS/*.jpg, TrainImages.txt and TestImages.txt",
    read=_read_indoor,
    vocabulary="indoor67",
    splits=(
        SplitRequest(
            name="indoor67-random-10",
            source="indoor67",
            axis="type_indoor",
            mode="random_k",
            sizes=SplitSizes(test_per_concept=30, train_per_concept=30, retain_train=1000, retain_test=300),
            k=10,
        ),
    ),
)
AID = PictureSource(
    name="aid",
    title="AID",
    axes=(axes.TYPE_OUTDOOR,),
    licence="for research; the pictures are Google Earth's",
    where="https://captain-whu.github.io/AID/",
    layout="one folder a class (Airport, BareLand, ...) with *.jpg",
    read=read_class_folders,
    vocabulary="aid",
    splits=(
        SplitRequest(
            name="aid-random-5",
            source="aid",
            axis="type_outdoor",
            mode="random_k",
            sizes=SplitSizes(test_per_concept=50, train_per_concept=50, retain_train=1000, retain_test=300),
            k=5,
        ),
    ),
)
CELEBRITY = PictureSource(
    name="celebrity",
    title="Celebrity Face Image Dataset",
    axes=(axes.PERSON,),
    licence="research only",
    where="https://www.kaggle.com/datasets/vishesh1412/celebrity-face-image-dataset",
    layout="one folder a person (Brad Pitt, ...) with *.jpg",
    read=_read_celebrity,
    vocabulary="celebrity",
    splits=(
        SplitRequest(
            name="celebrity-random-5",
            source="celebrity",
            axis="person",
            mode="random_k",
            sizes=SplitSizes(test_per_concept=30, train_per_concept=30, retain_train=500, retain_test=200),
            k=5,
        ),
    ),
    terms="photographs of real persons, licensed for research only and not to be passed on",
)
LOGO2K = PictureSource(
    name="logo2k",
    title="Logo-2K+",
    axes=(axes.LOGO,),
    licence="for research; the logos are trademarks of their owners",
    where="https://github.com/msn199959/Logo-2k-plus-Dataset",
    layout="CATEGORY/BRAND/*.jpg (Food/Starbucks/1.jpg, ...)",
    read=_read_logos,
    splits=(
        SplitRequest(
            name="logo2k-random-10",
            source="logo2k",
            axis="logo",
            mode="random_k",
            sizes=SplitSizes(test_per_concept=1, train_per_concept=1, retain_train=1000, retain_test=300),
            k=10,
        ),
    ),
)
