"""The run in short: are formatting instructions lost when there is work to do?"""

from typing import Literal

from forgetscope.benchmarks.prospective.data.conditions import BASELINE, CONSTRAINT_ONLY, NO_LOAD
from forgetscope.benchmarks.prospective.metrics.study import ALL
from forgetscope.findings.figures import Finding, Profile, ProfileLine
from forgetscope.findings.measures import FigureIndex

QUESTION = "With work to do besides, does it still keep its formatting instructions?"
_LINES: tuple[tuple[str, str, dict[str, str], Literal["higher", "lower"]], ...] = (
    ("strict compliance without load", "compliance.strict.paper", {"condition": BASELINE, "load": NO_LOAD}, "higher"),
    (
        "compliance lost under load, natural prompt",
        "delta.paired",
        {"condition": "natural", "load": ALL, "against": BASELINE},
        "lower",
    ),
    (
        "compliance lost under load, reminder prompt",
        "delta.paired",
        {"condition": "reminder", "load": ALL, "against": CONSTRAINT_ONLY},
        "lower",
    ),
)
"""The figures that the headlines are of."""


def run_profile(index: FigureIndex, headlines: tuple[Finding, ...]) -> Profile | None:
    """Compliance without load and what load takes from it, with and without the reminder; None without a finding."""
    found = [entry for entry in headlines if entry.verdict != "warning"]
    if not found:
        return None
    lines = [
        ProfileLine(label, entry, better)
        for label, name, factors, better in _LINES
        if (entry := index.get(name, **factors)) is not None
    ]
    return Profile(QUESTION, found[0], tuple(lines))
