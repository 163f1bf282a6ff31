"""What a benchmark says of a data set it can be run on or built from: what it is for, where it is, how it is read."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from forgetscope.core.errors import DataError
from forgetscope.io.hub import HubSet, PinnedFiles
from forgetscope.io.records import Provenance


@dataclass(frozen=True)
class Inventory:
    """What a source was found to hold, read to its last line.

    Attributes:
        entries: One for each part, with its rows and hash.
        notes: What else a person should know: parts that are missing, rows that are left out.
    """

    entries: tuple[Provenance, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class DataSource:
    """A data set of a benchmark. Each way of reading it reads to the last line, and is None where there is no such way.

    Attributes:
        name: What the command line calls it.
        role: What the benchmark uses it for.
        licence: As its publisher states it.
        published: Where it is published: on the hub, as files of a repository, or an address for people.
        embedded: Reads it from the package.
        local: Reads a local copy, a file or a folder.
        official: Reads it from where it is published, through the cache.
        folder: What a local copy is called below FORGETSCOPE_DATA, where that is not the name.
    """

    name: str
    role: str
    licence: str
    published: HubSet | PinnedFiles | str = ""
    embedded: Callable[[], Inventory] | None = None
    local: Callable[[Path], Inventory] | None = None
    official: Callable[[], Inventory] | None = None
    folder: str = ""

    @property
    def where(self) -> str:
        """Where it is published, in words."""
        match self.published:
            case HubSet():
                return str(self.published)
            case PinnedFiles(repository, _, root):
                return f"{repository} {root}"
            case str(text):
                return text

    @property
    def revision(self) -> str:
        """The pinned commit; empty where there is none."""
        match self.published:
            case HubSet(revision=revision):
                return revision
            case PinnedFiles(commit=commit):
                return commit
        return ""

    @property
    def copy(self) -> Path | None:
        """The local copy below FORGETSCOPE_DATA, where that is set and has one."""
        root = os.environ.get("FORGETSCOPE_DATA")
        place = Path(root, self.folder or self.name) if root and self.local else None
        return place if place is not None and place.exists() else None

    @property
    def state(self) -> str:
        """Whether it is here, in words."""
        if self.embedded is not None:
            return "embedded"
        if self.copy is not None:
            return "local copy"
        if not isinstance(self.published, str) and self.published.is_cached:
            return "cached"
        return "not fetched" if self.official is not None else "local files"

    @property
    def is_here(self) -> bool:
        """Whether it can be read without a network."""
        return self.state in ("embedded", "local copy", "cached")

    def read(self, place: Path | None = None) -> Inventory:
        """What it holds, read to the last line: from this place, else from where it is.

        Raises:
            DataError: it is not here and cannot be fetched, or a line does not fit.
            UserError: it cannot be fetched.
        """
        place = place or self.copy
        if place is not None and self.local is not None:
            return self.local(place)
        found = self.embedded or self.official
        if found is None:
            raise DataError(
                "local files are needed",
                where=self.name,
                allowed=self.where or None,
                next_step=f"forgetscope data verify BENCHMARK {self.name} PATH, or PATH below FORGETSCOPE_DATA",
            )
        return found()
