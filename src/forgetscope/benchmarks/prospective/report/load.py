"""Compliance under load: Table 1, Table 8, figures 2 to 4 and 8."""

from collections.abc import Iterator

from forgetscope.benchmarks.prospective.data.conditions import BASELINE, CONSTRAINT_ONLY, NO_LOAD
from forgetscope.benchmarks.prospective.metrics.study import ALL, ProspectiveStudy
from forgetscope.benchmarks.prospective.report.load_tables import (
    compliance_table,
    own_statistics_table,
    readings_table,
    runs_table,
    statistics_table,
)
from forgetscope.benchmarks.prospective.report.wording import condition_name, load_name, over_loads, own_prompt
from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Chart, Figure, Finding, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import basis, counted, defined, direction, moved, percent, plus, points
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
        if index.named("spread.within"):
            blocks.append(runs_table(study, index))
    blocks.append(readings_table(study, index))
    return Section(
        "Compliance under load",
        tuple(blocks),
        intro="The share of replies that keep their formatting constraint, without and with other work to do. "
        "Sentences, charts and the first table have strict compliance by the paper's reading: every reply with text "
        "counts, replies cut off too. A loss is reference minus condition, in points, on the same items.",
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
        compared = direction(
            gain.value,
            f"{points(gain.value)} points above that of the natural one",
            f"{points(gain.value)} points below that of the natural one",
            "equal to that of the natural one",
        )
        found.append(
            Support.of(gain).finding(
                f"Both under load, the reminder prompt's compliance was {compared} ({basis(gain)})",
                then="It also drops the original task, so this is not the reminder's effect alone.",
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
                f"{condition_name(condition).capitalize()} prompt: under load, compliance was {percent(entry.value)} "
                f"({counted(entry.n, 'reply', 'replies')}). No baseline was run, so what load costs is not known."
            )


def _delta_finding(index: FigureIndex, entry: Figure) -> Finding:
    condition = str(entry.factors["condition"])
    under = index.value("delta.paired.condition", **entry.factors)
    without = index.value("delta.paired.reference", **entry.factors)
    where = f"{condition_name(condition).capitalize()} prompt"
    if entry.value is None or under is None or without is None:
        return Finding(f"{where}: what load costs is undefined ({entry.note.partition(';')[0]}).")
    if without == 0:
        return Finding(
            f"{where}: compliance was 0.0% without load, so load could take nothing; under load it was "
            f"{percent(under)} ({counted(entry.n, 'item')})."
        )
    return Support.of(entry).finding(f"{where}: under load, compliance {moved(entry, without, under)} ({basis(entry)})")


def _largest_finding(worst: Figure, value: float) -> Finding:
    """The load that takes most; shown only when it stands after correcting for having picked it."""
    return Support.of(worst).finding(
        f"Natural prompt: the largest loss was under {load_name(str(worst.factors['load']))}, {points(value)} points "
        f"({basis(worst)}; p after Holm)"
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
        "Strict compliance by load",
        over=over_loads((_NONE, *study.loads)),
        lines=[line(condition_name(name), _STRICT, condition=name) for name in shown],
        summary="{said}.",
        y_label="compliance",
        slug="compliance-by-load",
    )


def gain_chart(study: ProspectiveStudy, index: FigureIndex) -> Chart:
    """What the reminder prompt adds over the natural one, per load (figure 4)."""
    return chart(
        index,
        "bars",
        "Gain of the reminder prompt over the natural one, on the same items",
        over=over_loads((*study.loads, ALL)),
        lines=[line("reminder - natural", "gain.paired")],
        summary="Points of compliance: {values}.",
        write=plus,
        y_label="points gained",
        unit="points",
        slug="gains",
    )


def delta_chart(study: ProspectiveStudy, index: FigureIndex) -> Chart:
    """What load took, per load (figure 3), each template against its own unloaded prompt."""
    return chart(
        index,
        "bars",
        "Compliance lost under load, on the same items",
        over=over_loads(study.loads),
        lines=[
            line(f"{name}, against {condition_name(against)}", "delta.paired", condition=name, against=against)
            for name, against in (("natural", BASELINE), ("reminder", CONSTRAINT_ONLY))
            if name in study.loaded_conditions
        ],
        summary="Points of compliance: {said}.",
        write=plus,
        y_label="points lost",
        unit="points",
        slug="deltas",
    )
