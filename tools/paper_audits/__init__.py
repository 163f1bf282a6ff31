"""Do the papers' printed figures agree with each other? Each published statement, recomputed from the paper's tables.

``python -m tools.paper_audits [BENCHMARK ...] [--write]`` prints the chapters of docs/paper-audit.md, or writes them
and each benchmark's `validation/paper_audit.json`, which the methods of a report show.
"""

from tools.paper_audits import in_context, prospective, unlearning, visual
from tools.paper_audits.chapters import PaperAudit

AUDITS: dict[str, PaperAudit] = {
    paper.AUDIT.benchmark: paper.AUDIT for paper in (prospective, in_context, unlearning, visual)
}
"""By benchmark, in the order of the page."""
