"""The Pareto front of forgetting and keeping: cells that no other beats in one without losing in the other."""

from collections.abc import Hashable, Mapping
from typing import TypeVar

from forgetscope.benchmarks.unlearning.metrics.marks import TableCell

Name = TypeVar("Name", bound=Hashable)


def pareto_front(cells: Mapping[Name, TableCell]) -> frozenset[Name]:
    """Cells on the front: Forget as high and Retain as low as can be. Undefined cells take no part, equal ones stay.

    >>> sorted(pareto_front({"a": TableCell(0.5, 0.2), "b": TableCell(0.6, 0.4), "c": TableCell(0.5, 0.3)}))
    ['a', 'b']
    """
    known = {
        name: (cell.forget, cell.retain)
        for name, cell in cells.items()
        if cell.forget is not None and cell.retain is not None
    }
    return frozenset(
        name
        for name, (forget, retain) in known.items()
        if not any(
            more >= forget and less <= retain and (more, less) != (forget, retain) for more, less in known.values()
        )
    )
