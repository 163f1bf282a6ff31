"""From estimates and accounts to figures, and figures by name: what every benchmark's metrics are made with."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from forgetscope.core.outcomes import Account
from forgetscope.findings.figures import Cell, Figure, Interval, Unit
from forgetscope.stats.change_test import UNTESTED, ChangeTest
from forgetscope.stats.estimate import Estimate
from forgetscope.stats.paired import holm


def figure(
    name: str,
    factors: Mapping[str, Cell],
    estimate: Estimate,
    *,
    excluded: int = 0,
    unit: Unit = "proportion",
    note: str = "",
    label: str = "",
    tested: ChangeTest = UNTESTED,
) -> Figure:
    """A figure from an estimate; `label` says in words what was averaged, the estimate how the interval was made.

    A difference that is read in words brings its test.
    """
    dropped = f"{estimate.draws_dropped} draws dropped (zero denominator)" if estimate.draws_dropped else ""
    clusters = f"{estimate.clusters} clusters" if estimate.clusters not in (0, estimate.n) else ""
    return Figure(
        name=name,
        factors=dict(factors),
        value=estimate.value,
        n=estimate.n,
        excluded=excluded,
        low=estimate.low,
        high=estimate.high,
        method="; ".join(part for part in (label, estimate.method, clusters) if part),
        unit=unit,
        note="; ".join(part for part in (estimate.undefined, dropped, note) if part),
        items=estimate.clusters or estimate.n,
        p=tested.p,
        test=tested.method,
        changed=tested.changed,
    )


def with_holm(entries: Sequence[Figure], family: str) -> tuple[Figure, ...]:
    """The same differences, their p-values adjusted by Holm as one family (`family`: over what, in words)."""
    tests = sum(entry.p is not None for entry in entries)
    return tuple(
        replace(entry, p=adjusted, test=f"{entry.test}, Holm over {family} ({tests})" if entry.test else "")
        for entry, adjusted in zip(entries, holm([entry.p for entry in entries]), strict=True)
    )


def holm_figure(entry: Figure) -> Figure:
    """The adjusted p-value of a difference as a figure of its own, `NAME.p.holm`."""
    n = entry.n if entry.items is None else entry.items
    return plain(f"{entry.name}.p.holm", entry.factors, entry.p, n, unit="p", method=entry.test)


def plain(
    name: str,
    factors: Mapping[str, Cell],
    value: float | None,
    n: int,
    *,
    unit: Unit,
    method: str,
    excluded: int = 0,
    note: str = "",
) -> Figure:
    """A figure without an interval: a count, a p-value, an effect size."""
    return Figure(name, dict(factors), value, n, excluded, None, None, method, unit, note)


def bound_figures(name: str, factors: Mapping[str, Cell], kept: Account) -> Iterator[Figure]:
    """The lowest and highest a completed rate could be, `NAME.lowest` and `NAME.highest`."""
    bounds = kept.bounds
    for end, value in zip(("lowest", "highest"), bounds or (None, None), strict=True):
        yield plain(
            f"{name}.{end}",
            factors,
            value,
            kept.attempted,
            unit="proportion",
            method=f"if every sample outside the completed rate had {'failed' if end == 'lowest' else 'passed'}",
            note="" if bounds else "nothing was sent",
        )


class FigureIndex:
    """Figures by name and factors, in the order they were computed.

    Raises:
        ValueError: two figures have the same name and factors.
    """

    def __init__(self, figures: Iterable[Figure]) -> None:
        self._figures: dict[tuple[str, frozenset[tuple[str, Cell]]], Figure] = {}
        self._where: Callable[[Mapping[str, Cell]], Mapping[str, Cell]] = dict
        for entry in figures:
            key = (entry.name, frozenset(entry.factors.items()))
            if key in self._figures:
                raise ValueError(f"the figure {entry.name} of {dict(entry.factors)} was computed twice")
            self._figures[key] = entry

    def __iter__(self) -> Iterator[Figure]:
        return iter(self._figures.values())

    def asked(self, where: Callable[[Mapping[str, Cell]], Mapping[str, Cell]]) -> "FigureIndex":
        """The same figures, found by what `where` makes of the factors that are asked for."""
        found = FigureIndex(())
        found._figures, found._where = self._figures, where
        return found

    def get(self, name: str, **factors: Cell) -> Figure | None:
        """The figure with exactly these factors; None when it was not computed."""
        return self._figures.get((name, frozenset(self._where(factors).items())))

    def first(self, names: Sequence[str], **factors: Cell) -> Figure | None:
        """Of these figures the first that has a value, else the first that was computed; None where none was."""
        found = [entry for name in names if (entry := self.get(name, **factors)) is not None]
        return next((entry for entry in found if entry.value is not None), found[0] if found else None)

    def interval(self, name: str, **factors: Cell) -> Interval | None:
        """Its value and interval, for a table or chart; None when it was not computed."""
        found = self.get(name, **factors)
        return None if found is None else Interval.of(found)

    def value(self, name: str, **factors: Cell) -> float | None:
        """Its value; None when undefined or not computed."""
        found = self.get(name, **factors)
        return None if found is None else found.value

    def named(self, name: str) -> tuple[Figure, ...]:
        """All figures of a name, in order."""
        return tuple(entry for entry in self if entry.name == name)
