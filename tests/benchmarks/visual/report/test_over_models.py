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
            if condition is not Condition.BASELINE_NORMAL:
                figures.append(Figure("forget.change", factors, row.change(condition), 1, unit="points"))
    charts = {chart.slug: chart for chart in over_models({name: FigureIndex(own) for name, own in runs.items()})}
    assert list(charts) == ["over-models-figure-3a", "over-models-figure-5a", "over-models-figure-5b"]
    bars = charts["over-models-figure-3a"]
    for dataset, expected in forget_bars().items():
        place = bars.categories.index(DATASET_SPLITS[dataset])
        drawn = [line.points[place] for line in bars.series]
        assert [point.value for point in drawn if point is not None] == pytest.approx(list(expected.values()))
    fallen = {line.label: line.points for line in charts["over-models-figure-5b"].series}["Qwen3-VL-8B-Instruct"]
    coco = fallen[charts["over-models-figure-5b"].categories.index("coco-random-10")]
    assert coco is not None
    assert coco.value == pytest.approx(-1.0)
