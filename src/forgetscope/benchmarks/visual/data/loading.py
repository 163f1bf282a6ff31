"""Where items and their pictures come from: painted by the package, or split folders on disk.

`embedded` paints the pictures of each axis when they are asked for and writes nothing. A folder is one split, or
holds several, as `forgetscope visual split` and `build` write them. Pictures are opened below one root a split.
"""

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from forgetscope.benchmarks.visual.data.pictures import OpenedPicture, PictureError, open_picture
from forgetscope.benchmarks.visual.data.records import Split
from forgetscope.benchmarks.visual.sources import SOURCES
from forgetscope.benchmarks.visual.splits.item_files import SPLIT_FILE, read_split
from forgetscope.core.errors import DataError, SettingError, UnknownNameError
from forgetscope.io.files import real_path
from forgetscope.io.records import Provenance, rows_sha256

if TYPE_CHECKING:
    from PIL.Image import Image

EMBEDDED = "embedded"


class PictureStore(Protocol):
    """Gives the pictures of a split by the paths its items name."""

    def open(self, image: str) -> OpenedPicture:
        """The picture, decoded whole.

        Raises:
            PictureError: it cannot be opened or must not be.
        """
        ...

    def image(self, image: str) -> "Image":
        """The picture as RGB, to be drawn smaller.

        Raises:
            PictureError: likewise.
        """
        ...

    def sha256(self, images: Iterable[str]) -> str:
        """One hash over these pictures, by what they hold or by what they are painted from."""
        ...


@dataclass(frozen=True)
class FolderStore:
    """Pictures below a root on disk.

    Attributes:
        counted: By picture, why it could not be opened when a run was planned; in the hash that counts.
        faults: By picture, why it could not be opened when the pictures were hashed.
    """

    root: Path
    counted: Mapping[str, str] = field(default_factory=dict, compare=False)
    faults: dict[str, str] = field(default_factory=dict, compare=False)

    def open(self, image: str) -> OpenedPicture:
        """The picture at this path below the root."""
        return open_picture(self.root, image)

    def image(self, image: str) -> "Image":
        """The same, its first frame, transparency over white."""
        return self.open(image).image()

    def sha256(self, images: Iterable[str]) -> str:
        """Over the files' bytes; a picture that cannot be opened counts with its reason."""
        return rows_sha256([image, self._hash(image)] for image in sorted(set(images)))

    def _hash(self, image: str) -> str:
        try:
            found = self.open(image).sha256
        except PictureError as error:
            found = self.faults[image] = error.reason
        return self.counted.get(image, found)


@dataclass(frozen=True)
class LoadedSplit:
    """A split with its pictures."""

    split: Split
    pictures: PictureStore


@dataclass(frozen=True)
class VisualData:
    """The splits of a run.

    Attributes:
        source: `embedded`, or the folder as the user named it.
        sha256: Over items, forget lists and pictures.
    """

    source: str
    splits: tuple[LoadedSplit, ...]
    provenance: tuple[Provenance, ...]
    sha256: str

    @property
    def unreadable(self) -> dict[str, str]:
        """By `SPLIT/PICTURE`, why it cannot be opened."""
        stores = ((part.split.record.name, part.pictures) for part in self.splits)
        found = ((name, store.faults) for name, store in stores if isinstance(store, FolderStore))
        return {f"{name}/{image}": reason for name, faults in found for image, reason in faults.items()}

    def open(self, split: str, image: str) -> OpenedPicture:
        """A picture of one of the splits.

        Raises:
            UnknownNameError: no such split.
            PictureError: the picture cannot be opened.
        """
        loaded = self._loaded(split)
        return loaded.pictures.open(image)

    def image(self, split: str, image: str) -> "Image":
        """The same as RGB, to be drawn smaller; one that is painted is not written as a file for it."""
        return self._loaded(split).pictures.image(image)

    def _loaded(self, split: str) -> LoadedSplit:
        for loaded in self.splits:
            if loaded.split.record.name == split:
                return loaded
        raise UnknownNameError("no such split", found=split, allowed=[part.split.record.name for part in self.splits])


@functools.lru_cache(maxsize=4)
def load_data(
    source: str = EMBEDDED, splits: str = "all", images: str = "", counted: tuple[tuple[str, str], ...] = ()
) -> VisualData:
    """The splits of a source, read once in a process.

    Args:
        source: `embedded`, or a folder with `split.json`, or one with such folders.
        splits: `all`, or names separated by commas.
        images: Folder the pictures' paths start from, instead of the one each split names; or one with such a folder
            for each source, by the sources' names.
        counted: Pictures (`SPLIT/PICTURE`) that count in the hash as not to be opened, and why.

    Raises:
        DataError: the folder holds no split, or one that does not fit, or its pictures lie elsewhere.
        SettingError: pictures named for embedded data, `official`, or no split named.
        UnknownNameError: no such split.
    """
    if source == "official":
        raise SettingError(
            "the paper's pictures come from seven sources with their own terms, so they are not fetched here",
            where="--data",
            found=source,
            next_step="lay a source out and draw a split: forgetscope visual split --help",
        )
    if source == EMBEDDED and images:
        raise SettingError("embedded pictures are painted, not read", where="--images", found=images)
    if source == EMBEDDED:
        from forgetscope.benchmarks.visual.embedded.splits import EMBEDDED_SPLITS

        chosen = tuple(_embedded(name) for name in _chosen(EMBEDDED_SPLITS, splits))
    else:
        found = _read_folders(Path(source), images, dict(counted))
        chosen = tuple(found[name] for name in _chosen(found, splits))
    return VisualData(
        source,
        chosen,
        tuple(_provenance(loaded) for loaded in chosen),
        rows_sha256(
            [
                loaded.split.record.items_sha256,
                list(loaded.split.record.forget_concepts),
                loaded.pictures.sha256(item.image for item in loaded.split.items),
            ]
            for loaded in chosen
        ),
    )


def _chosen(found: Iterable[str], splits: str) -> tuple[str, ...]:
    """The names of those that are there which were asked for, in their own order."""
    found, names = tuple(found), [name.strip() for name in splits.split(",") if name.strip()]
    if names == ["all"]:
        return found
    unknown = [name for name in names if name not in found]
    if unknown or not names:
        raise UnknownNameError(
            "no such split",
            where="--splits",
            found=splits,
            allowed=("all", *found),
            next_step=next(filter(None, map(_of_an_axis_without_drawings, unknown)), None),
        )
    return tuple(name for name in found if name in names)


def _of_an_axis_without_drawings(split: str) -> str | None:
    """Where to get a split of an axis that only has no embedded drawings; None where there is no such axis."""
    axis = split.removeprefix(f"{EMBEDDED}-")
    sources = [source for source in SOURCES.values() if axis in {own.name for own in source.axes}]
    if axis == split or not sources:
        return None
    ways = [f"forgetscope visual split {request.name}" for request in sources[0].splits if request.axis == axis]
    return f"the axis {axis} has no embedded drawings; draw a split of {sources[0].title}: {', '.join(ways)}"


def _provenance(loaded: LoadedSplit) -> Provenance:
    record = loaded.split.record
    return Provenance(record.name, f"{record.source} {record.axis}", "", record.items_sha256, len(loaded.split.items))


@functools.cache
def _embedded(name: str) -> LoadedSplit:
    from forgetscope.benchmarks.visual.embedded.splits import embedded_split

    return LoadedSplit(*embedded_split(name))


def _read_folders(folder: Path, images: str, counted: Mapping[str, str]) -> dict[str, LoadedSplit]:
    if not folder.is_dir():
        raise DataError("no such folder", where=str(folder), next_step="forgetscope visual split, or --data embedded")
    holders = (
        [folder] if (folder / SPLIT_FILE).is_file() else sorted(path.parent for path in folder.glob(f"*/{SPLIT_FILE}"))
    )
    if not holders:
        raise DataError(
            f"no split here: neither {SPLIT_FILE} nor folders with one",
            where=str(folder),
            next_step="make one with forgetscope visual split or build",
        )
    found: dict[str, LoadedSplit] = {}
    for holder in holders:
        split = read_split(holder)
        if split.record.name in found:
            raise DataError("two splits of one name", where=str(holder), found=split.record.name)
        start = f"{split.record.name}/"
        own = {name.removeprefix(start): reason for name, reason in counted.items() if name.startswith(start)}
        found[split.record.name] = LoadedSplit(split, FolderStore(_images_root(split, holder, folder, images), own))
    return found


def _images_root(split: Split, holder: Path, folder: Path, images: str) -> Path:
    """Where a split's pictures start: the folder named, or where it holds none of them, the one of the split's source.

    A split made elsewhere must not send pictures of this machine unasked.

    Raises:
        DataError: they lie outside the data folder, and the user did not name their folder.
    """
    if images:
        root, below = Path(images), Path(images) / split.record.source
        has_some = any((root / item.image).is_file() for item in split.items)
        root = below if below.is_dir() and not has_some else root
    else:
        root = holder / split.record.images_root
        if not real_path(root).is_relative_to(real_path(folder)):
            raise DataError(
                "the pictures lie outside the data folder",
                where=str(holder / SPLIT_FILE),
                found=split.record.images_root,
                next_step="say that they may be sent: --images FOLDER",
            )
    if not root.is_dir():
        raise DataError("no such folder of pictures", where=str(root), next_step="name it with --images")
    return root
