"""The sections of the report: what each figure says, in words, charts and tables. One module a section.

`results` puts them in order. To add one: a module with a function from study and index to a `Section` or None, and its
line in `results`; a table alone is declared beside its metric instead (`metrics.registry`).
"""
