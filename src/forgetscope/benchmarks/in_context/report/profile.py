"""The run in short: does it forget on request, and still know the rest?"""

from forgetscope.benchmarks.in_context.metrics.study import AVERAGE, DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.names import scenario_name
from forgetscope.findings.figures import Figure, Finding, Profile, ProfileLine
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, interval_words, percent

QUESTION = "Asked in a dialogue, does it forget, and still know the rest?"


def run_profile(study: InContextStudy, index: FigureIndex) -> Profile | None:
    """SFRR on average and per scenario, and what was over-forgotten, in the main setting; None without cells."""
    keys = study.main_cells()
    if not keys:
        return None
    average = index.get("sfrr", **DialogueCell(AVERAGE, keys[0].length, keys[0].strategy).factors)
    alone = [(f"{scenario_name(key.scenario)}: right with it", index.get("sfrr", **key.factors)) for key in keys]
    lines = [("right with the request, of those right without", average), *alone]
    neighbours = [index.get("neighbour.forgotten", **key.factors) for key in keys]
    known = next((entry for entry in neighbours if entry is not None), None)
    found = [ProfileLine(label, entry, "higher") for label, entry in lines if entry is not None]
    if known is not None:
        found.append(ProfileLine("something else forgotten with it", known, "lower"))
    return Profile(QUESTION, _answer(average, [entry for _, entry in alone if entry is not None]), tuple(found))


def _answer(average: Figure | None, alone: list[Figure]) -> Finding:
    if average is not None and average.value is not None:
        return Finding(
            f"Of what it did right without the request it did {percent(average.value)} right with it, on average over "
            f"the scenarios (SFRR, {interval_words(average)}).",
        )
    known = [
        f"{percent(entry.value)} of {counted(entry.n, 'item')} in {scenario_name(str(entry.factors['scenario']))}"
        for entry in alone
        if entry.value is not None
    ]
    why = average.note if average is not None else "not all three scenarios were run"
    said = f" Of what was right without it, right with it: {'; '.join(known)}." if known else ""
    return Finding(f"This run cannot tell on average: {why}.{said}", "undecided")
