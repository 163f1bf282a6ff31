"""The audit of the published visual figures: entries for programs, and the chapter of docs/paper-audit.md.

``python -m forgetscope.benchmarks.visual.validation.audit`` prints the chapter; a test holds the page to it.
"""

from forgetscope.benchmarks.visual.data.conditions import PAPER_CONDITIONS
from forgetscope.benchmarks.visual.report.appendix import forget_bars, level_bars, retain_bars
from forgetscope.benchmarks.visual.validation.audit import claims, counts
from forgetscope.findings.paper_audit import AuditEntry, counted, statements

__all__ = ["AuditEntry", "audit_chapter", "paper_audit"]


def paper_audit() -> list[AuditEntry]:
    """Every published statement that was recomputed, in the order of the page."""
    return [check() for check in (*counts.CHECKS, *claims.CHECKS)]


def _bar_rows() -> list[str]:
    heads = ("mean of", *(condition.value for condition in PAPER_CONDITIONS))
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    parts = (
        *((f"forget, {name}", bars) for name, bars in forget_bars().items()),
        *((f"retain, {name}", bars) for name, bars in retain_bars().items()),
        *((f"forget, {level.value} level", bars) for level, bars in level_bars().items()),
    )
    for name, bars in parts:
        lines.append(f"| {name} | {' | '.join(f'{100 * bars[condition]:.1f}' for condition in PAPER_CONDITIONS)} |")
    return lines


def audit_chapter() -> str:
    """The chapter "Visual concept suppression" as Markdown: what does not agree, what does, the bars of Figure 3."""
    entries = paper_audit()
    lines = [
        "## Visual concept suppression",
        "",
        '"Can VLMs Truly Forget? Benchmarking Training-Free Visual Concept Unlearning" (VLM-UnBench).',
        "",
        counted(entries),
        "The main finding stands for the average model: a list of concepts to suppress changes little, a text that "
        "names the answer changes much. It does not stand for every model and dataset, the order of the levels is not "
        "what the text says, and two datasets have other sizes than Table 1 gives them.",
        "The tests named are in `tests/benchmarks/visual/validation/test_published_tables.py`.",
        "",
        *statements(entries),
        "",
        "### The bars of Figure 3",
        "",
        "The figure is drawn without numbers. These are plain means over the rows of Appendix A, in percent.",
        "",
        *_bar_rows(),
        "",
    ]
    return "\n".join(lines)
