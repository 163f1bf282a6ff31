"""Several runs together: the paper's Figures 3 and 5 from its own Appendix A."""

import pytest

from forgetscope.benchmarks.visual.data.conditions import Condition, Mode
from forgetscope.benchmarks.visual.report.appendix import forget_bars, printed_rows
from forgetscope.benchmarks.visual.report.over_models import over_models
from forgetscope.benchmarks.visual.report.published import DATASET_SPLITS
from forgetscope.findings.figures import Figure
from forgetscope.findings.measures import FigureIndex


def test_the_papers_own_models_give_its_figures() -> None:
    runs: dict[str, list[Figure]] = {}
    for row in printed_rows():
        for condition in row.forget:
            factors = {"split": DATASET_SPLITS[row.dataset], "mode": Mode.GENERATE.value, "condition": condition.value}
            figures = runs.setdefault(row.model, [])
            figures.append(Figure("paper.forget.macro", factors, row.forget[condition], 1))
            figures.append(Figure("paper.retain", factors, row.retain[condition], 1))
            if condition is not Condition.BASELINE_NORMAL:
                figures.append(Figure("forget.change", factors, row.change(condition), 1, unit="points"))
    charts = {chart.slug: chart for chart in over_models({name: FigureIndex(own) for name, own in runs.items()})}
    assert [slug.removeprefix("over-models-figure-") for slug in charts] == ["3a", "3b", "4", "5a", "5b"]
    plane = charts["over-models-figure-4"]
    by_dataset = {
        (name, line.label): (line.across[place], line.points[place])
        for line in plane.series
        for place, name in enumerate(plane.categories)
        if line.across
    }
    row = next(row for row in printed_rows() if row.dataset == "COCO")
    forget, retain = by_dataset[f"coco-random-10, {row.model}", "oracle, hard"]
    assert (forget and forget.value, retain and retain.value) == (
        row.forget[Condition.ORACLE_HARD],
        row.retain[Condition.ORACLE_HARD],
    )
    bars = charts["over-models-figure-3a"]
    for dataset, expected in forget_bars().items():
        place = bars.categories.index(DATASET_SPLITS[dataset])
        drawn = [line.points[place] for line in bars.series]
        assert [point.value for point in drawn if point is not None] == pytest.approx(list(expected.values()))
    fallen = {line.label: line.points for line in charts["over-models-figure-5b"].series}["Qwen3-VL-8B-Instruct"]
    coco = fallen[charts["over-models-figure-5b"].categories.index("coco-random-10")]
    assert coco is not None
    assert coco.value == pytest.approx(-1.0)


def test_levels_are_means_over_the_models_pooled_figures() -> None:
    at = {"by": "level", "group": "scene", "mode": Mode.GENERATE.value, "condition": Condition.UNLEARN_SOFT.value}
    runs = {
        name: FigureIndex([Figure("pooled.forget.macro", at, value, 5)]) for name, value in (("a", 0.2), ("b", 0.6))
    }
    (bars,) = over_models(runs)
    assert bars.slug == "over-models-figure-3c"
    (line,) = bars.series
    point = line.points[bars.categories.index("scene")]
    assert point is not None
    assert point.value == pytest.approx(0.4)
