"""The first page of a report on several runs: questions, answers, the figures behind them, and all outcomes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from forgetscope.core.outcomes import Status
from forgetscope.findings.figures import Figure, Finding, Profile, ProfileLine, Results
from forgetscope.report.accounting import OutcomeRow, account_rows, status_bar
from forgetscope.report.summary import Summary
from forgetscope.report.wording import finite, kind_of, scale_of, unit_words, visible, write_number

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
class AnswerView:
    """The answer of one run, the one figure that stands beside it, and how many warnings its chapter begins with."""

    anchor: str
    model: str
    is_embedded: bool
    finding: Finding
    leading: LineView | None
    warnings: int


@dataclass(frozen=True)
class QuestionView:
    """One benchmark: what it asks, what each run answers, and its figures under the profile's columns.

    Attributes:
        models: Whose figures stand in each column; empty where a column has none of this benchmark.
    """

    models: tuple[str, ...]
    title: str
    question: str
    answers: tuple[AnswerView, ...]
    lines: tuple[LineView, ...]


@dataclass(frozen=True)
class AccountView:
    """What became of the samples of one run, or of all."""

    name: str
    model: str
    anchor: str
    samples: int
    counts: tuple[int, ...]
    bar: str


@dataclass(frozen=True)
class Overview:
    """The first page.

    Attributes:
        columns: Columns of the forgetting profile. A model keeps its own over all benchmarks; models that share no
            benchmark may share a column, so that there are no more of them than needed.
    """

    columns: int
    questions: tuple[QuestionView, ...]
    statuses: tuple[OutcomeRow, ...]
    accounts: tuple[AccountView, ...]


def view_overview(runs: Sequence[OverviewRun]) -> Overview:
    """The first page of these runs, in their order; runs of one benchmark stand beside each other."""
    titles = dict.fromkeys(run.summary.run.title for run in runs)
    groups = {
        title: [run for run in runs if run.summary.run.title == title and run.results.profile] for title in titles
    }
    columns = profile_columns([[column for column, _ in _placed(group)] for group in groups.values()])
    width = 1 + max(columns.values(), default=0)
    questions = (_question(title, group, columns, width) for title, group in groups.items())
    total = {
        status.value: sum(run.summary.outcomes.get(status.value, 0) for run in runs)
        for status in Status
        if any(run.summary.outcomes.get(status.value) for run in runs)
    }
    statuses = account_rows(total)
    return Overview(
        width,
        tuple(entry for entry in questions if entry is not None),
        statuses,
        tuple(_accounts(runs, statuses)),
    )


Owner = tuple[str, int]
"""A model, and which of its runs where a benchmark has several."""


def profile_columns(benchmarks: Sequence[Sequence[Owner]]) -> dict[Owner, int]:
    """Each owner's column: none is shared within a benchmark, those in most benchmarks come first.

    >>> profile_columns([[("a", 1), ("b", 1)], [("c", 1)], [("b", 1)]])
    {('b', 1): 0, ('a', 1): 1, ('c', 1): 0}
    """
    found = Counter(owner for benchmark in benchmarks for owner in benchmark)
    columns: dict[Owner, int] = {}
    for owner, _ in found.most_common():
        taken = {columns.get(other) for benchmark in benchmarks if owner in benchmark for other in benchmark}
        columns[owner] = next(place for place in range(len(found)) if place not in taken)
    return columns


def _placed(group: Sequence[OverviewRun]) -> list[tuple[Owner, OverviewRun]]:
    """Each run of a benchmark with its owner."""
    seen: Counter[str] = Counter()
    placed = []
    for run in group:
        model = run.summary.run.model
        seen[model] += 1
        placed.append(((model, seen[model]), run))
    return placed


def _column_name(column: Owner) -> str:
    model, number = column
    return model if number == 1 else f"{model}, run {number}"


def _question(
    title: str, group: Sequence[OverviewRun], columns: Mapping[Owner, int], width: int
) -> QuestionView | None:
    profiles = [(column, run, run.results.profile) for column, run in _placed(group) if run.results.profile is not None]
    if not profiles:
        return None
    answers = tuple(
        AnswerView(
            run.anchor,
            _column_name(column),
            run.summary.run.data == "embedded",
            profile.answer,
            _leading(profile),
            sum(entry.verdict == "warning" for entry in run.results.headlines),
        )
        for column, run, profile in profiles
    )
    labels = dict.fromkeys(line.label for _, _, profile in profiles for line in profile.lines)
    by_place = {columns[owner]: (owner, profile) for owner, _, profile in profiles}
    lines_of = {place: {line.label: line for line in profile.lines} for place, (_, profile) in by_place.items()}
    lines = tuple(_line(label, [lines_of.get(place, {}).get(label) for place in range(width)]) for label in labels)
    models = tuple(_column_name(by_place[place][0]) if place in by_place else "" for place in range(width))
    return QuestionView(models, title, profiles[0][2].question, answers, lines)


def _leading(profile: Profile) -> LineView | None:
    """The line that stands beside the answer, with its one figure."""
    if not profile.lines:
        return None
    line = next((line for line in profile.lines if line.label == profile.leading), profile.lines[0])
    return _line(line.label, [line])


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


def _accounts(runs: Sequence[OverviewRun], statuses: tuple[OutcomeRow, ...]) -> list[AccountView]:
    """A row a run, and one over all."""
    rows = []
    for run in runs:
        outcomes = run.summary.outcomes
        facts = run.summary.run
        bar = status_bar(account_rows(outcomes), prefix=f"{run.anchor}--account")
        counts = tuple(outcomes.get(row.status, 0) for row in statuses)
        rows.append(AccountView(facts.title, facts.model, run.anchor, sum(counts), counts, bar))
    counts = tuple(row.count for row in statuses)
    return [*rows, AccountView("All", "", "", sum(counts), counts, status_bar(statuses, prefix="all--account"))]
