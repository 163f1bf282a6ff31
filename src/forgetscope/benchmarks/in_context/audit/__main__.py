"""Print the chapter of docs/paper-audit.md."""

from forgetscope.benchmarks.in_context.audit import audit_chapter

print(audit_chapter())
