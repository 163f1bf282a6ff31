"""Salience: what of the reminder prompt does the work."""

from forgetscope.benchmarks.prospective.data.conditions import (
    REMINDER_PER_CONSTRAINT,
    SALIENCE_CELLS,
    Load,
    unloaded_name,
)
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.benchmarks.prospective.report.wording import condition_name, load_name
from forgetscope.findings.figures import Cell, Chart, Column, Figure, Finding, Interval, Section, Series, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import direction, interval_words, points, text_column, undecided_words, verdict

_NONE = Load.NONE.value
EFFECT_NAMES = {
    "task_dropped": "Dropping the original task",
    "heading": "The heading",
    "trailing": "The trailing reminder",
}
_CONFOUNDED = Finding(
    "The natural and the reminder prompt differ in three things at once (original task dropped, heading, trailing "
    "sentence), so this run cannot say which of them helps; --conditions salience takes them apart.",
    "note",
)


def salience_section(study: ProspectiveStudy, index: FigureIndex) -> Section | None:
    """Main effects in words, as a chart and a table, and the eight cells; None without a loaded condition."""
    if not study.loaded_conditions:
        return None
    effects = index.named("salience.effect")
    blocks: list[Finding | Chart | Table] = []
    if effects:
        blocks.extend([*effect_findings(index), effect_chart(study, index), effect_table(study, index)])
    elif len(study.loaded_conditions) > 1:
        blocks.append(_CONFOUNDED)
    else:
        blocks.append(Finding("Only one prompt was run under load: nothing to compare; --conditions salience adds it."))
    if REMINDER_PER_CONSTRAINT.name in study.loaded_conditions:
        blocks.extend(_per_constraint(index))
    if len(study.loaded_conditions) > 1:
        blocks.append(cell_table(study, index))
    return Section(
        "Salience",
        tuple(blocks),
        intro="The constraint can be put in eight ways: original task kept or dropped, with or without a heading, with "
        "or without a trailing reminder. The paper's two prompts are two of them.",
        slug="salience",
    )


def effect_findings(index: FigureIndex) -> tuple[Finding, ...]:
    """One sentence a factor, pooled over loads."""
    found = []
    for effect, name in EFFECT_NAMES.items():
        entry = index.get("salience.effect", effect=effect, load=ALL)
        if entry is not None and entry.value is not None:
            found.append(Finding(_effect_words(name, entry), verdict(entry)))
    return tuple(found)


def _effect_words(name: str, entry: Figure) -> str:
    value = entry.value or 0.0
    change = direction(value, "raises", "lowers", "changes")
    return (
        f"{name} alone {change} compliance under load by {points(value)} points "
        f"({interval_words(entry, flip=value < 0)}, {entry.n} items){undecided_words(entry)}."
    )


def effect_chart(study: ProspectiveStudy, index: FigureIndex) -> Chart:
    """Main effects per load."""
    loads = [*study.loads, ALL]
    names = [effect for effect in EFFECT_NAMES if index.get("salience.effect", effect=effect, load=ALL) is not None]
    pooled = ", ".join(
        f"{EFFECT_NAMES[name]} {100 * value:+.1f}"
        for name in names
        if (value := index.value("salience.effect", effect=name, load=ALL)) is not None
    )
    return Chart(
        "bars",
        "What each part of the reminder prompt adds, on the same items",
        tuple(load_name(load) for load in loads),
        tuple(
            Series(
                EFFECT_NAMES[name],
                tuple(index.interval("salience.effect", effect=name, load=load) for load in loads),
            )
            for name in names
        ),
        summary=f"Points of compliance gained by each factor alone. Over all loads: {pooled or 'nothing defined'}.",
        y_label="points gained",
        unit="points",
        slug="salience-effects",
    )


def effect_table(study: ProspectiveStudy, index: FigureIndex) -> Table:
    """Main effects and interactions, per load and pooled."""
    loads = [*study.loads, ALL]
    effects = dict.fromkeys(str(entry.factors["effect"]) for entry in index.named("salience.effect"))
    rows: list[dict[str, Cell | Interval]] = [
        {"effect": _label(effect)}
        | {load: index.interval("salience.effect", effect=effect, load=load) for load in loads}
        for effect in effects
    ]
    return Table(
        "Main effects and interactions",
        (text_column("effect", "Effect"), *(Column(load, load_name(load), "points") for load in loads)),
        tuple(rows),
        note="Paired within items. An interaction is the effect of one with the other on, minus with it off.",
        slug="salience-effects-table",
    )


def _label(effect: str) -> str:
    short = {"task_dropped": "task dropped", "heading": "heading", "trailing": "trailing"}
    return " x ".join(short[part] for part in effect.split(" x "))


def _per_constraint(index: FigureIndex) -> tuple[Finding, ...]:
    entry = index.get("gain.per_constraint.paired", load=ALL)
    if entry is None or entry.value is None:
        return ()
    change = "more" if entry.value >= 0 else "less"
    return (
        Finding(
            f"Repeating the constraint at the end keeps {points(entry.value)} points {change} than the generic "
            f"sentence ({interval_words(entry, flip=entry.value < 0)}, {entry.n} items){undecided_words(entry)}.",
            verdict(entry),
        ),
    )


def cell_table(study: ProspectiveStudy, index: FigureIndex) -> Table:
    """Compliance of each cell by load."""
    loads = [_NONE, *study.loads, ALL]
    rows: list[dict[str, Cell | Interval]] = []
    for one in (*SALIENCE_CELLS, REMINDER_PER_CONSTRAINT):
        if one.name not in study.loaded_conditions:
            continue
        row: dict[str, Cell | Interval] = {
            "cell": condition_name(one.name),
            "task": "kept" if one.original_task else "dropped",
            "heading": "yes" if one.heading else "no",
            "trailing": one.trailing.value.replace("_", " "),
        }
        for load in loads:
            condition = unloaded_name(one) if load == _NONE else one.name
            row[load] = index.interval("compliance.strict.paper", condition=condition, load=load)
        rows.append(row)
    return Table(
        "Compliance of each way to put the constraint, strict",
        (
            text_column("cell", "Prompt"),
            text_column("task", "Original task"),
            text_column("heading", "Heading"),
            text_column("trailing", "Trailing"),
            *(Column(load, load_name(load), "percent") for load in loads),
        ),
        tuple(rows),
        slug="salience-cells",
    )
