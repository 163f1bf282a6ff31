"""Print the chapter of docs/paper-audit.md."""

from forgetscope.benchmarks.prospective.validation.audit import audit_chapter

print(audit_chapter())
