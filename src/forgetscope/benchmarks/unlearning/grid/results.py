"""The results of a grid folder: one sample table, its figures, and what was not finished."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path

import polars as pl
from pydantic import JsonValue

from forgetscope.benchmarks.base import FigureFacts, ItemFiles, RunData
from forgetscope.benchmarks.grids import GridRun
from forgetscope.benchmarks.unlearning.data.catalogue import SOURCES
from forgetscope.benchmarks.unlearning.data.corpora.base import CorpusSettings
from forgetscope.benchmarks.unlearning.data.prepared import GridData
from forgetscope.benchmarks.unlearning.grid.cells import CellConfig, CellResult, GridFolder
from forgetscope.benchmarks.unlearning.grid.preparing import Gathered, gather, read_grid
from forgetscope.benchmarks.unlearning.metrics.epochs import epoch_figures
from forgetscope.benchmarks.unlearning.metrics.equal import equal_figures, scores_by_point
from forgetscope.benchmarks.unlearning.metrics.models import model_figures
from forgetscope.benchmarks.unlearning.metrics.residue import probe_scores, unlearning_residues
from forgetscope.benchmarks.unlearning.metrics.study import RETAIN_ONLY, TARGET, CellKey, UnlearningStudy
from forgetscope.benchmarks.unlearning.report.equal import equal_section
from forgetscope.benchmarks.unlearning.report.models import model_sections, saturation_findings, undefined_findings
from forgetscope.benchmarks.unlearning.report.names import RESIDUE_LABELS
from forgetscope.benchmarks.unlearning.report.preparation import entanglement_section, epoch_section
from forgetscope.benchmarks.unlearning.report.profile import grid_told
from forgetscope.benchmarks.unlearning.report.results import results
from forgetscope.benchmarks.unlearning.report.samples import browser_section
from forgetscope.benchmarks.unlearning.settings import GridSettings
from forgetscope.benchmarks.unlearning.training.shipped import SHIPPED
from forgetscope.benchmarks.unlearning.training.target_settings import EMBEDDED
from forgetscope.core.errors import RunFolderError
from forgetscope.findings.figures import Finding, Results
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, percent
from forgetscope.findings.residue import residue_section

COLLAPSED = "collapsed"


@dataclass(frozen=True)
class GridResults:
    """What a grid has found so far.

    Attributes:
        settings: Of the grid.
        cells: Of the grid, finished or not.
        finished: Results of the finished ones.
        table: Their samples, one table.
        results: Figures, sections and headlines.
        planned: Samples the whole grid has.
    """

    settings: GridSettings
    cells: tuple[CellConfig, ...]
    finished: tuple[CellResult, ...]
    table: pl.DataFrame
    results: Results
    planned: int


def grid_results(grid: GridFolder, *, published: bool = False) -> GridResults:
    """Gather a grid and compute its figures; cells that are missing are said first.

    Raises:
        RunFolderError: no grid, a damaged result, or nothing finished that could be compared.
    """
    record = read_grid(grid)
    gathered = gather(grid)
    if gathered.samples is None:
        raise RunFolderError(
            "no cell of the grid is finished", where=str(grid.path), next_step="forgetscope unlearn grid --config FILE"
        )
    told_apart = partial(_told_apart, configs=record.cells)
    table = told_apart(gathered.samples)
    likelihoods = None if gathered.likelihoods is None else told_apart(gathered.likelihoods)
    try:
        compared = results(table, FigureFacts(record.settings, {}, 1.0, published))
    except ValueError as error:
        raise RunFolderError(
            "these cells cannot be compared yet",
            where=str(grid.path),
            found=str(error),
            next_step="finish the grid: forgetscope unlearn grid --config FILE",
        ) from None
    planned = _planned(record.cells, gathered)
    study = UnlearningStudy.of(table, record.settings)
    keys = _keys(table)
    residues = unlearning_residues(probe_scores(table, likelihoods))
    equal = equal_figures(scores_by_point(table, gathered.epochs, keys)) if gathered.epochs is not None else ()
    measured = (*model_figures(gathered.results, keys), *epoch_figures(gathered.results, keys), *residues, *equal)
    index = FigureIndex([*compared.figures, *measured])
    prepared = {
        config.corpus: GridData.load(grid.data(config.data)).summary for config in _with_data(grid, record.cells)
    }
    first = (residue_section(index, RESIDUE_LABELS), equal_section(index))
    ours = (entanglement_section(prepared), epoch_section(study, index))
    whole = replace(
        compared,
        figures=tuple(index),
        profile=compared.profile and replace(compared.profile, told=grid_told(index)),
        sections=(
            *(section for section in first if section is not None),
            *compared.sections,
            *(section for section in ours if section is not None),
            *model_sections(study, index),
            browser_section(_model_names(gathered.results)),
        ),
        headlines=(
            *_unfinished(gathered, len(record.cells)),
            *_broken(gathered.results),
            *undefined_findings(study, index),
            *saturation_findings(study, index),
            *compared.headlines,
        ),
    )
    return GridResults(record.settings, record.cells, gathered.results, table, whole, planned)


def _with_data(grid: GridFolder, cells: Sequence[CellConfig]) -> list[CellConfig]:
    """One cell of each data whose file is there."""
    return list({config.data: config for config in cells if grid.data(config.data).is_file()}.values())


def grid_run(grid: GridFolder, *, published: bool = False) -> GridRun:
    """A grid as the layers that report and compare see it.

    Raises:
        RunFolderError: as in `grid_results`.
    """
    found = grid_results(grid, published=published)
    return GridRun(
        table=found.table,
        results=found.results,
        model=", ".join(sorted({_model_name(one.target.model) for one in found.settings.experiments})),
        data=", ".join(sorted({config.corpus for config in found.cells})),
        data_sha256=", ".join(sorted({config.data for config in found.cells})),
        settings=_flat(found.settings.model_dump(mode="json", exclude={"experiments", "execution"})),
        cells=tuple(config.id for config in found.cells),
        finished=len(found.finished),
        planned=found.planned,
        began=min(result.started for result in found.finished),
        ended=max(result.finished for result in found.finished),
        notes=(f"{len(found.finished)} of {len(found.cells)} cells are finished.", *_model_notes(found)),
        origin=_origin(found.settings),
    )


def _origin(settings: GridSettings) -> RunData:
    """What the corpus is, where all experiments have the same."""
    first, *others = (one.data.corpus for one in settings.experiments)
    if first.source == "folder" or any(other != first for other in others):
        return RunData()
    name = "-".join(filter(None, (first.source, getattr(first, "corpus", ""))))
    licence = next((one.licence for one in SOURCES if one.name == name), "")
    return RunData(name, (licence,) if licence else (), partial(_items, first) if name == EMBEDDED else None)


def _items(settings: CorpusSettings) -> ItemFiles:
    """The corpus as rows: its texts, and what is asked of them and of the world."""
    corpus = settings.load()
    return {
        "documents.jsonl": [row.model_dump(mode="json") for row in corpus.documents],
        "questions.jsonl": [row.model_dump(mode="json") for row in (*corpus.questions, *corpus.world)],
    }


def _told_apart(samples: pl.DataFrame, configs: Sequence[CellConfig]) -> pl.DataFrame:
    """Samples in which cells with one method's name and other settings, or one corpus' name and other data or target,
    have names of their own: such cells may not be averaged. A retain-only model goes by the target listed before it."""
    corpora: defaultdict[str, set[str]] = defaultdict(set)
    methods: defaultdict[str, set[str]] = defaultdict(set)
    for config in configs:
        if config.role != "retain_only":
            corpora[config.corpus].add(f"data {config.data[:6]}, target {config.target[:6]}")
        if config.unlearning is not None:
            methods[config.unlearning.method.kind].add(_method_settings(config))
    corpus_of: dict[str, str] = {}
    target = ""
    for config in configs:
        target = target if config.role == "retain_only" else config.target
        if len(corpora[config.corpus]) > 1:
            corpus_of[config.id] = f"{config.corpus} (data {config.data[:6]}, target {target[:6]})"
    method_of = {
        config.id: f"{config.unlearning.method.kind} ({_method_settings(config)})"
        for config in configs
        if config.unlearning is not None and len(methods[config.unlearning.method.kind]) > 1
    }
    return samples.with_columns(
        corpus=pl.coalesce(pl.col("cell").replace_strict(corpus_of, default=None, return_dtype=pl.String), "corpus"),
        method=pl.coalesce(pl.col("cell").replace_strict(method_of, default=None, return_dtype=pl.String), "method"),
    )


def _method_settings(config: CellConfig) -> str:
    if config.unlearning is None:
        return ""
    values = config.unlearning.method.model_dump(mode="json", exclude={"kind"})
    return ", ".join(f"{name} {value}" for name, value in sorted(values.items()))


def _keys(table: pl.DataFrame) -> dict[str, CellKey | str]:
    """Every model's cell without its seed, by the cell's id; of one that is evaluated as it is, its corpus."""
    names = [entry.name for entry in fields(CellKey)]
    rows = table.select("cell", *names).unique("cell").iter_rows(named=True)
    return {
        row["cell"]: row["corpus"]
        if row["method"] in (TARGET, RETAIN_ONLY)
        else CellKey(**{name: row[name] for name in names})
        for row in rows
    }


def _model_names(results: Sequence[CellResult]) -> dict[str, str]:
    """What each model is called, by its cell's id, in as few words as tell them apart; models as they are first."""
    first = sorted(results, key=lambda result: result.config.unlearning is not None)
    names = {result.id: _short_name(result.config) for result in first}
    twice = len(set(names.values())) < len(names)
    return {result.id: result.config.label for result in first} if twice else names


def _short_name(config: CellConfig) -> str:
    one = config.unlearning
    if one is None:
        return config.role.replace("_", "-")
    semantics = "" if one.semantics == "proper" else f", {one.semantics}"
    return f"{one.method.title} on {one.forget_format}, {one.retain_subset}{semantics}"


def _unfinished(gathered: Gathered, cells: int) -> tuple[Finding, ...]:
    """The cells no figure is of: those that failed, each with its reason, and those not run yet."""
    found = [Finding(f"Failed: {label}: {reason}.", "warning") for label, reason in gathered.failures.items()]
    waiting = gathered.missing - len(gathered.failures)
    if waiting > 0:
        text = f"{waiting} of {counted(cells, 'cell')} have not been run; every figure is of the others alone."
        found.append(Finding(text, "warning"))
    return tuple(found)


def _broken(results: Sequence[CellResult]) -> tuple[Finding, ...]:
    """Cells whose training diverged, and models that babble."""
    diverged = [result.config.label for result in results if result.status == "diverged"]
    babbling = [result for result in results if result.figures.get(COLLAPSED) == 1]
    found = []
    if diverged:
        text = f"Training diverged, so that all samples are lost: {'; '.join(diverged)}."
        found.append(Finding(text, "warning"))
    if babbling:
        worst = max(babbling, key=lambda result: result.figures.get("gibberish.kept") or 0.0)
        share = percent(worst.figures.get("gibberish.kept") or 0.0)
        found.append(
            Finding(
                f"{len(babbling)} of {counted(len(results), 'model')} collapsed: most answers about what should be "
                f"kept are gibberish (worst: {worst.config.label}, {share}). Their low scores are not forgetting.",
                "warning",
            )
        )
    return tuple(found)


def _planned(cells: Sequence[CellConfig], gathered: Gathered) -> int:
    """Samples of all cells; one that is not finished has as many as another of the same data and evaluation."""
    rows = {} if gathered.samples is None else dict(gathered.samples.group_by("cell").len().iter_rows())
    like = {(result.config.data, result.config.evaluation): rows.get(result.id, 0) for result in gathered.results}
    return sum(rows.get(config.id, like.get((config.data, config.evaluation), 0)) for config in cells)


def _flat(settings: dict[str, JsonValue], under: str = "") -> dict[str, JsonValue]:
    """Settings in settings as `training.epochs`; what is empty is left out."""
    flat: dict[str, JsonValue] = {}
    for name, value in settings.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{under}{name}.")
        elif value not in (None, []):
            flat[under + name] = value
    return flat


def _model_name(model: str) -> str:
    """What a page calls the model that is unlearned: models of ours by what they are, others by their last name."""
    ours = {EMBEDDED: "target made here (embedded)", SHIPPED: "shipped target (embedded)"}
    return ours.get(model, Path(model).name)


def _model_notes(found: GridResults) -> tuple[str, ...]:
    """What a reader must know of models of ours."""
    models = {one.target.model for one in found.settings.experiments}
    notes = {
        EMBEDDED: "The target was made from nothing on this machine and knows the embedded corpus alone.",
        SHIPPED: "The target is the one in the package, an embedded reference: it knows the embedded corpus alone.",
    }
    return tuple(text for name, text in notes.items() if name in models)
