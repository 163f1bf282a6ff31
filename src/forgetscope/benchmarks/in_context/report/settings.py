"""Tables over the cells of a run: the main setting for everyone, all lengths and prompts for who opens them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from forgetscope.benchmarks.in_context.metrics.study import AVERAGE, DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.names import setting_name
from forgetscope.findings.figures import Cell, Column, Interval, Series, Table
from forgetscope.findings.phrasing import percent

Row = Mapping[str, Cell | Interval]

SETTING = Column("setting", "setting")


def tables_of(
    study: InContextStudy,
    title: str,
    columns: Sequence[Column],
    rows: Sequence[tuple[DialogueCell, Row]],
    *,
    slug: str,
    note: str = "",
) -> Iterator[Table]:
    """The rows of the main setting, and where others were run, every row in a folded table.

    Args:
        study: Of the run.
        title: Of the first table, which adds the setting where that is not its first column.
        columns: Of both; the first table has the setting's only where it is the first.
        rows: With the cell each is of and its setting's name.
        slug: Of the first table.
        note: Below both.
    """
    length, strategy, _ = study.main_setting
    main = {*study.main_cells(), DialogueCell(AVERAGE, length, strategy)}
    named = [(key, {SETTING.key: setting_name(key), **row}) for key, row in rows]
    here = tuple(row for key, row in named if key in main)
    if here:
        is_first = columns[0].key == SETTING.key
        shown = tuple(column for column in columns if is_first or column.key != SETTING.key)
        name = title if is_first else f"{title} ({setting_name(study.main_cells()[0])})"
        yield Table(name, shown, here, note=note, slug=slug)
    if len(here) < len(rows):
        every = tuple(row for _, row in named)
        name = f"{title}, every length and prompt"
        yield Table(name, tuple(columns), every, note=note, slug=f"{slug}-every", folded=True)


def said(line: Series, names: Iterable[str], nothing: str = "nothing defined") -> str:
    """A line of a chart in words: what each of its points is."""
    known = [
        f"{name} {percent(point.value)}"
        for name, point in zip(names, line.points, strict=True)
        if point is not None and point.value is not None
    ]
    return f"{line.label}: {', '.join(known) or nothing}"
