"""Levels, axes and the whole run: means over all their concepts."""

from dataclasses import replace

import pytest

from forgetscope.benchmarks.visual.metrics.outcomes import RUN, diagnostic_figures
from forgetscope.benchmarks.visual.metrics.pooled import groups, pooled_figures
from forgetscope.findings.measures import FigureIndex
from tests.benchmarks.visual.metrics.small_tables import Row, row, rows, some, study

ALL = {"by": "all", "group": "all", "mode": "generate"}
PLACES = {"split": "rooms", "level": "scene", "axis": "type_indoor"}


def two_levels() -> list[Row]:
    return [
        *rows(some(4, 4)),
        *rows(some(2, 4), "unlearn_soft"),
        *rows(some(2, 2), forget_concept="kitchen", **PLACES),
        *rows(some(2, 2), "unlearn_soft", forget_concept="kitchen", **PLACES),
    ]


def test_the_whole_run_is_a_mean_over_the_concepts_of_all_splits() -> None:
    found = FigureIndex(pooled_figures(study(two_levels())))
    assert found.value("pooled.forget.macro", **ALL, condition="unlearn_soft") == pytest.approx((0.5 + 1) / 2)
    assert found.value("pooled.forget.change", **ALL, condition="unlearn_soft") == pytest.approx(-0.25)


def test_a_level_is_a_mean_over_its_own_concepts() -> None:
    found = FigureIndex(pooled_figures(study(two_levels())))
    factors = {"by": "level", "mode": "generate", "condition": "unlearn_soft"}
    assert found.value("pooled.forget.macro", **factors, group="object") == 0.5
    assert found.value("pooled.forget.macro", **factors, group="scene") == 1.0


def test_a_concept_of_two_splits_counts_in_each() -> None:
    again = rows(some(0, 4), split="more-animals")
    found = FigureIndex(pooled_figures(study(rows(some(4, 4)), again)))
    assert found.value("pooled.forget.macro", **ALL, condition="baseline_normal") == pytest.approx(0.5)


def test_groups_come_in_the_papers_order_and_know_their_splits() -> None:
    found = [(group.by, group.name, group.splits) for group in groups(study(two_levels()))]
    assert found == [
        ("level", "object", ("animals",)),
        ("level", "scene", ("rooms",)),
        ("axis", "identity", ("animals",)),
        ("axis", "type_indoor", ("rooms",)),
        ("all", "all", ("animals", "rooms")),
    ]


def test_an_axis_that_a_source_brought_comes_after_ours() -> None:
    found = groups(study(rows(some(2, 4)), rows(some(2, 4), split="swatches", level="attribute", axis="texture")))
    assert [group.name for group in found if group.by == "axis"] == ["identity", "texture"]


def test_of_one_split_the_pooled_figure_is_the_splits_own() -> None:
    found = FigureIndex(pooled_figures(study(rows(some(3, 4)), rows(some(1, 2), forget_concept="owl"))))
    assert found.value("pooled.forget.macro", **ALL, condition="baseline_normal") == pytest.approx((0.75 + 0.5) / 2)


def test_what_was_planned_and_is_not_in_the_table_is_missing() -> None:
    planned = {"forget baseline_normal": 5, "forget unlearn_soft no_image": 3}
    made = study(rows(some(2, 4)), [row("x", right=True, condition="unlearn_soft", phrasing=1)])
    found = FigureIndex(diagnostic_figures(replace(made, planned=planned)))
    assert found.value("outcomes.missing", cell="forget baseline_normal") == 1
    assert found.value("outcomes.missing", cell="forget unlearn_soft no_image") == 3
    assert found.value("outcomes.planned", cell="forget unlearn_soft rephrased") == 1
    assert found.value("outcomes.planned", **RUN) == 9
    assert found.value("outcomes.completeness", **RUN) == pytest.approx(5 / 9)
