"""The evaluated samples of a grid -> its results: figures, the sections of the report, the headlines."""

from collections.abc import Iterator

import polars as pl

from forgetbench.benchmarks.unlearning.metrics.change import change_figures
from forgetbench.benchmarks.unlearning.metrics.claims import claim_figures
from forgetbench.benchmarks.unlearning.metrics.study import Study
from forgetbench.benchmarks.unlearning.sections.change import change_section
from forgetbench.benchmarks.unlearning.sections.claims import claim_findings, claim_section
from forgetbench.benchmarks.unlearning.sections.names import method_name, pair_name
from forgetbench.figures import Figure, Finding, Results
from forgetbench.measures import FigureIndex
from forgetbench.phrasing import percent

MOST_CLAIMS = 3


def unlearning_results(table: pl.DataFrame, seed: int = 42) -> Results:
    """All figures of a grid and how they are read.

    Raises:
        ValueError: a column is missing, or a corpus has no target.
    """
    study = Study.of(table, seed)
    index = FigureIndex(_figures(study))
    sections = tuple(part for part in (change_section(study, index), claim_section(index)) if part is not None)
    return Results(tuple(index), sections, (*balance_findings(study, index), *claim_findings(index)[:MOST_CLAIMS]))


def _figures(study: Study) -> Iterator[Figure]:
    yield from change_figures(study)
    yield from claim_figures(study)


def balance_findings(study: Study, index: FigureIndex) -> tuple[Finding, ...]:
    """For each corpus and semantics the cell with the best balance of forgetting and keeping."""
    found = []
    for corpus, semantics in dict.fromkeys((key.corpus, key.semantics) for key in study.cells):
        known = []
        for key in study.cells:
            if (key.corpus, key.semantics) != (corpus, semantics):
                continue
            forget = index.value("group", **key.factors, group="forget")
            retain = index.value("group", **key.factors, group="retain")
            if forget is not None and retain is not None:
                known.append((forget - retain, forget, retain, key))
        if not known:
            continue
        _, forget, retain, best = max(known, key=lambda entry: entry[0])
        found.append(
            Finding(
                f"{corpus}, {semantics} losses: the best balance is {method_name(best.method)} on {pair_name(best)}: "
                f"{percent(forget)} of the forget measures lost for {percent(retain)} of the retain measures."
            )
        )
    return tuple(found)
