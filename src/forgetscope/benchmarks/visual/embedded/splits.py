"""The embedded splits, one for each axis that has drawings, and their pictures painted when they are asked for."""

import hashlib
import io
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from forgetscope.benchmarks.visual.data.axes import Axis
from forgetscope.benchmarks.visual.data.pictures import OpenedPicture, PictureError
from forgetscope.benchmarks.visual.data.records import Split, SplitRequest, SplitSizes
from forgetscope.benchmarks.visual.embedded.painting import NAME
from forgetscope.benchmarks.visual.embedded.sheets import pictures_folder
from forgetscope.benchmarks.visual.embedded.source import DRAWN, DrawnAxis, embedded_pictures, listing
from forgetscope.benchmarks.visual.sources.listing import ClassListing, Listing
from forgetscope.benchmarks.visual.splits.items import build_items
from forgetscope.benchmarks.visual.splits.split import make_split
from forgetscope.io.records import rows_sha256

if TYPE_CHECKING:
    from PIL.Image import Image

EMBEDDED_PICTURES = 40
"""Pictures of a concept: half of them measure, half decide whether the model knows it."""

EMBEDDED_SIZES = SplitSizes(test_per_concept=20, train_per_concept=20, retain_train=40, retain_test=60)
"""The retained training items only lend their pictures to the shuffled-image control of eligibility."""
EMBEDDED_LISTED_RETAIN = 160
"""Retained test items where the forget concepts are listed: the axis has hundreds of others."""
EMBEDDED_RETAINED_PICTURES = 2
"""Pictures of each concept to keep, there."""


def embedded_split(name: str) -> "tuple[Split, EmbeddedStore]":
    """One of `EMBEDDED_SPLITS`, right choices in each position equally often, and its pictures."""
    drawn = EMBEDDED_SPLITS[name]
    listed = _thinned(listing(drawn.axis, count=EMBEDDED_PICTURES), frozenset(drawn.forget))
    split = make_split(build_items(listed).items, _request(name, drawn), balance_positions=True)
    return split, EmbeddedStore(drawn.axis)


EMBEDDED_SPLITS = {f"{NAME}-{drawn.axis.name}": drawn for drawn in DRAWN.values()}
"""By name, of which axis: one for each that has drawings."""


def _request(name: str, drawn: DrawnAxis) -> SplitRequest:
    if drawn.forget:
        sizes = EMBEDDED_SIZES.model_copy(update={"retain_test": EMBEDDED_LISTED_RETAIN})
        return SplitRequest(name, NAME, drawn.axis.name, "listed", sizes, concepts=drawn.forget)
    return SplitRequest(name, NAME, drawn.axis.name, "random_k", EMBEDDED_SIZES, k=drawn.k)


def _thinned(listed: Listing, forget: frozenset[str]) -> Listing:
    """A class listing with all pictures of the listed forget concepts and the first few of every other."""
    if not forget or not isinstance(listed, ClassListing):
        return listed
    kept: Counter[str] = Counter()
    pictures = []
    for picture in listed.pictures:
        kept[picture.class_name] += 1
        if picture.class_name in forget or kept[picture.class_name] <= EMBEDDED_RETAINED_PICTURES:
            pictures.append(picture)
    return replace(listed, pictures=tuple(pictures))


class EmbeddedStore:
    """Pictures painted from their names, kept while the process lives."""

    def __init__(self, axis: Axis) -> None:
        self._pictures = {picture.path: picture for picture in embedded_pictures(axis, count=EMBEDDED_PICTURES)}
        self._painted: dict[str, OpenedPicture] = {}

    def open(self, image: str) -> OpenedPicture:
        """The picture of this name, painted once."""
        if image not in self._painted:
            painted, written = self.image(image), io.BytesIO()
            painted.save(written, "PNG")
            self._painted[image] = OpenedPicture(written.getvalue(), "PNG", painted.size)
        return self._painted[image]

    def image(self, image: str) -> "Image":
        """The same, painted and not kept."""
        if image not in self._pictures:
            raise PictureError("no such embedded picture", where=image)
        return self._pictures[image].image()

    def sha256(self, images: Iterable[str]) -> str:
        """Over the names and the drawings' sheets, which decide every pixel."""
        sheets = [path for path in sorted(pictures_folder().iterdir()) if path.is_file()]
        digests = [[path.name, hashlib.sha256(path.read_bytes()).hexdigest()] for path in sheets]
        return rows_sha256([*digests, *sorted(set(images))])
