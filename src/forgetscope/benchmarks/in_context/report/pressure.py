"""What comes back under pressure: the worst way to ask, and how much stays forgotten over a budget of questions."""

from forgetscope.benchmarks.in_context.metrics.study import DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.names import probe_name, residue_name, survival_name
from forgetscope.benchmarks.in_context.report.settings import SETTING
from forgetscope.findings.charts import chart, line
from forgetscope.findings.figures import Chart, Finding, Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.tables import count, label, number, table

CONDITIONS = ("request", "request_states_fact")


def pressure_section(study: InContextStudy, index: FigureIndex) -> Section | None:
    """None where the query alone was put."""
    keys = list(dict.fromkeys(key for key, _ in study.pressed))
    if not index.named("residue.worst"):
        return None
    rows = [entry.factors for entry in index.named("survival")]
    survival = table(
        index,
        "Survival over a budget",
        rows,
        (
            label("Set against", "condition", residue_name),
            label("Asked so far", "budget", lambda budget: survival_name(int(str(budget)))),
            SETTING,
            number("Survival", "survival", "1 as if never told, 0 nothing forgotten"),
            count("Items", "survival", "those that every way to ask could be put to"),
        ),
        slug="survival",
    )
    return Section(
        "Under pressure",
        (*_worst(index), *_curves(index, keys[:1]), survival),
        intro="The fact is asked for in further ways, with and without the request, told and never told; the table of "
        "residues has a row for each. Survival is what stays forgotten when a fact counts as found once it came out in "
        "any question so far, over the items that every way to ask could be put to. It may rise again: a later "
        "question may bring out more where nothing was withdrawn, too.",
        slug="pressure",
    )


def _worst(index: FigureIndex) -> list[Finding]:
    """The highest residue is said to come back only where some way to ask is called *still there*."""
    said = []
    for entry in index.named("residue.worst"):
        if entry.value is None:
            continue
        condition = entry.factors["condition"]
        words = {rung.verdict for rung in index.named("residue") if rung.factors["condition"] == condition}
        ends = "" if entry.low is None or entry.high is None else f" (95% interval {entry.low:.2f} to {entry.high:.2f})"
        highest = f"residue {entry.value:.2f}{ends}, the highest of all ways to ask"
        by = f"by {probe_name(str(entry.factors['probe']))}"
        after = f"After a {residue_name(str(condition))},"
        if "still there" in words:
            said.append(Finding(f"{after} most comes back {by}: {highest}."))
        elif words == {"as if never told"}:
            said.append(Finding(f"{after} no way to ask brings the fact back: most does {by}, {highest}."))
        else:
            said.append(
                Finding(f"{after} whether any way to ask brings the fact back is undecided: most does {by}, {highest}.")
            )
    return said


def _curves(index: FigureIndex, keys: list[DialogueCell]) -> list[Chart]:
    most = max((int(str(entry.factors["budget"])) for entry in index.named("survival")), default=0)
    return [
        chart(
            index,
            "lines",
            "What stays forgotten over questions",
            over={str(budget): {**key.factors, "budget": budget} for budget in range(1, most + 1)},
            lines=[line(residue_name(name), "survival", condition=name) for name in CONDITIONS],
            summary="{said}.",
            y_label="survival",
            unit="ratio",
            slug="survival-curve",
        )
        for key in keys
    ]
