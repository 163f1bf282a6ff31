"""Across models: do models that remember more also forget better? Pearson correlations of NA, FA and SFRR."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import FigureIndex, figure
from forgetscope.stats.correlation import pearson

MEASURES = ("na", "fa", "sfrr")


@dataclass(frozen=True, slots=True)
class ModelMeasures:
    """NA, FA and SFRR of one model in one cell, all as proportions or all as percentages; None where undefined."""

    model: str
    na: float | None
    fa: float | None
    sfrr: float | None

    @property
    def is_whole(self) -> bool:
        """Whether all three are defined."""
        return None not in (self.na, self.fa, self.sfrr)


def across_figures(runs: Mapping[str, FigureIndex]) -> Iterator[Figure]:
    """The correlations of every cell that at least two runs have, averages over the scenarios among them.

    Args:
        runs: The figures of each run by a name of its own; the runs must have sent the same items to mean anything.
    """
    yield from _correlations(runs, "")


def paper_correlations(runs: Mapping[str, FigureIndex]) -> Iterator[Figure]:
    """The same of `paper.na`, `paper.fa` and `paper.sfrr`: as the paper reads replies."""
    yield from _correlations(runs, "paper.")


def _correlations(runs: Mapping[str, FigureIndex], reading: str) -> Iterator[Figure]:
    cells: dict[frozenset[tuple[str, Cell]], Mapping[str, Cell]] = {}
    for index in runs.values():
        for entry in index.named(f"{reading}na"):
            cells.setdefault(frozenset(entry.factors.items()), entry.factors)
    for factors in cells.values():
        models = [measures_of(name, index, factors, reading) for name, index in runs.items()]
        found = [model for model in models if model is not None]
        if len(found) > 1:
            yield from correlation_figures(found, factors)


def measures_of(model: str, index: FigureIndex, factors: Mapping[str, Cell], reading: str = "") -> ModelMeasures | None:
    """NA, FA and SFRR of a run's cell; None where the run does not have it."""
    if index.get(f"{reading}na", **factors) is None:
        return None
    return ModelMeasures(model, *(index.value(f"{reading}{name}", **factors) for name in MEASURES))


def correlation_figures(models: Sequence[ModelMeasures], factors: Mapping[str, Cell]) -> Iterator[Figure]:
    """`correlation.na_fa`, `.na_sfrr`, `.fa_sfrr` over models; n = models, those with an undefined measure left out.

    FA is NA x SFRR plus what is right with the request alone, so FA and SFRR go together in part by arithmetic.
    ICF-Bench, Table 10 (without intervals). Example: its Table 1 gives 0.504, 0.536 and 0.999 in instructional
    forgetting.
    """
    whole = [model for model in models if model.is_whole]
    values = {name: [getattr(model, name) for model in whole] for name in MEASURES}
    for one, other in combinations(MEASURES, 2):
        yield figure(
            f"correlation.{one}_{other}",
            factors,
            pearson(values[one], values[other]),
            excluded=len(models) - len(whole),
            unit="ratio",
            label="over models",
        )
