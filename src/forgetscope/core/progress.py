"""How far something is, told to whoever wants to show it."""

from collections.abc import Callable

Progress = Callable[[int], Callable[[], None]]
"""From a number of steps to what is called after each."""


def silent(total: int) -> Callable[[], None]:  # noqa: ARG001 - who shows progress wants to know
    """Progress that nobody looks at."""
    return lambda: None
