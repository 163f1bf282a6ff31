"""`build.json`: what a build was, precisely enough to go on with it and to repeat it."""

from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from forgetscope.benchmarks.in_context.construction.plan import BuildPlan
from forgetscope.benchmarks.in_context.construction.prompts import CONSTRUCTION_VERSION
from forgetscope.core.version import VERSION
from forgetscope.io.files import write_text
from forgetscope.io.received import read_form

BUILD_NAME = "build.json"
BOOKS = "construction"
"""The folder inside a data folder that holds each build's books, one folder a source."""


class BuildManifest(BaseModel):
    """The content of `build.json`.

    Attributes:
        models: The specification of the `builder` and of the model that answers for the `gates`.
        settings: `BuildSettings`; paths as the user gave them.
        rows: Planned, by scenario.
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


_PLACES: dict[str, JsonValue] = {"data": None, "filler_data": None}
"""Where a local copy lies makes no difference; its hash does."""


def new_manifest(plan: BuildPlan, models: dict[str, dict[str, JsonValue]]) -> BuildManifest:
    """The manifest of a build about to start."""
    rows = {scenario.value: sum(row.scenario is scenario for row in plan.rows) for scenario in plan.stages()}
    return BuildManifest(
        forgetscope=VERSION,
        inspect_ai=version("inspect-ai"),
        prompts_version=CONSTRUCTION_VERSION,
        models=models,
        settings=plan.settings.model_dump(mode="json"),
        data=[dict(entry.as_dict()) for entry in plan.provenance],
        data_sha256=plan.data_sha256,
        left_out=plan.left_out,
        terms=list(plan.terms),
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
