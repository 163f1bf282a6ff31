"""Runs that a table does not tell apart: the largest sets in which no two runs are distinguished.

Such sets overlap: A and B, and B and C, may each be indistinguishable while A and C are told apart. Not distinguished
is not equal: the smallest detectable difference says what could have been missed.
"""

from collections.abc import Iterable, Sequence

from forgetscope.comparison.differences import Difference


def not_distinguished(rows: Iterable[Difference], runs: int) -> tuple[tuple[int, ...], ...]:
    """The sets for the rows of one cell, as places of runs; the set with the lowest places first."""
    apart = {frozenset((row.first, row.second)) for row in rows if row.is_distinguished}
    neighbours = {
        run: {other for other in range(runs) if other != run and frozenset((run, other)) not in apart}
        for run in range(runs)
    }
    return tuple(sorted(tuple(sorted(found)) for found in _maximal(set(), set(range(runs)), set(), neighbours)))


def _maximal(inside: set[int], open_: set[int], done: set[int], neighbours: dict[int, set[int]]) -> list[set[int]]:
    """Maximal cliques by Bron and Kerbosch (1973), without pivots: runs are few."""
    if not open_ and not done:
        return [inside]
    found: list[set[int]] = []
    for run in sorted(open_):
        found += _maximal(inside | {run}, open_ & neighbours[run], done & neighbours[run], neighbours)
        open_ = open_ - {run}
        done = done | {run}
    return found


def in_words(groups: Sequence[Sequence[int]], labels: Sequence[str]) -> str:
    """`{a, b}; {c}`."""
    return "; ".join("{" + ", ".join(labels[run] for run in group) + "}" for group in groups)
