"""The paper's Figures 3 to 5, drawn from its Appendix A: it prints them without numbers."""

from collections.abc import Mapping

from forgetscope.benchmarks.visual.data.conditions import PAPER_CONDITIONS, Condition
from forgetscope.benchmarks.visual.report.appendix import (
    DATASET_LEVELS,
    forget_bars,
    level_bars,
    printed_rows,
    retain_bars,
    rows_of,
)
from forgetscope.benchmarks.visual.report.names import condition_name
from forgetscope.benchmarks.visual.report.suppression import said_in_words
from forgetscope.findings.figures import Chart, Interval, Series
from forgetscope.findings.phrasing import percent, signed

Bars = Mapping[str, Mapping[Condition, float]]


def published_charts() -> tuple[Chart, ...]:
    """Figures 3(a) to 3(c), 4, 5(a) and 5(b); no intervals, for none are printed."""
    levels = {level.value: bars for level, bars in level_bars().items()}
    return (
        _bar_chart("Forget accuracy by dataset, mean over models (the paper's figure 3a)", "3a", forget_bars()),
        _bar_chart("Retain accuracy by dataset, mean over models (the paper's figure 3b)", "3b", retain_bars()),
        _bar_chart("Forget accuracy by level (the paper's figure 3c)", "3c", levels),
        _trade_off(),
        _changes("5a", Condition.UNLEARN_SOFT),
        _changes("5b", Condition.ORACLE_HARD),
    )


def _bar_chart(title: str, figure: str, bars: Bars) -> Chart:
    lines = [
        Series(condition_name(name.value), tuple(Interval(bars[key][name]) for key in bars))
        for name in PAPER_CONDITIONS
    ]
    return Chart(
        "bars",
        title,
        tuple(bars),
        tuple(lines),
        summary=said_in_words(tuple(bars), lines, percent),
        y_label="accuracy",
        slug=f"published-figure-{figure}",
    )


def _trade_off() -> Chart:
    """Figure 4: a point a model and dataset under each condition."""
    rows = printed_rows()
    lines = [
        Series(
            condition_name(name.value),
            tuple(Interval(row.retain[name]) for row in rows),
            tuple(Interval(row.forget[name]) for row in rows),
        )
        for name in PAPER_CONDITIONS
    ]
    names = tuple(f"{row.dataset}, {row.model}" for row in rows)
    return Chart(
        "plane",
        "Retain against forget accuracy, a point a model and dataset (the paper's figure 4)",
        names,
        tuple(lines),
        summary=f"Retain accuracy: {said_in_words(names, lines, percent)}",
        y_label="retain accuracy",
        x_label="forget accuracy",
        slug="published-figure-4",
    )


def _changes(figure: str, condition: Condition) -> Chart:
    """Figure 5: the change of forget accuracy of every model on every dataset; a model that was not run has none."""
    models = tuple(dict.fromkeys(row.model for row in printed_rows()))
    cells = {(row.model, row.dataset): row.change(condition) for row in printed_rows()}
    names = tuple(name for name in DATASET_LEVELS if rows_of(name))
    lines = [
        Series(
            model,
            tuple(Interval(cells[model, name]) if (model, name) in cells else None for name in names),
        )
        for model in models
    ]
    by_dataset = [Series(name, tuple(line.points[place] for line in lines)) for place, name in enumerate(names)]
    return Chart(
        "heatmap",
        f"Change of forget accuracy under {condition_name(condition.value)} (the paper's figure {figure})",
        names,
        tuple(lines),
        summary=said_in_words(models, by_dataset, signed),
        unit="points",
        slug=f"published-figure-{figure}",
    )
