"""From the sample table to figures: one module a story; no text for people, no drawing."""

from collections.abc import Iterator

from forgetbench.benchmarks.prospective.metrics.compliance import compliance_figures
from forgetbench.benchmarks.prospective.metrics.contrasts import contrast_figures
from forgetbench.benchmarks.prospective.metrics.diagnostics import diagnostic_figures
from forgetbench.benchmarks.prospective.metrics.study import FigureIndex, Study
from forgetbench.figures import Figure

__all__ = ["FigureIndex", "Study", "compute_figures"]


def compute_figures(study: Study) -> FigureIndex:
    """Every figure the run has the samples for."""
    return FigureIndex(_all(study))


def _all(study: Study) -> Iterator[Figure]:
    yield from diagnostic_figures(study)
    yield from compliance_figures(study)
    yield from contrast_figures(study)
