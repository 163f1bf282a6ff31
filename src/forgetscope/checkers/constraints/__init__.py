"""IFEval's twenty-five constraint types, the paper's fifteen among them, and a reader's (`reader_*`); a record a type.

To add one, write its record (`forgetscope.checkers.Constraint`) here, in the module of its family or in a new one, and
a reply that follows and one that does not into `tests/checkers/test_cases.py`. Nothing else knows types by name. From
another package: an entry point `"ours:type" = "package.module:RECORD"` in the group `forgetscope.constraints`, as in
`examples/plugins/constraint/`.
"""
