"""Tensors in files: safetensors, read without torch, never a pickle."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from forgetscope.core.errors import DataError, MissingPartError


def weights_folder() -> Path:
    """Where the wheel keeps the embedded model's files."""
    return Path(__file__).parent / "weights"


def load_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """All tensors of a safetensors file by name.

    Raises:
        MissingPartError: The file is not there.
        DataError: The file is damaged.
    """
    with _opened(path) as stored:
        return {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118 - no mapping


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        raise MissingPartError("weights of the embedded visual model are missing", found=str(path))
    try:
        with safe_open(path, framework="np") as stored:
            yield stored
    except (SafetensorError, ValueError) as error:
        raise DataError(f"cannot read tensors: {error}", where=str(path)) from error


def training_seed(folder: Path) -> str:
    """The training seed that the decoders of a folder say they are of.

    Raises:
        MissingPartError: The folder holds no decoder, or one without a seed.
        DataError: Its decoders are of several seeds, or one is damaged.
    """
    seeds: set[str] = set()
    for path in sorted(folder.glob("*-*.safetensors")):
        with _opened(path) as stored:
            seeds.add((stored.metadata() or {}).get("seed", ""))
    if seeds in (set(), {""}):
        raise MissingPartError("no weights of a training seed here", found=str(folder))
    if len(seeds) > 1:
        raise DataError("decoders of several training seeds", where=str(folder), found=", ".join(sorted(seeds)))
    return seeds.pop()
