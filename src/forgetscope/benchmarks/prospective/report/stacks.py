"""Stacking and tension: several constraints at once (Tables 4, 12, 13, 14)."""

from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Cell, Chart, Figure, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import basis, counted, direction, interval_words, moved, plus, points, verdict
from forgetscope.findings.tables import change, count, label, optional, rate, table
from forgetscope.findings.verdicts import Support

_JOINT = "stacking.joint.strict"


def stacking_section(study: ProspectiveStudy, index: FigureIndex) -> Section | None:
    """Joint compliance by constraints and problems, the reminder's lift, types, pairs; None when neither was run."""
    stacked, tense = not study.experiment("stacking").is_empty(), not study.experiment("tension").is_empty()
    if not stacked and not tense:
        return None
    blocks: list[Finding | Chart | Table] = []
    if stacked:
        blocks.extend([*stacking_findings(index), stacking_heatmap(index)])
        blocks.extend(joint_table(index, axis) for axis in ("constraints", "problems"))
        blocks.extend([lift_table(index), type_table(index)])
    if tense:
        blocks.extend([*tension_findings(index), tension_table(index)])
    return Section(
        "Several constraints at once: stacking and tension",
        tuple(blocks),
        intro="How often a reply keeps every constraint of its prompt (joint compliance). Stacking: several "
        "constraints that do not disturb each other. Tension: pairs that pull against each other.",
        slug="stacking",
    )


def _axis(index: FigureIndex, axis: str) -> list[Cell]:
    return list(dict.fromkeys(entry.factors[axis] for entry in index.named(_JOINT) if entry.factors[axis] != ALL))


def stacking_findings(index: FigureIndex) -> tuple[Finding, ...]:
    """Decline with the number of constraints and of problems, and whether the reminder helps."""
    found: list[Finding] = []
    decline = next(iter(index.named("stacking.decline")), None)
    if decline is not None and decline.value is not None:
        fewest, most = decline.factors["from"], decline.factors["to"]
        ends = [index.value(_JOINT, constraints=size, problems=ALL, trailing=ALL) for size in (fewest, most)]
        found.append(
            Support.of(decline).finding(
                f"From {fewest} to {most} constraints, joint compliance {moved(decline, *ends)} "
                f"({basis(decline, 'stack')})"
            )
        )
    trend = index.get("stacking.trend.problems")
    if trend is not None and trend.value is not None:
        change = direction(trend.value, "rose by", "fell by", "changed by")
        found.append(
            Support.of(trend).finding(
                f"With each further problem in the prompt, joint compliance {change} {points(trend.value)} points "
                f"({basis(trend, 'stack')})"
            )
        )
    lift = index.get("stacking.lift", constraints=ALL, problems=ALL)
    if lift is not None and lift.value is not None:
        ends = [index.value(f"stacking.lift.{end}", constraints=ALL, problems=ALL) for end in ("lowest", "highest")]
        spread = (
            ""
            if None in ends or ends[0] == ends[1]
            else f"Cell by cell the change ranged from {plus(ends[0] or 0.0)} to {plus(ends[1] or 0.0)} points; with "
            "ten prompts a cell much of that is chance."
        )
        change = direction(lift.value, "raised", "lowered", "changed")
        found.append(
            Support.of(lift).finding(
                f"The trailing reminder {change} joint compliance by {points(lift.value)} points "
                f"({basis(lift, 'stack')})",
                then=spread,
            )
        )
    return tuple(found)


def stacking_heatmap(index: FigureIndex) -> Chart:
    """Joint compliance by constraints (rows) and problems (columns), averaged over the reminder."""
    return chart(
        index,
        "heatmap",
        "Joint compliance by constraints and problems",
        over={counted(int(str(count)), "problem"): {"problems": count} for count in _axis(index, "problems")},
        lines=[
            line(counted(int(str(size)), "constraint"), _JOINT, constraints=size, trailing=ALL)
            for size in _axis(index, "constraints")
        ],
        summary="{said}.",
        slug="stacking-heatmap",
    )


def joint_table(index: FigureIndex, axis: str) -> Table:
    """Table 4 (by constraints) or Table 12 (by problems): strict and loose, without and with the reminder."""
    number, other = (4, "problems") if axis == "constraints" else (12, "constraints")
    return table(
        index,
        f"Joint compliance by number of {axis} (Table {number})",
        rows=[{axis: value, other: ALL} for value in _axis(index, axis)],
        columns=[
            label(axis.capitalize(), axis, kind="integer"),
            rate("Strict", _JOINT, "without and with the reminder together", trailing=ALL),
            rate("Loose", "stacking.joint.loose", trailing=ALL),
            rate("Strict, no reminder", _JOINT, trailing="none"),
            rate("Strict, reminder", _JOINT, trailing="generic"),
            optional(rate("Reminder per constraint", _JOINT, trailing="per_constraint")),
            change("Lift", "stacking.lift", "reminder - no reminder, on the same stacks"),
        ],
        slug=f"table-{number}",
    )


def lift_table(index: FigureIndex) -> Table:
    """The reminder's lift in each cell."""
    return table(
        index,
        "Lift of the reminder by constraints and problems",
        rows=[{"constraints": size} for size in _axis(index, "constraints")],
        columns=[
            label("Constraints", "constraints", kind="integer"),
            *(change(f"{count} problems", "stacking.lift", problems=count) for count in _axis(index, "problems")),
        ],
        slug="lift",
    )


def type_table(index: FigureIndex) -> Table:
    """Table 13: each type's pass rate inside stacks, the weakest first."""
    return table(
        index,
        "Compliance by type inside stacks (Table 13)",
        rows=[entry.factors for entry in sorted(index.named("stacking.type.strict"), key=_value_or_last)],
        columns=[
            label("Type", "type"),
            rate("Strict", "stacking.type.strict"),
            rate("Loose", "stacking.type.loose"),
            count("Replies", "stacking.type.strict"),
        ],
        slug="table-13",
    )


def _value_or_last(entry: Figure) -> tuple[float, str]:
    return (2.0 if entry.value is None else entry.value, str(entry.factors["type"]))


_SINGLES_WORDS = {
    "stacks_of_one": "stacks of one, with other topics and parameters",
    "load_experiment": "the load experiment, in another prompt form",
}


def tension_findings(index: FigureIndex) -> tuple[Finding, ...]:
    """Each pair against its two constraints alone on the same stacks; without these, hints from other singles."""
    matched = [entry for entry in index.named("tension.gap.matched") if entry.value is not None]
    if matched:
        return tuple(_matched_finding(entry, entry.value or 0.0, len(matched)) for entry in matched)
    hints = [entry for entry in index.named("tension.gap.singles") if entry.value is not None]
    clear = [entry for entry in hints if verdict(entry) == "shown"]
    found = [
        Finding(
            "Pairs in tension were not compared with each constraint alone on the same stacks; --experiments singles "
            "beside tension adds that.",
            "note",
        )
    ]
    if not hints:
        found.append(Finding("No single constraint of these types was run elsewhere either.", "note"))
    found.extend(_hint(entry, entry.value or 0.0) for entry in clear)
    return tuple(found)


def _matched_finding(entry: Figure, value: float, pairs: int) -> Finding:
    than = direction(value, "above", "below", "from")
    several = "" if pairs == 1 else f"; p after Holm over {pairs} pairs"
    return Support.of(entry).finding(
        f"{_pair_name(entry)}: joint compliance was {points(value)} points {than} the product of the two constraints' "
        f"rates alone on the same stacks ({basis(entry, 'stack')}{several})"
    )


def _pair_name(entry: Figure) -> str:
    return str(entry.factors["pair"]).replace("+", " with ")


def _hint(entry: Figure, value: float) -> Finding:
    return Finding(
        f"{_pair_name(entry)}: joint compliance was {points(value)} points {'above' if value > 0 else 'below'} the "
        f"product of the two types' rates alone ({interval_words(entry, flip=value < 0)}). The single rates are from "
        f"{_SINGLES_WORDS[str(entry.factors['singles'])]}, so this is a hint and no finding.",
        "note",
    )


def tension_table(index: FigureIndex) -> Table:
    """Table 14, with the matched comparison beside the paper's."""
    pairs = dict.fromkeys(entry.factors["pair"] for entry in index.named("tension.gap.safe"))
    single = "pair - product of single rates, "
    return table(
        index,
        "Pairs in tension (Table 14)",
        rows=[{"pair": pair} for pair in pairs],
        columns=[
            label("Pair", "pair"),
            rate("Joint, strict", "tension.joint.strict", problems=ALL, trailing=ALL),
            rate("Joint, loose", "tension.joint.loose", problems=ALL, trailing=ALL),
            change("Against safe pairs", "tension.gap.safe", "the paper's; depends on how hard the types are"),
            optional(change("Against each alone", "tension.gap.matched", f"{single}the same stacks")),
            change(
                "Against single stacks", "tension.gap.singles", f"{single}the same prompt form", singles="stacks_of_one"
            ),
            change(
                "Against singles under load",
                "tension.gap.singles",
                f"{single}the load experiment",
                singles="load_experiment",
            ),
        ],
        note="Negative: the pair does worse. The product of single rates is what joint compliance would be if the two "
        "constraints did not affect each other. Only 'against each alone' compares the same stacks; the last two "
        "columns have other topics or wordings.",
        slug="table-14",
    )
