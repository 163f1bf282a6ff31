"""The papers' printed tables are shipped, typed and whole."""

import polars as pl
import pytest

from forgetbench.data.published import published_table, published_tables
from forgetbench.errors import UnknownNameError

ROWS = {
    "prospective_table1_compliance": 21 + 18,
    "prospective_table3_task_accuracy": 21,
    "prospective_table4_stacking": 12,
    "prospective_table8_statistics": 21,
    "prospective_table9_tokens": 13,
    "prospective_table10_mechanisms": 5,
    "prospective_table12_stacking_load": 9,
    "prospective_table13_type_under_stacking": 11,
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
def test_percentages_lie_between_0_and_100(name: str) -> None:
    table = published_table(name)
    for column, kind in table.schema.items():
        if kind == pl.Float64:
            assert table[column].drop_nulls().is_between(0, 100).all()


def test_an_unknown_table_is_named_together_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match=r"prospective_table2.*prospective_table1_compliance"):
        published_table("prospective_table2")
