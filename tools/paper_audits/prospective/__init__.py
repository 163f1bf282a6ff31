"""The audit of the published prospective-memory figures."""

from tools.paper_audits.chapters import PaperAudit
from tools.paper_audits.prospective import design, ranges, stacking, statistics
from tools.paper_audits.prospective.counts import fitted_cells, fitted_pairs


def _count_rows() -> list[str]:
    pairs = {(fit.cell.model, fit.cell.condition): fit for fit in fitted_pairs()}
    lines = [
        "| model | condition | printed | planned | counts that fit | p | paired deltas that p allows |",
        "|---|---|---|---|---|---|---|",
    ]
    for fit in fitted_cells():
        cell = fit.cell
        counts = ", ".join(f"{k}/{n}" for k, n in sorted(fit.fits, key=lambda f: -f[1]))
        printed = f"{cell.percent} [{cell.low}, {cell.high}]"
        pair = pairs.get((cell.model, cell.condition))
        allowed = ", ".join(f"{delta:.1f}" for delta in pair.deltas) if pair is not None else ""
        p = "" if cell.p is None else cell.p
        lines.append(f"| {cell.model} | {cell.condition} | {printed} | {fit.planned} | {counts} | {p} | {allowed} |")
    return lines


AUDIT = PaperAudit(
    benchmark="prospective",
    title="Prospective memory",
    paper='"Did You Forget What I Asked? Prospective Memory Failures in Large Language Models" (A. Mittal).',
    checks=(*statistics.CHECKS, *ranges.CHECKS, *design.CHECKS, *stacking.CHECKS),
    said=(
        "Most of the latter are summaries worded a little too widely, or samples lost without being mentioned; none "
        "touches the main finding, that compliance drops under load for every model and condition.",
    ),
    appendix=(
        "The counts behind Table 8",
        (
            "Counts (passed / scored) of at least 90% of the plan that print the rate, the interval (up to the error "
            "of 10,000 resamples) and the delta as they are, largest first; the first is used elsewhere.",
            "The last column takes the printed p-value as continuity-corrected McNemar and lists the paired deltas "
            "(points, either direction) that whole discordant pairs allow.",
        ),
        _count_rows,
    ),
)
