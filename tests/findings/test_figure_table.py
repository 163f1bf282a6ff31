"""Figures as a table."""

import pytest

from forgetscope.findings.figure_table import figure_table
from forgetscope.findings.figures import Figure


def test_factors_are_columns_and_absent_ones_are_null() -> None:
    table = figure_table(
        [
            Figure("kept", {"load": "mmlu", "tokens": 500}, 0.5, n=10, low=0.2, high=0.8),
            Figure("lost", {"scenario": "revision"}, None, n=0, excluded=3, note="nothing was scored"),
        ]
    )
    assert table.columns[:4] == ["figure", "load", "tokens", "scenario"]
    assert table["tokens"].to_list() == ["500", None]
    assert table.row(1, named=True) == {
        "figure": "lost",
        "load": None,
        "tokens": None,
        "scenario": "revision",
        "value": None,
        "low": None,
        "high": None,
        "unit": "proportion",
        "n": 0,
        "excluded": 3,
        "interval_method": "",
        "note": "nothing was scored",
    }


def test_a_method_of_unlearning_is_not_how_a_figure_was_made() -> None:
    (row,) = figure_table([Figure("change", {"method": "npo"}, 0.5, n=1, method="mean")]).iter_rows(named=True)
    assert (row["method"], row["interval_method"]) == ("npo", "mean")


def test_no_figures_make_an_empty_table_with_its_columns() -> None:
    assert figure_table([]).columns[0] == "figure"
    assert figure_table([]).is_empty()


def test_a_factor_may_not_hide_a_column() -> None:
    with pytest.raises(ValueError, match="must not be called 'note'"):
        figure_table([Figure("kept", {"note": "x"}, 0.5, n=1)])
