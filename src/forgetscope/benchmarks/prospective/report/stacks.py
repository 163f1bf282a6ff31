"""Stacking and tension: several constraints at once (Tables 4, 12, 13, 14)."""

from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.findings.figures import Cell, Chart, Column, Figure, Finding, Interval, Section, Series, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import (
    direction,
    interval_words,
    percent,
    points,
    text_column,
    undecided_words,
    verdict,
)

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
                "undecided" if verdict(trend) == "undecided" else "shown",
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
    sizes, problems = _axis(index, "constraints"), _axis(index, "problems")
    rows = tuple(
        Series(
            f"{size} constraint{'' if size == 1 else 's'}",
            tuple(index.interval(_JOINT, constraints=size, problems=count, trailing=ALL) for count in problems),
        )
        for size in sizes
    )
    said = ". ".join(
        f"{row.label}: "
        + ", ".join(
            f"{percent(point.value)} at {count} problems"
            for count, point in zip(problems, row.points, strict=True)
            if point is not None and point.value is not None
        )
        for row in rows
    )
    return Chart(
        "heatmap",
        "Joint compliance by constraints and problems",
        tuple(f"{count} problem{'' if count == 1 else 's'}" for count in problems),
        rows,
        summary=f"Share of replies that kept every constraint. {said}.",
        slug="stacking-heatmap",
    )


def joint_table(index: FigureIndex, axis: str) -> Table:
    """Table 4 (by constraints) or Table 12 (by problems): strict and loose, without and with the reminder."""
    rows: list[dict[str, Cell | Interval]] = []
    for value in _axis(index, axis):
        other = "problems" if axis == "constraints" else "constraints"
        base: dict[str, Cell] = {axis: value, other: ALL}
        row: dict[str, Cell | Interval] = {
            "level": value,
            "strict": index.interval(_JOINT, **base, trailing=ALL),
            "loose": index.interval("stacking.joint.loose", **base, trailing=ALL),
            "none": index.interval(_JOINT, **base, trailing="none"),
            "generic": index.interval(_JOINT, **base, trailing="generic"),
            "per_constraint": index.interval(_JOINT, **base, trailing="per_constraint"),
            "lift": index.interval("stacking.lift", **base),
        }
        rows.append(row)
    number = 4 if axis == "constraints" else 12
    ours = (
        (Column("per_constraint", "Reminder per constraint", "percent"),)
        if any(row["per_constraint"] is not None for row in rows)
        else ()
    )
    return Table(
        f"Joint compliance by number of {axis} (Table {number})",
        (
            Column("level", axis.capitalize(), "integer"),
            Column("strict", "Strict", "percent", "over reminder off and on"),
            Column("loose", "Loose", "percent"),
            Column("none", "Strict, no reminder", "percent"),
            Column("generic", "Strict, reminder", "percent"),
            *ours,
            Column("lift", "Lift", "points", "reminder - none, same stacks"),
        ),
        tuple(rows),
        slug=f"table-{number}",
    )


def lift_table(index: FigureIndex) -> Table:
    """The reminder's lift in each cell."""
    problems = _axis(index, "problems")
    rows: list[dict[str, Cell | Interval]] = [
        {"constraints": size}
        | {str(count): index.interval("stacking.lift", constraints=size, problems=count) for count in problems}
        for size in _axis(index, "constraints")
    ]
    return Table(
        "Lift of the reminder, cell by cell",
        (
            Column("constraints", "Constraints", "integer"),
            *(Column(str(count), f"{count} problems", "points") for count in problems),
        ),
        tuple(rows),
        note="Reminder minus none on the same stacks.",
        slug="lift",
    )


def type_table(index: FigureIndex) -> Table:
    """Table 13: each type's pass rate inside stacks, the weakest first."""
    entries = sorted(index.named("stacking.type.strict"), key=_value_or_last)
    rows: list[dict[str, Cell | Interval]] = [
        {
            "type": str(entry.factors["type"]),
            "strict": Interval.of(entry),
            "loose": index.interval("stacking.type.loose", **entry.factors),
            "n": entry.n,
        }
        for entry in entries
    ]
    return Table(
        "Types inside stacks (Table 13)",
        (
            text_column("type", "Type"),
            Column("strict", "Strict", "percent"),
            Column("loose", "Loose", "percent"),
            Column("n", "Replies", "integer"),
        ),
        tuple(rows),
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
    pairs = dict.fromkeys(str(entry.factors["pair"]) for entry in index.named("tension.gap.safe"))
    rows: list[dict[str, Cell | Interval]] = [
        {
            "pair": pair,
            "strict": index.interval("tension.joint.strict", pair=pair, problems=ALL, trailing=ALL),
            "loose": index.interval("tension.joint.loose", pair=pair, problems=ALL, trailing=ALL),
            "safe": index.interval("tension.gap.safe", pair=pair),
            "matched": index.interval("tension.gap.matched", pair=pair),
            "stacks": index.interval("tension.gap.singles", pair=pair, singles="stacks_of_one"),
            "load": index.interval("tension.gap.singles", pair=pair, singles="load_experiment"),
        }
        for pair in pairs
    ]
    matched = (
        (Column("matched", "Against each alone", "points", "pair - product of single rates, the same stacks"),)
        if index.named("tension.gap.matched")
        else ()
    )
    return Table(
        "Pairs in tension (Table 14)",
        (
            text_column("pair", "Pair"),
            Column("strict", "Joint, strict", "percent"),
            Column("loose", "Joint, loose", "percent"),
            Column("safe", "Against safe pairs", "points", "paper: confounded by how hard the types are"),
            *matched,
            Column("stacks", "Against single stacks", "points", "pair - product of single rates, the same prompt form"),
            Column(
                "load", "Against singles under load", "points", "pair - product of single rates, the load experiment"
            ),
        ),
        tuple(rows),
        note="Negative: the pair does worse. The product of single rates is what joint compliance would be if the two "
        "constraints did not touch each other. Alone on the same stacks is the matched comparison; single stacks hold "
        "few prompts of a type on other topics, the load experiment has more in another wording: both are hints.",
        slug="table-14",
    )
