"""The run in short: does it forget the concept, or only obey?"""

from typing import Literal

from forgetscope.benchmarks.visual.data.conditions import CONDITIONS, Condition
from forgetscope.benchmarks.visual.metrics.pooled import ALL
from forgetscope.findings.aims import Aim
from forgetscope.findings.figures import Lead, LeadStory, Profile, ProfileLine
from forgetscope.findings.measures import FigureIndex

QUESTION = "Told not to use a visual concept, does the model lose it or only comply?"
ABOUT = "Forget accuracy: on pictures of the concepts it is told not to use. Retain accuracy: on pictures of others."
_LINES: tuple[tuple[str, str, Condition, Literal["higher", ""]], ...] = (
    ("Forget accuracy, baseline", "pooled.forget.macro", Condition.BASELINE_NORMAL, "higher"),
    ("Forget accuracy, soft suppression", "pooled.forget.macro", Condition.UNLEARN_SOFT, ""),
    ("Forget accuracy, permission restored", "pooled.forget.macro", Condition.RESTORED_SOFT, ""),
    ("Retain accuracy, change under soft suppression", "pooled.retain.change", Condition.UNLEARN_SOFT, "higher"),
)


_ALLOWED = tuple(
    condition.value
    for condition, info in CONDITIONS.items()
    if info.names in ("nothing", "placebo_list") or info.restores
)
_SUPPRESSED = (Condition.UNLEARN_SOFT.value, Condition.UNLEARN_MEDIUM.value)
_FORGET = ("pooled.forget.macro", "forget.macro", "forget.micro", "forget.macro.over_concepts", "paper.forget.macro")

AIMS = (
    Aim("higher", _FORGET, {"condition": _ALLOWED}),
    Aim("lower", (*_FORGET, "pooled.forget.change", "forget.change", "residue"), {"condition": _SUPPRESSED}),
    Aim(
        "higher",
        ("pooled.retain", "pooled.retain.change", "retain", "retain.change", "paper.retain", "retain.unlisted"),
    ),
    Aim("lower", ("invalid", "refused"), {"condition": _ALLOWED}),
)
"""Under an oracle, which names the answer, neither way is better."""


def run_profile(index: FigureIndex, mode: str) -> Profile | None:
    """Accuracy on the forget concepts before, under and after the soft text, and its cost; None without a figure."""
    found = [
        ProfileLine(label, entry, better)
        for label, name, condition, better in _LINES
        if (entry := index.get(name, by=ALL, group=ALL, mode=mode, condition=condition.value)) is not None
    ]
    return Profile(QUESTION, ABOUT, tuple(found), _told(index, mode)) if found else None


def _told(index: FigureIndex, mode: str) -> LeadStory | None:
    leads = [
        Lead(entry, afterwards=afterwards)
        for condition, afterwards in ((Condition.UNLEARN_SOFT, ""), (Condition.RESTORED_SOFT, "allowed again"))
        for entry in index.named("residue")
        if entry.factors["condition"] == condition.value and entry.factors["mode"] == mode
    ]
    told = "Told not to use a concept in a picture"
    return LeadStory(told, "still answers {share} of what it sees", tuple(leads)) if leads else None
