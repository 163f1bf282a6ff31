"""From the sample table to figures and verdicts: one module a story; no text for people, no drawing.

- `study`: the table made ready; `accuracy`, `corrections`, `asked_otherwise`, `outcomes`, `pooled`: its figures.
- `concept_rates`, `verdicts`: a verdict on each concept, with the evidence it rests on.

A new figure is a generator of `Figure`s from a study; it is called in `report/results.py`.
"""
