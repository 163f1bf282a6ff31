"""The grid in short: what did unlearning take, and what did it cost?"""

from collections.abc import Iterator

from forgetscope.benchmarks.unlearning.metrics.study import CellKey, UnlearningStudy
from forgetscope.benchmarks.unlearning.report.names import method_name
from forgetscope.findings.figures import Finding, Profile, ProfileLine
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import direction, points

QUESTION = "Made to unlearn, what did it lose, and what did that cost?"


def best_cells(study: UnlearningStudy, index: FigureIndex) -> Iterator[CellKey]:
    """For each corpus and semantics the cell that loses most of the forget measures beyond the retain measures."""
    for corpus, semantics in dict.fromkeys((key.corpus, key.semantics) for key in study.cells):
        known = [
            (forget - retain, key)
            for key in study.cells
            if (key.corpus, key.semantics) == (corpus, semantics)
            and (forget := index.value("group", **key.factors, group="forget")) is not None
            and (retain := index.value("group", **key.factors, group="retain")) is not None
        ]
        if known:
            yield max(known, key=lambda entry: entry[0])[1]


def balance_findings(study: UnlearningStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """The best balance of forgetting and keeping in each corpus, a sentence each."""
    return tuple(_balance_finding(best, index) for best in best_cells(study, index))


def _balance_finding(best: CellKey, index: FigureIndex) -> Finding:
    lost = index.value("group", **best.factors, group="forget") or 0.0
    cost = index.value("group", **best.factors, group="retain") or 0.0
    return Finding(
        f"Best balanced on the {best.corpus} corpus ({best.semantics} losses): {method_name(best.method)} with the "
        f"{best.forget_format} forget set and the {best.retain_subset} retain set. "
        f"Measures of what should be forgotten {_moved(lost)}, those of what should be kept {_moved(cost)}."
    )


def _moved(loss: float) -> str:
    return direction(loss, f"fell by {points(loss)}%", f"rose by {points(loss)}%", "stayed as they were")


def grid_profile(study: UnlearningStudy, index: FigureIndex) -> Profile | None:
    """What the best balanced cell of the first corpus lost on either side; None where no cell has both."""
    best = next(best_cells(study, index), None)
    if best is None:
        return None
    sides = (
        ("lost of what should be forgotten, best balanced cell", "forget"),
        ("lost there of what should be kept", "retain"),
    )
    lines = tuple(
        ProfileLine(label, entry, "higher" if group == "forget" else "lower")
        for label, group in sides
        if (entry := index.get("group", **best.factors, group=group)) is not None
    )
    return Profile(QUESTION, balance_findings(study, index)[0], lines)
