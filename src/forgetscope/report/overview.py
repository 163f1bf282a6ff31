"""The first page of a report on several runs: a picture, what it shows and what to distrust; then every figure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from forgetscope.findings.figures import Figure, Profile, ProfileLine, Results
from forgetscope.findings.forest import forest_in, joined
from forgetscope.report.accounting import OutcomeRow, account_rows, status_bar
from forgetscope.report.chapters import BlockView, view_chart
from forgetscope.report.lead import LedRun, distrusts, lead_chart, lead_sentences
from forgetscope.report.summary import OWN_DATA, Summary
from forgetscope.report.wording import finite, kind_of, scale_of, unit_words, visible, write_number

QUESTION = "Told to forget, what is still there?"

AXIS_WIDTH, AXIS_HEIGHT, DOT = 200, 18, 5
"""Of the small drawing beside a figure, in its own units."""


@dataclass(frozen=True)
class OverviewRun:
    """A run as the first page takes it: where its chapter is, its results, its summary."""

    anchor: str
    summary: Summary
    results: Results


@dataclass(frozen=True)
class FigureView:
    """A figure in words and as a small drawing.

    Attributes:
        why: Why there is no figure, or no interval; empty otherwise.
    """

    number: str
    interval: str
    drawing: str
    why: str


@dataclass(frozen=True)
class LineView:
    """What one figure of a profile measures, and the figure in each column; None where there is none."""

    label: str
    unit: str
    better: str
    figures: tuple[FigureView | None, ...]


@dataclass(frozen=True)
class AskedRun:
    """A run that was asked: where its chapter is, its model, and how many warnings it has."""

    anchor: str
    model: str
    is_embedded: bool
    warnings: int


@dataclass(frozen=True)
class QuestionView:
    """One benchmark: what it asks, what its figures are, its runs, and the figures of all of them, a column a run."""

    title: str
    question: str
    about: str
    runs: tuple[AskedRun, ...]
    lines: tuple[LineView, ...]


@dataclass(frozen=True)
class Overview:
    """The first page, in the order it is read.

    Attributes:
        question: What all of it asks; empty where no run has a residue to answer with.
        picture: The residues that the benchmarks lead with; None without any.
        sentences: What the picture shows, a sentence a benchmark.
        distrust: What must not be relied on, a line each.
        forest: All residues; None without any.
        questions: A benchmark each, with its figures.
        outcomes, outcome_bar: What became of all samples.
    """

    question: str
    picture: BlockView | None
    sentences: tuple[str, ...]
    distrust: tuple[str, ...]
    runs: int
    samples: int
    forest: BlockView | None
    questions: tuple[QuestionView, ...]
    outcomes: tuple[OutcomeRow, ...]
    outcome_bar: str


def view_overview(runs: Sequence[OverviewRun]) -> Overview:
    """The first page of these runs, in their order; runs of one benchmark stand beside each other."""
    groups: dict[str, list[tuple[OverviewRun, Profile]]] = {}
    for run in runs:
        if run.results.profile is not None:
            groups.setdefault(run.summary.run.title, []).append((run, run.results.profile))
    total: Counter[str] = Counter()
    for run in runs:
        total.update(run.summary.outcomes)
    outcomes = account_rows(total)
    led = [
        LedRun(run.summary.run.model.rpartition("/")[2], run.summary, run.results.profile.told)
        for run in runs
        if run.results.profile is not None and run.results.profile.told is not None
    ]
    picture = lead_chart(led)
    return Overview(
        "" if picture is None else QUESTION,
        None if picture is None else view_chart(picture, "overview--lead"),
        lead_sentences(led),
        distrusts(led),
        len(runs),
        total.total(),
        _forest(runs),
        tuple(_question(title, group) for title, group in groups.items()),
        outcomes,
        status_bar(outcomes, prefix="overview--outcomes"),
    )


def _forest(runs: Sequence[OverviewRun]) -> BlockView | None:
    """All residues in one chart, the rows of a run under its benchmark and model."""
    found = [(run.summary.run, forest_in(run.results.sections)) for run in runs]
    named = [(f"{facts.title}, {facts.model.rpartition('/')[2]}", chart) for facts, chart in found if chart is not None]
    chart = joined(named)
    return None if chart is None else view_chart(chart, "overview--residue")


def _question(title: str, group: Sequence[tuple[OverviewRun, Profile]]) -> QuestionView:
    """What a benchmark asks; a model that has several runs of it is counted."""
    seen: Counter[str] = Counter()
    asked = []
    for run, _ in group:
        model = run.summary.run.model
        seen[model] += 1
        asked.append(
            AskedRun(
                run.anchor,
                model if seen[model] == 1 else f"{model}, run {seen[model]}",
                run.summary.run.data in OWN_DATA,
                sum(entry.verdict == "warning" for entry in run.results.headlines),
            )
        )
    by_label = [{line.label: line for line in profile.lines} for _, profile in group]
    labels = dict.fromkeys(label for lines in by_label for label in lines)
    lines = tuple(_line(label, [lines.get(label) for lines in by_label]) for label in labels)
    return QuestionView(title, group[0][1].question, group[0][1].about, tuple(asked), lines)


def _line(label: str, found: list[ProfileLine | None]) -> LineView:
    first = next(line for line in found if line is not None)
    drawn = [None if line is None else _figure(line.figure) for line in found]
    return LineView(label, unit_words(first.figure.unit), first.better, tuple(drawn))


def _figure(figure: Figure) -> FigureView:
    kind = kind_of(figure.unit)
    low, high = finite(figure.low), finite(figure.high)
    drawing = draw_interval(figure)
    if figure.value is None or low is None or high is None:
        why = visible(figure.note.partition(";")[0]) or "no interval"
        return FigureView(write_number(figure.value, kind), "", drawing, why)
    interval = f"{write_number(low, kind)} to {write_number(high, kind)}"
    return FigureView(write_number(figure.value, kind), interval, drawing, "")


def draw_interval(figure: Figure) -> str:
    """A dot with its interval on an axis from 0 to 100, or from -100 to 100 for differences; empty without a value."""
    value, low, high = finite(figure.value), finite(figure.low), finite(figure.high)
    if value is None:
        return ""
    start = -100.0 if figure.unit == "points" or min(value, low or 0.0) < 0 else 0.0
    middle = AXIS_HEIGHT / 2

    def place(number: float) -> float:
        share = (number * scale_of(figure.unit) - start) / (100.0 - start)
        return DOT + (AXIS_WIDTH - 2 * DOT) * min(max(share, 0.0), 1.0)

    def line(role: str, ends: tuple[float, float], heights: tuple[float, float] = (middle, middle)) -> str:
        return (
            f'<line class="{role}" x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{heights[0]:.1f}" y2="{heights[1]:.1f}"/>'
        )

    zero = place(0.0)
    parts = [line("axis", (DOT, AXIS_WIDTH - DOT)), line("zero", (zero, zero), (2, AXIS_HEIGHT - 2))]
    if low is not None and high is not None:
        parts.append(line("whisker", (place(low), place(high))))
    parts.append(f'<circle class="dot-of" cx="{place(value):.1f}" cy="{middle}" r="{DOT}"/>')
    return (
        f'<svg class="interval" viewBox="0 0 {AXIS_WIDTH} {AXIS_HEIGHT}" aria-hidden="true" focusable="false">'
        f"{''.join(parts)}</svg>"
    )
