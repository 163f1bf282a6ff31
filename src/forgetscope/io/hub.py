"""Published data sets from where they are published, at pinned commits, through the `datasets` library and its cache.

Two kinds: rows of a data set on the hub, and files of a repository, compared with the SHA-256 we know of each.
"""

import importlib
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from types import ModuleType

from forgetscope.core.errors import DataError, MissingPartError, UserError
from forgetscope.io.received import LARGEST_SETTINGS, parse_json, read_text
from forgetscope.io.records import file_sha256

RAW_FILES = "https://raw.githubusercontent.com"


@dataclass(frozen=True)
class HubSet:
    """One split of a data set on the hub, pinned to a commit.

    Attributes:
        revision: The commit.
        licence: As its publisher states it.
        streaming: Rows are read as they come, not the whole set.
    """

    path: str
    config: str | None
    split: str
    revision: str
    licence: str = ""
    streaming: bool = False

    def __str__(self) -> str:
        return f"{self.path}{f' ({self.config})' if self.config else ''} {self.split}"

    def at(self, revision: str | None) -> "HubSet":
        """The set at a commit, or at the pinned one."""
        return replace(self, revision=revision or self.revision)

    @property
    def is_cached(self) -> bool:
        """Whether the `datasets` library has it already; it keeps a set in a folder named by its commit."""
        return any(_cache().glob(f"*/{self.config or '*'}/*/{self.revision}"))


HubRow = Mapping[str, object]
RowLoader = Callable[[HubSet], Iterable[HubRow]]


def load_hub_rows(wanted: HubSet) -> Iterable[HubRow]:
    """The rows of a split.

    Raises:
        MissingPartError: the datasets library is not installed.
        UserError: the hub, the revision or the split cannot be reached.
    """
    datasets = _library()
    try:
        rows: Iterable[HubRow] = datasets.load_dataset(
            wanted.path, wanted.config, split=wanted.split, revision=wanted.revision, streaming=wanted.streaming
        )
    except (OSError, ValueError, RuntimeError) as error:
        raise _unreachable(wanted.path, wanted.revision, error) from None
    return rows


def read_hub_rows(wanted: HubSet, load: RowLoader = load_hub_rows, limit: int | None = None) -> list[HubRow]:
    """The first rows of a split, or all.

    Raises:
        UserError: the hub cannot be reached, or the rows break off.
    """
    try:
        return list(islice(load(wanted), limit))
    except (OSError, RuntimeError) as error:
        if isinstance(error, UserError):
            raise
        raise _unreachable(wanted.path, wanted.revision, error) from None


@dataclass(frozen=True)
class PinnedFiles:
    """Files of a repository at a commit.

    Attributes:
        repository: `owner/name`.
        commit: The full hash.
        root: The folder in the repository.
        sha256: Of each file, by its path under the root; empty where no copy was at hand to take it from, so that
            the commit alone vouches for the file.
    """

    repository: str
    commit: str
    root: str
    sha256: Mapping[str, str]

    def revision_of(self, name: str, path: Path) -> str:
        """The commit, where a local copy is the pinned file byte for byte; else empty."""
        known = self.sha256.get(name, "")
        return self.commit if known and file_sha256(path) == known else ""

    def urls(self, commit: str | None = None, base: str = RAW_FILES) -> dict[str, str]:
        """Where each file is served, by its path under the root."""
        place = f"{base}/{self.repository}/{commit or self.commit}/{self.root}"
        return {name: f"{place}/{name}".replace(" ", "%20") for name in self.sha256}

    @property
    def is_cached(self) -> bool:
        """Whether the `datasets` library has them all already; it notes beside each file where it is from."""
        notes = (read_text(path, at_most=LARGEST_SETTINGS) for path in _cache().glob("downloads/*.json"))
        known = (parse_json(note, where="the datasets library's cache") for note in notes)
        return set(self.urls().values()) <= {note.get("url") for note in known if isinstance(note, dict)}

    def fetch(self, commit: str | None = None, base: str = RAW_FILES) -> dict[str, Path]:
        """Every file, by its path under the root, downloaded once and kept in the library's cache.

        Args:
            commit: Another commit than the pinned one; then nothing is known about the contents.
            base: Where the repositories' raw files are served.

        Raises:
            UserError: a file cannot be had.
            DataError: a file is not the one that was pinned.
        """
        at = commit or self.commit
        urls = self.urls(at, base)
        paths = download(urls, self.repository, at)
        for name, path in paths.items():
            wanted = self.sha256[name] if at == self.commit else ""
            if wanted and file_sha256(path) != wanted:
                raise DataError(
                    "the file is not the one that was pinned",
                    where=urls[name],
                    found=file_sha256(path),
                    allowed=wanted,
                    next_step="clear the datasets library's download cache and try again",
                )
        return paths


def download(urls: Mapping[str, str], repository: str, commit: str) -> dict[str, Path]:
    """The files behind addresses, by name, through the library's cache.

    Raises:
        UserError: one cannot be had.
    """
    datasets = _library()
    try:
        cached: dict[str, str] = datasets.DownloadManager(dataset_name=repository).download(dict(urls))
    except (OSError, ValueError, RuntimeError) as error:
        raise _unreachable(repository, commit, error) from None
    return {name: Path(path) for name, path in cached.items()}


def _library() -> ModuleType:
    try:
        return importlib.import_module("datasets")
    except ImportError:
        raise MissingPartError("published data needs the datasets library", next_step="pip install datasets") from None


def _cache() -> Path:
    """Where the library keeps data sets; found without importing it, which takes seconds."""
    home = os.environ.get("HF_HOME", Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "huggingface")
    return Path(os.environ.get("HF_DATASETS_CACHE", Path(home) / "datasets")).expanduser()


def _unreachable(name: str, revision: str, error: Exception) -> UserError:
    first = str(error).splitlines()[0] if str(error) else ""
    return UserError(
        f"cannot load {name} at {revision[:8]}",
        found=f"{type(error).__name__}: {first}",
        next_step="check the network, or give a local copy: --data PATH (for a grid: path, tofu_path)",
    )
