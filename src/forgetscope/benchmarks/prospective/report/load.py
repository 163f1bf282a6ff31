"""Compliance under load: Table 1, Table 8, figures 2 to 4 and 8."""

from collections.abc import Iterator

from forgetscope.benchmarks.prospective.data.conditions import BASELINE, CONSTRAINT_ONLY, NO_LOAD
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.benchmarks.prospective.report.load_tables import (
    compliance_table,
    own_statistics_table,
    readings_table,
    statistics_table,
)
from forgetscope.benchmarks.prospective.report.wording import condition_name, load_name, over_loads, own_prompt
from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Chart, Figure, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import (
    basis,
    counted,
    defined,
    direction,
    interval_words,
    percent,
    plus,
    points,
    undecided_words,
    verdict,
)
from forgetscope.findings.verdicts import Support

_NONE = NO_LOAD
_STRICT = "compliance.strict.paper"


def load_section(study: ProspectiveStudy, index: FigureIndex) -> Section | None:
    """Findings, natural beside reminder, Tables 1 and 8, other readings; None without the load experiment."""
    if not study.cells:
        return None
    blocks: list[Finding | Chart | Table] = [*load_findings(study, index)]
    if study.loaded_conditions:
        blocks.extend([compliance_chart(study, index), compliance_table(study, index, "strict")])
        if BASELINE in {condition for condition, _ in study.cells}:
            blocks.extend([delta_chart(study, index), statistics_table(study, index)])
        own = own_statistics_table(index)
        if own.rows:
            blocks.append(own)
        if index.named("gain.paired"):
            blocks.append(gain_chart(study, index))
        blocks.append(compliance_table(study, index, "loose"))
    blocks.append(readings_table(study, index))
    return Section(
        "Compliance under load",
        tuple(blocks),
        intro="The share of replies that kept their format, read strictly and as the paper reads them (every reply "
        "with text, cut ones too). A delta is what was lost: reference minus condition, in points.",
        slug="compliance",
    )


def load_findings(study: ProspectiveStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """What load took under the natural prompt, and what the reminder gave back."""
    found: list[Finding] = []
    for condition, against in (("natural", BASELINE), ("reminder", CONSTRAINT_ONLY)):
        entry = index.get("delta.paired", condition=condition, load=ALL, against=against)
        if entry is None:
            continue
        found.append(_delta_finding(index, entry))
    gain = index.get("gain.paired", load=ALL)
    if gain is not None and gain.value is not None:
        compared = direction(gain.value, "kept more than", "kept less than", "kept as much as")
        found.append(
            Finding(
                f"The reminder prompt {compared} the natural one under the same load: {points(gain.value)} "
                f"points ({interval_words(gain, flip=gain.value < 0)}, {counted(gain.n, 'item')})"
                f"{undecided_words(gain)}. It also drops the original task, so this is not its effect alone.",
                verdict(gain),
            )
        )
    worst = _largest_drop(study, index)
    if worst is not None and worst.value is not None:
        found.append(_largest_finding(worst, worst.value))
    if not found:
        found.extend(_rate_findings(study, index))
    return tuple(found)


def _rate_findings(study: ProspectiveStudy, index: FigureIndex) -> Iterator[Finding]:
    """What can be said without a baseline: the rate itself."""
    for condition in study.loaded_conditions:
        entry = index.get(_STRICT, condition=condition, load=ALL)
        if entry is not None and entry.value is not None:
            yield Finding(
                f"{percent(entry.value)} of {counted(entry.n, 'reply', 'replies')} under load kept their format "
                f"({condition_name(condition)}); without its baseline nothing can be said of what load costs."
            )


def _delta_finding(index: FigureIndex, entry: Figure) -> Finding:
    condition = str(entry.factors["condition"])
    under = index.value("delta.paired.condition", **entry.factors)
    without = index.value("delta.paired.reference", **entry.factors)
    where = "Under load" if condition == "natural" else "With the reminder and under load"
    without_what = "without" if condition == "natural" else "with the same prompt without load"
    if entry.value is None or under is None or without is None:
        return Finding(f"{where}: what load costs is undefined ({entry.note}).", "undecided")
    change = "lost" if entry.value >= 0 else "gained"
    floor = "; nothing was kept without load, so load could take nothing" if without == 0 else ""
    return Finding(
        f"{where}, {percent(under)} of replies kept their format against {percent(without)} {without_what} "
        f"({points(entry.value)} points {change}, {interval_words(entry, flip=entry.value < 0)}, "
        f"{counted(entry.n, 'item')}){floor or undecided_words(entry)}.",
        verdict(entry),
    )


def _largest_finding(worst: Figure, value: float) -> Finding:
    """The load that takes most; shown only when it stands after correcting for having picked it."""
    return Support.of(worst).finding(
        f"The largest loss is under {load_name(str(worst.factors['load']))}: {points(value)} points "
        f"({basis(worst)}; p corrected by Holm for the number of comparisons)"
    )


def _largest_drop(study: ProspectiveStudy, index: FigureIndex) -> Figure | None:
    drops = defined(index.get("delta.paired", condition="natural", load=load, against=BASELINE) for load in study.loads)
    if len(drops) < 2:
        return None
    worst = max(drops, key=lambda entry: entry.value or 0.0)
    return worst if worst.value is not None and worst.value > 0 else None


def compliance_chart(study: ProspectiveStudy, index: FigureIndex) -> Chart:
    """Natural beside reminder over loads, the unloaded prompts first (figures 2b and 8)."""
    shown = [name for name in ("natural", "reminder") if name in study.loaded_conditions] or study.loaded_conditions
    return chart(
        index.asked(own_prompt),
        "bars",
        "Replies that kept their format, natural beside reminder",
        over=over_loads((_NONE, *study.loads)),
        lines=[line(condition_name(name), _STRICT, condition=name) for name in shown],
        summary="Strict compliance by load. {said}.",
        y_label="replies that kept their format",
        slug="compliance-by-load",
    )


def gain_chart(study: ProspectiveStudy, index: FigureIndex) -> Chart:
    """What the reminder prompt adds over the natural one, per load (figure 4)."""
    return chart(
        index,
        "bars",
        "Points gained by the reminder prompt, on the same items",
        over=over_loads((*study.loads, ALL)),
        lines=[line("reminder - natural", "gain.paired")],
        summary="Points of compliance gained, positive is better: {values}.",
        write=plus,
        y_label="points gained (reminder - natural)",
        unit="points",
        slug="gains",
    )


def delta_chart(study: ProspectiveStudy, index: FigureIndex) -> Chart:
    """What load took, per load (figure 3), each template against its own unloaded prompt."""
    return chart(
        index,
        "bars",
        "Points lost under load, on the same items",
        over=over_loads(study.loads),
        lines=[
            line(f"{name}, against {condition_name(against)}", "delta.paired", condition=name, against=against)
            for name, against in (("natural", BASELINE), ("reminder", CONSTRAINT_ONLY))
            if name in study.loaded_conditions
        ],
        summary="Points of compliance lost, positive is worse. {said}.",
        write=plus,
        y_label="points lost (reference - condition)",
        unit="points",
        slug="deltas",
    )
