"""Types: which constraints are forgotten, how that changes with load, and chains of problems."""

from forgetscope.benchmarks.prospective.data.conditions import BASELINE, CONSTRAINT_ONLY, Load
from forgetscope.benchmarks.prospective.metrics.by_type import CHAINS, TEMPLATES
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.benchmarks.prospective.report.wording import condition_name, load_name
from forgetscope.findings.figures import Cell, Chart, Column, Figure, Finding, Interval, Section, Series, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import (
    counted,
    direction,
    interval_words,
    percent,
    points,
    series,
    text_column,
    undecided_words,
    verdict,
)

_NONE = Load.NONE.value
_STRICT = "compliance.strict.paper"


def type_section(study: ProspectiveStudy, index: FigureIndex) -> Section | None:
    """Findings, slopes, heat map, Table 2 by type and by category; None without natural or reminder."""
    template = next((name for name in ("natural", "reminder") if name in study.loaded_conditions), None)
    if template is None:
        return None
    unloaded = BASELINE if template == "natural" else CONSTRAINT_ONLY
    types = _groups(index, "type", template, unloaded)
    blocks: list[Finding | Chart | Table] = [*type_findings(index, template, unloaded, types)]
    blocks.extend(
        [
            slope_chart(index, template, types),
            type_heatmap(study, index, template, unloaded, types),
            category_chart(study, index, template, unloaded),
            *([chain_chart(study, index)] if len(_chains(study)) > 1 else []),
            vulnerability_table(study, index, "type", template, unloaded),
            vulnerability_table(study, index, "category", template, unloaded),
            trend_table(index),
        ]
    )
    return Section(
        "Types",
        tuple(blocks),
        intro="A type has at most six items, so a single type's interval is wide; read the contrasts first.",
        slug="types",
    )


def _groups(index: FigureIndex, level: str, template: str, unloaded: str) -> list[str]:
    """Types or categories, the most vulnerable first: by what was lost over all loads, undefined last."""
    names = dict.fromkeys(
        str(entry.factors[level])
        for entry in index.named(_STRICT)
        if level in entry.factors and entry.factors["condition"] in (template, unloaded)
    )

    def lost(name: str) -> float:
        value = _delta(index, level, name, template, unloaded, ALL)
        return -value.value if value is not None and value.value is not None else float("inf")

    return sorted(names, key=lambda name: (lost(name), name))


def _delta(index: FigureIndex, level: str, name: str, template: str, unloaded: str, load: str) -> Figure | None:
    return index.get("delta.paired", **{"condition": template, "load": load, level: name, "against": unloaded})


def type_findings(index: FigureIndex, template: str, unloaded: str, types: list[str]) -> tuple[Finding, ...]:
    """The types that lose most, terminal against avoidance, chains."""
    found: list[Finding] = []
    worst = [
        (name, entry)
        for name in types
        if (entry := _delta(index, "type", name, template, unloaded, ALL)) is not None and (entry.value or 0.0) > 0
    ][:3]
    if worst:
        listed = ", ".join(f"{name} ({points(entry.value or 0.0)} points, {entry.n} items)" for name, entry in worst)
        sure = sum(verdict(entry) == "shown" for _, entry in worst)
        found.append(
            Finding(
                f"Most is lost on {listed}; {sure} of these intervals exclude zero, uncorrected for having picked the "
                f"largest of {len(types)} types.",
                "note",
            )
        )
    contrast = index.get("contrast.terminal_avoidance", condition=template, avoidance="with_forbidden_words")
    if contrast is not None and contrast.value is not None:
        p = index.value("contrast.terminal_avoidance.p", **contrast.factors)
        tail = "" if p is None else f", p {p:.3f}"
        change = "more" if contrast.value >= 0 else "less"
        found.append(
            Finding(
                f"Terminal constraints lose {points(contrast.value)} points {change} than avoidance constraints "
                f"({interval_words(contrast, flip=contrast.value < 0)}, {contrast.n} items{tail})"
                f"{undecided_words(contrast)}.",
                verdict(contrast),
            )
        )
    chain = index.get("trend.chain", condition=template)
    if chain is not None and chain.value is not None:
        change = direction(chain.value, "rises", "falls", "changes")
        found.append(
            Finding(
                f"For each further problem of a chain, compliance {change} by {points(chain.value)} points "
                f"({interval_words(chain, flip=chain.value < 0)}){undecided_words(chain)}.",
                "undecided" if verdict(chain) == "undecided" else "shown",
            )
        )
    return tuple(found)


def slope_chart(index: FigureIndex, template: str, types: list[str]) -> Chart:
    """The slope of each type over the load order."""
    slopes = [index.get("slope.load", condition=template, type=name) for name in types]
    said = ", ".join(
        f"{name} {100 * entry.value:+.1f}"
        for name, entry in zip(types, slopes, strict=True)
        if entry is not None and entry.value is not None
    )
    return Chart(
        "bars",
        f"Slope over the load order, by type ({template})",
        tuple(types),
        (Series("per step of load", tuple(None if entry is None else Interval.of(entry) for entry in slopes)),),
        summary=f"Change of compliance per step of load, in points, negative is worse: {said or 'nothing defined'}.",
        y_label="points per step of load",
        unit="points",
        slug="type-slopes",
    )


def _by_load(
    study: ProspectiveStudy, index: FigureIndex, level: str, name: str, template: str, unloaded: str
) -> tuple[Interval | None, ...]:
    return tuple(
        index.interval(_STRICT, **{"condition": unloaded if load == _NONE else template, "load": load, level: name})
        for load in (_NONE, *study.loads)
    )


def type_heatmap(study: ProspectiveStudy, index: FigureIndex, template: str, unloaded: str, types: list[str]) -> Chart:
    """Compliance of each type under each load."""
    rows = tuple(Series(name, _by_load(study, index, "type", name, template, unloaded)) for name in types)
    return Chart(
        "heatmap",
        f"Compliance by type and load ({template})",
        tuple(load_name(load) for load in (_NONE, *study.loads)),
        rows,
        summary=f"One row a type, the most vulnerable first: {', '.join(types) or 'none'}. The table has the numbers.",
        slug="type-heatmap",
    )


def category_chart(study: ProspectiveStudy, index: FigureIndex, template: str, unloaded: str) -> Chart:
    """Compliance of each category over the load order, as lines."""
    names = _groups(index, "category", template, unloaded)
    rows = tuple(Series(name, _by_load(study, index, "category", name, template, unloaded)) for name in names)
    return Chart(
        "lines",
        f"Compliance by category over the load order ({template})",
        tuple(load_name(load) for load in (_NONE, *study.loads)),
        rows,
        summary=f"One line a category, the most vulnerable first: {', '.join(names) or 'none'}.",
        y_label="replies that kept their format",
        slug="category-lines",
    )


def _chains(study: ProspectiveStudy) -> list[str]:
    return [load for load in CHAINS if load in study.loads]


def chain_chart(study: ProspectiveStudy, index: FigureIndex) -> Chart:
    """Compliance over the length of a chain of GSM8K problems, natural beside reminder (figure 7)."""
    chains = _chains(study)
    lines = [
        series(index, condition_name(name), _STRICT, [{"condition": name, "load": load} for load in chains])
        for name in TEMPLATES
        if name in study.loaded_conditions
    ]
    said = [
        f"{line.label}: "
        + ", ".join(
            f"{CHAINS[load]} {percent(point.value)}"
            for load, point in zip(chains, line.points, strict=True)
            if point is not None and point.value is not None
        )
        for line in lines
    ]
    return Chart(
        "lines",
        "Compliance by length of the chain of problems",
        tuple(counted(CHAINS[load], "problem") for load in chains),
        tuple(lines),
        summary="Strict compliance by number of GSM8K problems. " + ". ".join(said) + ". A longer chain meets fewer "
        "items (the first of the same order); the trend under contrasts is within items.",
        y_label="replies that kept their format",
        slug="chain-length",
    )


def vulnerability_table(study: ProspectiveStudy, index: FigureIndex, level: str, template: str, unloaded: str) -> Table:
    """Table 2's layout: baseline, natural and reminder over all loads, what was lost per load, worst first."""
    rows: list[dict[str, Cell | Interval]] = []
    for name in _groups(index, level, template, unloaded):
        row: dict[str, Cell | Interval] = {"name": name}
        for key, condition, load in (
            ("baseline", BASELINE, _NONE),
            ("natural", "natural", ALL),
            ("constraint_only", CONSTRAINT_ONLY, _NONE),
            ("reminder", "reminder", ALL),
        ):
            row[key] = index.interval(_STRICT, **{"condition": condition, "load": load, level: name})
        for load in (ALL, *study.loads):
            entry = _delta(index, level, name, template, unloaded, load)
            row[f"lost_{load}"] = None if entry is None else Interval.of(entry)
        if level == "type":
            row["slope"] = index.interval("slope.load", condition=template, type=name)
            row["p"] = index.value("slope.load.p.holm", condition=template, type=name)
        rows.append(row)
    slope = (
        Column("slope", "Slope per step", "points", "change per step of the load order"),
        Column("p", "p, Holm", "p", "of the slope, over types"),
    )
    return Table(
        f"What load takes, by {level} (Table 2), most vulnerable first",
        (
            text_column("name", level.capitalize()),
            Column("baseline", "Baseline", "percent"),
            Column("natural", "Natural", "percent", "all loads"),
            Column("constraint_only", "Constraint only", "percent"),
            Column("reminder", "Reminder", "percent", "all loads"),
            *(
                Column(f"lost_{load}", f"Lost, {load_name(load)}", "points", f"{unloaded} - {template}, same items")
                for load in (ALL, *study.loads)
            ),
            *(slope if level == "type" else ()),
        ),
        tuple(rows),
        slug=f"table-2-{level}",
    )


def trend_table(index: FigureIndex) -> Table:
    """Terminal against avoidance, and chain length, with their tests."""
    rows: list[dict[str, Cell | Interval]] = []
    for entry in (*index.named("contrast.terminal_avoidance"), *index.named("trend.chain")):
        rule = str(entry.factors.get("avoidance", ""))
        what = {
            "table_5": "terminal - avoidance (no_comma)",
            "with_forbidden_words": "terminal - avoidance (no_comma, forbidden_words)",
        }.get(rule, "change per problem of a chain")
        rows.append(
            {
                "what": what,
                "condition": str(entry.factors["condition"]),
                "value": Interval.of(entry),
                "p": index.value(f"{entry.name}.p", **entry.factors),
                "n": entry.n,
                "note": entry.note,
            }
        )
    return Table(
        "Contrasts and trends",
        (
            text_column("what", "Contrast"),
            text_column("condition", "Condition"),
            Column("value", "Points", "points"),
            Column("p", "p", "p"),
            Column("n", "n", "integer"),
            text_column("note", "Note"),
        ),
        tuple(rows),
        note="Terminal - avoidance: how much more of their compliance terminal constraints lose under load.",
        slug="contrasts",
    )
