"""TOFU's forget quality (Maini et al. 2024): do truth ratios tell an unlearned model from one that never knew?"""

import math
from collections.abc import Sequence

from scipy.stats import ks_2samp

FORGET_RATIOS = "truth_ratio.forget"
"""The truth ratios of single questions that a cell keeps: those that TOFU's own evaluation tests, over mean losses."""


def ks_forget_quality(ratios: Sequence[float], never_knew: Sequence[float]) -> float | None:
    """TOFU's forget quality: p of a two-sided, two-sample Kolmogorov-Smirnov test of truth ratios, 0-1.

    Near 1: nothing tells the model's truth ratios on the forget questions from those of one that never knew; TOFU calls
    0.05 the bar. A p-value, so more questions lower it for the same difference.

    Args:
        ratios: Of the unlearned model, one a forget question.
        never_knew: Of the model trained on the retain side alone.

    Returns:
        None where a side is empty or a ratio is not finite.
    """
    if not ratios or not never_knew or not all(map(math.isfinite, (*ratios, *never_knew))):
        return None
    return float(ks_2samp(ratios, never_knew).pvalue)
