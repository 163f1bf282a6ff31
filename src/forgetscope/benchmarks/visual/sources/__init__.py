"""Visual sources: published picture sets, each read as it is laid out on disk when downloaded.

To add one: a module with one `PictureSource` (reader, axes, the splits drawn from it, licence, where to get it) and its
line in `SOURCES`; or the same from outside, by an entry point of the group `forgetscope.visual_sources`
(`examples/plugins/visual_source`). A new axis is a record in the source's `axes`. A reader lists and checks: it
downloads nothing and opens no picture, but where they lie inside tables (`people`). The axes, splits, terms and notes
of all sources are found here.
"""

from pathlib import Path

from forgetscope.benchmarks.visual.data.axes import AXES, Axis, Level
from forgetscope.benchmarks.visual.data.records import SplitRequest, SplitSizes
from forgetscope.benchmarks.visual.sources.class_sets import read_class_folders
from forgetscope.benchmarks.visual.sources.listing import ClassListing, Listing, PictureSource, ReadOptions
from forgetscope.core.errors import UnknownNameError
from forgetscope.core.registry import Registry

__all__ = [
    "SOURCES",
    "Axis",
    "ClassListing",
    "Level",
    "PictureSource",
    "ReadOptions",
    "SplitRequest",
    "SplitSizes",
    "get_axis",
    "get_split",
    "known_axes",
    "known_splits",
    "read_class_folders",
    "read_source",
]

_HERE = "forgetscope.benchmarks.visual.sources"

SOURCES: Registry[PictureSource] = Registry(
    "visual source",
    "forgetscope.visual_sources",
    {
        "coco": f"{_HERE}.coco:COCO",
        "aid": f"{_HERE}.class_sets:AID",
        "indoor67": f"{_HERE}.class_sets:INDOOR67",
        "celebrity": f"{_HERE}.class_sets:CELEBRITY",
        "logo2k": f"{_HERE}.class_sets:LOGO2K",
        "lad": f"{_HERE}.lad:LAD",
        "spatialmqa": f"{_HERE}.spatialmqa:SPATIALMQA",
        "mllmu": f"{_HERE}.people:MLLMU",
        "clear": f"{_HERE}.people:CLEAR",
    },
    PictureSource,
)
"""The paper's seven (section 3.2), in the order of its Table 1, two benchmarks of people, then plug-ins."""


def read_source(name: str, root: Path, axis: str, options: ReadOptions | None = None) -> Listing:
    """The listing of a source below a root, for one of its axes by name.

    Raises:
        UnknownNameError: no such source.
        SettingError: the axis is not this source's, or its terms are not acknowledged.
        DataError: it is not here, or not laid out as published; the message says where to get it and how to lay it out.
    """
    return SOURCES[name].listing(root, axis, options or ReadOptions())


def known_axes() -> dict[str, Axis]:
    """All axes by name: the paper's, then those that sources bring."""
    brought = {axis.name: axis for source in SOURCES.values() for axis in source.axes}
    return AXES | {name: axis for name, axis in brought.items() if name not in AXES}


def get_axis(name: str) -> Axis:
    """The axis of this name; hyphens are understood.

    Raises:
        UnknownNameError: there is none.
    """
    written = name.strip().lower().replace("-", "_")
    axes = known_axes()
    if written not in axes:
        raise UnknownNameError("no such axis", where="--axis", found=name, allowed=axes)
    return axes[written]


def known_splits() -> dict[str, SplitRequest]:
    """The splits of all sources by name: Table 1's thirteen, in its order, then the others."""
    return {request.name: request for source in SOURCES.values() for request in source.splits}


def get_split(name: str) -> SplitRequest:
    """The split of this name.

    Raises:
        UnknownNameError: there is none.
    """
    splits = known_splits()
    if name not in splits:
        raise UnknownNameError("no such split", where="visual split", found=name, allowed=splits)
    return splits[name]
