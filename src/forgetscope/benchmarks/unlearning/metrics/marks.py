"""Table 1's marking: what is printed bold and what is blue.

Bold: for each forget and retain pair the highest Forget change and the lowest Retain change across algorithms. Blue:
for each algorithm the best cell. The paper does not say by which measure a cell is best; here it is the largest
Forget minus Retain, and the table says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass

Pair = tuple[str, str]
"""Forget format and retain subset."""


@dataclass(frozen=True)
class TableCell:
    """The two changes of one cell of Table 1, as proportions; None where undefined."""

    forget: float | None
    retain: float | None


@dataclass(frozen=True)
class Marks:
    """Which cells are marked, as pair and method."""

    best_forget: frozenset[tuple[Pair, str]]
    best_retain: frozenset[tuple[Pair, str]]
    best_of_method: frozenset[tuple[Pair, str]]


def mark(cells: Mapping[tuple[Pair, str], TableCell]) -> Marks:
    """The marks of a table; undefined cells take no part, ties are all marked."""
    pairs = {pair for pair, _ in cells}
    methods = {method for _, method in cells}
    forget: set[tuple[Pair, str]] = set()
    retain: set[tuple[Pair, str]] = set()
    best: set[tuple[Pair, str]] = set()
    for pair in pairs:
        row = {key: cell for key, cell in cells.items() if key[0] == pair}
        forget |= _largest({key: cell.forget for key, cell in row.items()})
        retain |= _largest({key: None if cell.retain is None else -cell.retain for key, cell in row.items()})
    for method in methods:
        column = {key: cell for key, cell in cells.items() if key[1] == method}
        best |= _largest(
            {
                key: None if cell.forget is None or cell.retain is None else cell.forget - cell.retain
                for key, cell in column.items()
            }
        )
    return Marks(frozenset(forget), frozenset(retain), frozenset(best))


def _largest(values: Mapping[tuple[Pair, str], float | None]) -> set[tuple[Pair, str]]:
    known = {key: value for key, value in values.items() if value is not None}
    return {key for key, value in known.items() if value == max(known.values())}
