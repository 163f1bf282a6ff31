"""The trained models of known truth through the benchmark: what docs/design/visual-validation.md announces.

- `examination`, `answering`: the samples over one style's drawings, and what each member answers.
- `probing`: what its inner states still hold; `validation`, `page`: the announced thresholds, and the page on them.

A member is added in `models/glimpse/family.py` and trained by `tools/`.
"""
