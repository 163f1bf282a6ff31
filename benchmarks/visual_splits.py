"""The thirteen splits of the visual benchmark at full size, from synthetic listings: seconds and peak memory.

Listings have the sources' published sizes; no picture is opened. Everything runs in one process, one core.
"""

import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from forgetscope.benchmarks.visual.data.axes import AXES, Axis
from forgetscope.benchmarks.visual.data.concepts import Concept, load_vocabulary
from forgetscope.benchmarks.visual.data.records import Picture
from forgetscope.benchmarks.visual.sources import known_splits
from forgetscope.benchmarks.visual.sources.listing import (
    AttributeListing,
    ClassListing,
    Listing,
    QuestionListing,
    SourceQuestion,
)
from forgetscope.benchmarks.visual.splits.item_files import write_split
from forgetscope.benchmarks.visual.splits.items import build_items
from forgetscope.benchmarks.visual.splits.split import make_split
from forgetscope.stats.streams import named_stream

STREAM = named_stream(0, "synthetic listings")
LOGO_CATEGORIES = {
    "Food": (769, 54507),
    "Clothes": (286, 20413),
    "Institution": (238, 17103),
    "Accessories": (210, 14569),
    "Transportation": (203, 14719),
    "Electronic": (191, 13972),
    "Necessities": (182, 13205),
    "Cosmetic": (115, 7929),
    "Leisure": (99, 7338),
    "Medical": (48, 3385),
}
LAD_CLASSES = {"animal": 50, "fruit": 50, "vehicle": 50, "electronic device": 50, "hairstyle": 30}
LAD_VALUES = {
    "color": ["black", "white", "gray", "brown", "red", "orange", "yellow", "green", "blue", "purple", "pink"],
    "shape": ["long", "globular", "ellipsoidal", "cubic", "flat", "round", "cylindrical", "conical"],
    "size": ["big", "small", "middle"],
    "habitat": ["the ground", "the ocean", "the plains", "the forest", "trees", "mountains", "rivers", "the desert"],
    "behaviour": ["swim", "fly", "walk"],
}


def class_listing(source: str, axis: Axis, concepts: list[Concept], counts: list[int]) -> ClassListing:
    pictures = [
        Picture(
            source=source,
            image=f"{concept.supercategory}/{concept.name}/{n:06d}.jpg",
            class_name=concept.name,
            supercategory=concept.supercategory,
        )
        for concept, count in zip(concepts, counts, strict=True)
        for n in range(count)
    ]
    return ClassListing(source, axis, tuple(pictures), tuple(concepts))


def shares(classes: int, total: int, least: int) -> list[int]:
    weights = STREAM.dirichlet(np.full(classes, 1.5))
    counts = least + STREAM.multinomial(total - least * classes, weights)
    return [int(count) for count in counts]


def brand() -> str:
    """A made-up name of one or two words, as varied as real ones."""
    syllables = ["ba", "cor", "de", "fi", "gal", "ho", "ja", "kel", "lu", "mo", "na", "pra", "ri", "sto", "ti", "vex"]
    words = ["".join(STREAM.choice(syllables, STREAM.integers(2, 5))) for _ in range(STREAM.integers(1, 3))]
    return " ".join(words).title()


def listing(source: str, axis: Axis) -> Listing:
    if source == "logo2k":
        concepts = [
            Concept(brand(), category) for category, (brands, _) in LOGO_CATEGORIES.items() for _ in range(brands)
        ]
        counts = [count for brands, total in LOGO_CATEGORIES.values() for count in shares(brands, total, 20)]
        return class_listing(source, axis, concepts, counts)
    if source == "lad":
        return lad_listing(axis)
    if source == "spatialmqa":
        return spatial_listing(axis)
    total, least = {"coco": (25000, 60), "indoor67": (6700, 100), "aid": (10000, 220), "celebrity": (1800, 100)}[source]
    concepts = list(load_vocabulary(source).values())
    return class_listing(source, axis, concepts, shares(len(concepts), total, least))


def lad_listing(axis: Axis) -> AttributeListing:
    values = LAD_VALUES[axis.name]
    scores, pictures = {}, []
    counts = iter(shares(sum(LAD_CLASSES.values()), 78017, 100))
    for domain, classes in LAD_CLASSES.items():
        for number in range(classes):
            name = f"{domain} {number}"
            scores[name] = {
                value: float(score) for value, score in zip(values, STREAM.beta(0.4, 1.2, len(values)), strict=True)
            }
            pictures += [
                Picture(source="lad", image=f"images/{name}/{n:06d}.jpg", class_name=name, supercategory=domain)
                for n in range(next(counts))
            ]
    return AttributeListing("lad", axis, tuple(pictures), scores, dict.fromkeys(LAD_CLASSES, tuple(values)))


def spatial_listing(axis: Axis) -> QuestionListing:
    relations = ("on/above", "below", "in front of", "behind", "left of", "right of")
    options = [relations[2:], relations, relations[:2] + relations[4:], relations[4:], relations[:2]]
    questions = []
    for number in range(5392):
        own = options[int(STREAM.choice(5, p=[0.62, 0.13, 0.13, 0.09, 0.03]))]
        image = f"test2017/{number if number < 5063 else int(STREAM.integers(5063)):012d}.jpg"
        questions.append(
            SourceQuestion(
                image=image,
                question=f"Where is thing {number}?",
                options=own,
                answer=own[int(STREAM.integers(len(own)))],
            )
        )
    return QuestionListing("spatialmqa", axis, tuple(questions))


def main() -> None:
    started = time.perf_counter()
    built: dict[tuple[str, str], object] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, request in known_splits().items():
            begun = time.perf_counter()
            if (request.source, request.axis) not in built:
                built = {(request.source, request.axis): build_items(listing(request.source, AXES[request.axis]))}
            items = built[request.source, request.axis]
            split = make_split(items.items, request)  # type: ignore[attr-defined]
            write_split(split, Path(folder) / name)
            counts = split.record.counts
            print(
                f"{name:<22} {split.record.items_available:>7,} items  "
                f"train {counts['train_forget.jsonl']:>5} / {counts['train_retain.jsonl']:>5}  "
                f"test {counts['test_forget.jsonl']:>5} / {counts['test_retain.jsonl']:>4}  "
                f"{split.record.divided_groups:>4} divided  {time.perf_counter() - begun:5.1f} s"
            )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(f"all: {time.perf_counter() - started:.0f} s ({time.process_time():.0f} s of CPU), peak {peak:.2f} GB")


if __name__ == "__main__":
    main()
