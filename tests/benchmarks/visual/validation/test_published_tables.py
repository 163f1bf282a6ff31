"""Golden tests: what the paper's printed tables give when they are recomputed, statement by statement.

Each audit entry of the package names the test here that shows it. The figures are typed from the paper or computed
in the test, so that a test and an audit entry can disagree.
"""

import polars as pl
import pytest

from forgetscope.benchmarks.visual.report.appendix import (
    FORGET_ITEMS,
    below_chance,
    forget_bars,
    level_bars,
    not_near_baseline,
    printed_rows,
    retain_bars,
)
from forgetscope.benchmarks.visual.report.published_figures import published_charts
from forgetscope.benchmarks.visual.validation.audit import AuditEntry, paper_audit
from forgetscope.benchmarks.visual.validation.audit.claims import mean_changes
from forgetscope.findings.published import published_table

APPENDIX = published_table("visual_appendixA")
FORGET, RETAIN = "forget_macro_accuracy", "retain_accuracy"
FIVE = ("baseline_normal", "unlearn_soft", "unlearn_medium", "oracle_hard", "oracle_reverse")
FIGURE_3A = {
    "COCO": (85.3, 85.5, 85.4, 64.7, 64.3),
    "MIT Indoor67": (76.9, 79.1, 78.3, 62.0, 64.4),
    "AID": (58.0, 56.1, 57.9, 51.9, 37.9),
    "LAD-Color": (41.0, 37.2, 35.4, 40.3, 39.4),
    "LAD-Habitat": (42.3, 33.1, 36.1, 39.6, 36.4),
    "SpatialMQA": (28.7, 23.1, 24.9, 28.0, 30.0),
    "Celebrity": (63.5, 64.9, 64.7, 45.5, 52.0),
    "Logo2K+": (70.3, 76.5, 74.0, 60.5, 61.2),
}
FIGURE_3C = {
    "object": (85.3, 85.5, 85.4, 64.7, 64.3),
    "scene": (67.5, 67.6, 68.1, 57.0, 51.2),
    "attribute": (37.3, 31.1, 32.1, 36.0, 35.2),
    "privacy": (66.9, 70.7, 69.3, 53.0, 56.6),
}


def entry(test: str) -> AuditEntry:
    (found,) = [entry for entry in paper_audit() if entry.test == test]
    return found


def wide(column: str) -> pl.DataFrame:
    return APPENDIX.pivot(on="condition", index=["dataset", "model"], values=column)


def is_share(value: float, n: int, within: float = 0.00005) -> bool:
    return any(abs(value - k / n) <= within + 1e-9 for k in range(n + 1))


def test_figure_3_has_these_bars() -> None:
    for name, expected in FIGURE_3A.items():
        bars = {condition.value: value for condition, value in forget_bars()[name].items()}
        assert tuple(round(100 * bars[condition], 1) for condition in FIVE) == expected
    for level, bars_of_level in level_bars().items():
        by_name = {condition.value: value for condition, value in bars_of_level.items()}
        assert tuple(round(100 * by_name[condition], 1) for condition in FIVE) == FIGURE_3C[level.value]
    coco = APPENDIX.filter((pl.col("dataset") == "COCO") & (pl.col("condition") == "unlearn_soft"))[RETAIN]
    bars = {condition.value: value for condition, value in retain_bars()["COCO"].items()}
    assert bars["unlearn_soft"] == pytest.approx(sum(coco.to_list()) / 13)


def test_the_papers_figures_are_drawn_with_these_values() -> None:
    charts = {chart.slug.removeprefix("published-figure-"): chart for chart in published_charts()}
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


def test_forget_figures_fit_table_1_except_for_coco_and_logos() -> None:
    for dataset, n in FORGET_ITEMS.items():
        values = APPENDIX.filter(pl.col("dataset") == dataset)[FORGET].to_list()
        assert all(is_share(value, n, within=0.0001) for value in values), dataset
    coco = APPENDIX.filter(pl.col("dataset") == "COCO")[FORGET].to_list()
    logos = APPENDIX.filter(pl.col("dataset") == "Logo2K+")[FORGET].to_list()
    assert sum(is_share(value, 1000) for value in coco) == 30
    assert sum(is_share(value, 10) for value in logos) == 15
    assert not entry("test_forget_figures_fit_table_1_except_for_coco_and_logos").agrees


def test_five_cells_are_one_in_the_last_digit_apart() -> None:
    off = [
        (dataset, value)
        for dataset, value in APPENDIX.select("dataset", FORGET).iter_rows()
        if not is_share(value, FORGET_ITEMS[dataset])
    ]
    assert sorted(off) == [
        ("Celebrity", 0.4666),
        ("Celebrity", 0.5334),
        ("Celebrity", 0.9334),
        ("MIT Indoor67", 0.8034),
        ("MIT Indoor67", 0.8166),
    ]
    assert not entry("test_five_cells_are_one_in_the_last_digit_apart").agrees


def test_retain_figures_fit_table_1() -> None:
    sizes = {"COCO": 500, "LAD-Color": 500, "Celebrity": 200}
    for dataset, value in APPENDIX.select("dataset", RETAIN).iter_rows():
        assert is_share(value, sizes.get(dataset, 300))
    assert entry("test_retain_figures_fit_table_1").agrees


def test_five_of_thirteen_splits_have_no_figures() -> None:
    assert published_table("visual_table1_splits").height == 13
    assert APPENDIX["dataset"].n_unique() == 8
    assert not entry("test_five_of_thirteen_splits_have_no_figures").agrees


def test_oracle_conditions_repeat_the_baselines_retain_figure() -> None:
    retain = wide(RETAIN)
    assert (retain["oracle_hard"] == retain["baseline_normal"]).all()
    assert (retain["oracle_reverse"] == retain["baseline_normal"]).all()
    assert entry("test_oracle_conditions_repeat_the_baselines_retain_figure").agrees


def test_nineteen_cells_fall_more_than_ten_points_under_realistic_prompts() -> None:
    forget = wide(FORGET)
    soft = (forget["unlearn_soft"] - forget["baseline_normal"] < -0.1).sum()
    medium = (forget["unlearn_medium"] - forget["baseline_normal"] < -0.1).sum()
    assert (soft, medium) == (11, 8)
    found = not_near_baseline(0.1)
    assert len(found) == 19
    assert (found[0][0].model, found[0][0].dataset) == ("Qwen3-VL-8B-Instruct", "LAD-Habitat")
    assert found[0][0].change(found[0][1]) == pytest.approx(0.1467 - 0.5533)
    assert len(not_near_baseline(0.05)) == 44
    assert not entry("test_nineteen_cells_fall_more_than_ten_points_under_realistic_prompts").agrees


def test_mean_forget_accuracy_changes_by_at_most_ten_points_and_rises_in_half_the_datasets() -> None:
    changes = {name: [bars[1] - bars[0], bars[2] - bars[0]] for name, bars in FIGURE_3A.items()}
    assert max(abs(change) for both in changes.values() for change in both) < 10
    rising = [name for name, both in changes.items() if min(both) > 0]
    assert rising == ["COCO", "MIT Indoor67", "Celebrity", "Logo2K+"]
    found = entry("test_mean_forget_accuracy_changes_by_at_most_ten_points_and_rises_in_half_the_datasets")
    assert found.agrees
    assert ", ".join(rising) in found.note


def test_coco_and_indoor_scenes_keep_their_accuracy() -> None:
    forget = wide(FORGET).filter(pl.col("dataset").is_in(["COCO", "MIT Indoor67"]))
    assert (forget["unlearn_soft"] - forget["baseline_normal"] > -0.075).all()
    assert entry("test_coco_and_indoor_scenes_keep_their_accuracy").agrees


def test_privacy_rises_most_under_soft_suppression_and_only_attributes_fall() -> None:
    changes = {level: bars[1] - bars[0] for level, bars in FIGURE_3C.items()}
    assert max(changes, key=changes.__getitem__) == "privacy"
    assert [level for level, change in changes.items() if change < 0] == ["attribute"]
    assert not entry("test_privacy_rises_most_under_soft_suppression_and_only_attributes_fall").agrees


def test_the_strongest_instruct_model_falls_most_under_soft_suppression() -> None:
    ours = wide(FORGET).filter(pl.col("model") == "Qwen3-VL-8B-Instruct")
    change = ours["unlearn_soft"] - ours["baseline_normal"]
    assert (change < -0.05).sum() == 5
    model, mean = next(iter(mean_changes().items()))
    assert model == "Qwen3-VL-8B-Instruct"
    assert mean == pytest.approx(-0.1458, abs=5e-5)
    assert not entry("test_the_strongest_instruct_model_falls_most_under_soft_suppression").agrees


def test_oracle_hard_falls_for_many_and_rises_for_many() -> None:
    forget = wide(FORGET)
    change = forget["oracle_hard"] - forget["baseline_normal"]
    assert ((change < -0.1).sum(), (change > 0).sum()) == (18, 39)
    assert entry("test_oracle_hard_falls_for_many_and_rises_for_many").agrees


def test_retain_accuracy_is_stable_and_mostly_rises() -> None:
    retain = wide(RETAIN)
    soft = retain["unlearn_soft"] - retain["baseline_normal"]
    medium = retain["unlearn_medium"] - retain["baseline_normal"]
    assert ((soft < -0.05).sum(), (medium < -0.05).sum()) == (1, 1)
    assert (soft > 0).sum() == 70
    assert entry("test_retain_accuracy_is_stable_and_mostly_rises").agrees


def test_below_chance_cells_by_condition() -> None:
    below = APPENDIX.filter(pl.col(FORGET) < 0.25).group_by("condition").len()
    assert dict(below.iter_rows()) == dict(zip(FIVE, (6, 9, 12, 15, 12), strict=True))
    assert len(below_chance()) == 54
    assert not entry("test_below_chance_cells_by_condition").agrees


def test_thinking_variants_are_near_chance_on_both_sides() -> None:
    thinking = APPENDIX.filter(pl.col("model").str.ends_with("Thinking") & (pl.col("condition") == "baseline_normal"))
    near = thinking.filter((pl.col(FORGET) < 0.35) & (pl.col(RETAIN) < 0.35))
    assert (near.height, thinking.height) == (22, 24)
    assert entry("test_thinking_variants_are_near_chance_on_both_sides").agrees
