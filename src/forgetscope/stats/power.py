"""How large a difference must be to be found: before a run from its numbers, after it from the interval.

All for a two-sided test at 5% that finds the difference in 80% of repetitions, unless said otherwise.
"""

from scipy.special import ndtri

POWER = 0.8
LEVEL = 0.95


def detectable_from_interval(low: float, high: float, *, power: float = POWER, level: float = LEVEL) -> float:
    """The smallest true difference that a comparison this precise finds, from the interval that it has.

    The interval's half width over its normal quantile stands for the standard error.

    Example: [-0.10, 0.10] at 95% is a standard error of 0.051; times 1.960 + 0.842 gives 0.143.

    Raises:
        ValueError: The ends are in the wrong order.
    """
    if low > high:
        raise ValueError(f"an interval goes up, found {low} to {high}")
    quantile = float(-ndtri((1 - level) / 2))
    return (high - low) / (2 * quantile) * (quantile + float(-ndtri(1 - power)))


def detectable_paired(pairs: int, changing: float, *, power: float = POWER, level: float = LEVEL) -> float | None:
    """The smallest difference of two paired proportions that McNemar's test finds, in proportions (0.05 = 5 points).

    Solves Connor's (1987) sample size for the difference: pairs = (z_level sqrt(c) + z_power sqrt(c - d**2))**2 /
    d**2, where c is the share of pairs that change either way. None where even a difference of all that changes would
    not be found: too few pairs.

    Args:
        pairs: Units matched between the two sides; with several runs an item counts once.
        changing: Share of pairs expected to be right on one side only, 0-1; more change hides a difference.
        power: Chance of finding it.
        level: One minus the test's level.

    Example: 90 pairs of which 20% change: 0.130; 900 pairs: 0.0417.

    Raises:
        ValueError: No pair, or a share outside 0-1.
    """
    if pairs < 1 or not 0 < changing <= 1:
        raise ValueError(f"pairs are one or more and the share lies in (0, 1], found {pairs} and {changing}")
    for_level, for_power = float(-ndtri((1 - level) / 2)), float(-ndtri(1 - power))

    def missing_pairs(difference: float) -> float:
        spread = max(0.0, changing - difference**2) ** 0.5
        needed: float = (for_level * changing**0.5 + for_power * spread) ** 2 / difference**2
        return needed - pairs

    if missing_pairs(changing) > 0:
        return None
    from scipy.optimize import brentq  # late: a quarter of a second of CPU

    return float(brentq(missing_pairs, 1e-6, changing))
