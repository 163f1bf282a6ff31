"""From the sample table to figures: one module a story; no text for people, no drawing."""

from collections.abc import Iterator

from forgetscope.benchmarks.prospective.metrics.by_type import type_figures
from forgetscope.benchmarks.prospective.metrics.compliance import compliance_figures
from forgetscope.benchmarks.prospective.metrics.contrasts import contrast_figures
from forgetscope.benchmarks.prospective.metrics.diagnostics import diagnostic_figures
from forgetscope.benchmarks.prospective.metrics.dual_task import task_figures
from forgetscope.benchmarks.prospective.metrics.mechanism_counts import mechanism_figures
from forgetscope.benchmarks.prospective.metrics.residue import prospective_residues
from forgetscope.benchmarks.prospective.metrics.runs import run_figures
from forgetscope.benchmarks.prospective.metrics.salience import salience_figures
from forgetscope.benchmarks.prospective.metrics.stacks import stacking_figures
from forgetscope.benchmarks.prospective.metrics.study import ProspectiveStudy
from forgetscope.benchmarks.prospective.metrics.tension import tension_figures
from forgetscope.benchmarks.prospective.metrics.wordings import wording_figures
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import FigureIndex

__all__ = ["FigureIndex", "ProspectiveStudy", "compute_figures"]


def compute_figures(study: ProspectiveStudy) -> FigureIndex:
    """Every figure the run has the samples for."""
    return FigureIndex(_all(study))


def _all(study: ProspectiveStudy) -> Iterator[Figure]:
    yield from diagnostic_figures(study)
    yield from compliance_figures(study)
    yield from run_figures(study)
    yield from contrast_figures(study)
    yield from salience_figures(study)
    yield from wording_figures(study)
    yield from type_figures(study)
    yield from task_figures(study)
    yield from stacking_figures(study)
    yield from tension_figures(study)
    yield from mechanism_figures(study)
    yield from prospective_residues(study)
