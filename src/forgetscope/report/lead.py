"""What a busy person takes from a report on several runs: one picture, a sentence a benchmark, and what to distrust.

All three are of the residues that the benchmarks lead with (`Profile.told`): the share of what telling adds that is
left after the model was told to forget, 0 to 1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from forgetscope.findings.figures import Chart, Figure, Lead, LeadStory
from forgetscope.findings.forest import forest, joined
from forgetscope.findings.phrasing import counted
from forgetscope.report.summary import OWN_DATA, OWN_MODELS, Summary

TITLE = "How much is left of what a model was told: 0, as if it never had been; 1, as if nobody had asked it to forget"

_PLAIN = frozenset({"still there", "as if never told", "kept", "partly lost", "lost"})
"""Words whose share says it all; any other is said beside it."""

_BECAUSE = {
    "nothing to forget": "nothing can be forgotten, for it does no better when told than when never told",
    "nothing to keep": "nothing can be lost, for it does no better with the instruction than without",
    "not measurable (cut off)": "not measurable, for too many of its replies are cut off",
    "not measurable (refused)": "not measurable, for it refuses too often, which is no forgetting",
    "not measurable (unreadable)": "not measurable, for too many of its replies cannot be read, which is no forgetting",
    "broken": "broken: what it should have kept is lost as well",
}


@dataclass(frozen=True)
class LedRun:
    """A run by its model, a name for people, with what it leads with."""

    model: str
    summary: Summary
    told: LeadStory


def lead_chart(runs: Sequence[LedRun]) -> Chart | None:
    """The residues that the runs lead with, a row each, those of one benchmark under what it told; None without any."""
    parts = []
    for group in _by_benchmark(runs):
        rows = [(run, lead) for run in group for lead in run.told.leads]
        names = [", ".join(filter(None, (lead.who or run.model, lead.afterwards))) for run, lead in rows]
        told = group[0].told
        chart = forest([lead.residue for _, lead in rows], names, is_to_be_kept=told.is_to_be_kept)
        if chart is not None:
            parts.append((told.text, chart))
    chart = joined(parts)
    return None if chart is None else replace(chart, title=TITLE, slug="lead")


def lead_sentences(runs: Sequence[LedRun]) -> tuple[str, ...]:
    """What the picture shows, a sentence a benchmark; none of one whose residues could not be measured."""
    return tuple(sentence for group in _by_benchmark(runs) if (sentence := _sentence(group)))


def _by_benchmark(runs: Sequence[LedRun]) -> list[list[LedRun]]:
    groups: dict[str, list[LedRun]] = {}
    for run in runs:
        groups.setdefault(run.summary.run.benchmark, []).append(run)
    return list(groups.values())


def _sentence(group: Sequence[LedRun]) -> str:
    measured = [(run, lead) for run in group for lead in run.told.leads if lead.residue.value is not None]
    first = [(run.model, lead) for run, lead in measured if not lead.afterwards]
    if not first:
        return ""
    told = group[0].told
    (model, lead), *others = first
    subject = f"a model {lead.who}" if lead.who else model
    said = [f"{subject} {told.left.format(share=_share(lead.residue))}"]
    said += [f"{other.who or name} {_share(other.residue)}" for name, other in others]
    text = f"{told.text}, {', '.join(said)}{_apart([lead for _, lead in first])}."
    for afterwards in dict.fromkeys(lead.afterwards for _, lead in measured if lead.afterwards):
        again = [(run, lead) for run, lead in measured if lead.afterwards == afterwards]
        text += f" {afterwards[0].upper()}{afterwards[1:]}: "
        text += ", ".join(f"{run.model} {_share(lead.residue)}" for run, lead in again)
        back = [run.model for run, lead in again if any(_lies_below(one, lead) for one in run.told.leads)]
        text += f"; what comes back in {', '.join(back)} was withheld, not forgotten." if back else "."
    return text


def _lies_below(first: Lead, second: Lead) -> bool:
    low, high = first.residue, second.residue
    return low.high is not None and high.low is not None and low.high < high.low


def _share(residue: Figure) -> str:
    share = f"{100 * min(max(residue.value or 0.0, 0.0), 1.0):.0f}%"
    doubt = "too few items to be sure" if residue.verdict == "undecided" else residue.verdict
    return share if residue.verdict in _PLAIN else f"{share} ({doubt})"


def _apart(leads: Sequence[Lead]) -> str:
    """Whether two models differ, as the end of a sentence: by their 95% intervals, which is stricter than a test."""
    if len(leads) != 2 or any(lead.who for lead in leads):
        return ""
    first, second = sorted(leads, key=lambda lead: lead.residue.value or 0.0)
    if first.residue.high is None or second.residue.low is None:
        return ""
    if _lies_below(first, second):
        return ": the two differ, because their 95% intervals (the bars) do not meet"
    return ": no difference is shown, because their 95% intervals (the bars) meet"


def distrusts(runs: Sequence[LedRun]) -> tuple[str, ...]:
    """What in the picture must not be relied on, a line each: models and data of ours, then what was not measured."""
    ours = dict.fromkeys(run.model for run in runs if run.summary.run.model.startswith(OWN_MODELS))
    small = dict.fromkeys(run.told.text for run in runs if run.summary.run.data in OWN_DATA)
    lines = []
    if ours:
        lines.append(
            f"{', '.join(ours)}: small models that ship with the program, trained to behave as they are called, so "
            "that one sees whether the measurement finds it. They are no products."
        )
    if small:
        which = "All of it is" if len(small) == len({run.told.text for run in runs}) else f"{'; '.join(small)}:"
        lines.append(
            f"{which} asked with small sets that ship with the program. A claim about a model needs the published data."
        )
    for run in runs:
        doubts = "; ".join(_doubts(run))
        if doubts:
            lines.append(f"{run.told.text}, {run.model}: {doubts}.")
    return tuple(lines)


def _doubts(run: LedRun) -> Iterator[str]:
    words = [lead.residue.verdict for lead in run.told.leads]
    yield from (said for word, said in _BECAUSE.items() if word in words)
    if "undecided" in words:
        yield "undecided, with too few items for how far they scatter"
    warnings = sum(finding.verdict == "warning" for finding in run.summary.headlines)
    if warnings:
        yield f"{counted(warnings, 'warning')}, at the head of its chapter"
