"""From settings to cells: data and targets prepared once, cells listed, their results gathered."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from pydantic import BaseModel, ConfigDict

from forgetscope.benchmarks.unlearning.data.preparation import prepare
from forgetscope.benchmarks.unlearning.data.prepared import GridData
from forgetscope.benchmarks.unlearning.data.records import Corpus
from forgetscope.benchmarks.unlearning.evaluation.base import EPOCH_SCHEMA, LIKELIHOOD_SCHEMA, SAMPLE_SCHEMA
from forgetscope.benchmarks.unlearning.grid.cells import (
    EPOCHS_NAME,
    FAILURE_NAME,
    LIKELIHOODS_NAME,
    SAMPLES_NAME,
    CellConfig,
    CellResult,
    GridFolder,
    Unlearning,
    read_result,
)
from forgetscope.benchmarks.unlearning.settings import Experiment, GridSettings, Role
from forgetscope.benchmarks.unlearning.training.fitting import EpochLog
from forgetscope.benchmarks.unlearning.training.target import TargetRecord, make_target, target_tokenizer
from forgetscope.benchmarks.unlearning.training.tokenizers import ModelTokenizer
from forgetscope.core.errors import DataError, RunFolderError, SettingError
from forgetscope.core.results import CORE_SCHEMA
from forgetscope.io.files import make_folder, real_path, write_text
from forgetscope.io.received import read_form
from forgetscope.io.tables import read_table

GRID_NAME = "grid.json"


class GridRecord(BaseModel):
    """The content of `grid.json`: what workers need to know."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    settings: GridSettings
    cells: tuple[CellConfig, ...]


@dataclass(frozen=True)
class PreparedExperiment:
    """An experiment whose data is made: what its cells refer to, and the identities of its models by their role."""

    experiment: Experiment
    corpus: Corpus
    tokenizer: ModelTokenizer
    data: GridData
    identities: Mapping[Role, str]

    @property
    def target(self) -> str:
        """The target's identity."""
        return self.identities["target"]


def prepare_experiments(settings: GridSettings, grid: GridFolder) -> list[PreparedExperiment]:
    """Make and store the data of every experiment; what is wrong is said with the key it stands under.

    Raises:
        UserError: as in `prepare_experiment`; the grid's folder cannot be used.
    """
    make_folder(grid.path)
    prepared = []
    for number, experiment in enumerate(settings.experiments):
        try:
            prepared.append(prepare_experiment(experiment, grid))
        except (DataError, SettingError) as error:
            if str(error).startswith(("data.", "target.")):
                raise type(error)(f"experiments.{number}.{error}") from None
            raise
    return prepared


def prepare_experiment(experiment: Experiment, grid: GridFolder) -> PreparedExperiment:
    """Make and store the data of an experiment; the target's weights are not needed, its tokenizer is.

    Raises:
        UserError: the corpus cannot be read or is of no use, or settings cannot be meant.
    """
    corpus = experiment.data.corpus.load()
    tokenizer = target_tokenizer(experiment.target, corpus)
    chunk_tokens = experiment.data.chunk_tokens
    identity = experiment.target.identity(corpus.sha256, chunk_tokens)
    known_by = frozenset({identity, experiment.target.model, str(real_path(Path(experiment.target.model)))})
    prepared = prepare(experiment.data, tokenizer, target=known_by, corpus=corpus)
    data = GridData.of(prepared, experiment.data)
    path = grid.data(data.sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    data.save(path)
    identities = {role: one.identity(corpus.sha256, chunk_tokens) for role, one in experiment.models.items()}
    return PreparedExperiment(experiment, corpus, tokenizer, data, identities)


def make_model(
    prepared: PreparedExperiment,
    role: Role,
    grid: GridFolder,
    *,
    threads: int = 1,
    on_epoch: Callable[[EpochLog], None] = lambda _: None,
) -> TargetRecord:
    """Make a model of an experiment, or read it if it is there.

    Args:
        prepared: The experiment.
        role: Which of its models.
        grid: Where it goes.
        threads: Of the processor; a small model takes two of them twice the work for no time saved.
        on_epoch: Told after every pass.

    Raises:
        SettingError: the target does not know its corpus.
    """
    settings, folder = prepared.experiment.models[role], grid.target(prepared.identities[role])
    with _computing_on(threads):
        return make_target(
            settings,
            prepared.corpus,
            folder,
            chunk_tokens=prepared.experiment.data.chunk_tokens,
            on_epoch=on_epoch,
        )


def require_retain_only(prepared: Sequence[PreparedExperiment]) -> None:
    """Refuse experiments whose model that never knew cannot be made.

    Raises:
        SettingError: one of them has none.
    """
    for number, one in enumerate(prepared):
        if "retain_only" not in one.identities:
            raise SettingError(
                "there is no retain-only model to be made",
                where=f"experiments.{number}.retain_only",
                found="none"
                if one.experiment.retain_only is None
                else "a target taken as given: its recipe is not known",
                allowed="auto where target.fit is given; else a model, or {model: ..., sides: retain, fit: {...}}",
            )


@contextmanager
def _computing_on(threads: int) -> Iterator[None]:
    """That many threads inside, as many as before afterwards."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def list_cells(settings: GridSettings, prepared: Iterable[PreparedExperiment]) -> tuple[CellConfig, ...]:
    """All cells of a grid: per experiment the target, the retain-only model if there is one, then every combination.

    The order is fixed: seeds outermost, methods innermost, so that a grid cut short holds whole comparisons.
    """
    cells: list[CellConfig] = []
    for one in prepared:
        common = {"corpus": one.data.corpus, "data": one.data.sha256, "evaluation": settings.evaluation}
        for role, identity in one.identities.items():
            cells.append(CellConfig.model_validate({**common, "role": role, "target": identity}))
        for seed, unlearning in itertools.product(settings.seeds, _combinations(settings, one.data)):
            row = {**common, "target": one.target, "unlearning": unlearning, "seed": seed}
            cells.append(CellConfig.model_validate(row))
    return tuple(cells)


def _combinations(settings: GridSettings, data: GridData) -> list[Unlearning]:
    training = settings.training
    return [
        Unlearning(
            method=method,
            semantics=semantics,
            forget_format=forget_format,
            retain_subset=subset,
            training=training.model_copy(
                update={
                    "learning_rate": rate,
                    "lambda_retain": lambda_retain,
                    "epochs": epochs * settings.epochs_factor.get(forget_format, 1),
                }
            ),
        )
        for semantics, rate, lambda_retain, epochs, forget_format, subset, method in itertools.product(
            settings.semantics,
            settings.learning_rates or (training.learning_rate,),
            settings.lambdas or (training.lambda_retain,),
            settings.epochs or (training.epochs,),
            settings.formats or tuple(data.texts),
            settings.retain_subsets,
            settings.methods,
        )
    ]


def write_grid(grid: GridFolder, settings: GridSettings, cells: Sequence[CellConfig]) -> None:
    """Write `grid.json`, for workers; cells that failed before are tried again.

    Raises:
        RunFolderError: the folder cannot be written.
    """
    grid.path.mkdir(parents=True, exist_ok=True)
    record = GridRecord(settings=settings, cells=tuple(cells))
    write_text(grid.path / GRID_NAME, record.model_dump_json(indent=1))
    for config in cells:
        (grid.cell(config.id) / FAILURE_NAME).unlink(missing_ok=True)


def read_grid(grid: GridFolder) -> GridRecord:
    """What `write_grid` wrote.

    Raises:
        RunFolderError: there is no grid here, or its file is damaged.
    """
    path = grid.path / GRID_NAME
    try:
        return read_form(path, GridRecord, "not a grid")
    except FileNotFoundError:
        raise RunFolderError("no grid here", where=str(grid.path), next_step="forgetscope unlearn grid") from None


@dataclass(frozen=True)
class Gathered:
    """The results of a grid.

    Attributes:
        results: Of finished cells, in the grid's order.
        samples, likelihoods: Their tables, one under the other; None while no cell is finished.
        epochs: Scores item by item after earlier epochs, of the cells that were followed; None where none was.
        failures: Of failed cells, by label.
        missing: Cells without a result.
    """

    results: tuple[CellResult, ...]
    samples: pl.DataFrame | None
    likelihoods: pl.DataFrame | None
    epochs: pl.DataFrame | None
    failures: dict[str, str]
    missing: int


def gather(grid: GridFolder) -> Gathered:
    """Everything finished so far.

    Raises:
        RunFolderError: a result is damaged, or cells of one target started from different weights.
    """
    record = read_grid(grid)
    finished = [config for config in record.cells if grid.is_finished(config.id)]
    results = tuple(read_result(grid.cell(config.id)) for config in finished)
    _require_same_weights(results)
    cells, schema = [grid.cell(config.id) for config in finished], {**CORE_SCHEMA, **SAMPLE_SCHEMA}
    samples = [read_table(cell / SAMPLES_NAME, schema) for cell in cells]
    likelihoods = [read_table(cell / LIKELIHOODS_NAME, LIKELIHOOD_SCHEMA) for cell in cells]
    followed = [cell / EPOCHS_NAME for cell in cells if (cell / EPOCHS_NAME).exists()]
    epochs = [read_table(path, EPOCH_SCHEMA) for path in followed]
    failures = {config.label: grid.failure(config.id) for config in record.cells}
    return Gathered(
        results,
        pl.concat(samples) if samples else None,
        pl.concat(likelihoods) if likelihoods else None,
        pl.concat(epochs) if epochs else None,
        {label: reason for label, reason in failures.items() if reason is not None},
        len(record.cells) - len(finished),
    )


def _require_same_weights(results: Iterable[CellResult]) -> None:
    seen: dict[str, str] = {}
    for result in results:
        first = seen.setdefault(result.config.target, result.weights_sha256)
        if first != result.weights_sha256:
            raise RunFolderError(
                "cells of one target started from different weights",
                where=result.id,
                found=f"{result.weights_sha256[:12]} and {first[:12]}",
                next_step="delete the cells of the older target and run the grid again",
            )
