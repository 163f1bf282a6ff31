"""The paper's statements as named contrasts: holds, fails or undecided, each with its interval.

Every contrast is a difference of S_change between groups of cells of one corpus and semantics, positive when the
statement holds. Cells are fixed; items are resampled within each measure, all cells of an item together, because the
same questions are put to every cell.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from forgetbench.benchmarks.unlearning.metrics.study import FORGET_MEASURES, MEASURES, RETAIN_MEASURES, CellKey, Study
from forgetbench.figures import Cell, Figure
from forgetbench.measures import figure
from forgetbench.stats import Estimate, cluster_bootstrap
from forgetbench.stats.resampling import FloatArray, divide

Weights = dict[tuple[CellKey, str], float]
"""How much the change of a measure of a cell counts in a contrast."""


@dataclass(frozen=True)
class Claim:
    """A statement of the paper.

    Attributes:
        name: Stable.
        statement: In our words, with where it stands.
        weights: From the cells of one corpus to the contrast; empty where the cells it needs were not run.
    """

    name: str
    statement: str
    weights: Callable[[Sequence[CellKey]], Weights]


def _mean_of(cells: Sequence[CellKey], measures: Sequence[str], sign: float) -> Weights:
    many = len(cells) * len(measures)
    return {(key, measure): sign / many for key in cells for measure in measures}


def _difference(first: Weights, second: Weights) -> Weights:
    if not first or not second:
        return {}
    total = dict(first)
    for key, weight in second.items():
        total[key] = total.get(key, 0.0) + weight
    return total


def _with(cells: Sequence[CellKey], **factors: str) -> list[CellKey]:
    return [key for key in cells if all(getattr(key, name) == value for name, value in factors.items())]


def _low_suffers_more(cells: Sequence[CellKey]) -> Weights:
    return _difference(_mean_of(cells, ["knowledge_low"], 1.0), _mean_of(cells, ["knowledge_high"], -1.0))


def _world_improves(cells: Sequence[CellKey]) -> Weights:
    return _mean_of(cells, ["knowledge_world"], -1.0) if cells else {}


def _pruned_forgets_best(cells: Sequence[CellKey]) -> Weights:
    return _difference(
        _mean_of(_with(cells, forget_format="pruned"), FORGET_MEASURES, 1.0),
        _mean_of(_with(cells, forget_format="raw"), FORGET_MEASURES, -1.0),
    )


def _triplets_retain_best(cells: Sequence[CellKey]) -> Weights:
    return _difference(
        _mean_of(_with(cells, forget_format="raw"), RETAIN_MEASURES, 1.0),
        _mean_of(_with(cells, forget_format="triplets"), RETAIN_MEASURES, -1.0),
    )


def _triplets_forget_less(cells: Sequence[CellKey]) -> Weights:
    return _difference(
        _mean_of(_with(cells, forget_format="raw"), FORGET_MEASURES, 1.0),
        _mean_of(_with(cells, forget_format="triplets"), FORGET_MEASURES, -1.0),
    )


def _subset_matters(cells: Sequence[CellKey]) -> Weights:
    return _difference(
        _mean_of(_with(cells, retain_subset="high"), RETAIN_MEASURES, 1.0),
        _mean_of(_with(cells, retain_subset="low"), RETAIN_MEASURES, -1.0),
    )


def _simnpo_gains_over_ga(cells: Sequence[CellKey]) -> Weights:
    simnpo, ga = _with(cells, method="simnpo"), _with(cells, method="ga")
    return _difference(
        _difference(_mean_of(simnpo, FORGET_MEASURES, 1.0), _mean_of(simnpo, RETAIN_MEASURES, -1.0)),
        _difference(_mean_of(ga, FORGET_MEASURES, -1.0), _mean_of(ga, RETAIN_MEASURES, 1.0)),
    )


CLAIMS = (
    Claim(
        "low_suffers_more", "questions on low-entangled text lose more than on high (section 4.3)", _low_suffers_more
    ),
    Claim("world_improves", "world facts can improve after unlearning (section 4.3)", _world_improves),
    Claim(
        "pruned_forgets_best", "pruned text is forgotten better than raw text (section 4.3, News)", _pruned_forgets_best
    ),
    Claim(
        "triplets_retain_best",
        "triplets cost less of what is kept than raw text (sections 4.3, 4.4)",
        _triplets_retain_best,
    ),
    Claim("triplets_forget_less", "triplets forget less than raw text (section 4.4, Books)", _triplets_forget_less),
    Claim("subset_matters", "a high-entangled retain set costs more of what is kept than a low one", _subset_matters),
    Claim(
        "simnpo_best",
        "SimNPO has the better balance of forgetting and keeping than GA (section 4.5)",
        _simnpo_gains_over_ga,
    ),
)


def claim_figures(study: Study) -> Iterator[Figure]:
    """Each claim for each corpus and semantics that has the cells it needs."""
    groups: dict[tuple[str, str], list[CellKey]] = {}
    for key in study.cells:
        groups.setdefault((key.corpus, key.semantics), []).append(key)
    for (corpus, semantics), cells in groups.items():
        for claim in CLAIMS:
            weights = claim.weights(cells)
            if weights:
                factors: dict[str, Cell] = {"corpus": corpus, "semantics": semantics, "claim": claim.name}
                estimate = contrast(study, weights, factors)
                yield figure("claim", factors, estimate, unit="points", label=claim.statement)


def contrast(study: Study, weights: Weights, factors: dict[str, Cell]) -> Estimate:
    """The weighted sum of changes, items resampled within measures with all their cells."""
    cells = sorted({key for key, _ in weights})
    columns = [(measure, key) for measure in MEASURES for key in (None, *cells)]
    place = {column: number for number, column in enumerate(columns)}
    rows: list[FloatArray] = []
    strata: list[int] = []
    for number, measure in enumerate(MEASURES):
        asked = [key for key in cells if (key, measure) in weights]
        if not asked:
            continue
        scores = {key: study.scores(key, measure) for key in asked}
        shared = sorted(set.intersection(*(set(found.items) for found in scores.values())))
        sums = np.zeros((len(shared), len(columns)))
        for key, found in scores.items():
            where = [found.items.index(item) for item in shared]
            sums[:, place[measure, key]] = found.unlearned[where]
            sums[:, place[measure, None]] = found.target[where]
        rows.append(sums)
        strata.extend([number] * len(shared))
    if not rows or not strata:
        return Estimate(None, None, None, 0, "cluster bootstrap", "nothing was scored in all cells")

    def statistic(t: FloatArray) -> FloatArray:
        total: FloatArray = np.zeros(len(t))
        for (key, measure), weight in weights.items():
            target = t[:, place[measure, None]]
            total = total + weight * divide(target - t[:, place[measure, key]], target)
        return total

    return cluster_bootstrap(
        statistic,
        np.concatenate(rows),
        n=len(strata),
        seed=study.stream("claim", factors),
        strata=np.unique(np.array(strata), return_inverse=True)[1].astype(np.int64),
    )
