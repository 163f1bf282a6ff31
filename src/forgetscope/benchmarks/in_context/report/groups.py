"""Which items are forgotten: the slope from NA to FA by group of items, and every factor's levels."""

from forgetscope.benchmarks.in_context.metrics.study import DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.glance import MEASURES
from forgetscope.benchmarks.in_context.report.names import factor_name, level_name, scenario_name, setting_name
from forgetscope.findings.figures import Cell, Chart, Column, Figure, Interval, Section, Series, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, percent


def group_section(study: InContextStudy, index: FigureIndex) -> Section | None:
    """The slope chart and the table of factors in the main setting; None where no item was scored in both forms."""
    chart = slope_chart(study, index)
    if chart is None:
        return None
    tables = [factor_table(study, index), *kind_tables(study, index)]
    return Section(
        "By group of items",
        (chart, *tables),
        intro="Groups are small: read their intervals. A line that falls is a group that loses by the interference.",
        slug="groups",
    )


def _levels(index: FigureIndex, key: DialogueCell) -> list[Figure]:
    return [
        entry
        for entry in index.named("by_factor.na")
        if {name: value for name, value in entry.factors.items() if name not in ("factor", "level")} == key.factors
    ]


def slope_chart(study: InContextStudy, index: FigureIndex) -> Chart | None:
    """From NA to FA, one line an item group of the main setting; None without groups."""
    kinds = [entry for key in study.main_cells() for entry in _levels(index, key) if entry.factors["factor"] == "kind"]
    drawn = [entry for entry in kinds if entry.value is not None]
    if not drawn:
        return None
    several = len(study.main_cells()) > 1
    lines = tuple(
        Series(
            _line_name(entry, several),
            (index.interval("by_factor.na", **entry.factors), index.interval("by_factor.fa", **entry.factors)),
        )
        for entry in drawn
    )
    said = [
        f"{line.label} from {percent(na.value)} to {percent(fa.value)}"
        for line in lines
        for na, fa in (line.points,)
        if na is not None and fa is not None and na.value is not None and fa.value is not None
    ]
    return Chart(
        "lines",
        f"From NA to FA, by group of items ({setting_name(study.main_cells()[0])})",
        ("NA", "FA"),
        lines,
        summary="; ".join(said) + ".",
        y_label="items",
        slug="slope",
    )


def _line_name(entry: Figure, several: bool) -> str:
    """The group, after the last word of its scenario where there are several: lines are named at their ends."""
    level = level_name(str(entry.factors["level"]))
    return f"{scenario_name(str(entry.factors['scenario'])).split()[-1]}: {level}" if several else level


_COLUMNS = tuple(column for column in MEASURES if column.key in ("na", "fa", "sfrr", "drop"))


def factor_table(study: InContextStudy, index: FigureIndex) -> Table:
    """NA, FA and SFRR for each level of each factor in the main setting."""
    levels = [entry for key in study.main_cells() for entry in _levels(index, key)]
    rows = [_row(index, entry) for entry in levels if entry.n]
    empty = len(levels) - len(rows)
    left_out = f" {counted(empty, 'level')} without an item scored in both forms left out." if empty else ""
    return Table(
        "By factor",
        (
            Column("scenario", "scenario"),
            Column("factor", "factor"),
            Column("level", "level"),
            *_COLUMNS,
            Column("n", "items", "integer"),
        ),
        tuple(rows),
        note="A request that names the fact puts it before the query once more, and a retraction that names it "
        "denies it: a reply that repeats the denial counts as a leak by rule." + left_out,
        slug="factors",
    )


def kind_tables(study: InContextStudy, index: FigureIndex) -> tuple[Table, ...]:
    """The kinds of items at every length and under every prompt, where there is more than the main setting."""
    others = [key for key in study.cells if key not in study.main_cells()]
    if not others:
        return ()
    rows = [
        _row(index, entry) | {"setting": setting_name(key)}
        for key in study.cells
        for entry in _levels(index, key)
        if entry.factors["factor"] == "kind" and entry.n
    ]
    return (
        Table(
            "Kinds of items, every length and prompt",
            (
                Column("scenario", "scenario"),
                Column("level", "kind"),
                Column("setting", "setting"),
                *_COLUMNS,
                Column("n", "items", "integer"),
            ),
            tuple(rows),
            slug="kinds-every",
            folded=True,
        ),
    )


def _row(index: FigureIndex, entry: Figure) -> dict[str, Cell | Interval]:
    factors = entry.factors
    return {
        "scenario": scenario_name(str(factors["scenario"])),
        "factor": factor_name(str(factors["factor"]), str(factors["scenario"])),
        "level": level_name(str(factors["level"])),
        "n": entry.n,
        **{column.key: index.interval(f"by_factor.{column.key}", **factors) for column in _COLUMNS},
    }
