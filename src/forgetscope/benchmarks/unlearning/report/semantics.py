"""The same cells under losses done properly and as the published code has them."""

from forgetscope.benchmarks.unlearning.metrics.study import UnlearningStudy
from forgetscope.benchmarks.unlearning.report.names import CORPUS, FORMAT, SUBSET
from forgetscope.findings.figures import Cell, Figure, Finding, Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import points
from forgetscope.findings.tables import change, label, table

PROPER, COMPAT = "proper", "muse-compat"


def semantics_section(study: UnlearningStudy, index: FigureIndex) -> Section | None:
    """How far methods lie apart under each; None where only one was run."""
    if len({key.semantics for key in study.cells}) < 2:
        return None
    both = _under_both(index)
    if not both:
        return None
    apart = table(
        index,
        "How far the methods lie apart",
        [{name: of for name, of in found[PROPER].factors.items() if name != "semantics"} for found in both],
        [
            CORPUS,
            label("Learning rate", lambda row: f"{row['learning_rate']:g}"),
            FORMAT,
            SUBSET,
            label("Group", "group"),
            change("Proper losses", "methods.range", semantics=PROPER),
            change("muse-compat losses", "methods.range", semantics=COMPAT),
        ],
        note="Highest minus lowest S_change of the methods of a row.",
        slug="semantics",
    )
    return Section(
        "Losses: proper and as published",
        (*semantics_findings(index), apart),
        intro="How far the methods lie apart under each kind of loss. The published code computes its KL and NPO "
        "terms on raw logits: a constant added to all logits changes them, and the retain term can swamp the forget "
        "term, so that methods come out alike.",
        slug="semantics",
    )


def semantics_findings(index: FigureIndex) -> tuple[Finding, ...]:
    """How far methods lie apart at most under each kind of losses; empty where only one was run."""
    both = _under_both(index)
    return tuple(_largest(both, name) for name in (PROPER, COMPAT)) if both else ()


def _under_both(index: FigureIndex) -> list[dict[str, Figure]]:
    """Ranges of methods by the kind of losses, for the cells that were run under both."""
    entries: dict[tuple[Cell, ...], dict[str, Figure]] = {}
    for entry in index.named("methods.range"):
        rest = tuple(value for name, value in entry.factors.items() if name != "semantics")
        entries.setdefault(rest, {})[str(entry.factors["semantics"])] = entry
    return [found for found in entries.values() if {PROPER, COMPAT} <= found.keys()]


def _largest(both: list[dict[str, Figure]], name: str) -> Finding:
    known = [found[name] for found in both if found[name].value is not None]
    if not known:
        return Finding(f"Under {name} losses no range of methods is defined.")
    most = max(known, key=lambda entry: entry.value or 0.0)
    return Finding(
        f"Under {name} losses the methods lie at most {points(most.value or 0.0)} points of S_change apart "
        f"({most.factors['forget_format']}, {most.factors['retain_subset']}, {most.factors['group']})."
    )
