"""Is the benchmark right? Models and judges of known behaviour (`reference`, `reference_judges`), and their figures.

`certificate.json` is what `validate` found last, `paper_audit.json` the paper's figures against themselves. To add a
model: its replies in `reference`, its figures in `expectations`.
"""
