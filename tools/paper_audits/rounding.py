"""Printed figures are rounded: what a value can have been printed as, and which counts a printed rate leaves."""

from collections.abc import Iterable

HALF_A_TENTH = 0.05 + 1e-9
HALF_A_HUNDREDTH = 0.005 + 1e-9
"""How far a figure printed with one or two decimals may lie from the value it was rounded from."""


def rounds_to(value: float, printed: float, half_unit: float = HALF_A_TENTH) -> bool:
    """Whether a value can have been printed so; a tie may go either way."""
    return abs(value - printed) <= half_unit


def counts_for(percent: float, sizes: Iterable[int], half_unit: float = HALF_A_TENTH) -> tuple[tuple[int, int], ...]:
    """All (k, n) with n among the sizes whose rate is printed as `percent`.

    Where n is so large that several k round to it, all of them. Example: 82.4 among 50 to 54 gives only 42 of 51.
    """
    found = []
    for n in sizes:
        nearest = round(percent * n / 100)
        spread = int(half_unit * n / 100) + 1
        for k in range(max(0, nearest - spread), min(n, nearest + spread) + 1):
            if rounds_to(100 * k / n, percent, half_unit):
                found.append((k, n))
    return tuple(found)
