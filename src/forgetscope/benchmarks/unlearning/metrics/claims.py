"""The paper's statements as named contrasts: holds, fails or undecided, each with its interval.

A contrast is computed for each setting (corpus, losses, learning rate, lambda, epochs) and compares cells that differ
in nothing but what the statement is about; a cell without its partner takes no part. It is positive when the statement
holds, save where the statement says that nothing changes: that holds within `margin`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from forgetscope.benchmarks.unlearning.metrics.resampled import Asked, Changes, SharedItems, mean_change
from forgetscope.benchmarks.unlearning.metrics.study import (
    FORGET_MEASURES,
    MEASURES,
    RETAIN_MEASURES,
    CellKey,
    UnlearningStudy,
)
from forgetscope.findings.figures import Cell, Figure, Unit
from forgetscope.findings.measures import figure, with_holm
from forgetscope.findings.verdicts import Answer, Support, claim_answer
from forgetscope.stats import Estimate, estimate_from_sums, smaller
from forgetscope.stats.change_test import interval_test
from forgetscope.stats.sums import FloatArray, divide

LEAST_OF_A_SLOPE = 18
"""Items a measure below which a slope over cells has no interval: of ten it holds the truth in 89% at the worst."""


@dataclass(frozen=True)
class Contrast:
    """A figure of the changes of some cells: which it needs, and how it is made of them.

    Attributes:
        statistic: From changes to the figure.
        second: Where the figure is the smaller of two: the other one.
        least: Items a measure below which it has no interval.
    """

    asked: tuple[Asked, ...]
    statistic: Callable[[Changes], FloatArray]
    second: Callable[[Changes], FloatArray] | None = None
    least: int = 2

    def estimate(self, study: UnlearningStudy) -> Estimate:
        """The figure with its interval over items."""
        items = SharedItems.of(study, self.asked)
        found = items.estimate(self.statistic, least=self.least)
        return found if self.second is None else smaller(found, items.estimate(self.second))


@dataclass(frozen=True)
class TargetContrast:
    """How much better a corpus' target answers one set of questions than another."""

    corpus: str
    first: str
    second: str

    def estimate(self, study: UnlearningStudy) -> Estimate:
        """The difference of the two means with its interval; the items of each set are drawn by themselves."""
        scores = [study.target_scores(self.corpus, name).target for name in (self.first, self.second)]
        if not all(map(len, scores)):
            return Estimate(None, None, None, sum(map(len, scores)), "", "nothing was scored in one of the two")
        strata = np.repeat([0, 1], [len(own) for own in scores])
        sums = np.zeros((len(strata), 4))
        for number, own in enumerate(scores):
            sums[strata == number, 2 * number : 2 * number + 2] = np.stack([own, np.ones(len(own))], axis=1)

        def statistic(totals: FloatArray) -> FloatArray:
            return divide(totals[:, 0], totals[:, 1]) - divide(totals[:, 2], totals[:, 3])

        return estimate_from_sums(statistic, sums, n=len(sums), kind="unbounded", strata=strata)


@dataclass(frozen=True)
class Claim:
    """A statement of the paper.

    Attributes:
        name: Stable.
        statement: In our words, with where it stands.
        contrast: From the cells of one setting; None where the cells it needs were not run.
        margin: Of a statement that two things are alike: how far apart they may be. None for all others.
        unit: Of the contrast.
        is_of_some_cases: Whether it is said of certain cases only, which an average over cells cannot refute.
    """

    name: str
    statement: str
    contrast: Callable[[Sequence[CellKey]], Contrast | TargetContrast | None]
    margin: float | None = None
    unit: Unit = "points"
    is_of_some_cases: bool = False

    def answer(self, entry: Figure) -> Answer:
        """What the interval of the contrast says of the statement.

        Example: 3 points with an interval from 1 to 5 holds; as a statement of likeness within 4 it is undecided.
        """
        return claim_answer(Support.of(entry), margin=self.margin, is_of_some_cases=self.is_of_some_cases)


def _asked(cells: Iterable[CellKey], measures: Sequence[str]) -> tuple[Asked, ...]:
    return tuple((key, measure) for key in cells for measure in measures)


def _partners(cells: Sequence[CellKey], factor: str, first: str, second: str) -> list[tuple[CellKey, CellKey]]:
    """Pairs of cells of one setting alike in format, subset and method but for `factor`."""
    names = [name for name in ("forget_format", "retain_subset", "method") if name != factor]
    by_rest = {
        (getattr(key, factor), *(getattr(key, name) for name in names)): key
        for key in cells
        if getattr(key, factor) in (first, second)
    }
    return [
        (key, by_rest[second, *rest])
        for (side, *rest), key in by_rest.items()
        if side == first and (second, *rest) in by_rest
    ]


def _more(
    factor: str, first: str, second: str, measures: Sequence[str], formats: Sequence[str] = ()
) -> Callable[[Sequence[CellKey]], Contrast | None]:
    """How much more the first loses of these measures than the second, on average over matched cells.

    Args:
        factor: In which the two differ.
        first, second: The factor's values.
        measures: Whose mean change is compared.
        formats: Forget formats that count; all by default.
    """

    def contrast(cells: Sequence[CellKey]) -> Contrast | None:
        chosen = [key for key in cells if not formats or key.forget_format in formats]
        pairs = _partners(chosen, factor, first, second)
        if not pairs:
            return None

        def statistic(changes: Changes) -> FloatArray:
            return _mean(
                mean_change(changes, one, measures) - mean_change(changes, two, measures) for one, two in pairs
            )

        return Contrast(_asked((key for pair in pairs for key in pair), measures), statistic)

    return contrast


def _mean(parts: Iterable[FloatArray]) -> FloatArray:
    total: FloatArray = np.mean(list(parts), axis=0)
    return total


def _low_suffers_more(cells: Sequence[CellKey]) -> Contrast | None:
    def statistic(changes: Changes) -> FloatArray:
        return _mean(changes(key, "knowledge_low") - changes(key, "knowledge_high") for key in cells)

    return Contrast(_asked(cells, ("knowledge_low", "knowledge_high")), statistic)


def _world_improves(cells: Sequence[CellKey]) -> Contrast | None:
    return Contrast(
        _asked(cells, ("knowledge_world",)), lambda changes: _mean(-changes(key, "knowledge_world") for key in cells)
    )


def _balance(changes: Changes, key: CellKey) -> FloatArray:
    return mean_change(changes, key, FORGET_MEASURES) - mean_change(changes, key, RETAIN_MEASURES)


def _simnpo_is_better(cells: Sequence[CellKey]) -> Contrast | None:
    """Over every setting of SimNPO's own that was run: with several betas each has a name of its own."""
    plain = {(key.forget_format, key.retain_subset): key for key in cells if key.method == "ga"}
    pairs = [
        (key, plain[key.forget_format, key.retain_subset])
        for key in cells
        if key.method.partition(" (")[0] == "simnpo" and (key.forget_format, key.retain_subset) in plain
    ]
    if not pairs:
        return None
    return Contrast(
        _asked((key for pair in pairs for key in pair), MEASURES),
        lambda changes: _mean(_balance(changes, one) - _balance(changes, two) for one, two in pairs),
    )


def _pareto_improvement(cells: Sequence[CellKey]) -> Contrast | None:
    """The smaller of two gains, in forgetting and in keeping: positive only where both are."""
    by_place = {(key.forget_format, key.retain_subset, key.method): key for key in cells}
    methods = sorted({key.method for key in cells})
    pairs = [
        (by_place["pruned", "high", method], by_place["raw", "original", method])
        for method in methods
        if {("pruned", "high", method), ("raw", "original", method)} <= by_place.keys()
    ]
    if not pairs:
        return None

    def gain(group: Sequence[str]) -> Callable[[Changes], FloatArray]:
        return lambda of: _mean(mean_change(of, one, group) - mean_change(of, two, group) for one, two in pairs)

    forgotten, lost = gain(FORGET_MEASURES), gain(RETAIN_MEASURES)
    asked = _asked((key for pair in pairs for key in pair), MEASURES)
    return Contrast(asked, forgotten, second=lambda changes: -lost(changes))


def _pruned_is_balanced(cells: Sequence[CellKey]) -> Contrast | None:
    """The smaller of two gains in balance, over raw text and over triplets: positive only where pruned has the best."""
    raw, triplets = (_partners(cells, "forget_format", "pruned", other) for other in ("raw", "triplets"))
    if not raw or not triplets:
        return None

    def gain(pairs: Sequence[tuple[CellKey, CellKey]]) -> Callable[[Changes], FloatArray]:
        return lambda of: _mean(_balance(of, one) - _balance(of, two) for one, two in pairs)

    asked = _asked((key for pair in (*raw, *triplets) for key in pair), MEASURES)
    return Contrast(asked, gain(raw), second=gain(triplets))


def _target_knows_both_alike(cells: Sequence[CellKey]) -> TargetContrast:
    return TargetContrast(cells[0].corpus, "knowledge_low", "knowledge_high")


def _no_free_lunch(cells: Sequence[CellKey]) -> Contrast | None:
    """Slope over cells: points of Retain change for each point of Forget change.

    A slope and not a correlation, which chance differences between cells pull towards zero.
    """
    if len(cells) < 4:
        return None

    def statistic(changes: Changes) -> FloatArray:
        forget, retain = (
            np.stack([mean_change(changes, key, group) for key in cells], axis=1)
            for group in (FORGET_MEASURES, RETAIN_MEASURES)
        )
        away = forget - forget.mean(axis=1, keepdims=True)
        return divide((away * retain).sum(axis=1), (away**2).sum(axis=1))

    return Contrast(_asked(cells, MEASURES), statistic, least=LEAST_OF_A_SLOPE)


CLAIMS = (
    Claim(
        "low_equals_high_in_target",
        "the target answers questions on low- and high-entangled text alike, within 5 points of ROUGE-L (section 4.3)",
        _target_knows_both_alike,
        margin=0.05,
    ),
    Claim(
        "low_suffers_more", "questions on low-entangled text lose more than on high (section 4.3)", _low_suffers_more
    ),
    Claim(
        "world_improves",
        "world facts improve after unlearning, on average over cells (section 4.3: in certain scenarios)",
        _world_improves,
        is_of_some_cases=True,
    ),
    Claim(
        "pruned_forgets_best",
        "pruned text is forgotten better than raw text (section 4.3, News)",
        _more("forget_format", "pruned", "raw", FORGET_MEASURES),
    ),
    Claim(
        "raw_forgets_best",
        "raw text is forgotten better than pruned text (section 4.4, Books)",
        _more("forget_format", "raw", "pruned", FORGET_MEASURES),
    ),
    Claim(
        "triplets_retain_best",
        "triplets cost less of what is kept than raw text (sections 4.3, 4.4)",
        _more("forget_format", "raw", "triplets", RETAIN_MEASURES),
    ),
    Claim(
        "triplets_forget_less",
        "triplets forget less than raw text where the target has memorised nearly all (section 4.4, Books)",
        _more("forget_format", "raw", "triplets", FORGET_MEASURES),
    ),
    Claim(
        "subset_matters",
        "a high-entangled retain set costs more of what is kept than a low one (Table 1, News)",
        _more("retain_subset", "high", "low", RETAIN_MEASURES),
    ),
    Claim(
        "subset_insensitive",
        "what is kept does not depend on the retain set, within 5 points of S_change (section 4.4, Books)",
        _more("retain_subset", "high", "low", RETAIN_MEASURES),
        margin=0.05,
    ),
    Claim(
        "low_conditioning_keeps_high",
        "questions on high-entangled text lose less where training kept the low retain set than where it kept the high "
        "one, with raw and pruned text (section 4.3, News)",
        _more("retain_subset", "high", "low", ("knowledge_high",), ("raw", "pruned")),
    ),
    Claim(
        "low_conditioning_not_triplets",
        "with triplets they do not (section 4.3, News)",
        _more("retain_subset", "low", "high", ("knowledge_high",), ("triplets",)),
    ),
    Claim(
        "pruned_most_balanced",
        "pruned text has the best balance of forgetting and keeping of the three formats (section 4.4, Books)",
        _pruned_is_balanced,
    ),
    Claim(
        "pareto_improvement",
        "pruned text with a high-entangled retain set both forgets more and costs less than raw text with all of the "
        "retain set (section 4.3, News)",
        _pareto_improvement,
    ),
    Claim(
        "simnpo_best",
        "SimNPO has the better balance of forgetting and keeping than GA (section 4.5)",
        _simnpo_is_better,
    ),
    Claim(
        "no_free_lunch",
        "over formats, retain sets and methods, forgetting more goes with keeping less (section 4.5)",
        _no_free_lunch,
        unit="ratio",
    ),
)
"""In the order of the paper."""

BY_NAME = {claim.name: claim for claim in CLAIMS}


def claim_figures(study: UnlearningStudy, claims: Sequence[Claim] = CLAIMS) -> Iterator[Figure]:
    """Each claim for each setting that has the cells it needs; the tests of a setting are one family."""
    for setting, cells in study.settings_run.items():
        found = []
        for claim in claims:
            contrast = claim.contrast(cells)
            if contrast is None:
                continue
            factors: dict[str, Cell] = {**setting.factors, "claim": claim.name}
            estimate = contrast.estimate(study)
            tested = interval_test(estimate)
            found.append(figure("claim", factors, estimate, unit=claim.unit, label=claim.statement, tested=tested))
        yield from with_holm(found, "the claims of a setting")
