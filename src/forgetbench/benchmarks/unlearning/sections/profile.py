"""The grid in short: what did unlearning take, and what did it cost?"""

from collections.abc import Iterator

from forgetbench.benchmarks.unlearning.metrics.study import CellKey, Study
from forgetbench.benchmarks.unlearning.sections.names import method_name, pair_name
from forgetbench.figures import Finding, Profile, ProfileLine
from forgetbench.measures import FigureIndex
from forgetbench.phrasing import percent

QUESTION = "Made to unlearn, what did it lose, and what did that cost?"


def best_cells(study: Study, index: FigureIndex) -> Iterator[CellKey]:
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


def balance_findings(study: Study, index: FigureIndex) -> tuple[Finding, ...]:
    """The best balance of forgetting and keeping in each corpus, a sentence each."""
    return tuple(
        Finding(
            f"{best.corpus}, {best.semantics} losses: the best balance is {method_name(best.method)} on "
            f"{pair_name(best)}: {percent(index.value('group', **best.factors, group='forget') or 0.0)} of the forget "
            f"measures lost for {percent(index.value('group', **best.factors, group='retain') or 0.0)} of the retain "
            "measures."
        )
        for best in best_cells(study, index)
    )


def grid_profile(study: Study, index: FigureIndex) -> Profile | None:
    """What the best balanced cell of the first corpus lost on either side; None where no cell has both."""
    best = next(best_cells(study, index), None)
    if best is None:
        return None
    sides = (("forget measures lost, best balanced cell", "forget"), ("retain measures lost there", "retain"))
    lines = tuple(
        ProfileLine(label, entry, "higher" if group == "forget" else "lower")
        for label, group in sides
        if (entry := index.get("group", **best.factors, group=group)) is not None
    )
    return Profile(QUESTION, balance_findings(study, index)[0], lines)
