"""The run in short: does it forget on request, and still know the rest?"""

from forgetscope.benchmarks.in_context.metrics.study import AVERAGE, DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.names import scenario_name
from forgetscope.findings.figures import Figure, Finding, Profile, ProfileLine
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted, percent

QUESTION = "Asked in a dialogue, does it forget, and still know the rest?"


def run_profile(study: InContextStudy, index: FigureIndex) -> Profile | None:
    """SFRR on average and per scenario, and what was over-forgotten, in the main setting; None without cells."""
    keys = study.main_cells()
    if not keys:
        return None
    average = index.get("sfrr", **DialogueCell(AVERAGE, keys[0].length, keys[0].strategy).factors)
    alone = [(f"SFRR, {scenario_name(key.scenario)}", index.get("sfrr", **key.factors)) for key in keys]
    lines = [("SFRR, mean of the three scenarios", average), *alone]
    neighbours = [index.get("neighbour.forgotten", **key.factors) for key in keys]
    known = next((entry for entry in neighbours if entry is not None), None)
    found = [ProfileLine(label, entry, "higher") for label, entry in lines if entry is not None]
    if known is not None:
        found.append(ProfileLine("over-forgetting: neighbour facts no longer answered", known, "lower"))
    return Profile(QUESTION, _answer(average, [entry for _, entry in alone if entry is not None]), tuple(found))


def _answer(average: Figure | None, alone: list[Figure]) -> Finding:
    if average is not None and average.value is not None:
        ends = (
            f", 95% interval {percent(average.low)} to {percent(average.high)}"
            if average.low is not None and average.high is not None
            else ""
        )
        return Finding(
            f"Of what it had right without the request, it had {percent(average.value)} right with it (SFRR, mean of "
            f"the three scenarios{ends})."
        )
    known = [
        f"{scenario_name(str(entry.factors['scenario']))} {percent(entry.value)} of {counted(entry.n, 'item')}"
        for entry in alone
        if entry.value is not None
    ]
    why = average.note.partition(";")[0] if average is not None else "not all three scenarios were run"
    said = f" By scenario: {'; '.join(known)}." if known else ""
    return Finding(f"SFRR has no mean over the scenarios: {why}.{said}")
