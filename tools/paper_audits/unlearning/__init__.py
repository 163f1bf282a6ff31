"""The audit of the published unlearning figures."""

from collections.abc import Sequence

from forgetscope.benchmarks.methods import AuditEntry
from forgetscope.benchmarks.unlearning.methods import OF_THE_PAPER as METHODS
from forgetscope.benchmarks.unlearning.metrics.study import FORMATS, SUBSETS
from tools.paper_audits.chapters import PaperAudit
from tools.paper_audits.unlearning.sentences import CHECKS
from tools.paper_audits.unlearning.table1 import BOOKS, NEWS, marks


def _counting(entries: Sequence[AuditEntry]) -> str:
    agreed = sum(entry.agrees for entry in entries)
    return (
        f"{len(entries)} statements were held against Table 1: {agreed} agree with it, {len(entries) - agreed} do not "
        "hold for all they speak of."
    )


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


AUDIT = PaperAudit(
    benchmark="unlearning",
    title="Controllable unlearning",
    paper='"Designing Controllable Benchmarks for LLM Unlearning: The Impact of Forget Format and Entanglement" '
    "(Z. Xiong, V. Pepe, H. Chang).",
    checks=CHECKS,
    said=(
        "Only Table 1 is printed in figures, one run a cell, without intervals; the values of Figures 2 and 3 are not "
        "in our text, so what is said of single measures (low against high questions, world facts) cannot be checked. "
        "What does not agree are sentences worded wider than the table: they hold for part of the cells. That formats "
        "trade forgetting against keeping stands.",
    ),
    appendix=(
        "Table 1's marking",
        (
            "Bold as the caption defines it, recomputed. For the cell coloured as each method's best the paper names "
            "no measure; here it is the largest Forget minus Retain.",
        ),
        _mark_rows,
    ),
    counting=_counting,
)
