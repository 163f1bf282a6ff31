"""The run in short: are formatting instructions lost when there is work to do?"""

from typing import Literal

from forgetscope.findings.figures import Finding, Profile, ProfileLine
from forgetscope.findings.measures import FigureIndex

QUESTION = "With work to do besides, does it still keep its formatting instructions?"
_LINES: tuple[tuple[str, str, dict[str, str], Literal["higher", "lower"]], ...] = (
    ("kept without work besides", "compliance.strict.paper", {"condition": "baseline", "load": "none"}, "higher"),
    ("lost under load, mean over loads", "delta.average", {"condition": "natural"}, "lower"),
    ("lost under load, prompt with reminder", "delta.average", {"condition": "reminder"}, "lower"),
)


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
