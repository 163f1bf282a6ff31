"""Print the chapter of docs/paper-audit.md."""

from forgetscope.benchmarks.visual.validation.audit import audit_chapter

print(audit_chapter())
