"""The evaluated samples of a grid -> its results: figures, the sections of the report, the headlines."""

import polars as pl

from forgetscope.benchmarks.base import FigureFacts
from forgetscope.benchmarks.unlearning.metrics.change import change_figures
from forgetscope.benchmarks.unlearning.metrics.claims import claim_figures
from forgetscope.benchmarks.unlearning.metrics.matched import matched_figures
from forgetscope.benchmarks.unlearning.metrics.methods import range_figures
from forgetscope.benchmarks.unlearning.metrics.study import UnlearningStudy
from forgetscope.benchmarks.unlearning.report.change import change_section
from forgetscope.benchmarks.unlearning.report.claims import claim_findings, claim_section
from forgetscope.benchmarks.unlearning.report.curves import curve_section
from forgetscope.benchmarks.unlearning.report.profile import balance_findings, grid_profile
from forgetscope.benchmarks.unlearning.report.published import published_section
from forgetscope.benchmarks.unlearning.report.semantics import semantics_findings, semantics_section
from forgetscope.benchmarks.unlearning.settings import GridSettings
from forgetscope.core.settings import narrowed
from forgetscope.findings.figures import Results
from forgetscope.findings.measures import FigureIndex

MOST_CLAIMS = 2


def results(table: pl.DataFrame, facts: FigureFacts) -> Results:
    """All figures of a grid and how they are read; with `facts.published`, beside the paper's Table 1.

    `table` has rows of all evaluated cells and their targets, with the columns of `metrics.study.COLUMNS`.

    Raises:
        ValueError: a column is missing, a corpus has no target, or a sample of a cell and seed is there twice.
    """
    study = UnlearningStudy.of(table, narrowed(facts.settings, GridSettings), facts.planned)
    found = list(change_figures(study))
    found.extend(matched_figures(study, FigureIndex(found)))
    index = FigureIndex([*found, *range_figures(study), *claim_figures(study)])
    sections = [
        curve_section(study, index),
        change_section(study, index),
        semantics_section(study, index),
        claim_section(index),
        published_section(study, index) if facts.published else None,
    ]
    headlines = (
        *balance_findings(study, index),
        *semantics_findings(index),
        *claim_findings(index)[:MOST_CLAIMS],
    )
    return Results(
        tuple(index),
        tuple(part for part in sections if part is not None),
        headlines,
        profile=grid_profile(study, index),
    )
