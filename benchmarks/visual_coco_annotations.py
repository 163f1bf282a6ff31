"""COCO's training annotations at their published size, read from disk: seconds, CPU and peak memory.

The file is made up: 118,287 pictures and 860,001 objects of 80 categories with outlines, about 450 MB, as
`instances_train2017.json` has. The pictures are empty files, which the reader names and never opens. It is read in a
process of its own, so that the peak is the reader's.

    python benchmarks/visual_coco_annotations.py [FOLDER]      # needs 0.5 GB of disk; by default a temporary folder
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from forgetscope.benchmarks.visual.data.concepts import load_vocabulary
from forgetscope.benchmarks.visual.sources import read_source
from forgetscope.benchmarks.visual.sources.listing import ClassListing
from forgetscope.stats.streams import named_stream

PICTURES, OBJECTS, OUTLINES = 118_287, 860_001, 64


def write_annotations(root: Path) -> int:
    """Write annotations and empty pictures below a root; gives the annotation file's bytes."""
    stream = named_stream(0, "synthetic annotations")
    names = [f"{number:012d}.jpg" for number in range(1, PICTURES + 1)]
    (root / "train2017").mkdir(parents=True)
    for name in names:
        (root / "train2017" / name).touch()
    outlines = [
        json.dumps([stream.uniform(0, 640, int(stream.integers(40, 75))).round(2).tolist()]) for _ in range(OUTLINES)
    ]
    concepts = list(load_vocabulary("coco").values())
    # Half of the pictures show one category: more than of the real ones, so that more has to be kept.
    single = stream.integers(0, 2, PICTURES)
    own = stream.integers(0, len(concepts), PICTURES)
    path = root / "annotations" / "instances_train2017.json"
    path.parent.mkdir()
    with path.open("w", encoding="utf-8") as file:
        file.write('{"info": {"year": 2017}, "licenses": [], "images": [')
        file.write(
            ", ".join(
                f'{{"license": 1, "file_name": "{name}", "coco_url": "http://images.example/train2017/{name}", '
                f'"height": 480, "width": 640, "date_captured": "2013-11-14 11:18:45", "id": {number}}}'
                for number, name in enumerate(names, start=1)
            )
        )
        file.write('], "annotations": [')
        for number in range(OBJECTS):
            picture = number % PICTURES
            kind = own[picture] if single[picture] else stream.integers(0, len(concepts))
            file.write(
                f'{", " if number else ""}{{"segmentation": {outlines[number % OUTLINES]}, "area": '
                f'{float(stream.uniform(500, 90_000)):.4f}, "iscrowd": {int(number % 90 == 0)}, "image_id": '
                f'{picture + 1}, "bbox": [199.84, 200.46, 77.71, 70.88], "category_id": {kind + 1}, "id": {number}}}'
            )
        rows = [
            {"supercategory": concept.supercategory, "id": number, "name": concept.name}
            for number, concept in enumerate(concepts, start=1)
        ]
        file.write(f'], "categories": {json.dumps(rows)}}}')
    return path.stat().st_size


def read(root: Path) -> None:
    """Read them and print what it took."""
    started = time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    listing = read_source("coco", root, "identity")
    pictures = len(listing.pictures) if isinstance(listing, ClassListing) else 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        f"{pictures:,} pictures of one category; left out: {dict(listing.skipped)}\n"
        f"{time.perf_counter() - started:.0f} s ({time.process_time():.0f} s of CPU), "
        f"peak {peak / 1024**2:.2f} GB, of it {before / 1024**2:.2f} GB before the file"
    )


def main() -> None:
    if sys.argv[1:2] == ["--read"]:
        read(Path(sys.argv[2]))
        return
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as folder:
        size = write_annotations(Path(folder))
        print(f"annotations of {size / 1e6:.0f} MB", flush=True)
        subprocess.run([sys.executable, __file__, "--read", folder], check=True)


if __name__ == "__main__":
    main()
