"""Print the chapter of docs/paper-audit.md."""

from forgetbench.benchmarks.visual.audit import audit_chapter

print(audit_chapter())
