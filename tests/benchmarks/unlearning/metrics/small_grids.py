"""Small grids with scores that are easy to compute with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from forgetscope.benchmarks.unlearning.metrics.study import COLUMNS, MEASURES, CellKey, UnlearningStudy
from forgetscope.benchmarks.unlearning.settings import GridSettings

KEY = CellKey("news", "proper", "raw", "low", "ga", 2e-5, 1.0, 5.0)

Scores = Mapping[str, Sequence[float | None]]
"""Scores of the items of each measure."""


@dataclass(frozen=True)
class Run:
    """One training run of a cell."""

    key: CellKey
    scores: Scores
    seed: int = 0


def flat(*means: float, items: int = 8) -> dict[str, list[float | None]]:
    """The five measures with these means: half of the items a tenth of the mean above it, half as much below."""
    return {
        measure: [mean * (0.9 if number % 2 else 1.1) for number in range(items)]
        for measure, mean in zip(MEASURES, means, strict=True)
    }


TARGET = flat(0.8, 0.6, 0.5, 0.5, 0.4)


def cell(**changes: str | float) -> CellKey:
    """`KEY` with other factors."""
    return replace(KEY, **changes)  # type: ignore[arg-type]


def kept(*shares: float) -> dict[str, list[float | None]]:
    """Every item of each measure at this share of the target: its change is one minus the share, exactly."""
    return {
        measure: [None if score is None else share * score for score in TARGET[measure]]
        for measure, share in zip(MEASURES, shares, strict=True)
    }


def rows_of(
    method: str, factors: Mapping[str, str | float | None], scores: Scores, seed: int
) -> list[dict[str, object]]:
    """Rows of the sample table."""
    return [
        {**factors, "method": method, "seed": seed, "measure": measure, "item": f"{measure}-{number}", "score": score}
        for measure, values in scores.items()
        for number, score in enumerate(values)
    ]


def table(*runs: Run, target: Scores = TARGET, more: Sequence[dict[str, object]] = ()) -> pl.DataFrame:
    """A sample table: the target of each corpus and these runs."""
    rows: list[dict[str, object]] = list(more)
    for corpus in dict.fromkeys(run.key.corpus for run in runs):
        rows += rows_of("target", {**dict.fromkeys(COLUMNS), "corpus": corpus}, target, 0)
    for run in runs:
        factors = {name: getattr(run.key, name) for name in run.key.factors}
        rows += rows_of(run.key.method, factors, run.scores, run.seed)
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def study(*runs: Run, target: Scores = TARGET) -> UnlearningStudy:
    """The study of such a table."""
    return study_of(table(*runs, target=target))


def study_of(rows: pl.DataFrame) -> UnlearningStudy:
    """The study of a table, of a grid as it is by default."""
    return UnlearningStudy.of(rows, GridSettings())


def table1(shares: Mapping[tuple[str, str, str], Sequence[float]]) -> tuple[Run, ...]:
    """Runs by format, subset and method, each with the shares of the five measures that are kept."""
    return tuple(
        Run(
            cell(forget_format=form, retain_subset=subset, method=method, epochs=10.0 if form == "triplets" else 5.0),
            kept(*five),
        )
        for (form, subset, method), five in shares.items()
    )
