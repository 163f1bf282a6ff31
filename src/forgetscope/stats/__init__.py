"""Intervals, paired tests, effect sizes and contrasts: thin and typed over NumPy, SciPy and statsmodels.

Pure functions of arrays; nothing here knows a benchmark. Every random draw comes from a generator the caller passes,
made by `named_stream` from the run's seed and the purpose.
"""

from forgetscope.stats.contrasts import Tested, contrast_of_groups, trend_over_levels
from forgetscope.stats.estimate import Estimate, smaller
from forgetscope.stats.intervals import (
    clustered_mean,
    difference_of_means,
    macro_average,
    matched_item_means,
    paired_difference,
    ratio_of_sums,
    wilson,
)
from forgetscope.stats.jackknife import estimate_from_sums
from forgetscope.stats.matched import Matched, MatchedSide, matched_difference
from forgetscope.stats.paired import McNemar, cohens_h, holm, mcnemar, sign_flip_permutation, size_of_h
from forgetscope.stats.power import detectable_from_interval, detectable_paired
from forgetscope.stats.streams import named_stream

__all__ = [
    "Estimate",
    "Matched",
    "MatchedSide",
    "McNemar",
    "Tested",
    "clustered_mean",
    "cohens_h",
    "contrast_of_groups",
    "detectable_from_interval",
    "detectable_paired",
    "difference_of_means",
    "estimate_from_sums",
    "holm",
    "macro_average",
    "matched_difference",
    "matched_item_means",
    "mcnemar",
    "named_stream",
    "paired_difference",
    "ratio_of_sums",
    "sign_flip_permutation",
    "size_of_h",
    "smaller",
    "trend_over_levels",
    "wilson",
]
