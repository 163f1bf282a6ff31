"""The words and number formats that the sections of all benchmarks share."""

from collections.abc import Callable, Iterable, Sequence

from forgetscope.findings.figures import Figure, Finding, Series
from forgetscope.findings.verdicts import Support, Verdict, p_words


def percent(value: float) -> str:
    """A proportion as a percentage with one decimal and a real minus sign."""
    return f"{100 * value:.1f}%".replace("-", "\N{MINUS SIGN}")


def points(value: float) -> str:
    """The size of a difference of proportions in points."""
    return f"{100 * abs(value):.1f}"


def direction(value: float, positive: str, negative: str, zero: str) -> str:
    """The word for a change of this sign."""
    return zero if value == 0 else positive if value > 0 else negative


def interval_words(entry: Figure, *, flip: bool = False) -> str:
    """The 95% interval of a difference in points, or why there is none; `flip` gives that of the opposite sign."""
    if entry.low is None or entry.high is None:
        return f"no interval: {entry.note.partition(';')[0] or 'undefined'}"
    low, high = (-entry.high, -entry.low) if flip else (entry.low, entry.high)
    return f"95% interval {signed(low)} to {signed(high)}"


def signed(value: float) -> str:
    """A difference in points with a real minus sign."""
    return f"{100 * value + 0.0:.1f}".replace("-", "\N{MINUS SIGN}")


def plus(value: float) -> str:
    """A difference in points with its sign, for the words under a chart."""
    return f"{100 * value:+.1f}"


def said(
    lines: Iterable[Series], names: Sequence[str], write: Callable[[float], str] = percent, most: int | None = None
) -> str:
    """A chart in words, without the last full stop: of each line the values by their names.

    `most` is how many values of a line are said one by one; of more the lowest and the highest.
    """
    return ". ".join(f"{line.label}: {said_values(line, names, write, most)}" for line in lines)


def said_values(
    line: Series, names: Sequence[str], write: Callable[[float], str] = percent, most: int | None = None
) -> str:
    """The values of one line by their names; "nothing defined" without any."""
    known = [
        (point.value, name)
        for name, point in zip(names, line.points, strict=True)
        if point is not None and point.value is not None
    ]
    if most is not None and len(known) > most:
        return " to ".join(f"{write(value)} ({name})" for value, name in (min(known), max(known)))
    return ", ".join(f"{name} {write(value)}" for value, name in known) or "nothing defined"


def turned(lines: Sequence[Series], names: Sequence[str]) -> tuple[Series, ...]:
    """A line for each category, over the lines: what is said of a heatmap by its columns."""
    return tuple(Series(name, tuple(line.points[place] for line in lines)) for place, name in enumerate(names))


def verdict(entry: Figure) -> Verdict:
    """How sure a difference is (the sentence says in which direction)."""
    return Support.of(entry).verdict


def undecided_words(entry: Figure) -> str:
    """Why a difference is not shown, as the end of a sentence; empty where it is."""
    return Support.of(entry).clause


def basis(entry: Figure, noun: str = "item", plural: str = "") -> str:
    """What a difference rests on: interval in the direction it has, test, items; for brackets after its size.

    Example: -0.786 from -0.841 to -0.733 gives "95% interval 73.3 to 84.1, p < 0.001, 60 items".
    """
    test = "" if entry.p is None else f", {p_words(entry.p)}"
    items = counted(entry.n if entry.items is None else entry.items, noun, plural)
    return f"{interval_words(entry, flip=(entry.value or 0.0) < 0)}{test}, {items}"


def moved(entry: Figure, first: float | None = None, second: float | None = None) -> str:
    """What became of a rate: "fell by 78.6 points, from 90.1% to 11.5%".

    Args:
        entry: The difference, first minus second: positive where the rate fell.
        first: The rate before; None where the ends are not said.
        second: The rate after.
    """
    ends = "" if first is None or second is None else f", from {percent(first)} to {percent(second)}"
    value = entry.value or 0.0
    if not value:
        return "did not change" if first is None else f"stayed at {percent(first)}"
    return f"{'fell' if value > 0 else 'rose'} by {points(value)} points{ends}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """A count with its noun, in the plural where it is not one."""
    return f"{count} {noun if count == 1 else plural or f'{noun}s'}"


def defined(entries: Iterable[Figure | None]) -> tuple[Figure, ...]:
    """Those figures that exist and have a value."""
    return tuple(entry for entry in entries if entry is not None and entry.value is not None)


def not_run(what: str, option: str) -> Finding:
    """One sentence for a part whose conditions were not run."""
    return Finding(f"{what} was not run; {option} adds it.", "note")
