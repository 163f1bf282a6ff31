"""Compliance under load: Table 1, Table 8, figures 2 to 4 and 8."""

from collections.abc import Iterator

from forgetbench.benchmarks.prospective.conditions import BASELINE, CONSTRAINT_ONLY, Load
from forgetbench.benchmarks.prospective.metrics.study import ALL, FigureIndex, Study
from forgetbench.benchmarks.prospective.sections.wording import (
    condition_name,
    counted,
    defined,
    interval_words,
    load_name,
    percent,
    points,
    series,
    text_column,
    undecided_words,
    verdict,
)
from forgetbench.figures import Cell, Chart, Column, Figure, Finding, Interval, Section, Table

_NONE = Load.NONE.value
_STRICT = "compliance.strict.paper"


def load_section(study: Study, index: FigureIndex) -> Section | None:
    """Findings, natural beside reminder, Tables 1 and 8, other readings; None without the load experiment."""
    if not study.cells:
        return None
    blocks: list[Finding | Chart | Table] = [*load_findings(study, index)]
    if study.loaded_conditions:
        blocks.extend([compliance_chart(study, index), compliance_table(study, index, "strict")])
        if BASELINE in {condition for condition, _ in study.cells}:
            blocks.extend([delta_chart(study, index), statistics_table(study, index)])
        blocks.append(compliance_table(study, index, "loose"))
    blocks.append(readings_table(study, index))
    return Section(
        "Compliance under load",
        tuple(blocks),
        intro="The share of replies that kept their format, read strictly and as the paper reads them (every reply "
        "with text, cut ones too). A delta is what was lost: reference minus condition, in points.",
        slug="compliance",
    )


def load_findings(study: Study, index: FigureIndex) -> tuple[Finding, ...]:
    """What load took under the natural prompt, and what the reminder gave back."""
    found: list[Finding] = []
    for condition, against in (("natural", BASELINE), ("reminder", CONSTRAINT_ONLY)):
        entry = index.get("delta.paired", condition=condition, load=ALL, against=against)
        if entry is None:
            continue
        found.append(_delta_finding(index, entry))
    gain = index.get("gain.paired", load=ALL)
    if gain is not None and gain.value is not None:
        direction = "kept more" if gain.value >= 0 else "kept less"
        found.append(
            Finding(
                f"The reminder prompt {direction} than the natural one under the same load: {points(gain.value)} "
                f"points ({interval_words(gain, flip=gain.value < 0)}, {counted(gain.n, 'item')})"
                f"{undecided_words(gain)}. It also drops the original task, so this is not its effect alone.",
                verdict(gain),
            )
        )
    worst = _largest_drop(study, index)
    if worst is not None and worst.value is not None:
        found.append(_largest_finding(index, worst, worst.value))
    if not found:
        found.extend(_rate_findings(study, index))
    return tuple(found)


def _rate_findings(study: Study, index: FigureIndex) -> Iterator[Finding]:
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
    return Finding(
        f"{where}, {percent(under)} of replies kept their format against {percent(without)} {without_what} "
        f"({points(entry.value)} points {change}, {interval_words(entry, flip=entry.value < 0)}, "
        f"{counted(entry.n, 'item')}){undecided_words(entry)}.",
        verdict(entry),
    )


def _largest_finding(index: FigureIndex, worst: Figure, value: float) -> Finding:
    """The load that takes most; shown only when it stands after correcting for having picked it."""
    adjusted = index.value("delta.p.holm", condition="natural", load=worst.factors["load"])
    tail = "" if adjusted is None else f", Holm-adjusted p {_p(adjusted)}"
    stands = adjusted is not None and adjusted < 0.05
    doubt = "" if stands else "; after correction for the number of comparisons it is not decided"
    return Finding(
        f"The largest loss is under {load_name(str(worst.factors['load']))}: {points(value)} points "
        f"({interval_words(worst)}, {counted(worst.n, 'item')}{tail}){doubt}.",
        "shown" if stands else "undecided",
    )


def _largest_drop(study: Study, index: FigureIndex) -> Figure | None:
    drops = defined(index.get("delta.paired", condition="natural", load=load, against=BASELINE) for load in study.loads)
    if len(drops) < 2:
        return None
    worst = max(drops, key=lambda entry: entry.value or 0.0)
    return worst if worst.value is not None and worst.value > 0 else None


def _p(value: float) -> str:
    return "below 0.001" if value < 0.001 else f"{value:.3f}"


def compliance_chart(study: Study, index: FigureIndex) -> Chart:
    """Natural beside reminder over loads, the unloaded prompts first (figures 2b and 8)."""
    shown = [name for name in ("natural", "reminder") if name in study.loaded_conditions] or study.loaded_conditions
    unloaded = {"natural": BASELINE, "reminder": CONSTRAINT_ONLY}
    loads = [_NONE, *study.loads]
    lines = [
        series(
            index,
            condition_name(name),
            _STRICT,
            [
                {"condition": unloaded.get(name, f"{name}_unloaded") if load == _NONE else name, "load": load}
                for load in loads
            ],
        )
        for name in shown
    ]
    said = []
    for line in lines:
        known = [
            f"{load_name(load)} {percent(point.value)}"
            for load, point in zip(loads, line.points, strict=True)
            if point is not None and point.value is not None
        ]
        said.append(f"{line.label}: {', '.join(known) or 'nothing defined'}")
    return Chart(
        "bars",
        "Replies that kept their format, natural beside reminder",
        tuple(load_name(load) for load in loads),
        tuple(lines),
        summary="Strict compliance by load. " + ". ".join(said) + ".",
        y_label="replies that kept their format",
        slug="compliance-by-load",
    )


def delta_chart(study: Study, index: FigureIndex) -> Chart:
    """What load took, per load (figure 3), each template against its own unloaded prompt."""
    against = {"natural": BASELINE, "reminder": CONSTRAINT_ONLY}
    lines = [
        series(
            index,
            f"{name}, against {condition_name(reference)}",
            "delta.paired",
            [{"condition": name, "load": load, "against": reference} for load in study.loads],
        )
        for name, reference in against.items()
        if name in study.loaded_conditions
    ]
    said = [
        f"{line.label}: "
        + ", ".join(
            f"{load_name(load)} {100 * point.value:+.1f}"
            for load, point in zip(study.loads, line.points, strict=True)
            if point is not None and point.value is not None
        )
        for line in lines
    ]
    return Chart(
        "bars",
        "Points lost under load, on the same items",
        tuple(load_name(load) for load in study.loads),
        tuple(lines),
        summary="Points of compliance lost, positive is worse. " + ". ".join(said) + ".",
        y_label="points lost (reference - condition)",
        unit="points",
        slug="deltas",
    )


def compliance_table(study: Study, index: FigureIndex, mode: str) -> Table:
    """Table 1: natural and reminder by load, with what was lost and gained on the same items (strict mode)."""
    name = f"compliance.{mode}.paper"
    rows: list[dict[str, Cell | Interval]] = [
        {
            "load": "Baseline / constraint only" if load == _NONE else f"+ {load_name(load)}",
            "natural": index.interval(name, condition=BASELINE if load == _NONE else "natural", load=load),
            "reminder": index.interval(name, condition=CONSTRAINT_ONLY if load == _NONE else "reminder", load=load),
            "lost": index.interval("delta.paired", condition="natural", load=load, against=BASELINE),
            "reminder_lost": index.interval("delta.paired", condition="reminder", load=load, against=CONSTRAINT_ONLY),
            "gain": index.interval("gain.paired", load=load),
            "n": getattr(index.get(name, condition=BASELINE if load == _NONE else "natural", load=load), "n", None),
            "note": getattr(index.get(name, condition=BASELINE if load == _NONE else "natural", load=load), "note", ""),
        }
        for load in (_NONE, *study.loads, ALL)
    ]
    strict_only = (
        Column("lost", "Lost under load", "points", "baseline - natural on the same items"),
        Column("reminder_lost", "Lost with reminder", "points", "constraint only - reminder on the same items"),
        Column("gain", "Gained by reminder", "points", "reminder - natural on the same items"),
    )
    return Table(
        f"Compliance by load, {mode} (Table 1{'' if mode == 'strict' else ', loose'})",
        (
            text_column("load", "Load"),
            Column("natural", "Natural", "percent"),
            Column("reminder", "Reminder", "percent"),
            *(strict_only if mode == "strict" else ()),
            Column("n", "Replies", "integer", "replies with text, natural (or baseline)"),
            Column("note", "Mark"),
        ),
        tuple(rows),
        note="Intervals: Wilson where each item has one reply, otherwise items resampled with all their runs.",
        slug=f"table-1-{mode}",
    )


def statistics_table(study: Study, index: FigureIndex) -> Table:
    """Table 8's layout for every loaded condition: rate, both deltas, Cohen's h, tests, Holm."""
    rows: list[dict[str, Cell | Interval]] = []
    for condition in study.loaded_conditions:
        for load in study.loads:
            factors: dict[str, Cell] = {"condition": condition, "load": load}
            rows.append(
                {
                    "condition": condition_name(condition),
                    "load": load_name(load),
                    "rate": index.interval(_STRICT, **factors),
                    "pooled": index.interval("compliance.strict.pooled", **factors),
                    "paired": index.interval("delta.paired", **factors, against=BASELINE),
                    "paper": index.interval("delta.paper", **factors),
                    "h": index.value("delta.cohens_h", **factors),
                    "p": index.value("delta.p", **factors),
                    "holm": index.value("delta.p.holm", **factors),
                    "mcnemar": _either(index, "corrected", factors),
                }
            )
        factors = {"condition": condition}
        rows.append(
            {
                "condition": condition_name(condition),
                "load": "average over loads",
                "paper": index.interval("delta.average", **factors),
            }
        )
    return Table(
        "Tests and effect sizes against the baseline (Table 8)",
        (
            text_column("condition", "Condition"),
            text_column("load", "Load"),
            Column("rate", "Compliance", "percent", "interval by items"),
            Column("pooled", "Paper's interval", "percent", "paper: pooled outcomes resampled as if independent"),
            Column("paired", "Delta, paired", "points", "baseline - condition on the same items: the headline"),
            Column("paper", "Delta, paper", "points", "overall baseline - condition"),
            Column("h", "Cohen's h", "number", "of the paper's two percentages"),
            Column("p", "p", "p", "exact McNemar with one run; sign flips over items with several"),
            Column("holm", "p, Holm", "p", "over the loads and conditions of this table"),
            Column(
                "mcnemar", "p, McNemar", "p", "continuity-corrected, as the paper; over pooled pairs with several runs"
            ),
        ),
        tuple(
            {"rate": None, "pooled": None, "paired": None, "h": None, "p": None, "holm": None, "mcnemar": None} | row
            for row in rows
        ),
        note="Delta, paper and p, McNemar are the paper's: the first is over all items, the second over matched items, "
        "so they do not belong together.",
        slug="table-8",
    )


def _either(index: FigureIndex, form: str, factors: dict[str, Cell]) -> float | None:
    single = index.value(f"delta.mcnemar.{form}", **factors)
    return single if single is not None else index.value(f"delta.mcnemar.pooled.{form}", **factors)


def readings_table(study: Study, index: FigureIndex) -> Table:
    """Every reading of compliance per cell: paper, completed with bounds, loose, repaired checkers."""
    rows: list[dict[str, Cell | Interval]] = []
    for condition, load in study.cells:
        factors: dict[str, Cell] = {"condition": condition, "load": load}
        if index.get(_STRICT, **factors) is None:
            continue
        lowest = index.value("compliance.strict.completed.lowest", **factors)
        highest = index.value("compliance.strict.completed.highest", **factors)
        rows.append(
            {
                "condition": condition_name(condition),
                "load": load_name(load),
                "paper": index.interval(_STRICT, **factors),
                "completed": index.interval("compliance.strict.completed", **factors),
                "bounds": "undefined"
                if lowest is None or highest is None
                else f"{percent(lowest)} to {percent(highest)}",
                "loose": index.interval("compliance.loose.paper", **factors),
                "repaired": index.interval("compliance.strict.repaired", **factors),
                "loose_repaired": index.interval("compliance.loose.repaired", **factors),
            }
        )
    return Table(
        "Compliance in every reading",
        (
            text_column("condition", "Condition"),
            text_column("load", "Load"),
            Column("paper", "Strict, paper", "percent", "raw passes over replies with text"),
            Column("completed", "Strict, completed", "percent", "correct / (correct + incorrect)"),
            Column("bounds", "Bounds", "text", "if all outside the completed rate had failed, or passed"),
            Column("loose", "Loose, paper", "percent", "any of IFEval's eight variants"),
            Column("repaired", "Strict, repaired", "percent", "where the reference checkers are unstable or wrong"),
            Column("loose_repaired", "Loose, repaired", "percent"),
        ),
        tuple(rows),
        slug="readings",
    )
