"""Which items are forgotten: the slope from NA to FA by group of items, and every factor's levels."""

from forgetscope.benchmarks.in_context.metrics.study import DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.names import factor_name, level_name, scenario_name, setting_name
from forgetscope.benchmarks.in_context.report.settings import SCENARIO, SETTING, measures
from forgetscope.findings.figures import Chart, Figure, Section, Series, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, percent
from forgetscope.findings.tables import count, label, table


def group_section(study: InContextStudy, index: FigureIndex) -> Section | None:
    """The slope chart and the table of factors in the main setting; None where no item was scored in both forms."""
    chart = slope_chart(study, index)
    if chart is None:
        return None
    tables = [factor_table(study, index), *kind_tables(study, index)]
    return Section(
        "By group of items",
        (chart, *tables),
        intro="NA, FA and SFRR for each kind of item, request and query. Groups are small: read their intervals, and "
        "nothing from fewer than ten items.",
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
        f"From NA to FA by kind of item ({setting_name(study.main_cells()[0])})",
        ("NA", "FA"),
        lines,
        summary="; ".join(said) + ".",
        y_label="share of items",
        slug="slope",
    )


def _line_name(entry: Figure, several: bool) -> str:
    """The group, after the last word of its scenario where there are several: lines are named at their ends."""
    level = level_name(str(entry.factors["level"]))
    return f"{scenario_name(str(entry.factors['scenario'])).split()[-1]}: {level}" if several else level


_COLUMNS = (*measures("na", "fa", "sfrr", "drop", prefix="by_factor."), count("Items", "by_factor.na"))


def factor_table(study: InContextStudy, index: FigureIndex) -> Table:
    """NA, FA and SFRR for each level of each factor in the main setting."""
    levels = [entry for key in study.main_cells() for entry in _levels(index, key)]
    rows = [entry.factors for entry in levels if entry.n]
    empty = len(levels) - len(rows)
    left_out = f" Left out: {counted(empty, 'group')} without an item scored in both forms." if empty else ""
    return table(
        index,
        "NA, FA and SFRR by group",
        rows,
        [
            SCENARIO,
            label("Grouped by", lambda row: factor_name(str(row["factor"]), str(row["scenario"]))),
            label("Group", "level", level_name),
            *_COLUMNS,
        ],
        note="Explicit: the request asks to forget. Retraction: it takes the statement back. Fact named: it says the "
        "fact once more, just before the query." + left_out,
        slug="factors",
    )


def kind_tables(study: InContextStudy, index: FigureIndex) -> tuple[Table, ...]:
    """The kinds of items at every length and under every prompt, where there is more than the main setting."""
    others = [key for key in study.cells if key not in study.main_cells()]
    if not others:
        return ()
    rows = [
        entry.factors
        for key in study.cells
        for entry in _levels(index, key)
        if entry.factors["factor"] == "kind" and entry.n
    ]
    columns = [SCENARIO, label("Kind", "level", level_name), SETTING, *_COLUMNS]
    return (
        table(
            index,
            "NA, FA and SFRR by kind of item: every length and prompt",
            rows,
            columns,
            slug="kinds-every",
            folded=True,
        ),
    )
