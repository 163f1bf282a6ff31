"""Types: which constraints are forgotten, how that changes with load, and chains of problems."""

from forgetscope.benchmarks.prospective.data.conditions import BASELINE, CONSTRAINT_ONLY, NO_LOAD
from forgetscope.benchmarks.prospective.metrics.by_type import CHAINS, TEMPLATES
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.benchmarks.prospective.report.wording import condition_name, load_name, over_loads, own_prompt
from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Chart, Figure, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import basis, counted, direction, plus, points
from forgetscope.findings.tables import change, count, label, p_value, rate, remark, table
from forgetscope.findings.verdicts import Support

_NONE = NO_LOAD
_STRICT = "compliance.strict.paper"


def type_section(study: ProspectiveStudy, index: FigureIndex) -> Section | None:
    """Findings, slopes, heat map, Table 2 by type and by category; None without natural or reminder."""
    template = next((name for name in ("natural", "reminder") if name in study.loaded_conditions), None)
    if template is None:
        return None
    unloaded = BASELINE if template == "natural" else CONSTRAINT_ONLY
    types, categories = (_groups(index, level, template, unloaded) for level in ("type", "category"))
    blocks: list[Finding | Chart | Table] = [*type_findings(index, template, unloaded, types)]
    blocks.extend(
        [
            slope_chart(index, template, types),
            type_heatmap(study, index, template, types),
            category_chart(study, index, template, categories),
            *([chain_chart(study, index)] if len(_chains(study)) > 1 else []),
            vulnerability_table(study, index, "type", template, unloaded, types),
            vulnerability_table(study, index, "category", template, unloaded, categories),
            trend_table(index),
        ]
    )
    return Section(
        "Compliance by type of constraint",
        tuple(blocks),
        intro="Which constraints are lost under load. A type has at most six of the paper's items, so read the "
        "contrasts of whole groups first.",
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
        listed = ", ".join(f"{name} {points(entry.value or 0.0)} ({entry.n} items)" for name, entry in worst)
        found.append(
            Finding(
                f"Largest losses by type, in points: {listed}. They are the largest of {len(types)} types with few "
                "items each, so none is tested."
            )
        )
    contrast = index.get("contrast.terminal_avoidance", condition=template, avoidance="with_forbidden_words")
    if contrast is not None and contrast.value is not None:
        costs = direction(
            contrast.value,
            f"{points(contrast.value)} points more than avoidance constraints",
            f"{points(contrast.value)} points less than avoidance constraints",
            "as much as avoidance constraints",
        )
        found.append(Support.of(contrast).finding(f"Load cost terminal constraints {costs} ({basis(contrast)})"))
    chain = index.get("trend.chain", condition=template)
    if chain is not None and chain.value is not None:
        change = direction(chain.value, "rose by", "fell by", "changed by")
        found.append(
            Support.of(chain).finding(
                f"With each further GSM8K problem in the prompt, compliance {change} {points(chain.value)} points "
                f"({basis(chain)})"
            )
        )
    return tuple(found)


def slope_chart(index: FigureIndex, template: str, types: list[str]) -> Chart:
    """The slope of each type over the load order."""
    return chart(
        index,
        "bars",
        f"Change of compliance per step of load, by type ({template})",
        over={name: {"type": name} for name in types},
        lines=[line("per step of load", "slope.load", condition=template)],
        summary="Points of compliance per step of load: {values}.",
        write=plus,
        y_label="points per step of load",
        unit="points",
        slug="type-slopes",
    )


def type_heatmap(study: ProspectiveStudy, index: FigureIndex, template: str, types: list[str]) -> Chart:
    """Compliance of each type under each load."""
    return chart(
        index.asked(own_prompt),
        "heatmap",
        f"Compliance by type and load ({template})",
        over=over_loads((_NONE, *study.loads)),
        lines=[line(name, _STRICT, condition=template, type=name) for name in types],
        summary=f"One row a type, the most vulnerable first: {', '.join(types) or 'none'}. The table has the numbers.",
        slug="type-heatmap",
    )


def category_chart(study: ProspectiveStudy, index: FigureIndex, template: str, names: list[str]) -> Chart:
    """Compliance of each category over the load order, as lines."""
    return chart(
        index.asked(own_prompt),
        "lines",
        f"Compliance by category and load ({template})",
        over=over_loads((_NONE, *study.loads)),
        lines=[line(name, _STRICT, condition=template, category=name) for name in names],
        summary=f"One line a category, the most vulnerable first: {', '.join(names) or 'none'}.",
        y_label="compliance",
        slug="category-lines",
    )


def _chains(study: ProspectiveStudy) -> list[str]:
    return [load for load in CHAINS if load in study.loads]


def chain_chart(study: ProspectiveStudy, index: FigureIndex) -> Chart:
    """Compliance over the length of a chain of GSM8K problems, natural beside reminder (figure 7)."""
    return chart(
        index,
        "lines",
        "Compliance by number of GSM8K problems",
        over={counted(CHAINS[load], "problem"): {"load": load} for load in _chains(study)},
        lines=[
            line(condition_name(name), _STRICT, condition=name) for name in TEMPLATES if name in study.loaded_conditions
        ],
        summary="{said}. Longer chains were run with fewer items; the trend in the table is within items.",
        y_label="compliance",
        slug="chain-length",
    )


def vulnerability_table(
    study: ProspectiveStudy, index: FigureIndex, level: str, template: str, unloaded: str, names: list[str]
) -> Table:
    """Table 2's layout: baseline, natural and reminder over all loads, what was lost per load, worst first."""
    lost, of_lost = {"condition": template, "against": unloaded}, f"{unloaded} - {template}, same items"
    slope = (
        change("Slope", "slope.load", "change of compliance per step of load, none first", condition=template),
        p_value("p, slope", "slope.load.p.holm", "Holm over types", condition=template),
    )
    return table(
        index,
        f"Compliance lost under load, by {level} (Table 2), most vulnerable first",
        rows=[{level: name} for name in names],
        columns=[
            label(level.capitalize(), level),
            rate("Baseline", _STRICT, condition=BASELINE, load=_NONE),
            rate("Natural", _STRICT, "all loads", condition="natural", load=ALL),
            rate("Constraint only", _STRICT, condition=CONSTRAINT_ONLY, load=_NONE),
            rate("Reminder", _STRICT, "all loads", condition="reminder", load=ALL),
            *(
                change(f"Loss, {load_name(load)}", "delta.paired", of_lost, load=load, **lost)
                for load in (ALL, *study.loads)
            ),
            *(slope if level == "type" else ()),
        ],
        slug=f"table-2-{level}",
    )


_CONTRASTS = {
    "table_5": "loss of terminal - loss of avoidance (no_comma)",
    "with_forbidden_words": "loss of terminal - loss of avoidance (no_comma, forbidden_words)",
}


def trend_table(index: FigureIndex) -> Table:
    """Terminal against avoidance, and chain length, with their tests."""
    names = ("contrast.terminal_avoidance", "trend.chain")
    return table(
        index,
        "Contrasts and trends, with their tests",
        rows=[entry.factors for name in names for entry in index.named(name)],
        columns=[
            label(
                "Contrast",
                lambda row: _CONTRASTS.get(str(row.get("avoidance")), "change of compliance per further problem"),
            ),
            label("Condition", "condition"),
            change("Points", names),
            p_value("p", tuple(f"{name}.p" for name in names)),
            count("Items", names, "for a trend, item means at each number of problems"),
            remark("Note", names),
        ],
        slug="contrasts",
    )
