"""The run in short: does it forget on request, and still know the rest?"""

from collections.abc import Sequence

from forgetscope.benchmarks.in_context.data.probes import DialogueProbe
from forgetscope.benchmarks.in_context.metrics.study import AVERAGE, DialogueCell, InContextStudy
from forgetscope.benchmarks.in_context.report.names import scenario_name
from forgetscope.findings.aims import Aim
from forgetscope.findings.figures import Lead, LeadStory, Profile, ProfileLine
from forgetscope.findings.measures import FigureIndex

QUESTION = "Asked in a dialogue, does it forget, and still know the rest?"
ABOUT = "SFRR: of the items it had right without the request, the share it had right with it."


_RATES = ("na", "fa", "sfrr")
AIMS = (
    Aim(
        "higher",
        tuple(f"{way}{rate}" for way in ("", "all_valid.", "paper.", "reading.", "by_factor.") for rate in _RATES),
    ),
    Aim("higher", ("both", "by_factor.both", "neighbour.na", "neighbour.fa", "subtasks.all_done")),
    Aim("lower", ("drop", "by_factor.drop", "wr", "by_factor.wr", "neighbour.forgotten", "reask.leaked")),
    Aim("lower", ("leak", "leak.reasoning"), {"form": ("forget",), "leak": ("verbatim", "paraphrase", "hint")}),
    Aim("lower", ("leak.by_request",), {"leak": ("verbatim", "paraphrase", "hint")}),
    Aim(
        "lower",
        ("residue", "residue.worst"),
        {"condition": ("request", "request_states_fact", "revision", "new_preference")},
    ),
    Aim("higher", ("residue",), {"condition": ("placebo",)}),
)
"""WR is lower-is-better as NA - FA is: an item that only the request makes right was right by chance."""


def run_profile(study: InContextStudy, index: FigureIndex) -> Profile | None:
    """SFRR on average where it has one, per scenario, and what was over-forgotten, in the main setting; None without
    cells.
    """
    keys = study.main_cells()
    if not keys:
        return None
    average = index.get("sfrr", **DialogueCell(AVERAGE, keys[0].length, keys[0].strategy).factors)
    alone = [(f"SFRR, {scenario_name(key.scenario)}", index.get("sfrr", **key.factors)) for key in keys]
    mean = [] if average is None or average.value is None else [("SFRR, mean of the three scenarios", average)]
    lines = [*mean, *alone]
    neighbours = [index.get("neighbour.forgotten", **key.factors) for key in keys]
    known = next((entry for entry in neighbours if entry is not None), None)
    found = [ProfileLine(label, entry, "higher") for label, entry in lines if entry is not None]
    if known is not None:
        found.append(ProfileLine("Over-forgetting: neighbour facts no longer answered", known, "lower"))
    return Profile(QUESTION, ABOUT, tuple(found), _told(index, keys))


def _told(index: FigureIndex, keys: Sequence[DialogueCell]) -> LeadStory | None:
    asked = {"condition": "request", "probe": DialogueProbe.QUERY.value}
    residues = (index.get("residue", **key.factors, part=key.scenario, **asked) for key in keys)
    found = next((entry for entry in residues if entry is not None), None)
    told = "Told in a dialogue to forget a fact"
    return None if found is None else LeadStory(told, "still tells {share} of what it had been told", (Lead(found),))
