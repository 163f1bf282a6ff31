"""Stacking and tension: several constraints at once (Tables 4, 12, 13, 14)."""

from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Cell, Chart, Figure, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, direction, interval_words, percent, points, undecided_words, verdict
from forgetscope.findings.tables import change, count, label, optional, rate, table

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
        "Stacking and tension",
        tuple(blocks),
        intro="Joint compliance: a reply counts when it keeps every constraint of its prompt.",
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
        rates = "from " + " to ".join(percent(value) for value in ends if value is not None)
        change = direction(decline.value, "falls", "rises", "goes")
        found.append(
            Finding(
                f"From {fewest} to {most} constraints, joint compliance {change} {rates} ({points(decline.value)} "
                f"points, {interval_words(decline, flip=decline.value < 0)}){undecided_words(decline)}.",
                verdict(decline),
            )
        )
    trend = index.get("stacking.trend.problems")
    if trend is not None and trend.value is not None:
        change = direction(trend.value, "rises", "falls", "changes")
        found.append(
            Finding(
                f"For each further problem in the prompt, joint compliance {change} by {points(trend.value)} points "
                f"({interval_words(trend, flip=trend.value < 0)}){undecided_words(trend)}.",
                verdict(trend),
            )
        )
    lift = index.get("stacking.lift", constraints=ALL, problems=ALL)
    if lift is not None and lift.value is not None:
        ends = [index.value(f"stacking.lift.{end}", constraints=ALL, problems=ALL) for end in ("lowest", "highest")]
        spread = (
            ""
            if None in ends
            else f"; cell by cell it ranges from {100 * (ends[0] or 0.0):+.1f} to {100 * (ends[1] or 0.0):+.1f} "
            "(ten prompts a cell, so expect a wide range by chance alone)"
        )
        change = direction(lift.value, "lifts", "lowers", "changes")
        found.append(
            Finding(
                f"The trailing reminder {change} joint compliance by {points(lift.value)} points "
                f"({interval_words(lift, flip=lift.value < 0)}, {lift.n} stacks){undecided_words(lift)}{spread}.",
                verdict(lift),
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
        summary="Share of replies that kept every constraint. {said}.",
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
            rate("Strict", _JOINT, "over reminder off and on", trailing=ALL),
            rate("Loose", "stacking.joint.loose", trailing=ALL),
            rate("Strict, no reminder", _JOINT, trailing="none"),
            rate("Strict, reminder", _JOINT, trailing="generic"),
            optional(rate("Reminder per constraint", _JOINT, trailing="per_constraint")),
            change("Lift", "stacking.lift", "reminder - none, same stacks"),
        ],
        slug=f"table-{number}",
    )


def lift_table(index: FigureIndex) -> Table:
    """The reminder's lift in each cell."""
    return table(
        index,
        "Lift of the reminder, cell by cell",
        rows=[{"constraints": size} for size in _axis(index, "constraints")],
        columns=[
            label("Constraints", "constraints", kind="integer"),
            *(change(f"{count} problems", "stacking.lift", problems=count) for count in _axis(index, "problems")),
        ],
        note="Reminder minus none on the same stacks.",
        slug="lift",
    )


def type_table(index: FigureIndex) -> Table:
    """Table 13: each type's pass rate inside stacks, the weakest first."""
    return table(
        index,
        "Types inside stacks (Table 13)",
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
            "Whether a pair does worse than its two constraints alone was not tested on the same stacks; "
            "--experiments singles beside tension adds the matched comparison.",
            "note",
        )
    ]
    if not hints:
        found.append(Finding("Nor are there singles of these types elsewhere in the run to compare with.", "note"))
    found.extend(_hint(entry, entry.value or 0.0) for entry in clear)
    return tuple(found)


def _matched_finding(entry: Figure, value: float, pairs: int) -> Finding:
    than = direction(value, "better together than", "worse together than", "apart from")
    several = "" if pairs == 1 else f", not corrected for looking at {pairs} pairs"
    return Finding(
        f"{entry.factors['pair']}: {points(value)} points {than} the product of its two constraints' "
        f"rates alone on the same stacks ({interval_words(entry, flip=value < 0)}, {entry.n} matched replies{several})"
        f"{undecided_words(entry)}.",
        verdict(entry),
    )


def _hint(entry: Figure, value: float) -> Finding:
    return Finding(
        f"{entry.factors['pair']}: {points(value)} points {'better' if value > 0 else 'worse'} together than its two "
        f"types' single rates would give ({interval_words(entry, flip=value < 0)}); the singles are from "
        f"{_SINGLES_WORDS[str(entry.factors['singles'])]}, so this is a hint only.",
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
            change("Against safe pairs", "tension.gap.safe", "paper: confounded by how hard the types are"),
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
        "constraints did not touch each other. Alone on the same stacks is the matched comparison; single stacks hold "
        "few prompts of a type on other topics, the load experiment has more in another wording: both are hints.",
        slug="table-14",
    )
