"""`run.json`: what a run was, precisely enough to finish it, read it and repeat it."""

import platform
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, ValidationError

from forgetscope.benchmarks.base import Benchmark, Plan
from forgetscope.benchmarks.papers import Arm
from forgetscope.core.bounds import (
    LARGEST,
    LONGEST_ATTEMPT,
    MOST_CONNECTIONS,
    MOST_RETRIES,
    MOST_TOKENS,
    MOST_USD,
)
from forgetscope.core.errors import RunFolderError
from forgetscope.core.json_values import require_bounded
from forgetscope.core.settings import Settings
from forgetscope.core.version import FORMER_NAME, VERSION
from forgetscope.io.files import require_plain, write_text
from forgetscope.io.received import LARGEST_FORM, text_of
from forgetscope.running.costs.prices import Price
from forgetscope.running.shards import SAMPLES_A_LOG, Shard

MANIFEST_NAME = "run.json"
LOG_FOLDER = "logs"
MANIFEST_VERSION: Literal[1] = 1


ReasoningEffort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
"""As Inspect AI knows them; a provider has some of them."""


class ModelSpec(BaseModel):
    """The model under test as the user named it, and how it decodes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(max_length=1000)
    base_url: str | None = None
    args: dict[str, JsonValue] = {}
    frequency_penalty: Annotated[float, Field(ge=-2, le=2)] = 0.0
    """Against loops of small models; none of the papers uses it, and the decoding's name says so."""
    reasoning_effort: ReasoningEffort | None = None
    """How long a thinking model thinks, as its provider names it; None leaves it to the provider."""
    reasoning_tokens: Annotated[int, Field(ge=1, le=MOST_TOKENS)] | None = None
    """Tokens it may think, at most, where its provider takes a number."""
    decoding: str = "greedy"
    weights_sha256: str = ""
    """Of the model file, for models that run in this process."""


class Limits(BaseModel):
    """How patient a run is with a provider, and when its result counts as complete."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_connections: Annotated[int, Field(ge=1, le=MOST_CONNECTIONS)] | None = None
    max_retries: Annotated[int, Field(ge=0, le=MOST_RETRIES)] = 5
    """Per call, with exponential backoff (paper, appendix B.4): a call is at most one request more."""
    attempt_timeout: Annotated[int, Field(ge=1, le=LONGEST_ATTEMPT)] = 600
    """Seconds before a single request is given up and tried again (models that run in this process: never)."""
    first_wait: Annotated[float, Field(ge=0, le=LONGEST_ATTEMPT)] = 2.0
    """Seconds before the first retry; doubles with each, up to a minute; a longer Retry-After of the server counts."""
    give_up_after: Annotated[int, Field(ge=1, le=LARGEST)] = 5
    """Calls in a row that used up their retries before the rest of the run is not sent any more."""
    completeness_floor: Annotated[float, Field(ge=0, le=1)] = 0.98
    max_usd: Annotated[float, Field(ge=0, le=MOST_USD)] | None = None
    """US dollars after which nothing more is sent, by `prices`."""
    max_samples: Annotated[int, Field(ge=1, le=LARGEST)] | None = None
    """Samples after which nothing more is sent."""
    prices: dict[str, Price] = {}
    """Of the run's models, as they were when it was started or last resumed."""

    @property
    def is_limited(self) -> bool:
        """Whether the run may stop before everything is sent."""
        return self.max_usd is not None or self.max_samples is not None


Count = Annotated[int, Field(ge=0, le=LARGEST)]


def _shard(text: str) -> str:
    return str(Shard.parse(text)) if text else ""


def _time(text: str) -> str:
    datetime.fromisoformat(text)
    return text


ShardName = Annotated[str, AfterValidator(_shard)]
"""`2/3`, or nothing for the whole."""
Time = Annotated[str, AfterValidator(_time)]


class RepliesFile(BaseModel):
    """The file of replies a run was made from.

    Attributes:
        file: Its name.
        rows: How many it has.
        left_out: Of these, how many are no reply to a planned sample.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    sha256: str
    rows: Count
    left_out: Count


class Manifest(BaseModel):
    """The content of `run.json`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    manifest_version: Literal[1] = MANIFEST_VERSION
    run_id: str = ""
    """Of this run alone; by it the user's own record knows the runs that were started here (`running.started`)."""
    benchmark: str
    forgetscope: str
    inspect_ai: str
    python: str
    model: ModelSpec
    judges: tuple[ModelSpec, ...] = ()
    """Models that judge replies; several are a panel."""
    later_judges: tuple[ModelSpec, ...] = ()
    """Models that judged replies again, or for the first time, after the run."""
    settings: dict[str, JsonValue]
    limits: Limits
    data: list[dict[str, JsonValue]]
    data_sha256: str
    unreadable: dict[str, str] = {}
    """Inputs that could not be read when the run was planned, and why; `resume` looks at their samples again."""
    prompts_version: str
    plan_sha256: str
    planned: dict[Annotated[str, Field(max_length=1000)], Count] = Field(min_length=1, max_length=5_000)
    """Samples per cell; of a shard, those of the shard."""
    shard: ShardName = ""
    """`2/3` where this is the second of three parts of the plan; empty for the whole."""
    samples_a_log: Count = 0
    """Samples of one log at most; 0 where one log holds them all (`running.shards`)."""
    merged: tuple[ShardName, ...] = ()
    """The shards this run was put together from."""
    reproduces: Arm = ""
    """Whether this is a paper's experiment (`forgetscope reproduce`), that with our controls and arms, or neither."""
    replies: RepliesFile | None = None
    """Where the replies were made elsewhere and nothing was sent."""
    notes: list[str]
    started: Time
    finished: Time | None = None
    status: Literal["running", "complete", "incomplete"] = "running"
    completeness: Annotated[float, Field(allow_inf_nan=False)] | None = None

    @property
    def planned_samples(self) -> int:
        """Samples over all cells."""
        return sum(self.planned.values())


def new_manifest(
    benchmark: str,
    prompts_version: str,
    settings: Settings,
    plan: Plan,
    model: ModelSpec,
    limits: Limits,
    judges: tuple[ModelSpec, ...] = (),
) -> Manifest:
    """The manifest of a run about to start."""
    return Manifest(
        run_id=uuid.uuid4().hex,
        benchmark=benchmark,
        forgetscope=VERSION,
        inspect_ai=version("inspect-ai"),
        python=platform.python_version(),
        model=model,
        judges=judges,
        settings=settings.model_dump(mode="json"),
        limits=limits,
        data=[dict(entry.as_dict()) for entry in plan.provenance],
        data_sha256=plan.data_sha256,
        unreadable=dict(plan.unreadable),
        prompts_version=prompts_version,
        plan_sha256=plan.sha256,
        planned={cell.label: cell.samples for cell in plan.cells},
        notes=list(plan.notes),
        samples_a_log=SAMPLES_A_LOG,
        started=now(),
    )


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write `run.json`, atomically."""
    write_text(folder / MANIFEST_NAME, manifest.model_dump_json(indent=2) + "\n")


def update_manifest(folder: Path, manifest: Manifest, changes: Mapping[str, object]) -> Manifest:
    """Write `run.json` with some fields changed, and return it."""
    updated = Manifest.model_validate({**manifest.model_dump(), **changes})
    write_manifest(folder, updated)
    return updated


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a run folder.

    Raises:
        RunFolderError: no such folder, no manifest in it, one written by a version with another layout, or a link.
    """
    path = folder / MANIFEST_NAME
    require_plain(folder)
    try:
        text = text_of(path, at_most=LARGEST_FORM, kind=RunFolderError)
    except FileNotFoundError:
        raise RunFolderError(
            f"not a run folder: it has no {MANIFEST_NAME}",
            where=str(folder),
            next_step="give the folder that 'forgetscope run' printed",
        ) from None
    try:
        require_bounded(text)
    except ValueError as error:
        raise RunFolderError("the manifest cannot be read", where=str(path), found=str(error)) from None
    try:
        return Manifest.model_validate_json(renamed(text))
    except ValidationError as error:
        first = error.errors()[0]
        raise RunFolderError(
            "the manifest is not one this version reads",
            where=f"{path}, field {'.'.join(f'{part:.60}' for part in map(str, first['loc'])) or 'manifest'}",
            found=f"{first['input']!r:.60} ({first['msg']})",
            allowed=f"manifest version {MANIFEST_VERSION}, forgetscope {VERSION}",
            next_step="use the forgetscope version that wrote it, or start a new run",
        ) from None


def settings_of_run(benchmark: Benchmark, manifest: Manifest) -> Settings:
    """The settings a manifest holds, as the benchmark's own.

    Raises:
        RunFolderError: they are not settings of this benchmark.
    """
    try:
        return benchmark.settings.model_validate(manifest.settings)
    except ValidationError as error:
        first = error.errors()[0]
        raise RunFolderError(
            f"not settings of {benchmark.name}",
            where=f"{MANIFEST_NAME}, field settings.{'.'.join(map(str, first['loc']))}",
            found=f"{first['input']!r:.60} ({first['msg']})",
            next_step="use the forgetscope version that wrote it, or start a new run",
        ) from None


def renamed(manifest: str) -> str:
    """The text of a manifest with today's name in place of the former's: the version's key, and models of ours."""
    for mark in ('": "', "/"):
        manifest = manifest.replace(f'"{FORMER_NAME}{mark}', f'"forgetscope{mark}')
    return manifest


def logs_of(folder: Path) -> list[Path]:
    """The logs of a run folder, oldest first.

    Raises:
        RunFolderError: there is none.
    """
    logs = sorted((folder / LOG_FOLDER).glob("*.eval"))  # their names begin with the time
    if not logs:
        where = str(folder / LOG_FOLDER)
        raise RunFolderError("no logs yet", where=where, next_step=f"forgetscope resume {folder}")
    return logs


def is_inspect_logs(path: Path) -> bool:
    """Whether this is a log of Inspect's, or a folder of such that is no run of ours."""
    if path.is_dir():
        return not (path / MANIFEST_NAME).exists() and any(path.glob("*.eval"))
    return path.suffix == ".eval" and path.is_file()
