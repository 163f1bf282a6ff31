"""Which figures of a run are handed on: its results, each with its direction, and those of its first page."""

from forgetscope.benchmarks import known_benchmark
from forgetscope.findings.aims import EVERY_BENCHMARK, Better, better_of
from forgetscope.report.chapters import Chapter
from forgetscope.report.summary import SummaryFigure, stored_figure


def results_of(chapter: Chapter) -> list[tuple[SummaryFigure, Better]]:
    """Every figure that has a value and of which one way is better."""
    aims = (*known_benchmark(chapter.summary.run.benchmark).aims, *EVERY_BENCHMARK)
    return [
        (figure, better)
        for figure in chapter.summary.figures
        if figure.value is not None
        and (better := better_of(figure.name, figure.factors, aims, chapter.results.profile)) is not None
    ]


def headlines_of(chapter: Chapter) -> list[SummaryFigure]:
    """The figures that stand on the first page: the lines of the profile and the residues of its story, each once."""
    profile = chapter.results.profile
    if profile is None:
        return []
    leads = profile.told.leads if profile.told else ()
    shown = [
        stored_figure(figure) for figure in (*(line.figure for line in profile.lines), *(one.residue for one in leads))
    ]
    kept: list[SummaryFigure] = []
    for figure in shown:
        if figure.value is not None and figure not in kept:
            kept.append(figure)
    return kept
