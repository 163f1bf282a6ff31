"""The audit of the published in-context figures: entries for programs, and the chapter of docs/paper-audit.md.

``python -m forgetscope.benchmarks.in_context.validation.audit`` prints the chapter; a test holds the page to it.
"""

from forgetscope.benchmarks.in_context.validation.audit import across_models, conditions, main_results, people
from forgetscope.benchmarks.in_context.validation.audit.counts import pair_counts
from forgetscope.benchmarks.in_context.validation.audit.main_results import DESIGNED
from forgetscope.benchmarks.in_context.validation.audit.tables import FORGETTING, PREFERENCE, main_table
from forgetscope.findings.paper_audit import AuditEntry, counted, statements
from forgetscope.stats import wilson

__all__ = ["AuditEntry", "audit_chapter", "paper_audit"]


def paper_audit() -> list[AuditEntry]:
    """Every published statement that was recomputed, in the order of the page."""
    return [check() for check in (*main_results.CHECKS, *across_models.CHECKS, *conditions.CHECKS, *people.CHECKS)]


_HEADS = (
    "model",
    "scenario",
    "items",
    "both right",
    "NoForget only",
    "Forget only",
    "neither",
    "SFRR printed",
    "95% interval",
)


def _count_rows() -> list[str]:
    lines = [" | ".join(("", *_HEADS, "")).strip(), "|" + "---|" * len(_HEADS)]
    for scenario in (FORGETTING, PREFERENCE):
        n = DESIGNED[scenario]
        for model, counts in pair_counts(scenario, n).items():
            kept = wilson(counts[0], counts[0] + counts[1])
            interval = f"{100 * (kept.low or 0):.2f} to {100 * (kept.high or 0):.2f}"
            sfrr = f"{main_table()[model, scenario].sfrr:.2f}"
            cells = [model, scenario.replace("_", " "), n, *counts, sfrr, interval]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    return lines


def audit_chapter() -> str:
    """The chapter "In-context forgetting" as Markdown: what does not agree, what does, the counts behind Table 1."""
    entries = paper_audit()
    lines = [
        "## In-context forgetting",
        "",
        '"Do LLMs Forget What They Should? Evaluating In-Context Forgetting in Large Language Models" '
        "(Y. Qian, Z. Yang, W. Ding, H. Li, Y. Xie).",
        "",
        counted(entries),
        "The main table, its averages, differences and correlations agree to the last digit, and in two of three "
        "scenarios down to whole items. What does not agree is mostly in subtask revision, in the tables of other "
        "prompts and lengths, and in sentences worded a little too widely. None of it touches the main finding, that "
        "accuracy drops for every model and scenario once something is to be forgotten.",
        "The tests named are in `tests/benchmarks/in_context/validation/test_published_tables.py`.",
        "",
        *statements(entries),
        "",
        "### The counts behind Table 1",
        "",
        "The one 2 x 2 table of items that prints NA, FA, SFRR and WR of a model as they are, with 994 items of "
        "instructional forgetting and 784 of dynamic preference. They give the intervals the paper lacks (Wilson, of "
        "SFRR). No size fits subtask revision.",
        "",
        *_count_rows(),
        "",
    ]
    return "\n".join(lines)
