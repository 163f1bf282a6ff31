"""Several runs together: the paper's Figures 3 and 5 from its own Appendix A."""

import pytest

from forgetscope.benchmarks.visual.data.conditions import Condition, Mode
from forgetscope.benchmarks.visual.report.appendix import forget_bars, printed_rows
from forgetscope.benchmarks.visual.report.over_models import over_models, size_table
from forgetscope.benchmarks.visual.report.published import DATASET_SPLITS
from forgetscope.findings.figures import Chart, Figure
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
    indexes = {name: FigureIndex(own) for name, own in runs.items()}
    charts = {chart.slug: chart for chart in over_models(indexes) if isinstance(chart, Chart)}
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
    assert isinstance(bars, Chart)
    assert bars.slug == "over-models-figure-3c"
    (line,) = bars.series
    point = line.points[bars.categories.index("scene")]
    assert point is not None
    assert point.value == pytest.approx(0.4)


def test_models_stand_by_the_size_that_their_names_say() -> None:
    def run(baseline: float, changes: tuple[float, float]) -> FigureIndex:
        figures = []
        for split, change in zip(("a", "b"), changes, strict=True):
            at = {"split": split, "mode": Mode.GENERATE.value}
            figures.append(Figure("paper.forget.macro", {**at, "condition": "baseline_normal"}, baseline, 5))
            figures.append(Figure("forget.change", {**at, "condition": "unlearn_soft"}, change, 5, unit="points"))
        return FigureIndex(figures)

    named = {
        "lab/seer-30B-A3B": run(0.8, (-0.1, -0.3)),
        "lab/seer-2b": run(0.6, (0.0, -0.1)),
        "lab/other": run(1, (0, 0)),
    }
    found = size_table(named)
    assert found is not None
    assert [list(row.values())[:2] for row in found.rows] == [["lab/seer-2b", 2.0], ["lab/seer-30B-A3B", 30.0]]
    assert [pytest.approx(row["Baseline"]) for row in found.rows] == [0.6, 0.8]
    assert [list(row.values())[3] for row in found.rows] == [pytest.approx(-0.05), pytest.approx(-0.2)]
    assert size_table({name: index for name, index in named.items() if name != "lab/seer-2b"}) is None
