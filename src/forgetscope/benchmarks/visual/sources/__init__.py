"""The seven sources of the paper (section 3.2), each read as it is laid out on disk when downloaded.

To add one: a module with a `PictureSource` (its `read` gives a listing), and its line in `SOURCES` below. A reader
lists and checks; it opens no picture and downloads nothing.
"""

from pathlib import Path

from forgetscope.benchmarks.visual.data.levels import Axis
from forgetscope.benchmarks.visual.sources.class_sets import AID, CELEBRITY, INDOOR67, LOGO2K
from forgetscope.benchmarks.visual.sources.coco import COCO
from forgetscope.benchmarks.visual.sources.lad import LAD
from forgetscope.benchmarks.visual.sources.listing import (
    AttributeListing,
    ClassListing,
    Listing,
    PictureSource,
    QuestionListing,
    ReadOptions,
    SourceQuestion,
)
from forgetscope.benchmarks.visual.sources.spatialmqa import SPATIALMQA
from forgetscope.core.errors import UnknownNameError

__all__ = [
    "SOURCES",
    "AttributeListing",
    "ClassListing",
    "Listing",
    "PictureSource",
    "QuestionListing",
    "ReadOptions",
    "SourceQuestion",
    "get_source",
    "read_source",
]

SOURCES = {source.name: source for source in (COCO, INDOOR67, AID, LAD, SPATIALMQA, CELEBRITY, LOGO2K)}


def get_source(name: str) -> PictureSource:
    """The source of this name.

    Raises:
        UnknownNameError: there is none.
    """
    if name not in SOURCES:
        raise UnknownNameError("no such source", where="--source", found=name, allowed=SOURCES)
    return SOURCES[name]


def read_source(name: str, root: Path, axis: Axis, options: ReadOptions | None = None) -> Listing:
    """The listing of a source below a root, for one of its axes.

    Raises:
        UnknownNameError: no such source.
        SettingError: the axis is not this source's, or its terms are not acknowledged.
        DataError: it is not here, or not laid out as published; the message says where to get it and how to lay it out.
    """
    return get_source(name).listing(root, axis, options or ReadOptions())
