"""The grid in short: what did unlearning take, and what did it cost?"""

from collections.abc import Iterator

from forgetscope.benchmarks.unlearning.metrics.study import CellKey, UnlearningStudy
from forgetscope.benchmarks.unlearning.report.names import method_name
from forgetscope.findings.aims import Aim
from forgetscope.findings.figures import Figure, Finding, Lead, LeadStory, Profile, ProfileLine
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import direction, interval_words, points

QUESTION = "After unlearning, how much of the forget set is lost, and at what cost to the rest?"
ABOUT = "S_change: the share of the target's score that is lost, in the cell where forgetting most exceeds its cost."


_FORGET = {"measure": ("verbatim", "knowledge_forget")}
_RETAIN = {"measure": ("knowledge_low", "knowledge_high", "knowledge_world")}
AIMS = (
    Aim("lower", ("score",), _FORGET),
    Aim("higher", ("score",), _RETAIN),
    Aim("higher", ("change",), _FORGET),
    Aim("lower", ("change",), _RETAIN),
    Aim("higher", ("group", "group.of_means"), {"group": ("forget",)}),
    Aim("lower", ("group", "group.of_means"), {"group": ("retain",)}),
    Aim("lower", ("residue", "model.extraction_strength.forget")),
    Aim("higher", ("model.gibberish.kept",)),
)
"""A change is what was lost of the target's score: much of what was to be forgotten, little of the rest."""


def best_cells(study: UnlearningStudy, index: FigureIndex) -> Iterator[tuple[CellKey, int]]:
    """For each corpus and semantics the cell with the largest Forget minus Retain change, and of how many it is."""
    for corpus, semantics in dict.fromkeys((key.corpus, key.semantics) for key in study.cells):
        known = [
            (forget - retain, key)
            for key in study.cells
            if (key.corpus, key.semantics) == (corpus, semantics)
            and (forget := index.value("group", **key.factors, group="forget")) is not None
            and (retain := index.value("group", **key.factors, group="retain")) is not None
        ]
        if known:
            yield max(known, key=lambda entry: entry[0])[1], len(known)


def balance_findings(study: UnlearningStudy, index: FigureIndex) -> tuple[Finding, ...]:
    """The best balance of forgetting and keeping in each corpus, a sentence each, which says that it was picked."""
    return tuple(_balance_finding(best, count, index) for best, count in best_cells(study, index))


def _balance_finding(best: CellKey, count: int, index: FigureIndex) -> Finding:
    forget, retain = (index.get("group", **best.factors, group=group) for group in ("forget", "retain"))
    picked = f", picked after the fact from {count} cells, which flatters it" if count > 1 else ""
    return Finding(
        f"Largest gap between forgetting and its cost ({best.corpus} corpus, {best.semantics} losses{picked}): "
        f"{method_name(best.method)} with the {best.forget_format} forget set and the {best.retain_subset} retain set. "
        f"S_change: {_moved('forget', forget)}, {_moved('retain', retain)}."
    )


def _moved(side: str, entry: Figure | None) -> str:
    """What one side lost of the target's score, with its interval."""
    value = 0.0 if entry is None or entry.value is None else entry.value
    how = direction(value, f"lost {points(value)}%", f"gained {points(value)}%", "did not change")
    rests = "" if entry is None else f" ({interval_words(entry, flip=value < 0)})"
    return f"the {side} measures {how} of the target's score{rests}" if value else f"the {side} measures {how}{rests}"


def grid_profile(study: UnlearningStudy, index: FigureIndex) -> Profile | None:
    """What the best balanced cell of the first corpus lost on either side; None where no cell has both."""
    best, _ = next(best_cells(study, index), (None, 0))
    if best is None:
        return None
    sides = (
        ("Forget change (S_change), cell with the largest gap", "forget"),
        ("Retain change (S_change), same cell", "retain"),
    )
    lines = tuple(
        ProfileLine(label, entry, "higher" if group == "forget" else "lower")
        for label, group in sides
        if (entry := index.get("group", **best.factors, group=group)) is not None
    )
    return Profile(QUESTION, ABOUT, lines)


def grid_told(index: FigureIndex) -> LeadStory | None:
    """What is still answered of the forget texts, a method a row, in the first forget format and retain subset."""
    asked = [entry for entry in index.named("residue") if entry.factors["probe"] == "knowledge_forget"]
    shared = ("corpus", "semantics", "forget_format", "retain_subset", "learning_rate", "lambda_retain", "epochs")
    leads = tuple(
        Lead(entry, f"unlearned by {method_name(str(entry.factors['method']))}")
        for entry in asked
        if all(entry.factors[name] == asked[0].factors[name] for name in shared)
    )
    told = "Trained to forget texts, then asked about them"
    return LeadStory(told, "still answers {share} of what it had learned", leads) if leads else None
