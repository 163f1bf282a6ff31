"""What became of the samples of each cell, before anything is concluded from them."""

from collections import Counter

import polars as pl

from forgetscope.benchmarks.visual.metrics.outcomes import RUN, outcome_cells
from forgetscope.benchmarks.visual.metrics.study import VisualStudy
from forgetscope.benchmarks.visual.report.names import cell_name
from forgetscope.core.outcomes import Status
from forgetscope.diagnostics.findings import OutcomeWords, outcome_findings, outcome_table
from forgetscope.findings.figures import Finding, Section
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import counted
from forgetscope.findings.tables import label

MOST_REASON = 80
"""Characters of a reason; a provider's may be long."""

WORDS = OutcomeWords(
    correct="Right",
    incorrect="Wrong",
    about_correct="the right option, or the concept's name",
    of_cut="A cut reply is outside every accuracy.",
    of_refusals="A refusal is not forgetting: it is outside every accuracy, and wrong in the paper's reading.",
    possible=(
        Status.REFUSED,
        Status.INVALID_FORMAT,
        Status.MODEL_ERROR,
        Status.NOT_SENT,
        Status.INPUT_ERROR,
        Status.POLICY_BLOCK,
    ),
)


def run_findings(study: VisualStudy, index: FigureIndex, floor: float) -> tuple[Finding, ...]:
    """What stands between the reader and the figures: pictures that cannot be read, cut replies, refusals, losses."""
    cells = [cell.factors for cell in outcome_cells(study)]
    found = outcome_findings(index, RUN, cells, words=WORDS, max_tokens=study.settings.max_tokens, floor=floor)
    lacking = unsupported_samples(study)
    if lacking:  # unsent for want of access, not for their length
        found = tuple(finding for finding in found if "context window" not in finding.text)
    return (*lacking, *unread_pictures(study), *found)


def unsupported_samples(study: VisualStudy) -> tuple[Finding, ...]:
    """How many samples were not sent because the model lacks the access that an intervention needs."""
    lacking = study.frame.filter(pl.col("error").str.starts_with("unsupported: "))
    if not lacking.height:
        return ()
    why = str(lacking["error"][0])
    return (
        Finding(
            f"{lacking.height:,} of {study.frame.height:,} samples were not sent. The intervention is {why}.", "warning"
        ),
    )


def unread_pictures(study: VisualStudy) -> tuple[Finding, ...]:
    """How many samples have no reply because of their pictures, with the commonest reasons."""
    unread = study.frame.filter(pl.col("status") == Status.INPUT_ERROR.value)
    if not unread.height:
        return ()
    pictures = unread.select("split", "image", "error").unique(["split", "image"])
    reasons = Counter(str(reason)[:MOST_REASON] for reason in pictures["error"])
    said = ", ".join(f"{reason} ({count})" for reason, count in sorted(reasons.items(), key=lambda pair: -pair[1])[:3])
    return (
        Finding(
            f"{counted(pictures.height, 'picture')} could not be read, so {unread.height:,} of {study.frame.height:,} "
            f"samples have no reply and are in no accuracy: {said}.",
            "warning",
        ),
    )


def outcome_section(study: VisualStudy, index: FigureIndex, findings: tuple[Finding, ...]) -> Section:
    """Warnings first, then the whole run, then every cell."""
    names = (label("Cell", lambda cell: "whole run" if cell == RUN else cell_name(str(cell["cell"]))),)
    cells = [cell.factors for cell in outcome_cells(study)]
    return Section(
        "Outcomes and completeness",
        (
            *findings,
            outcome_table(index, names, [RUN], words=WORDS),
            outcome_table(
                index, names, cells, words=WORDS, title="What became of the samples, every cell", folded=True
            ),
        ),
        intro="How many samples ended how. Read this before any rate below.",
        slug="outcomes",
    )
