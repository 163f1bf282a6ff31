"""Golden tests: what the paper's printed tables give when they are recomputed, statement by statement.

Each entry of the audit names the test here that shows it. The figures are typed from the paper or computed
in the test, so that a test and an audit entry can disagree.
"""

import polars as pl
import pytest

from forgetscope.benchmarks.methods import AuditEntry
from forgetscope.findings.published import published_table
from tests.benchmarks.visual.report.figure_3 import FIGURE_3A, FIGURE_3C, FIVE
from tools.paper_audits.visual import AUDIT
from tools.paper_audits.visual.claims import below_chance, mean_changes, not_near_baseline
from tools.paper_audits.visual.counts import FORGET_ITEMS

APPENDIX = published_table("visual_appendixA")
FORGET, RETAIN = "forget_macro_accuracy", "retain_accuracy"


def entry(test: str) -> AuditEntry:
    (found,) = [entry for entry in AUDIT.entries() if entry.test == test]
    return found


def wide(column: str) -> pl.DataFrame:
    return APPENDIX.pivot(on="condition", index=["dataset", "model"], values=column)


def is_share(value: float, n: int, within: float = 0.00005) -> bool:
    return any(abs(value - k / n) <= within + 1e-9 for k in range(n + 1))


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


def _changes(model: str, condition: str) -> pl.Series:
    rows = wide(FORGET).filter(pl.col("model") == model)
    return rows[condition] - rows["baseline_normal"]


def test_qwen3_vl_4b_does_not_drop_under_oracle_hard() -> None:
    drops = _changes("Qwen3-VL-4B-Instruct", "oracle_hard")
    assert len(drops) == 8
    assert round(100 * float(str(drops.mean())), 1) == -1.0
    assert float(str(drops.min())) > -0.05
    assert float(str(_changes("gemma-3-4b-it", "oracle_hard").mean())) < -0.4
    assert not entry("test_qwen3_vl_4b_does_not_drop_under_oracle_hard").agrees


def test_qwen3_vl_instruct_falls_further_with_size() -> None:
    falls = [_changes(f"Qwen3-VL-{size}B-Instruct", "unlearn_soft").mean() for size in (2, 4, 8)]
    assert [round(100 * float(str(value)), 1) for value in falls] == [5.0, -7.4, -14.6]
    found = entry("test_qwen3_vl_instruct_falls_further_with_size")
    assert not found.agrees
    assert "InternVL3: baseline 62.3, 70.8, 53.8" in found.recomputed


def test_attributes_start_lowest_and_vary_least() -> None:
    found = entry("test_attributes_start_lowest_and_vary_least")
    assert not found.agrees
    own = wide(FORGET).filter(pl.col("dataset").is_in(["LAD-Color", "LAD-Habitat", "SpatialMQA"]))["baseline_normal"]
    typed = (
        f"attribute mean {100 * float(str(own.mean())):.1f}, standard deviation {100 * float(str(own.std(ddof=0))):.1f}"
    )
    assert typed in found.recomputed
