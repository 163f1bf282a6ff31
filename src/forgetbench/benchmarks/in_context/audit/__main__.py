"""Print the chapter of docs/paper-audit.md."""

from forgetbench.benchmarks.in_context.audit import audit_chapter

print(audit_chapter())
