"""The sections of the report: what each figure says, in words, charts and tables.

- `results`: the sections in the order they are read; one module a section: `outcomes`, `levels`, `cases`,
  `suppression`, `evidence`, `published` (with `appendix`, what the paper prints).
- `names`: what conditions and verdicts are called; `profile`, `comparison`: a run in short, and runs side by side.

A table is a list of columns over factors (`findings.tables`): add one to its section.
"""
