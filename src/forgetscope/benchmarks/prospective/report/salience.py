"""Salience: what of the reminder prompt does the work; controls of the load; phrasings."""

from collections.abc import Iterator

from forgetscope.benchmarks.prospective.data.conditions import (
    CELLS,
    CONTROLS,
    NO_LOAD,
    REMINDER_PER_CONSTRAINT,
    SalienceCell,
)
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.benchmarks.prospective.report.wording import condition_name, load_name, over_loads, own_prompt
from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Chart, Column, Figure, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import basis, direction, points
from forgetscope.findings.tables import Factors, Shown, change, label, rate, table
from forgetscope.findings.verdicts import Support

_NONE = NO_LOAD
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
        blocks.append(
            Finding("Only one prompt was run under load; --conditions salience adds those to compare it with.")
        )
    for name, words in PURE_WORDS.items():
        if index.named(name):
            blocks.append(pure_table(study, index, name, words))
    if REMINDER_PER_CONSTRAINT.name in study.loaded_conditions:
        blocks.extend(_per_constraint(index))
    blocks.extend(_controls(study, index))
    if index.named("wording.effect"):
        blocks.append(wording_table(index))
    if len(study.loaded_conditions) > 1:
        blocks.append(cell_table(study, index))
    return Section(
        "Salience of the constraint",
        tuple(blocks),
        intro="Which part of the reminder prompt helps. The constraint can be put in eight ways: original task kept "
        "or dropped, with or without a heading and a trailing reminder. The paper has two of the eight. Where "
        "a task is kept, the heading says the constraint a second time; where it is dropped, our words stand for "
        "IFEval's: --conditions pure has cells that differ in one thing each.",
        slug="salience",
    )


def effect_findings(index: FigureIndex) -> tuple[Finding, ...]:
    """One sentence a factor, pooled over loads."""
    found = []
    for effect, name in EFFECT_NAMES.items():
        entry = index.get("salience.effect", effect=effect, load=ALL)
        if entry is not None and entry.value is not None:
            found.append(Support.of(entry).finding(_effect_words(name, entry)))
    return tuple(found)


def _effect_words(name: str, entry: Figure) -> str:
    value = entry.value or 0.0
    tested = f"({basis(entry)}; p after Holm)"
    if not value:
        return f"{name}, by itself: no difference in compliance under load {tested}"
    moved = "raised" if value > 0 else "lowered"
    return f"{name}, by itself, {moved} compliance under load by {points(value)} points {tested}"


def effect_chart(study: ProspectiveStudy, index: FigureIndex) -> Chart:
    """Main effects per load."""
    names = [effect for effect in EFFECT_NAMES if index.get("salience.effect", effect=effect, load=ALL) is not None]
    pooled = ", ".join(
        f"{EFFECT_NAMES[name]} {100 * value:+.1f}"
        for name in names
        if (value := index.value("salience.effect", effect=name, load=ALL)) is not None
    )
    return chart(
        index,
        "bars",
        "Compliance gained by each part of the reminder prompt, on the same items",
        over=over_loads((*study.loads, ALL)),
        lines=[line(EFFECT_NAMES[name], "salience.effect", effect=name) for name in names],
        summary=f"Points of compliance, over all loads: {pooled or 'nothing defined'}.",
        y_label="points gained",
        unit="points",
        slug="salience-effects",
    )


PURE_WORDS = {
    "salience.pure": "Main effects and interactions, pure: the constraint once and in the same words",
    "salience.step": "What a heading over a kept prompt is made of",
}


def pure_table(study: ProspectiveStudy, index: FigureIndex, name: str, title: str) -> Table:
    """Effects of cells that differ in one thing each, per load and pooled."""
    effects = dict.fromkeys(entry.factors["effect"] for entry in index.named(name))
    return table(
        index,
        title,
        rows=[{"effect": effect} for effect in effects],
        columns=[
            label("Effect", "effect", lambda effect: effect.replace("_", " ")),
            *(change(load_name(load), name, load=load) for load in (*study.loads, ALL)),
        ],
        note="Within items, in points of compliance. Task dropped: against a topic of ours, not the IFEval prompt.",
        slug=name.replace(".", "-"),
    )


def _controls(study: ProspectiveStudy, index: FigureIndex) -> Iterator[Finding | Table]:
    """What is left of the loss where the load is no task, or a text to copy."""
    run = [cell.name for cell in CONTROLS if cell.name in study.loaded_conditions]
    for name in run:
        entry = index.get(f"control.{name}.paired", load=ALL)
        if entry is not None and entry.value is not None:
            yield Support.of(entry).finding(
                f"With {_INSTEAD[name]} in place of the load, compliance was {_apart(entry.value)} ({basis(entry)})"
            )
    if run:
        yield table(
            index,
            "Controls of the load: control minus natural on the same items and runs",
            rows=[{"control": name} for name in run],
            columns=[
                label("Control", "control", condition_name),
                *(
                    Shown(
                        Column("", load_name(load), "points"),
                        lambda found, row, load=load: found.interval(f"control.{row['control']}.paired", load=load),  # type: ignore[misc]  # a default of a lambda
                    )
                    for load in (*study.loads, ALL)
                ),
            ],
            note="Above zero: that much of the loss is the task's, not of the prompt's length (neutral text) or of the "
            "reply's (copied text, as long as the paper's replies grow by the load). Their tokens stand in Table 9.",
            slug="load-controls",
        )


_INSTEAD = {"neutral_text": "as long a neutral text", "copied_text": "a text to copy out"}


def _apart(value: float) -> str:
    return direction(
        value,
        f"{points(value)} points above that under load",
        f"{points(value)} points below that under load",
        "equal to that under load",
    )


def wording_table(index: FigureIndex) -> Table:
    """Every other phrasing of each part against the first."""
    return table(
        index,
        "Phrasings of connector, heading and trailing sentence",
        rows=[entry.factors for entry in index.named("wording.effect")],
        columns=[
            label("Prompt", "condition", condition_name),
            label("Part", "part"),
            label("Phrasing", "phrasing", kind="integer"),
            rate("Compliance", "wording.compliance"),
            change("Against the first", "wording.effect", "on the same item, load and run"),
        ],
        note="The first phrasing is the one sent everywhere else; of heading and trailing sentence the paper's.",
        slug="wordings",
    )


def effect_table(study: ProspectiveStudy, index: FigureIndex) -> Table:
    """Main effects and interactions, per load and pooled."""
    effects = dict.fromkeys(entry.factors["effect"] for entry in index.named("salience.effect"))
    return table(
        index,
        "Main effects and interactions",
        rows=[{"effect": effect} for effect in effects],
        columns=[
            label("Effect", "effect", lambda effect: effect.replace("task_dropped", "task dropped")),
            *(change(load_name(load), "salience.effect", load=load) for load in (*study.loads, ALL)),
        ],
        note="Within items, in points of compliance. An interaction is the effect of one part with the other present, "
        "minus its effect without.",
        slug="salience-effects-table",
    )


def _per_constraint(index: FigureIndex) -> tuple[Finding, ...]:
    entry = index.get("gain.per_constraint.paired", load=ALL)
    if entry is None or entry.value is None:
        return ()
    than = direction(
        entry.value,
        f"{points(entry.value)} points above that with the generic reminder",
        f"{points(entry.value)} points below that with the generic reminder",
        "equal to that with the generic reminder",
    )
    return (
        Support.of(entry).finding(
            f"Under load, compliance with the constraint repeated at the end was {than} ({basis(entry)})"
        ),
    )


def cell_table(study: ProspectiveStudy, index: FigureIndex) -> Table:
    """Compliance of each cell by load."""

    def cell(row: Factors) -> SalienceCell:
        return CELLS[str(row["condition"])]

    return table(
        index.asked(own_prompt),
        "Strict compliance by way of putting the constraint",
        rows=[{"condition": name} for name in CELLS if name in study.loaded_conditions],
        columns=[
            label("Prompt", "condition", condition_name),
            label("Task", lambda row: "kept" if cell(row).original_task else "ours" if cell(row).topic else "dropped"),
            label("Heading", lambda row: "yes" if cell(row).heading else "no"),
            label("Made of", lambda row: cell(row).about),
            label("Trailing", lambda row: cell(row).trailing.value.replace("_", " ")),
            *(rate(load_name(load), "compliance.strict.paper", load=load) for load in (_NONE, *study.loads, ALL)),
        ],
        slug="salience-cells",
    )
