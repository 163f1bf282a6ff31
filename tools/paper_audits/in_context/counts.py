"""Which whole numbers of items fit the printed percentages.

NA, FA, SFRR and WR with two decimals are four views of one 2 x 2 table of items. With some hundreds of items they leave
one table at most, and few sizes for which all models have one.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from tools.paper_audits.in_context.tables import (
    REVISION,
    Measures,
    main_table,
    models,
    percentages,
    prints,
)
from tools.paper_audits.rounding import HALF_A_HUNDREDTH, counts_for

SIZES = range(100, 1501)
"""Sizes that are searched. The multiples of a size that fits fit as well."""

PairCounts = tuple[int, int, int, int]
"""Items right in both forms, without interference only, with it only, in neither."""


@cache
def tables_that_fit(measures: Measures, wr: float | None, n: int) -> tuple[PairCounts, ...]:
    """The 2 x 2 tables of n items that print these figures; `wr` None leaves Table 4 out.

    Example: NA 83.33, FA 50.00, SFRR 60.00 of 6 items: 3 of 5 right in both, none right with the interference only.
    """
    found = []
    for without, _ in counts_for(measures.na, [n], HALF_A_HUNDREDTH):
        for with_, _ in counts_for(measures.fa, [n], HALF_A_HUNDREDTH):
            for both, _ in counts_for(measures.sfrr, [without] if without else [], HALF_A_HUNDREDTH):
                gained = with_ - both
                if 0 <= gained <= n - without and (wr is None or prints(100 * gained / n, wr)):
                    found.append((both, without - both, gained, n - without - gained))
    return tuple(found)


def sizes_that_fit(scenario: str, sizes: Iterable[int] = SIZES) -> list[int]:
    """Sizes of a scenario for which every model's NA, FA, SFRR and WR are one table of whole items."""
    wr = percentages("in_context_table4_wrong_to_right")
    return [
        n
        for n in sizes
        if all(tables_that_fit(main_table()[model, scenario], wr[model, scenario], n) for model in models())
    ]


@cache
def pair_counts(scenario: str, n: int) -> dict[str, PairCounts]:
    """The table of each model, where exactly one fits."""
    found = {}
    for model in models():
        fits = tables_that_fit(main_table()[model, scenario], _wr(model, scenario), n)
        if len(fits) == 1:
            found[model] = fits[0]
    return found


def whole(percents: Sequence[float], n: int) -> int:
    """How many of the percentages are a whole number of n."""
    return sum(bool(counts_for(percent, [n], HALF_A_HUNDREDTH)) for percent in percents)


def _wr(model: str, scenario: str) -> float | None:
    """Table 4's figure; not for subtask revision, whose zeros contradict the rest."""
    return None if scenario == REVISION else percentages("in_context_table4_wrong_to_right")[model, scenario]
