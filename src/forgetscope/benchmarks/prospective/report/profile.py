"""The run in short: are formatting instructions lost when there is work to do?"""

from typing import Literal

from forgetscope.benchmarks.prospective.data.conditions import BASELINE, CONSTRAINT_ONLY, NO_LOAD
from forgetscope.benchmarks.prospective.metrics.study import ALL
from forgetscope.findings.aims import Aim
from forgetscope.findings.figures import Lead, LeadStory, Profile, ProfileLine
from forgetscope.findings.measures import FigureIndex

QUESTION = "With work to do besides, does it still keep its formatting instructions?"
ABOUT = "Compliance: the share of replies that keep their instruction. Lost: without load minus under load."
_LINES: tuple[tuple[str, str, dict[str, str], Literal["higher", "lower"]], ...] = (
    ("Strict compliance without load", "compliance.strict.paper", {"condition": BASELINE, "load": NO_LOAD}, "higher"),
    (
        "Compliance lost under load, natural prompt",
        "delta.paired",
        {"condition": "natural", "load": ALL, "against": BASELINE},
        "lower",
    ),
    (
        "Compliance lost under load, reminder prompt",
        "delta.paired",
        {"condition": "reminder", "load": ALL, "against": CONSTRAINT_ONLY},
        "lower",
    ),
)
"""The figures that the headlines are of."""


AIMS = (
    Aim(
        "higher",
        tuple(f"compliance.{way}.{reading}" for way in ("strict", "loose") for reading in ("paper", "repaired")),
    ),
    Aim("higher", ("compliance.strict.pooled", "compliance.strict.completed", "residue")),
    Aim("lower", ("delta.paired", "delta.paper", "delta.average", "delta.cohens_h")),
    Aim("higher", ("gain.paired", "gain.paper", "gain.average")),
    Aim("higher", tuple(f"task.accuracy.{reading}" for reading in ("paper", "repaired", "completed", "average"))),
    Aim("lower", ("task.cost.paper", "task.cost.repaired", "task.unread")),
)


def run_profile(index: FigureIndex) -> Profile | None:
    """Compliance without load and what load takes from it, with and without the reminder; None without a figure."""
    lines = [
        ProfileLine(label, entry, better)
        for label, name, factors, better in _LINES
        if (entry := index.get(name, **factors)) is not None
    ]
    return Profile(QUESTION, ABOUT, tuple(lines), _told(index)) if lines else None


def _told(index: FigureIndex) -> LeadStory | None:
    found = [entry for entry in index.named("residue") if entry.factors["condition"] == "natural"]
    first = next((entry for entry in found if entry.factors["load"] == ALL), found[0] if found else None)
    if first is None:
        return None
    told = "Told to keep a format, with other work to do"
    return LeadStory(told, "keeps {share} of what the instruction adds", (Lead(first),), is_to_be_kept=True)
