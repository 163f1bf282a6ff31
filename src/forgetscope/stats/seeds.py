"""The spread of training beside that of items: what another training run, put to other questions, would have given."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.special import stdtrit

from forgetscope.stats.estimate import Estimate


def over_seeds(estimate: Estimate, by_seed: Sequence[float], *, level: float = 0.95) -> Estimate:
    """An interval over items with the spread of training put in.

    Each half is the root of its square and that of Student's half-width of the mean of the seeds: the two sources are
    apart from each other, so their variances add. With one seed the training run is held fixed and nothing changes.

    Args:
        estimate: Of items' means over seeds, with its interval over items.
        by_seed: The same figure of each training seed alone, up to a constant; in its units.
        level: Of the interval.

    Example: 0.5 [0.4, 0.6] with seeds at 0.45, 0.5 and 0.55: Student's half-width is 0.124, the interval [0.34, 0.66].
    """
    if estimate.value is None or estimate.low is None or estimate.high is None or len(by_seed) < 2:
        return estimate
    n = len(by_seed)
    half = float(stdtrit(n - 1, (1 + level) / 2) * np.std(by_seed, ddof=1) / np.sqrt(n))
    return replace(
        estimate,
        low=estimate.value - float(np.hypot(estimate.value - estimate.low, half)),
        high=estimate.value + float(np.hypot(estimate.high - estimate.value, half)),
        method=f"{estimate.method}; and over {n} training seeds",
    )
