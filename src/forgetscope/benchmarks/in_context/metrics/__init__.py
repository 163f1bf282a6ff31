"""From the sample table to figures: one module a story; no text for people, no drawing."""

from collections.abc import Iterator

from forgetscope.benchmarks.in_context.metrics.changes import length_figures, strategy_figures
from forgetscope.benchmarks.in_context.metrics.contexts import context_figures
from forgetscope.benchmarks.in_context.metrics.details import detail_figures
from forgetscope.benchmarks.in_context.metrics.forgetting import forgetting_figures
from forgetscope.benchmarks.in_context.metrics.judges import judge_figures
from forgetscope.benchmarks.in_context.metrics.outcomes import diagnostic_figures
from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import FigureIndex

__all__ = ["InContextStudy", "compute_figures"]


def compute_figures(study: InContextStudy) -> FigureIndex:
    """Every figure the run has the samples for."""
    return FigureIndex(_all(study))


def _all(study: InContextStudy) -> Iterator[Figure]:
    yield from diagnostic_figures(study)
    yield from forgetting_figures(study)
    yield from strategy_figures(study)
    yield from length_figures(study)
    yield from detail_figures(study)
    yield from judge_figures(study)
    yield from context_figures(study)
