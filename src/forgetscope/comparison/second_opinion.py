"""Claims across models once more, with items, load items and models as samples of many (`stats.crossed`)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from forgetscope.comparison.design import SampleOutcome
from forgetscope.stats.crossed import CrossedModel, crossed_effects

MOST_GROUPS = 1500
"""Groups over all random effects up to which the model is fitted: the work grows with their cube."""


@dataclass(frozen=True)
class ConditionContrast:
    """A condition against the reference, across models.

    Attributes:
        within: The value of the outcome's `within` column; empty where there is none.
        level: The condition.
        plain: Difference of the two rates, averaged over the runs that have both; what the model is set beside.
        model: The fitted model, which has the contrast under its level.
    """

    outcome: SampleOutcome
    within: str
    level: str
    plain: float | None
    model: CrossedModel


def second_opinion(
    outcomes: Sequence[SampleOutcome], labels: Sequence[str], tables: Sequence[pl.DataFrame]
) -> tuple[ConditionContrast, ...]:
    """Every contrast of every outcome that declares a condition.

    Args:
        outcomes: As the benchmark declares them.
        labels: Of the runs.
        tables: The matched samples of each run.
    """
    return tuple(
        contrast
        for outcome in outcomes
        if outcome.condition
        for within, frame in _frames(outcome, labels, tables)
        for contrast in _contrasts(outcome, within, frame, len(tables))
    )


def _frames(
    outcome: SampleOutcome, labels: Sequence[str], tables: Sequence[pl.DataFrame]
) -> Iterator[tuple[str, pl.DataFrame]]:
    """The scored samples of all runs, apart by `within`."""
    parts = [
        table.select(
            right=outcome.right.cast(pl.Float64),
            level=pl.col(outcome.condition).cast(pl.String),
            within=pl.col(outcome.within).cast(pl.String) if outcome.within else pl.lit(""),
            run=pl.lit(label),
            **{f"effect {name}": group.cast(pl.String) for name, group in outcome.effects.items()},
        ).drop_nulls("right")
        for label, table in zip(labels, tables, strict=True)
    ]
    frame = pl.concat(parts)
    for (within,), part in frame.partition_by("within", as_dict=True, maintain_order=True).items():
        yield str(within), part


def _contrasts(outcome: SampleOutcome, within: str, frame: pl.DataFrame, runs: int) -> Iterator[ConditionContrast]:
    both = pl.concat_str("run", "level", separator="/")
    effects = {
        **{name: frame[f"effect {name}"].to_list() for name in outcome.effects},
        "model": frame["run"].to_list(),
        "model x condition": frame.select(both).to_series().to_list(),
    }
    if sum(len(set(groups)) for groups in effects.values()) > MOST_GROUPS:
        return
    model = crossed_effects(frame["right"].to_numpy(), frame["level"].to_list(), effects, degrees=runs - 1)
    rates = frame.group_by("run", "level").agg(rate=pl.col("right").mean())
    reference = rates.filter(level=model.reference).select("run", base="rate")
    for level in model.effects:
        beside = rates.filter(level=level).join(reference, on="run")
        mean = (beside["rate"] - beside["base"]).mean()
        yield ConditionContrast(outcome, within, level, float(mean) if isinstance(mean, float) else None, model)
