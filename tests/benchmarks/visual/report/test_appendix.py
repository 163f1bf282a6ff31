"""The paper's figures, drawn again from its Appendix A."""

import pytest

from forgetscope.benchmarks.visual.report.appendix import (
    forget_bars,
    level_bars,
    printed_figures,
    printed_rows,
    retain_bars,
)
from forgetscope.benchmarks.visual.report.published import published_charts
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.published import published_table
from tests.benchmarks.visual.report.figure_3 import FIGURE_3A, FIGURE_3C, FIVE


def test_figure_3_has_these_bars() -> None:
    for name, expected in FIGURE_3A.items():
        bars = {condition.value: value for condition, value in forget_bars()[name].items()}
        assert tuple(round(100 * bars[condition], 1) for condition in FIVE) == expected
    for level, bars_of_level in level_bars().items():
        by_name = {condition.value: value for condition, value in bars_of_level.items()}
        assert tuple(round(100 * by_name[condition], 1) for condition in FIVE) == FIGURE_3C[level.value]
    coco = published_table("visual_appendixA").filter(dataset="COCO", condition="unlearn_soft")["retain_accuracy"]
    bars = {condition.value: value for condition, value in retain_bars()["COCO"].items()}
    assert bars["unlearn_soft"] == pytest.approx(sum(coco.to_list()) / 13)


def test_the_papers_figures_are_drawn_with_these_values() -> None:
    drawn_again = published_charts(FigureIndex(printed_figures()))
    charts = {chart.slug.removeprefix("published-figure-"): chart for chart in drawn_again}
    assert list(charts) == ["3a", "3b", "3c", "4", "5a", "5b"]
    for figure, golden in (("3a", FIGURE_3A), ("3c", FIGURE_3C)):
        for place, name in enumerate(charts[figure].categories):
            drawn = [line.points[place] for line in charts[figure].series]
            assert tuple(round(100 * (point.value or 0), 1) for point in drawn if point is not None) == golden[name]
    assert all(len(line.points) == len(line.across) == 97 for line in charts["4"].series)
    by_model = {line.label: line.points for line in charts["5b"].series}
    coco = charts["5b"].categories.index("COCO")
    fallen = by_model["Qwen3-VL-8B-Instruct"][coco]
    assert fallen is not None
    assert fallen.value == pytest.approx(0.0 - 1.0)
    assert sum(point is None for points in by_model.values() for point in points) == 13 * 8 - 97


def test_appendix_a_is_97_rows_of_13_models_and_8_datasets() -> None:
    assert len(printed_rows()) == 97
    assert {row.model for row in printed_rows() if row.dataset != "COCO"} | {"Qwen2.5-VL-7B-Instruct"} == {
        row.model for row in printed_rows()
    }
    one = next(row for row in printed_rows() if (row.dataset, row.model) == ("AID", "gemma-3-4b-it"))
    assert list(one.forget.values()) == [0.736, 0.276, 0.408, 0.704, 0.592]
