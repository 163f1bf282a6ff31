"""A paper's experiment on one's own models: the ordinary run with the settings of the paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from forgetscope.api.runs import Run, as_folder, default_folder, inspect_run
from forgetscope.api.settings import settings_of
from forgetscope.benchmarks import GRIDS, get_benchmark
from forgetscope.benchmarks.papers import Arm
from forgetscope.core.errors import RunFolderError, SettingError
from forgetscope.running.manifest import MANIFEST_NAME, Limits, ModelSpec, read_manifest
from forgetscope.running.started import SaidAgain

if TYPE_CHECKING:
    from forgetscope.benchmarks.base import Benchmark, Plan
    from forgetscope.core.settings import Settings
    from forgetscope.running.execute import Display
    from forgetscope.running.finished import FinishedRun


@dataclass(frozen=True)
class PaperRun:
    """What a paper's experiment would send, before a model is named.

    Attributes:
        notes: What of it is not in the settings, and what the data at hand or a missing judge leave out.
    """

    benchmark: "Benchmark"
    settings: "Settings"
    plan: "Plan"
    arm: Arm
    notes: tuple[str, ...]


def paper_run(
    benchmark: str,
    *,
    data: str | Path = "official",
    limit: int | None = None,
    is_judged: bool = False,
    is_extended: bool = False,
    given: Mapping[str, object] | None = None,
) -> PaperRun:
    """The experiment of a benchmark's paper.

    Args:
        benchmark: Its name.
        data: `official`, a folder, or `embedded`.
        limit: The first so many items of each scenario, experiment or split side.
        is_judged: Whether there is a judge; without one, replies are scored by rule where a rule can.
        is_extended: Add our controls and arms.
        given: What says where the data are or who may judge: `images`, `allow_self_judge`; no setting of the paper.

    Raises:
        UnknownNameError: there is no such benchmark.
        SettingError: it has no paper, or trains models.
        UserError: the data cannot be had, or are not what they should be.
    """
    if benchmark in GRIDS:
        raise SettingError(f"{benchmark} trains models: its experiment is a grid", found=benchmark)
    chosen = get_benchmark(benchmark)
    if chosen.paper is None:
        raise SettingError("this benchmark names no paper's experiment", found=benchmark)
    arm: Arm = "extended" if is_extended else "paper"
    values = {**chosen.paper.values(arm), "limit": limit, **(given or {})}
    notes = [f"{chosen.paper.title}: " + ("with our controls and arms" if is_extended else "its settings alone")]
    if chosen.paper.judge and not is_judged:
        values["judged"] = "none"
        notes.append(
            f"the paper's replies are judged ({chosen.paper.judge}); without --judge a rule scores what it can"
        )
    settings = settings_of(benchmark, values, data=data)
    return PaperRun(chosen, settings, chosen.plan(settings), arm, (*notes, *chosen.paper.notes))


def require_ready(
    wanted: PaperRun,
    models: Sequence[ModelSpec],
    folders: Sequence[Path],
    *,
    judges: Sequence[ModelSpec],
    limits: Limits,
    asks_first: bool,
) -> None:
    """See that every model whose run is still to be started can be built and answers, before any of them is sent much.

    Raises:
        UserError: as in `run`.
    """
    from forgetscope.running.building import ask_first, ready_models

    for model, folder in zip(models, folders, strict=True):
        if not (folder / MANIFEST_NAME).is_file():
            ready_models(wanted.benchmark, model, judges, limits)
            if asks_first:
                ask_first(wanted.benchmark, wanted.settings, model, judges, limits)


def start_paper_run(
    wanted: PaperRun,
    model: ModelSpec,
    folder: Path,
    *,
    judges: Sequence[ModelSpec] = (),
    limits: Limits | None = None,
    shard: str | None = None,
    display: "Display" = "none",
) -> "FinishedRun":
    """Run a paper's experiment on a model in a folder, or go on with it there.

    Raises:
        RunFolderError: the folder holds another run.
        UserError: as in `run`.
    """
    from forgetscope.running.execute import resume_run, start_run
    from forgetscope.running.finished import collect_run
    from forgetscope.running.shards import Shard

    part = Shard.parse(shard) if shard else None
    if not (folder / MANIFEST_NAME).is_file():
        return start_run(
            wanted.benchmark,
            wanted.settings,
            wanted.plan,
            model,
            limits or Limits(),
            folder,
            display=display,
            judges=judges,
            shard=part,
            reproduces=wanted.arm,
        )
    there = read_manifest(folder)
    same = (
        there.benchmark == wanted.benchmark.name
        and wanted.benchmark.settings.model_validate(there.settings) == wanted.settings
        and there.plan_sha256 == wanted.plan.sha256
        and there.model.name == model.name
        and there.shard == (str(part) if part else "")
    )
    if not same:
        raise RunFolderError(
            "the folder holds another run",
            where=str(folder),
            found=f"{there.benchmark}, {there.model.name}",
            next_step="another folder with --out",
        )
    if there.status == "complete" and there.finished is not None:
        return collect_run(folder)
    named = tuple(judge.name for judge in judges)
    said = SaidAgain(model.base_url, model.args or None, (model.name,))
    one = judges[0] if judges else ModelSpec(name="")
    return resume_run(folder, display=display, model=said, judge=SaidAgain(one.base_url, one.args or None, named))


def paper_folders(benchmark: str, models: Sequence[str], out: Path | None) -> list[Path]:
    """Where the run of each model goes: `out` itself for one, a folder in it for each of several.

    Raises:
        SettingError: two models are of one name.
    """
    if len(models) == 1:
        return [out or default_folder(f"{benchmark}-paper", models[0])]
    names = [as_folder(model) for model in models]
    if len(set(names)) < len(names):
        raise SettingError("two models would have one folder", where="--model", found=", ".join(models))
    whole = out or default_folder(f"{benchmark}-paper", f"{len(models)}-models")
    return [whole / name for name in names]


def reproduce(
    benchmark: str,
    *models: str | ModelSpec,
    out: str | Path | None = None,
    data: str | Path = "official",
    limit: int | None = None,
    judges: Sequence[str | ModelSpec] = (),
    limits: Limits | None = None,
    shard: str | None = None,
    extended: bool = False,
    display: "Display" = "none",
    asks_first: bool = True,
) -> tuple[Run, ...]:
    """The experiment of a benchmark's paper on one or several models: its conditions, sizes, prompts and decoding.

    Args:
        benchmark: `in-context`, `visual` or `prospective`; unlearning's is a grid: `forgetscope reproduce unlearning`.
        models: As in `run`.
        out: Of one model the run's folder, of several a folder with theirs. The same call again goes on there.
        data: `official`, a folder, or `embedded`.
        limit: The first so many items of each scenario, experiment or split side.
        judges: Models that judge replies.
        limits: As in `run`.
        shard: Only part i of n.
        extended: Add our controls and arms.
        display: Inspect's progress.
        asks_first: As in `run`.

    Raises:
        UserError: as in `run`.
    """
    from forgetscope.judging.panel import require_judges

    specs = [model if isinstance(model, ModelSpec) else ModelSpec(name=model) for model in models]
    judging = tuple(judge if isinstance(judge, ModelSpec) else ModelSpec(name=judge) for judge in judges)
    for spec in specs:
        require_judges([judge.name for judge in judging], under_test=spec.name, allow_self=False)
    wanted = paper_run(benchmark, data=data, limit=limit, is_judged=bool(judges), is_extended=extended)
    folders = paper_folders(benchmark, [spec.name for spec in specs], None if out is None else Path(out))
    require_ready(wanted, specs, folders, judges=judging, limits=limits or Limits(), asks_first=asks_first)
    return tuple(
        inspect_run(start_paper_run(wanted, spec, folder, judges=judging, limits=limits, shard=shard, display=display))
        for spec, folder in zip(specs, folders, strict=True)
    )
