"""SpatialMQA: ready-made questions about where things are, over pictures of COCO's test2017."""

from collections import Counter
from pathlib import Path

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.axes import Axis
from forgetscope.benchmarks.visual.data.concepts import load_vocabulary
from forgetscope.benchmarks.visual.data.records import SplitRequest, SplitSizes
from forgetscope.benchmarks.visual.sources.listing import (
    PictureSource,
    QuestionListing,
    ReadOptions,
    SourceQuestion,
    first_existing,
    picture_files,
)
from forgetscope.core.errors import DataError
from forgetscope.io.records import read_records

PARTS = ("train.jsonl", "dev.jsonl", "test.jsonl")
IMAGES = "test2017"


def _read(source: PictureSource, root: Path, axis: Axis, options: ReadOptions) -> QuestionListing:  # noqa: ARG001 - a reader's signature
    """Questions of all three files; where the pictures are here too, those whose picture is missing are left out."""
    folder = first_existing(root, ("Dataset/dataset", "dataset")) or root
    present = [folder / name for name in PARTS if (folder / name).is_file()]
    if not present:
        raise source.missing(folder)
    skipped: Counter[str] = Counter()
    images = frozenset(picture_files(root / IMAGES, skipped)) if (root / IMAGES).is_dir() else None
    if images is None:
        skipped["pictures are not here (test2017/)"] = 1
    questions: list[SourceQuestion] = []
    for path in present:
        for row in read_records(path, SourceQuestion):
            if "/" in row.image or "\\" in row.image:
                raise DataError("a picture is a file name of COCO test2017", where=str(path), found=row.image)
            if images is not None and row.image not in images:
                skipped["picture is not there"] += 1
                continue
            questions.append(row.model_copy(update={"image": f"{IMAGES}/{row.image}"}))
    return QuestionListing(source.name, axis, tuple(questions), dict(skipped), load_vocabulary(source.vocabulary))


SPATIALMQA = PictureSource(
    name="spatialmqa",
    title="SpatialMQA",
    axes=(axes.SPATIAL,),
    licence="annotations Apache-2.0; each picture has its own licence",
    where="https://github.com/ziyan-xiaoyu/SpatialMQA, pictures from https://cocodataset.org/#download",
    layout="train.jsonl, dev.jsonl, test.jsonl (here or in Dataset/dataset/) and COCO's test2017/",
    read=_read,
    vocabulary="attributes",
    splits=(
        SplitRequest(
            name="spatialmqa-random-3",
            source="spatialmqa",
            axis="spatial",
            mode="random_k",
            sizes=SplitSizes(test_per_concept=50, train_per_concept=100, retain_train=1000, retain_test=300),
            k=3,
        ),
    ),
)
