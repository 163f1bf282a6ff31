"""The evaluated samples of a grid made ready for figures: cells, the five measures of the paper, and the target.

A row is one evaluated sample of one cell: a chunk to be continued or a question to be answered, with its ROUGE-L F1.
The target is a cell like the others, with the method `target`; it has one seed, whatever seeds the grid has. Rows of a
retain-only model take no part: it is no result of unlearning.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from forgetscope.benchmarks.study import Study
from forgetscope.benchmarks.unlearning.methods import METHODS
from forgetscope.benchmarks.unlearning.settings import GridSettings
from forgetscope.findings.figures import Cell

TARGET, RETAIN_ONLY = "target", "retain_only"
"""Methods of models that are evaluated as they are: before unlearning, and one that never knew the forget side."""

FORGET_MEASURES = ("verbatim", "knowledge_forget")
RETAIN_MEASURES = ("knowledge_low", "knowledge_high", "knowledge_world")
MEASURES = (*FORGET_MEASURES, *RETAIN_MEASURES)
"""The five metrics of figures 2 and 3: two of forget quality, three of retain preservation (section 4.2)."""

FORMATS = ("raw", "pruned", "triplets")
SUBSETS = ("low", "high", "original")
SEMANTICS = ("proper", "muse-compat")

COLUMNS: dict[str, pl.DataType | type[pl.DataType]] = {
    "corpus": pl.String,
    "method": pl.String,
    "semantics": pl.String,
    "forget_format": pl.String,
    "retain_subset": pl.String,
    "learning_rate": pl.Float64,
    "lambda_retain": pl.Float64,
    "epochs": pl.Float64,
    "seed": pl.Int64,
    "measure": pl.String,
    "item": pl.String,
    "score": pl.Float64,
}
"""What a figure needs of an evaluated sample; `score` is ROUGE-L F1, 0 to 1, null where it could not be scored."""


@dataclass(frozen=True, order=True)
class CellKey:
    """A cell of the grid without its seed."""

    corpus: str
    semantics: str
    forget_format: str
    retain_subset: str
    method: str
    learning_rate: float
    lambda_retain: float
    epochs: float

    @property
    def factors(self) -> dict[str, Cell]:
        """The factors of its figures."""
        return {entry.name: getattr(self, entry.name) for entry in fields(self)}


@dataclass(frozen=True, order=True)
class GridSetting:
    """What one Table 1 holds fixed.

    Attributes:
        corpus, semantics, learning_rate, lambda_retain: As in `CellKey`.
        epochs: Of a format whose epochs are not multiplied.
    """

    corpus: str
    semantics: str
    learning_rate: float
    lambda_retain: float
    epochs: float

    @property
    def factors(self) -> dict[str, Cell]:
        """The factors of its figures."""
        return asdict(self)


@dataclass(frozen=True)
class Scores:
    """One measure of a cell beside the target's, sample by sample, shape (samples,) each, 0 to 1.

    Samples of several seeds of a cell are averaged per item first. An item enters where it was scored on both sides and
    for every seed; `excluded` counts the others. A seed whose training diverged leaves none: the mean of the seeds that
    went well would flatter the method.
    """

    items: tuple[str, ...]
    target: NDArray[np.float64]
    unlearned: NDArray[np.float64]
    excluded: int


ItemScores = Mapping[str, float | None]
"""Score by item; None where it could not be scored."""


@dataclass(frozen=True)
class UnlearningStudy(Study[GridSettings]):
    """The evaluated samples of one grid: rows of `COLUMNS` of target and unlearned models, for the five measures."""

    benchmark = "unlearning"

    @classmethod
    def of(cls, table: pl.DataFrame, settings: GridSettings, planned: Mapping[str, int] | None = None) -> Self:
        """The study of a table that has `COLUMNS`, whatever the order of its rows.

        Raises:
            ValueError: a column is missing, a corpus has no target, a sample of a cell and seed is there twice, or the
                table holds no sample where none was planned.
        """
        if not table.height and not planned:
            raise ValueError("the table holds no sample, and no plan says what is missing")
        missing = [name for name in COLUMNS if name not in table.columns]
        if missing:
            raise ValueError(f"the table has no column {', '.join(missing)}")
        wanted = pl.col("measure").is_in(MEASURES) & (pl.col("method") != RETAIN_ONLY)
        frame = table.select(*COLUMNS).filter(wanted).sort(*COLUMNS)
        twice = frame.filter(frame.select(pl.exclude("score")).is_duplicated())
        if len(twice):
            row = twice.row(0, named=True)
            raise ValueError(f"the sample {row['item']} ({row['measure']}) of one {row['method']} cell is there twice")
        study = cls(frame, settings, planned or {})
        without = sorted({key.corpus for key in study.cells} - set(study.corpora_with_target))
        if without:
            raise ValueError(f"no target was evaluated for {', '.join(without)}")
        return study

    @property
    def seed(self) -> int:
        """Of the intervals, whatever seeds the training had."""
        return 42

    @cached_property
    def corpora_with_target(self) -> tuple[str, ...]:
        """Corpora whose target was evaluated."""
        return tuple(self.frame.filter(pl.col("method") == TARGET)["corpus"].unique().sort())

    @cached_property
    def cells(self) -> tuple[CellKey, ...]:
        """Every unlearned cell, in the order of Table 1: format, retain subset, method."""
        names = [entry.name for entry in fields(CellKey)]
        found = self.frame.filter(pl.col("method") != TARGET).select(names).unique()
        return tuple(sorted((CellKey(**row) for row in found.iter_rows(named=True)), key=cell_order))

    @cached_property
    def settings_run(self) -> dict[GridSetting, tuple[CellKey, ...]]:
        """Cells by what one Table 1 holds fixed, in order."""
        groups: defaultdict[GridSetting, list[CellKey]] = defaultdict(list)
        for key in self.cells:
            groups[self.setting(key)].append(key)
        return {setting: tuple(groups[setting]) for setting in sorted(groups, key=_setting_order)}

    def setting(self, key: CellKey) -> GridSetting:
        """The setting a cell belongs to."""
        epochs = key.epochs / self.settings.epochs_factor.get(key.forget_format, 1)
        return GridSetting(key.corpus, key.semantics, key.learning_rate, key.lambda_retain, epochs)

    def seeds(self, key: CellKey) -> tuple[int, ...]:
        """Training seeds of a cell."""
        return tuple(sorted({seed for cell, _, seed in self._scored if cell == key and seed is not None}))

    def scores(self, key: CellKey, measure: str, seed: int | None = None) -> Scores:
        """One measure of a cell and of its corpus' target on the same items; of one training seed, or all."""
        seeds = self.seeds(key) if seed is None else (seed,)
        mine = [self._scored.get((key, measure, one), {}) for one in seeds]
        return _paired(self._scored.get((key.corpus, measure, None), {}), mine)

    def target_scores(self, corpus: str, measure: str) -> Scores:
        """One measure of a corpus' target alone: both sides are its own."""
        found = self._scored.get((corpus, measure, None), {})
        return _paired(found, [found])

    @cached_property
    def _scored(self) -> dict[tuple[CellKey | str, str, int | None], ItemScores]:
        """Scores by cell, measure and seed; of a target by its corpus, without a seed."""
        names = [entry.name for entry in fields(CellKey)]
        found: defaultdict[tuple[CellKey | str, str, int | None], dict[str, float | None]] = defaultdict(dict)
        for row in self.frame.iter_rows(named=True):
            is_target = row["method"] == TARGET
            owner = row["corpus"] if is_target else CellKey(**{name: row[name] for name in names})
            found[owner, row["measure"], None if is_target else row["seed"]][row["item"]] = row["score"]
        return dict(found)


def _paired(target: ItemScores, mine: Sequence[ItemScores]) -> Scores:
    asked = {item for scores in (target, *mine) for item in scores}
    both = sorted(item for item in asked if mine and all(scores.get(item) is not None for scores in (target, *mine)))
    return Scores(
        tuple(both),
        _column(target, both),
        np.mean([_column(scores, both) for scores in mine], axis=0) if mine else np.zeros(0),
        len(asked) - len(both),
    )


def _column(scores: ItemScores, items: Iterable[str]) -> NDArray[np.float64]:
    return np.array([scores[item] for item in items], dtype=np.float64)


def _rank(order: tuple[str, ...], name: str) -> int:
    return order.index(name) if name in order else len(order)


def _setting_order(setting: GridSetting) -> tuple[str, int, float, float, float]:
    rank = _rank(SEMANTICS, setting.semantics)
    return (setting.corpus, rank, setting.learning_rate, setting.lambda_retain, setting.epochs)


def cell_order(key: CellKey) -> tuple[str, int, int, int, int, str, float, float, float]:
    """The order of Table 1: format, retain subset, method."""
    return (
        key.corpus,
        _rank(SEMANTICS, key.semantics),
        _rank(FORMATS, key.forget_format),
        _rank(SUBSETS, key.retain_subset),
        _rank(tuple(METHODS), key.method),
        key.method,
        key.learning_rate,
        key.lambda_retain,
        key.epochs,
    )
