"""`build.json`: what a build was, precisely enough to go on with it and to repeat it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from forgetscope.core.errors import RunFolderError
from forgetscope.core.version import VERSION
from forgetscope.io.files import write_text
from forgetscope.io.received import read_form
from forgetscope.io.records import Provenance

BUILD_NAME = "build.json"
BOOKS = "construction"
"""The folder inside a data folder that holds each build's books, one folder a source."""


class BuildManifest(BaseModel):
    """The content of `build.json`.

    Attributes:
        models: The specification of the `builder` and of the model that answers for the `gates`.
        settings: Of the construction; paths as the user gave them.
        rows: Planned, by kind.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    manifest_version: Literal[1] = 1
    forgetscope: str
    inspect_ai: str
    prompts_version: str
    models: dict[str, dict[str, JsonValue]]
    settings: dict[str, JsonValue]
    data: list[dict[str, JsonValue]]
    data_sha256: str
    left_out: dict[str, int]
    terms: list[str]
    rows: dict[str, int]
    started: str
    finished: str | None = None
    status: Literal["running", "complete", "incomplete"] = "running"

    def differs_from(self, other: "BuildManifest") -> str:
        """What would make the other build another one; empty where the two are the same."""
        for name in ("prompts_version", "models", "data_sha256", "rows"):
            if getattr(self, name) != getattr(other, name):
                return name
        mine, its = ({**entry.settings, **_PLACES} for entry in (self, other))
        return next((name for name in mine if mine[name] != its.get(name)), "")

    def goes_on(self, books: Path) -> "BuildManifest | None":
        """The manifest of the same build in a folder, to go on with; None where there is none yet.

        Raises:
            RunFolderError: the folder holds another build.
        """
        earlier = read_manifest(books)
        difference = "" if earlier is None else earlier.differs_from(self)
        if difference:
            raise RunFolderError(
                f"the folder holds a build with another {difference.replace('_', ' ')}",
                where=str(books),
                next_step="repeat the options of that build to go on with it, or choose another folder with --out",
            )
        return earlier


_PLACES: dict[str, JsonValue] = {"data": None, "filler_data": None}
"""Where a local copy lies makes no difference; its hash does."""


def new_manifest(
    prompts_version: str,
    models: dict[str, dict[str, JsonValue]],
    settings: dict[str, JsonValue],
    provenance: Sequence[Provenance],
    data_sha256: str,
    rows: dict[str, int],
    *,
    left_out: Mapping[str, int] | None = None,
    terms: Sequence[str] = (),
) -> BuildManifest:
    """The manifest of a build about to start."""
    return BuildManifest(
        forgetscope=VERSION,
        inspect_ai=version("inspect-ai"),
        prompts_version=prompts_version,
        models=models,
        settings=settings,
        data=[dict(entry.as_dict()) for entry in provenance],
        data_sha256=data_sha256,
        left_out=dict(left_out or {}),
        terms=list(terms),
        rows=rows,
        started=now(),
    )


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def write_manifest(folder: Path, manifest: BuildManifest) -> None:
    """Write `build.json`, atomically."""
    write_text(folder / BUILD_NAME, manifest.model_dump_json(indent=2) + "\n")


def read_manifest(folder: Path) -> BuildManifest | None:
    """The manifest of a build's books; None where there is none.

    Raises:
        RunFolderError: it cannot be read, or another version wrote it.
    """
    path = folder / BUILD_NAME
    what = "not the manifest of a build of this version"
    try:
        return read_form(path, BuildManifest, what, next_step="choose another folder with --out")
    except FileNotFoundError:
        return None
