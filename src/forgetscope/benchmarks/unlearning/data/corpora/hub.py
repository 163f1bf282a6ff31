"""Rows of data sets on the hub, at pinned revisions, through the `datasets` library and its cache."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pydantic import JsonValue

from forgetscope.core.errors import MissingPartError, UserError


@dataclass(frozen=True)
class HubSplit:
    """One split of a data set on the hub, pinned to a commit."""

    path: str
    config: str
    split: str
    revision: str


Row = dict[str, JsonValue]
RowLoader = Callable[[HubSplit], Iterable[Row]]


def load_rows(wanted: HubSplit) -> Iterable[Row]:
    """The rows of a split.

    Raises:
        MissingPartError: the datasets library is not installed.
        UserError: the hub, the revision or the split cannot be reached.
    """
    try:
        import datasets
    except ImportError:
        raise MissingPartError("official data needs the datasets library", next_step="pip install datasets") from None
    try:
        rows: Iterable[Row] = datasets.load_dataset(
            wanted.path, wanted.config, split=wanted.split, revision=wanted.revision
        )
    except (OSError, ValueError, RuntimeError) as error:
        raise UserError(
            f"cannot load {wanted.path} ({wanted.config}, {wanted.split}) at {wanted.revision[:8]}",
            where="corpus",
            found=f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}",
            next_step="check the network, or name local copies in the settings of the source: path, tofu_path",
        ) from None
    return rows
