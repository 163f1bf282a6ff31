"""Several runs together as the paper has its models: Figures 3(a), 3(b), 5(a) and 5(b) of one's own."""

from collections.abc import Iterator, Mapping

from forgetscope.benchmarks.visual.data.conditions import PAPER_CONDITIONS, Condition, Mode
from forgetscope.benchmarks.visual.report.names import condition_name
from forgetscope.benchmarks.visual.report.suppression import MOST_SAID
from forgetscope.findings.beside_paper import with_model
from forgetscope.findings.charts import chart, drawn, line
from forgetscope.findings.figures import Chart, Figure
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.phrasing import signed

_BARS = (("3a", "paper.forget.macro", "Forget accuracy"), ("3b", "paper.retain", "Retain accuracy"))
_CHANGES = (("5a", Condition.UNLEARN_SOFT), ("5b", Condition.ORACLE_HARD))


def over_models(runs: Mapping[str, FigureIndex]) -> Iterator[Chart]:
    """Means over the models by split and condition; the change of every model on every split."""
    index = with_model(runs)
    generated = Mode.GENERATE.value
    splits = sorted({str(one.factors["split"]) for one in index.named("paper.forget.macro") if "split" in one.factors})
    over = {split: {"split": split, "mode": generated} for split in splits}
    means = FigureIndex(_means(runs, splits))
    for figure, name, title in _BARS:
        lines = drawn(means, over, [line(condition_name(one), name, condition=one) for one in PAPER_CONDITIONS])
        if lines:
            title = f"{title} by split, mean over these models (the paper's figure {figure})"
            slug = f"over-models-figure-{figure}"
            yield chart(means, "bars", title, over=over, lines=lines, summary="{said}.", most=MOST_SAID, slug=slug)
    for figure, condition in _CHANGES:
        lines = drawn(index, over, [line(name, "forget.change", model=name, condition=condition) for name in runs])
        if lines:
            yield chart(
                index,
                "heatmap",
                f"Change of forget accuracy under {condition_name(condition)} (the paper's figure {figure})",
                over=over,
                lines=lines,
                summary="{said}.",
                write=signed,
                most=MOST_SAID,
                unit="points",
                slug=f"over-models-figure-{figure}",
            )


def _means(runs: Mapping[str, FigureIndex], splits: list[str]) -> Iterator[Figure]:
    """The plain mean over the models that have a value, without an interval, as the paper's bars."""
    for _, name, _ in _BARS:
        for split in splits:
            for condition in PAPER_CONDITIONS:
                factors = {"split": split, "mode": Mode.GENERATE.value, "condition": condition.value}
                found = [value for run in runs.values() if (value := run.value(name, **factors)) is not None]
                if found:
                    yield Figure(name, factors, sum(found) / len(found), len(found))
