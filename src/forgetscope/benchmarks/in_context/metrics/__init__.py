"""From the sample table to figures (`study`): one module a story; no text for people, no drawing.

A metric is an `InContextMetric` with its figures and, if it likes, a table of them; `registry` says how to add one.
"""

from forgetscope.benchmarks.in_context.metrics.judges import judged_with_care
from forgetscope.benchmarks.in_context.metrics.registry import METRICS, InContextMetric
from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.findings.measures import FigureIndex

__all__ = ["METRICS", "InContextMetric", "InContextStudy", "compute_figures"]


def compute_figures(study: InContextStudy) -> FigureIndex:
    """Every figure the run has the samples for, of our metrics and of installed ones; none by a judge that is none."""
    return judged_with_care(FigureIndex(entry for metric in METRICS.values() for entry in metric.figures(study)))
