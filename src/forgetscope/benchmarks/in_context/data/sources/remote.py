"""Published sets from where they are published, at a pinned commit, through the `datasets` library and its cache.

Two kinds: files of a repository at a commit, whose contents are compared with the SHA-256 we know, and rows of a hub
data set at a revision.
"""

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from forgetscope.benchmarks.in_context.data.sources.reading import PlacedRow, Row
from forgetscope.core.errors import DataError, MissingPartError, SettingError, UserError
from forgetscope.io.records import file_sha256

RAW_FILES = "https://raw.githubusercontent.com"
LOCAL_COPY = "check the network, or give a local copy with --data PATH"


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
        urls = {name: f"{base}/{self.repository}/{at}/{self.root}/{name}".replace(" ", "%20") for name in self.sha256}
        paths = _download(urls, self.repository, at)
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


def _download(urls: Mapping[str, str], repository: str, commit: str) -> dict[str, Path]:
    datasets = _library()
    try:
        cached: dict[str, str] = datasets.DownloadManager(dataset_name=repository).download(dict(urls))
    except (OSError, ValueError, RuntimeError) as error:
        raise _unreachable(repository, commit, error) from None
    return {name: Path(path) for name, path in cached.items()}


@dataclass(frozen=True)
class HubRows:
    """A data set on the hub.

    Attributes:
        revision: The pinned commit; None where none could be checked when this was written, so that one must be given.
        streaming: Rows are read as they come, not the whole set.
    """

    path: str
    split: str
    revision: str | None
    streaming: bool = False


RowLoader = Callable[[HubRows, str], Iterable[Row]]


def load_hub_rows(hub: HubRows, revision: str) -> Iterable[Row]:
    """The rows of a hub data set at a revision.

    Raises:
        UserError: the hub, or the set on it, cannot be reached.
    """
    datasets = _library()
    try:
        rows: Iterable[Row] = datasets.load_dataset(
            hub.path, split=hub.split, revision=revision, streaming=hub.streaming
        )
        return rows
    except (OSError, ValueError, RuntimeError) as error:
        raise _unreachable(hub.path, revision, error) from None


def placed_hub_rows(
    hub: HubRows, revision: str | None, limit: int | None, load: RowLoader
) -> tuple[list[PlacedRow], str]:
    """The first rows of a hub set with their places, and the revision they are of.

    Raises:
        SettingError: no revision is pinned here and none was given.
        UserError: the hub cannot be reached, or the rows break off.
    """
    at = revision or hub.revision
    if at is None:
        raise SettingError(
            f"no commit of {hub.path} is pinned here: none could be checked when this was written",
            where="--revision",
            next_step="give the full commit hash with --revision, or a local copy with --data PATH",
        )
    placed: list[PlacedRow] = []
    try:
        for number, row in enumerate(load(hub, at), start=1):
            placed.append((f"{hub.path}, row {number}", row))
            if limit is not None and number >= limit:
                break
    except (OSError, RuntimeError) as error:
        raise _unreachable(hub.path, at, error) from None
    return placed, at


def _library() -> ModuleType:
    try:
        return importlib.import_module("datasets")
    except ImportError:
        raise MissingPartError("published data needs the datasets library", next_step="pip install datasets") from None


def _unreachable(name: str, revision: str, error: Exception) -> UserError:
    first = str(error).splitlines()[0] if str(error) else ""
    return UserError(
        f"cannot load {name} at {revision[:8]}",
        where="--source",
        found=f"{type(error).__name__}: {first}",
        next_step=LOCAL_COPY,
    )
