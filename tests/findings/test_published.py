"""The papers' printed tables are shipped, typed and whole."""

import polars as pl
import pytest

from forgetscope.core.errors import UnknownNameError
from forgetscope.findings.published import published_model, published_table, published_tables

ROWS = {
    "in_context_table1_main": 11 * 3,
    "in_context_table2_prompt_strategy": 2 * 3 * 3,
    "in_context_table4_wrong_to_right": 11 * 3,
    "in_context_table5_difference": 11 * 3,
    "in_context_tables6to8_context_length": 3 * 7 * 3,
    "in_context_table10_correlations": 4,
    "in_context_table11_average": 11,
    "in_context_table12_agreement": 3,
    "in_context_table13_annotators": 3 * 3,
    "in_context_table14_kappa": 6,
    "prospective_table1_compliance": 21 + 18,
    "prospective_table2_types": 7 * 3,
    "prospective_table3_task_accuracy": 21,
    "prospective_table4_stacking": 12,
    "prospective_table8_statistics": 21,
    "prospective_table9_tokens": 13,
    "prospective_table10_mechanisms": 5,
    "prospective_table12_stacking_load": 9,
    "prospective_table13_type_under_stacking": 11,
    "prospective_table14_tension": 4 * 3,
    "unlearning_table1_change": 2 * 3 * 3 * 3,
    "visual_appendixA": 485,
    "visual_table1_splits": 13,
}


@pytest.mark.parametrize(("name", "rows"), ROWS.items())
def test_every_printed_table_is_shipped_with_all_its_rows(name: str, rows: int) -> None:
    assert published_table(name).height == rows


def test_the_names_listed_are_the_tables_there_are() -> None:
    assert set(published_tables()) == set(ROWS)


def test_only_the_baselines_have_no_delta_effect_size_or_p_value() -> None:
    table = published_table("prospective_table8_statistics")
    empty = table.filter(pl.any_horizontal(pl.col("delta_percent", "cohens_h", "mcnemar_p").is_null()))
    assert empty["condition"].to_list() == ["baseline"] * 3


@pytest.mark.parametrize("name", ROWS)
def test_percentages_lie_between_0_and_100_and_only_points_may_be_negative(name: str) -> None:
    table = published_table(name)
    for column, kind in table.schema.items():
        if kind == pl.Float64:
            lowest = -100 if column.endswith("_points") else 0
            assert table[column].drop_nulls().is_between(lowest, 100).all()


def test_a_tension_pairs_gap_and_the_safe_stacks_of_two_make_a_rate() -> None:
    safe = published_table("prospective_table4_stacking").filter(pl.col("constraints") == 2)
    pairs = published_table("prospective_table14_tension").join(safe, on="model")
    joint = pairs["gap_points"] + pairs["joint_compliance_percent"]
    assert joint.is_between(0, 100).all()
    mirrored = pairs.filter(pl.col("joint_compliance_percent") - pl.col("gap_points") <= 100)
    losses = mirrored.filter(pl.col("gap_points") < 0)["gap_points"].to_list()
    assert losses == [-1.9, -16.7], "losses whose sign the other table does not prove"


def test_a_model_has_one_name_whatever_a_table_calls_it() -> None:
    names = {
        table: {published_model(name) for name in published_table(table)["model"]}
        for table in published_tables()
        if table.startswith("in_context_table") and "model" in published_table(table).columns
    }
    main = names["in_context_table1_main"]
    assert len(main) == 11
    for table in ("in_context_table4_wrong_to_right", "in_context_table5_difference", "in_context_table11_average"):
        assert names[table] == main
    assert names["in_context_table2_prompt_strategy"] < main
    # Tables 6 and 8 name models of Table 1; Table 7 says Llama 3.3, Table 1 Llama3, which may be another model.
    assert names["in_context_tables6to8_context_length"] - main == {"Llama-3.3-70B"}
    assert published_model("o4-mini") == "o4-mini"


def test_an_unknown_table_is_named_together_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match=r"prospective_table2.*prospective_table1_compliance"):
        published_table("prospective_table2")
