"""The seven picture sources of the visual paper as folders, in their published layouts, with pictures of one colour.

Each source has the classes of the published one and as many pictures as the thirteen splits of the paper take, so that
the whole experiment can be drawn and run without the sources:

    python benchmarks/visual_source_folders.py SOURCES
    forgetscope visual split all --root SOURCES --acknowledge celebrity --out SPLITS
    forgetscope reproduce visual --model forgetscope/reference/... --data SPLITS --images SOURCES

A folder a source: some 43,000 pictures of 700 bytes. No two are the same file.
"""

import io
import json
import sys
from itertools import count
from pathlib import Path

from PIL import Image
from visual_splits import LAD_CLASSES, LAD_VALUES, LOGO_CATEGORIES

from forgetscope.benchmarks.visual.data.concepts import load_vocabulary

RELATIONS = ("left of", "right of", "on/above", "below", "in front of", "behind")
_NUMBER = count()
_WRITTEN = io.BytesIO()
Image.new("RGB", (32, 24), (120, 80, 40)).save(_WRITTEN, "JPEG")


def picture(path: Path) -> None:
    """A small JPEG; the number after its end makes its bytes its own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_WRITTEN.getvalue() + b"%08d" % next(_NUMBER))


def coco(root: Path, each: int = 210) -> None:
    concepts = load_vocabulary("coco")
    categories = [
        {"id": number, "name": name, "supercategory": concept.supercategory}
        for number, (name, concept) in enumerate(concepts.items(), start=1)
    ]
    images, objects = [], []
    for category in categories:
        for _ in range(each):
            number = len(images) + 1
            name = f"{number:012d}.jpg"
            picture(root / "val2017" / name)
            images.append({"id": number, "file_name": name, "width": 200, "height": 200})
            own = {"id": number, "image_id": number, "category_id": category["id"], "area": 9000.0, "iscrowd": 0}
            objects.append(own | {"bbox": [0.0, 0.0, 90.0, 100.0], "segmentation": []})
    content = {"images": images, "annotations": objects, "categories": categories}
    (root / "annotations").mkdir(parents=True)
    (root / "annotations" / "instances_val2017.json").write_text(json.dumps(content), encoding="utf-8")


def indoor67(root: Path, each: int = 62) -> None:
    lines = [f"{name}/{name}_{number}.jpg" for name in load_vocabulary("indoor67") for number in range(each)]
    for line in lines:
        picture(root / "Images" / line)
    for name, part in (("TrainImages.txt", lines[0::2]), ("TestImages.txt", lines[1::2])):
        (root / name).write_text("\n".join(part) + "\n", encoding="utf-8")


def class_folders(root: Path, vocabulary: str, each: int) -> None:
    for name in load_vocabulary(vocabulary):
        for number in range(each):
            picture(root / name / f"{name}_{number:03d}.jpg")


def logo2k(root: Path, brands: int = 70) -> None:
    for category in LOGO_CATEGORIES:
        for brand in range(brands):
            for number in range(3):
                picture(root / category / f"{category} brand {brand}" / f"{number}.jpg")


def lad(root: Path, each: int = 60) -> None:
    """Every class has one value of each group of its domain, in turn; habitat and behaviour are of animals alone."""
    root.mkdir(parents=True)
    letters = dict(zip("AFVEH", LAD_CLASSES, strict=True))
    groups = {
        letter: [g for g in LAD_VALUES if letter == "A" or g not in ("habitat", "behaviour")] for letter in letters
    }
    attributes = [
        (letter, group, value) for letter in letters for group in groups[letter] for value in LAD_VALUES[group]
    ]
    classes = [
        (f"Label_{letter}_{n:02d}", letter, n) for letter, kind in letters.items() for n in range(LAD_CLASSES[kind])
    ]
    scores, images = [], []
    for label, letter, n in classes:
        own = [
            0.9 if mine == letter and value == LAD_VALUES[group][n % len(LAD_VALUES[group])] else 0.0
            for mine, group, value in attributes
        ]
        scores.append(f"{label}, [ {'  '.join(f'{score:.2f}' for score in own)} ]")
        for number in range(each):
            path = f"images/{label}/{label}_{number}.jpg"
            picture(root / path)
            images.append(f"Img_{len(images):06d}, {label}, [1, 2, 3, 4], {path}")
    words = {"habitat": "lives in", "behaviour": "can"}
    listed = [
        f"Attr_{letter}_{n:03d}, {group}: {words.get(group, 'is')} {value}, x"
        for n, (letter, group, value) in enumerate(attributes)
    ]
    named = [f"{label}, {letters[letter].replace(' ', '_')}_{n}, x" for label, letter, n in classes]
    files = {"attribute_list": listed, "label_list": named, "attributes_per_class": scores, "images": images}
    for name, lines in files.items():
        (root / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def spatialmqa(root: Path, each: int = 600) -> None:
    rows = []
    for number in range(each * len(RELATIONS)):
        picture(root / "test2017" / f"{number:012d}.jpg")
        turned = RELATIONS[number % 6 :] + RELATIONS[: number % 6]
        rows.append(
            {
                "image": f"{number:012d}.jpg",
                "question": f"Where is thing {number}?",
                "options": turned[:4],
                "answer": turned[number // 6 % 4],
            }
        )
    for name, part in (("train", rows[0::2]), ("dev", rows[1::4]), ("test", rows[3::4])):
        (root / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in part), encoding="utf-8")


def write_sources(root: Path) -> None:
    """All seven, below their names."""
    coco(root / "coco")
    indoor67(root / "indoor67")
    class_folders(root / "aid", "aid", 105)
    class_folders(root / "celebrity" / "Celebrity Faces Dataset", "celebrity", 62)
    logo2k(root / "logo2k")
    lad(root / "lad")
    spatialmqa(root / "spatialmqa")


if __name__ == "__main__":
    write_sources(Path(sys.argv[1]))
