"""What annotators are asked fits each scenario and form, and tells no verdict."""

import polars as pl
import pytest

from forgetscope.annotation.handout import make_sheets
from forgetscope.annotation.sampling import draw_sample, paired_population
from forgetscope.benchmarks import BENCHMARK_NAMES, get_benchmark
from forgetscope.benchmarks.in_context.scoring.columns import SCHEMA
from forgetscope.benchmarks.in_context.scoring.judges.annotation import (
    DESIGN,
    LATEST,
    RECALL,
    STATED,
    WITHHOLD,
    brief,
    population,
)
from forgetscope.benchmarks.in_context.settings import InContextSettings
from tests.benchmarks.in_context.answered import answered_table, with_judge

SETTINGS = InContextSettings(max_tokens=256)


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    return with_judge(answered_table(SETTINGS), sensitivity=0.9, specificity=0.9)


def rows(table: pl.DataFrame, scenario: str, form: str) -> list[dict[str, object]]:
    return list(population(table).filter(scenario=scenario, form=form).iter_rows(named=True))


def subtasks(row: dict[str, object], name: str) -> tuple[str, ...]:
    held = row[name]
    assert isinstance(held, list)
    return tuple(held)


def test_questions_by_scenario_and_form(table: pl.DataFrame) -> None:
    for scenario, form, expected in (
        ("instructional_forgetting", "noforget", RECALL),
        ("instructional_forgetting", "forget", WITHHOLD),
        ("dynamic_preference", "noforget", STATED),
        ("dynamic_preference", "forget", LATEST),
    ):
        assert {brief(row).question for row in rows(table, scenario, form)} == {expected.question}


def test_revision_lists_its_subtasks_by_what_has_to_become_of_them(table: pl.DataFrame) -> None:
    for row in rows(table, "subtask_revision", "forget"):
        common, original, revised = (
            subtasks(row, name) for name in ("common_subtasks", "original_only_subtasks", "revised_only_subtasks")
        )
        points = brief(row).points
        assert points["The reply does all of these"] == common + revised
        assert points["The first answer, in the dialogue, did all of these"] == common
        assert points.get("The reply does not do all of these any more", ()) == original
    for row in rows(table, "subtask_revision", "noforget"):
        assert [*brief(row).points] == ["The reply does all of these"]


def test_the_population_is_the_headlines_and_asks_no_neighbour(table: pl.DataFrame) -> None:
    assert set(population(table)["probe"]) == {"query"}
    assert population(table).height == 360
    settings = InContextSettings(
        max_tokens=256, limit=2, lengths="native,500", strategies="noforget,forget", probes="none"
    )
    several = population(answered_table(settings))
    assert several.height == 12
    assert set(several["strategy"]) == {"noforget"}
    assert several["length"].is_null().all()


def test_columns_of_the_design_are_in_the_sample_table() -> None:
    for name in (DESIGN.cell, DESIGN.stratum, *DESIGN.raters.values()):
        assert name in SCHEMA


def test_sheets_hold_the_dialogue_as_sent_and_no_verdict(table: pl.DataFrame) -> None:
    of = draw_sample(table, DESIGN, per_cell=4, seed=1)
    sheets = list(make_sheets(of.rows, DESIGN))
    assert len(sheets) == 24
    by_key = dict(of.rows.select("key", "reply").iter_rows())
    for sheet in sheets:
        assert sheet.turns[0][0] == "system"
        assert sheet.turns[-1][0] == "user"
        assert sheet.reply == by_key[sheet.key]


def test_both_forms_of_an_item_are_scored_or_it_is_left_out(table: pl.DataFrame) -> None:
    kept, left_out = paired_population(table, DESIGN)
    assert kept.height == 2 * (180 - left_out)


def test_this_benchmark_and_prospective_memory_are_put_to_people() -> None:
    asked = [name for name in BENCHMARK_NAMES if get_benchmark(name).annotation is not None]
    assert asked == ["in-context", "prospective"]
