"""The sources whose folders are their labels: MIT Indoor-67, AID, Celebrity Face Image, Logo-2K+."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from forgetscope.benchmarks.visual.data.concepts import Concept, load_vocabulary
from forgetscope.benchmarks.visual.data.levels import Axis
from forgetscope.benchmarks.visual.data.records import Picture
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


def _read_indoor(root: Path, axis: Axis, options: ReadOptions) -> ClassListing:
    """The pictures the two published lists name; the lists hold some hundred of each class."""
    if not (root / "Images").is_dir() or not any((root / name).is_file() for name in _INDOOR_LISTS):
        raise INDOOR67.missing(root)
    concepts = named_concepts(load_vocabulary("indoor67"), options)
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
            pictures[line] = _picture("indoor67", f"Images/{line}", concepts[folder])
    return ClassListing("indoor67", axis, sorted_pictures(pictures.values()), tuple(concepts.values()), dict(skipped))


_INDOOR_LISTS = ("TrainImages.txt", "TestImages.txt")


def _read_aid(root: Path, axis: Axis, options: ReadOptions) -> ClassListing:
    return _read_folders(AID, root, axis, named_concepts(load_vocabulary("aid"), options))


def _read_celebrity(root: Path, axis: Axis, options: ReadOptions) -> ClassListing:
    inner = first_existing(root, ("Celebrity Faces Dataset",))
    concepts = named_concepts(load_vocabulary("celebrity"), options)
    return _read_folders(CELEBRITY, root, axis, concepts, below=inner.name if inner else "")


def _read_folders(
    source: PictureSource, root: Path, axis: Axis, concepts: Mapping[str, Concept], below: str = ""
) -> ClassListing:
    """Pictures of the class folders the vocabulary knows; other folders are counted, not guessed at."""
    skipped: Counter[str] = Counter()
    base = root / below
    pictures: list[Picture] = []
    found = [name for name in class_folders(base, skipped) if name in concepts]
    if not found:
        raise source.missing(base)
    skipped["unknown folder"] += len(class_folders(base, Counter())) - len(found)
    prefix = f"{below}/" if below else ""
    for folder in found:
        pictures.extend(
            _picture(source.name, f"{prefix}{folder}/{file}", concepts[folder])
            for file in picture_files(base / folder, skipped)
        )
    return ClassListing(source.name, axis, sorted_pictures(pictures), tuple(concepts.values()), _counted(skipped))


def _read_logos(root: Path, axis: Axis, options: ReadOptions) -> ClassListing:  # noqa: ARG001 - a reader's signature
    """Two levels of folders: root category, brand. Underscores in a brand's folder name are blanks."""
    skipped: Counter[str] = Counter()
    inner = first_existing(root, ("Logo-2K+",))
    base, prefix = (inner, f"{inner.name}/") if inner else (root, "")
    pictures: list[Picture] = []
    concepts: list[Concept] = []
    for category in class_folders(base, skipped):
        for brand in class_folders(base / category, skipped):
            concept = Concept(" ".join(brand.replace("_", " ").split()), category)
            concepts.append(concept)
            pictures.extend(
                _picture("logo2k", f"{prefix}{category}/{brand}/{file}", concept)
                for file in picture_files(base / category / brand, skipped)
            )
    if not pictures:
        raise LOGO2K.missing(base)
    return ClassListing("logo2k", axis, sorted_pictures(pictures), tuple(concepts), _counted(skipped))


def _picture(source: str, image: str, concept: Concept) -> Picture:
    return Picture(source=source, image=image, class_name=concept.name, supercategory=concept.supercategory)


def _counted(skipped: Counter[str]) -> dict[str, int]:
    return {reason: count for reason, count in skipped.items() if count}


INDOOR67 = PictureSource(
    name="indoor67",
    title="MIT Indoor-67",
    axes=(Axis.TYPE_INDOOR,),
    licence="for research",
    where="https://web.mit.edu/torralba/www/indoor.html",
    layout="Images/CLASS/*.jpg, TrainImages.txt and TestImages.txt",
    read=_read_indoor,
)
AID = PictureSource(
    name="aid",
    title="AID",
    axes=(Axis.TYPE_OUTDOOR,),
    licence="for research; the pictures are Google Earth's",
    where="https://captain-whu.github.io/AID/",
    layout="one folder a class (Airport, BareLand, ...) with *.jpg",
    read=_read_aid,
)
CELEBRITY = PictureSource(
    name="celebrity",
    title="Celebrity Face Image Dataset",
    axes=(Axis.PERSON,),
    licence="research only",
    where="https://www.kaggle.com/datasets/vishesh1412/celebrity-face-image-dataset",
    layout="one folder a person (Brad Pitt, ...) with *.jpg",
    read=_read_celebrity,
    terms="photographs of real persons, licensed for research only and not to be passed on",
)
LOGO2K = PictureSource(
    name="logo2k",
    title="Logo-2K+",
    axes=(Axis.LOGO,),
    licence="for research; the logos are trademarks of their owners",
    where="https://github.com/msn199959/Logo-2k-plus-Dataset",
    layout="CATEGORY/BRAND/*.jpg (Food/Starbucks/1.jpg, ...)",
    read=_read_logos,
)
