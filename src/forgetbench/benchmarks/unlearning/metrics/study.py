"""The evaluated samples of a grid made ready for figures: cells, the five measures of the paper, and the target.

A row is one evaluated sample of one cell: a chunk to be continued or a question to be answered, with its ROUGE-L F1.
The target is a cell like the others, with the method `target`; it has one seed, whatever seeds the grid has.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from forgetbench.figures import Cell
from forgetbench.stats import named_stream

TARGET = "target"

FORGET_MEASURES = ("verbatim", "knowledge_forget")
RETAIN_MEASURES = ("knowledge_low", "knowledge_high", "knowledge_world")
MEASURES = (*FORGET_MEASURES, *RETAIN_MEASURES)
"""The five metrics of figures 2 and 3: two of forget quality, three of retain preservation (section 4.2)."""

METHODS = ("ga", "npo", "simnpo")
FORMATS = ("raw", "pruned", "triplets")
SUBSETS = ("low", "high", "original")

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

    @property
    def pair(self) -> tuple[str, str, str, str]:
        """The forget and retain data it was trained on: a row of Table 1."""
        return self.corpus, self.semantics, self.forget_format, self.retain_subset


@dataclass(frozen=True)
class Scores:
    """One measure of a cell beside the target's, sample by sample, shape (samples,) each, 0 to 1.

    Samples of several seeds of a cell are averaged per item first. `excluded` counts items without a score on either
    side.
    """

    items: tuple[str, ...]
    target: NDArray[np.float64]
    unlearned: NDArray[np.float64]
    excluded: int


@dataclass(frozen=True)
class Study:
    """The evaluated samples of one grid.

    Raises:
        ValueError: a column is missing, or a corpus has no target.
    """

    frame: pl.DataFrame
    seed: int = 42

    @classmethod
    def of(cls, table: pl.DataFrame, seed: int = 42) -> "Study":
        """The study of a table that has `COLUMNS`, whatever the order of its rows."""
        missing = [name for name in COLUMNS if name not in table.columns]
        if missing:
            raise ValueError(f"the table has no column {', '.join(missing)}")
        frame = table.filter(pl.col("measure").is_in(MEASURES)).sort(*COLUMNS)
        study = cls(frame, seed)
        without = sorted({key.corpus for key in study.cells} - set(study.corpora_with_target))
        if without:
            raise ValueError(f"no target was evaluated for {', '.join(without)}")
        return study

    def stream(self, name: str, factors: Mapping[str, Cell]) -> np.random.Generator:
        """The random stream of one figure."""
        labels = ",".join(f"{key}={factors[key]}" for key in sorted(factors))
        return named_stream(self.seed, f"unlearning figure {name} {labels}")

    @cached_property
    def corpora_with_target(self) -> tuple[str, ...]:
        """Corpora whose target was evaluated."""
        return tuple(self.frame.filter(pl.col("method") == TARGET)["corpus"].unique().sort())

    @cached_property
    def cells(self) -> tuple[CellKey, ...]:
        """Every unlearned cell, in the order of Table 1: format, retain subset, method."""
        names = [entry.name for entry in fields(CellKey)]
        found = self.frame.filter(pl.col("method") != TARGET).select(names).unique()
        return tuple(sorted((CellKey(**row) for row in found.iter_rows(named=True)), key=_order))

    @cached_property
    def pairs(self) -> tuple[tuple[str, str, str, str], ...]:
        """Corpus, semantics, forget format and retain subset that were run, in order."""
        return tuple(dict.fromkeys(key.pair for key in self.cells))

    def cell(self, key: CellKey) -> pl.DataFrame:
        """All evaluated samples of a cell, every seed."""
        held = [pl.col(name) == value for name, value in key.factors.items()]
        return self.frame.filter(*held)

    def seeds(self, key: CellKey) -> tuple[int, ...]:
        """Training seeds of a cell."""
        return tuple(self.cell(key)["seed"].unique().sort())

    def scores(self, key: CellKey, measure: str, seed: int | None = None) -> Scores:
        """One measure of a cell and of its corpus' target on the same items; of one training seed, or all."""
        part = self.cell(key).filter(pl.col("measure") == measure)
        if seed is not None:
            part = part.filter(pl.col("seed") == seed)
        there = self.frame.filter(
            (pl.col("method") == TARGET) & (pl.col("corpus") == key.corpus) & (pl.col("measure") == measure)
        )
        mine, theirs = _by_item(part), _by_item(there)
        both = sorted(name for name in mine.keys() & theirs.keys())
        return Scores(
            tuple(both),
            np.array([theirs[name] for name in both], dtype=np.float64),
            np.array([mine[name] for name in both], dtype=np.float64),
            len(set(part["item"]) | set(there["item"])) - len(both),
        )


def _by_item(frame: pl.DataFrame) -> dict[str, float]:
    means = frame.drop_nulls("score").group_by("item").agg(pl.col("score").mean())
    return dict(means.iter_rows())


def _rank(order: tuple[str, ...], name: str) -> int:
    return order.index(name) if name in order else len(order)


def _order(key: CellKey) -> tuple[str, str, int, int, int, str, float, float, float]:
    return (
        key.corpus,
        key.semantics,
        _rank(FORMATS, key.forget_format),
        _rank(SUBSETS, key.retain_subset),
        _rank(METHODS, key.method),
        key.method,
        key.learning_rate,
        key.lambda_retain,
        key.epochs,
    )


def by_setting(cells: tuple[CellKey, ...]) -> Iterator[tuple[tuple[float, float, float], list[CellKey]]]:
    """Cells that share learning rate, lambda and epochs-rule: only these stand in one table."""
    groups: dict[tuple[float, float, float], list[CellKey]] = {}
    for key in cells:
        groups.setdefault((key.learning_rate, key.lambda_retain, 0.0), []).append(key)
    yield from groups.items()
