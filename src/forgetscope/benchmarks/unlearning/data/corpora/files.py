"""A source's local files: there, and nothing outside the folder that was named."""

from pathlib import Path

from forgetscope.core.errors import DataError
from forgetscope.io.files import real_path


def require_folder(folder: Path, holds: str) -> Path:
    """The folder, which is there.

    Raises:
        DataError: it is not.
    """
    if not folder.is_dir():
        raise DataError("no such folder", where="data.corpus.path", found=str(folder), allowed=f"a folder with {holds}")
    return folder


def inside(root: Path, path: Path) -> Path:
    """The path, which does not lead out of `root` by a link.

    Raises:
        DataError: it does.
    """
    if not real_path(path).is_relative_to(real_path(root)):
        raise DataError("leads out of the corpus folder", where=str(path), found=str(real_path(path)))
    return path
