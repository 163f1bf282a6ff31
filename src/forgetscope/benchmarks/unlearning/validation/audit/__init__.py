"""The audit of the published unlearning figures: entries for programs, and the chapter of docs/paper-audit.md.

``python -m forgetscope.benchmarks.unlearning.validation.audit`` prints the chapter; a test holds the page to it.
"""

from forgetscope.benchmarks.unlearning.metrics.study import FORMATS, METHODS, SUBSETS
from forgetscope.benchmarks.unlearning.validation.audit.sentences import CHECKS
from forgetscope.benchmarks.unlearning.validation.audit.table1 import BOOKS, NEWS, marks
from forgetscope.findings.paper_audit import AuditEntry, statements

__all__ = ["AuditEntry", "audit_chapter", "paper_audit"]


def paper_audit() -> list[AuditEntry]:
    """Every published statement that was recomputed, in the order of the paper."""
    return [check() for check in CHECKS]


def _mark_rows() -> list[str]:
    lines = [
        "| corpus | forget | retain | forgets most | keeps most | best cell of |",
        "|---|---|---|---|---|---|",
    ]
    for corpus in (NEWS, BOOKS):
        found = marks(corpus)
        for form in FORMATS:
            for subset in SUBSETS:
                columns = [
                    ", ".join(method for method in METHODS if ((form, subset), method) in group)
                    for group in (found.best_forget, found.best_retain, found.best_of_method)
                ]
                lines.append(f"| {corpus} | {form} | {subset} | {' | '.join(columns)} |")
    return lines


def audit_chapter() -> str:
    """The chapter "Controllable unlearning" as Markdown: what does not agree, what does, and Table 1's marking."""
    entries = paper_audit()
    agreed = sum(entry.agrees for entry in entries)
    lines = [
        "## Controllable unlearning",
        "",
        '"Designing Controllable Benchmarks for LLM Unlearning: The Impact of Forget Format and Entanglement" '
        "(Z. Xiong, V. Pepe, H. Chang).",
        "",
        f"{len(entries)} statements were held against Table 1: {agreed} agree with it, {len(entries) - agreed} do not "
        "hold for all they speak of.",
        "Only Table 1 is printed in figures, one run a cell, without intervals; the values of Figures 2 and 3 are not "
        "in our text, so what is said of single measures (low against high questions, world facts) cannot be checked. "
        "What does not agree are sentences worded wider than the table: they hold for part of the cells. That formats "
        "trade forgetting against keeping stands.",
        "The tests named are in `tests/benchmarks/unlearning/validation/test_published_tables.py`.",
        "",
        *statements(entries),
        "",
        "### Table 1's marking",
        "",
        "Bold as the caption defines it, recomputed. For the cell coloured as each method's best the paper names no "
        "measure; here it is the largest Forget minus Retain.",
        "",
        *_mark_rows(),
        "",
    ]
    return "\n".join(lines)
