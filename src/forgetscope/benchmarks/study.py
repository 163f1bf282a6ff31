"""A sample table made ready for figures: what the studies of all benchmarks share."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Generic, Self

import numpy as np
import polars as pl

from forgetscope.core.settings import SettingsT
from forgetscope.findings.figures import Cell
from forgetscope.stats import named_stream


@dataclass(frozen=True)
class Study(ABC, Generic[SettingsT]):
    """The samples of a run, and a random stream for each of its figures.

    Attributes:
        frame: The sample table, in the order of the samples' ids.
        settings: Of the run.
        planned: Samples planned per cell, by the plan's labels; the table may hold fewer, and lack whole cells.
    """

    benchmark: ClassVar[str]
    """The first word of the names of its streams."""

    frame: pl.DataFrame
    settings: SettingsT
    planned: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, table: pl.DataFrame, settings: SettingsT, planned: Mapping[str, int] | None = None) -> Self:
        """The study of a sample table, whatever the order of its rows.

        Raises:
            ValueError: the table holds several models, a sample twice, or no sample where none was planned.
        """
        if not table.height and not planned:
            raise ValueError("the table holds no sample, and no plan says what is missing")
        if table["model"].n_unique() > 1:
            raise ValueError(f"one model a table, found {sorted(table['model'].unique())}")
        refuse_repeats(table)
        return cls(cls.prepared(table.sort("sample_id")), settings, planned or {})

    @classmethod
    def prepared(cls, frame: pl.DataFrame) -> pl.DataFrame:
        """The table with the columns that only figures need."""
        return frame

    @property
    @abstractmethod
    def seed(self) -> int:
        """The seed all streams come from."""

    def stream(self, name: str, factors: Mapping[str, Cell]) -> np.random.Generator:
        """The random stream of one figure; that of any other is another."""
        labels = ",".join(f"{key}={factors[key]}" for key in sorted(factors))
        return named_stream(self.seed, f"{self.benchmark} figure {name} {labels}")


def refuse_repeats(table: pl.DataFrame) -> None:
    """Refuse a table in which a sample stands twice: it would count twice, or with two verdicts.

    Raises:
        ValueError: It does; the message says which sample, and whether its verdicts differ.
    """
    twice = table.filter(pl.col("sample_id").is_duplicated())
    if twice.height:
        first = str(twice.sort("sample_id")["sample_id"][0])
        statuses = sorted(set(twice.filter(pl.col("sample_id") == first)["status"].to_list()))
        verdicts = f" with different verdicts ({', '.join(statuses)})" if len(statuses) > 1 else ""
        more = twice["sample_id"].n_unique() - 1
        raise ValueError(f"the sample {first} is there twice{verdicts}{f', and {more} others' if more else ''}")
