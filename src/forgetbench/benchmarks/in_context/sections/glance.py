"""The three scenarios at a glance: table 1 and figure 4 of the paper, what is behind them, and what they say."""

from collections.abc import Iterable

from forgetbench.benchmarks.in_context.metrics.study import AVERAGE, CellKey, Study
from forgetbench.benchmarks.in_context.sections.names import factor_name, length_name, scenario_name, setting_name
from forgetbench.figures import Cell, Chart, Column, Figure, Finding, Interval, Section, Series, Table
from forgetbench.measures import FigureIndex
from forgetbench.phrasing import counted, interval_words, percent, points, undecided_words, verdict

_MEASURES = (
    Column("na", "NA", "percent", "right without the forgetting interference"),
    Column("fa", "FA", "percent", "right with it"),
    Column("sfrr", "SFRR", "percent", "right with it among those right without it"),
    Column("drop", "NA - FA", "points"),
    Column("wr", "WR", "percent", "wrong without it but right with it"),
    Column("both", "both right", "percent"),
)


def glance_section(study: Study, index: FigureIndex) -> Section:
    """Findings, the main table and chart, the paper's reading, the slope per item group."""
    blocks: list[Finding | Chart | Table] = [*glance_findings(study, index), main_chart(study, index)]
    blocks.extend([main_table(study, index), reading_table(study, index)])
    slope = slope_chart(study, index)
    if slope is not None:
        blocks.append(slope)
    blocks.append(factor_table(study, index))
    return Section(
        "Three scenarios at a glance",
        tuple(blocks),
        intro="NA: right without the forgetting interference. FA: right with it. SFRR: right with it, among the items "
        "right without it. All over items with both forms scored; an answer that cannot be read is never forgotten.",
        slug="glance",
    )


def glance_findings(study: Study, index: FigureIndex) -> tuple[Finding, ...]:
    """One sentence a scenario, in the main setting."""
    return tuple(_finding(index, key) for key in study.main_cells())


def _finding(index: FigureIndex, key: CellKey) -> Finding:
    name = scenario_name(key.scenario).capitalize()
    sfrr, drop = index.get("sfrr", **key.factors), index.get("drop", **key.factors)
    na, fa = index.value("na", **key.factors), index.value("fa", **key.factors)
    if sfrr is None or drop is None or drop.value is None or na is None or fa is None:
        excluded = drop.excluded if drop else 0
        return Finding(
            f"{name}: no item has both forms scored ({counted(excluded, 'item')} left out), so nothing can be said.",
            "undecided",
        )
    kept = (
        f"of {counted(sfrr.n, 'item')} right without interference {percent(sfrr.value)} stayed right with it (SFRR)"
        if sfrr.value is not None
        else "nothing was right without interference, so SFRR is undefined"
    )
    change = "lost" if drop.value >= 0 else "gained"
    return Finding(
        f"{name}: {kept}; accuracy {percent(na)} without and {percent(fa)} with it ({points(drop.value)} points "
        f"{change}, {interval_words(drop, flip=drop.value < 0)}, {counted(drop.n, 'item')}){undecided_words(drop)}.",
        verdict(drop),
    )


def main_table(study: Study, index: FigureIndex) -> Table:
    """Every cell of the run and the averages over scenarios."""
    rows = [_row(index, key) for key in study.cells]
    for setting in study.settings_run:
        some = next(key for key in study.cells if key.setting == setting)
        average = CellKey(AVERAGE, some.length, some.strategy, some.question)
        if index.get("na", **average.factors) is not None:
            rows.append(_row(index, average))
    return Table(
        "NA, FA and SFRR with 95% intervals",
        (
            Column("scenario", "scenario"),
            Column("setting", "setting"),
            *_MEASURES,
            Column("bounds", "SFRR could be", "text", "lowest and highest, with every item scored"),
            Column("p", "McNemar p", "p", "exact, of NA against FA"),
            Column("n", "items", "integer", "with both forms scored"),
            Column("excluded", "left out", "integer", "items with a form that was not scored"),
        ),
        tuple(rows),
        slug="main",
    )


def _row(index: FigureIndex, key: CellKey) -> dict[str, Cell | Interval]:
    factors = key.factors
    na = index.get("na", **factors)
    row: dict[str, Cell | Interval] = {
        "scenario": scenario_name(key.scenario),
        "setting": setting_name(key),
        "bounds": _bounds(index, factors),
        "p": index.value("drop.p.exact", **factors),
        "n": na.n if na else 0,
        "excluded": na.excluded if na else 0,
    }
    return row | {column.key: index.interval(column.key, **factors) for column in _MEASURES}


def _bounds(index: FigureIndex, factors: dict[str, Cell]) -> str:
    low, high = index.value("sfrr.lowest", **factors), index.value("sfrr.highest", **factors)
    return "" if low is None or high is None else f"{percent(low)} to {percent(high)}"


def main_chart(study: Study, index: FigureIndex) -> Chart:
    """NA, FA and SFRR per scenario in the main setting (figure 4)."""
    keys = list(study.main_cells())
    some = keys[0]
    average = CellKey(AVERAGE, some.length, some.strategy, some.question)
    if index.get("na", **average.factors) is not None:
        keys.append(average)
    lines = [
        Series(label, tuple(index.interval(name, **key.factors) for key in keys))
        for name, label in (("na", "NA, without interference"), ("fa", "FA, with interference"), ("sfrr", "SFRR"))
    ]
    names = tuple(scenario_name(key.scenario) for key in keys)
    return Chart(
        "bars",
        f"Accuracy without and with the forgetting interference ({setting_name(some)})",
        names,
        tuple(lines),
        summary=". ".join(_said(line, names) for line in lines) + ".",
        y_label="items",
        slug="glance",
    )


def _said(line: Series, names: Iterable[str]) -> str:
    known = [
        f"{name} {percent(point.value)}"
        for name, point in zip(names, line.points, strict=True)
        if point is not None and point.value is not None
    ]
    return f"{line.label}: {', '.join(known) or 'nothing defined'}"


def reading_table(study: Study, index: FigureIndex) -> Table:
    """The same by the paper's parser, and over all scored samples whether paired or not."""
    names = ("paper.na", "paper.fa", "paper.sfrr", "all_valid.na", "all_valid.fa")
    labels = ("NA, paper", "FA, paper", "SFRR, paper", "NA, all scored", "FA, all scored")
    return Table(
        "Other readings of the same replies",
        (
            Column("scenario", "scenario"),
            Column("setting", "setting"),
            *(Column(name, label, "percent") for name, label in zip(names, labels, strict=True)),
        ),
        tuple(
            {"scenario": scenario_name(key.scenario), "setting": setting_name(key)}
            | {name: index.interval(name, **key.factors) for name in names}
            for key in study.cells
        ),
        note="Paper: every reply with text counts, cut-off ones and refusals too. All scored: every correct or "
        "incorrect sample, also of items whose other form was not scored.",
        slug="readings",
    )


def _by_factor(study: Study, index: FigureIndex, name: str) -> list[Figure]:
    main = {key.scenario for key in study.main_cells()}
    return [entry for entry in index.named(f"by_factor.{name}") if entry.factors["scenario"] in main]


def slope_chart(study: Study, index: FigureIndex) -> Chart | None:
    """From NA to FA, one line an item group; None without groups."""
    groups = [entry for entry in _by_factor(study, index, "na") if entry.factors["factor"] == "kind"]
    drawn = [entry for entry in groups if entry.value is not None]
    if not drawn:
        return None
    lines = tuple(
        Series(
            f"{scenario_name(str(entry.factors['scenario']))}: {entry.factors['level']}",
            (index.interval("by_factor.na", **entry.factors), index.interval("by_factor.fa", **entry.factors)),
        )
        for entry in drawn
    )
    said = []
    for line in lines:
        na, fa = line.points
        if na is not None and fa is not None and na.value is not None and fa.value is not None:
            said.append(f"{line.label} from {percent(na.value)} to {percent(fa.value)}")
    return Chart(
        "lines",
        "From NA to FA, by group of items",
        ("NoForget", "Forget"),
        lines,
        summary="; ".join(said) + ".",
        y_label="items",
        slug="slope",
    )


def factor_table(study: Study, index: FigureIndex) -> Table:
    """NA, FA and SFRR for each level of each factor in the main setting."""
    rows: list[dict[str, Cell | Interval]] = []
    for entry in _by_factor(study, index, "na"):
        factors = entry.factors
        rows.append(
            {
                "scenario": scenario_name(str(factors["scenario"])),
                "factor": factor_name(str(factors["factor"]), str(factors["scenario"])),
                "level": str(factors["level"]),
                "n": entry.n,
                **{name: index.interval(f"by_factor.{name}", **factors) for name in ("na", "fa", "sfrr", "drop")},
            }
        )
    return Table(
        "By factor",
        (
            Column("scenario", "scenario"),
            Column("factor", "factor"),
            Column("level", "level"),
            *(column for column in _MEASURES if column.key in ("na", "fa", "sfrr", "drop")),
            Column("n", "items", "integer"),
        ),
        tuple(rows),
        note=f"At {length_name(study.main_setting[0])} length, {study.main_setting[1]} prompt.",
        slug="factors",
    )
