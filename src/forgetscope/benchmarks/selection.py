"""Which items of its data a run takes."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

ItemT = TypeVar("ItemT")


def first_of_each(items: Iterable[ItemT], group: Callable[[ItemT], Hashable], most: int | None) -> list[ItemT]:
    """The first `most` items of each group, all where that is None, in the order in which they stood.

    >>> first_of_each(["a1", "b1", "a2", "a3", "b2"], lambda item: item[0], 2)
    ['a1', 'b1', 'a2', 'b2']
    """
    taken: Counter[Hashable] = Counter()
    kept = []
    for item in items:
        taken[group(item)] += 1
        if most is None or taken[group(item)] <= most:
            kept.append(item)
    return kept
