"""Runs of one benchmark set side by side, sample by sample. Pure computation: no files, no drawing, no benchmark.

What can be compared is a benchmark's to declare (`design.py`). `runs.py` says which runs may be compared and what
keeps them apart, `differences.py` computes differences with intervals and tests, `changes.py` which samples changed,
`published.py` sets runs beside printed figures, `sections.py` puts all of it into words and tables.
"""

from forgetscope.comparison.compare import Comparison, compare
from forgetscope.comparison.design import Breakdown, ComparedMeasure, ComparisonDesign, SampleOutcome
from forgetscope.comparison.runs import ComparedRun, Mismatch, labelled

__all__ = [
    "Breakdown",
    "ComparedMeasure",
    "ComparedRun",
    "Comparison",
    "ComparisonDesign",
    "Mismatch",
    "SampleOutcome",
    "compare",
    "labelled",
]
