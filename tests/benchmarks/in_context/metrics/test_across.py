"""Correlations across models: the paper's Table 10 from its Table 1, and what is left out."""

import pytest

from forgetscope.benchmarks.in_context.metrics.across import (
    ModelMeasures,
    across_figures,
    correlation_figures,
    measures_of,
)
from forgetscope.findings.figures import Cell, Figure
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.published import published_table

CELL: dict[str, Cell] = {"scenario": "subtask_revision", "length": "native", "strategy": "noforget"}
OTHER: dict[str, Cell] = {**CELL, "length": 500}


def run(na: float | None, fa: float | None, sfrr: float | None, *, other: bool = False) -> FigureIndex:
    cells = [CELL, OTHER] if other else [CELL]
    values = {"na": na, "fa": fa, "sfrr": sfrr}
    return FigureIndex(Figure(name, cell, value, 12) for cell in cells for name, value in values.items())


def test_the_papers_correlations_come_back_from_its_main_table() -> None:
    table = published_table("in_context_table1_main")
    printed = published_table("in_context_table10_correlations").rows_by_key("scenario", named=True, unique=True)
    for (scenario,), part in table.partition_by("scenario", as_dict=True).items():
        models = [
            ModelMeasures(row["model"], row["no_forget_accuracy"], row["forget_accuracy"], row["sfrr"])
            for row in part.iter_rows(named=True)
        ]
        found = {entry.name: entry for entry in correlation_figures(models, {"scenario": scenario})}
        assert len(found) == 3
        for name, entry in found.items():
            assert entry.n == 11
            assert entry.low is not None
            assert entry.value == pytest.approx(printed[scenario][name.removeprefix("correlation.")], abs=6e-4)


def test_four_models_on_a_line_but_one() -> None:
    models = [ModelMeasures(str(x), x, y, 1 - y) for x, y in ((1, 1), (2, 3), (3, 2), (4, 4))]
    found = {entry.name: entry for entry in correlation_figures(models, CELL)}
    assert found["correlation.na_fa"].value == pytest.approx(0.8)
    assert found["correlation.na_sfrr"].value == pytest.approx(-0.8)
    assert found["correlation.fa_sfrr"].value == pytest.approx(-1)
    assert found["correlation.fa_sfrr"].low is None
    assert "one line" in found["correlation.fa_sfrr"].note


def test_a_model_whose_sfrr_is_undefined_is_left_out_and_counted() -> None:
    runs = {
        "a": run(0.5, 0.4, 0.7),
        "b": run(0.6, 0.4, 0.6),
        "c": run(0.8, 0.5, 0.5),
        "amnesiac": run(0.0, 1.0, None),
    }
    for entry in across_figures(runs):
        assert (entry.n, entry.excluded) == (3, 1)
        assert "fewer than four units" in entry.note


def test_only_cells_that_two_runs_share_are_compared() -> None:
    runs = {"a": run(0.5, 0.4, 0.7, other=True), "b": run(0.6, 0.4, 0.6), "c": run(0.7, 0.3, 0.6)}
    found = list(across_figures(runs))
    assert len(found) == 3
    assert {entry.factors["length"] for entry in found} == {"native"}
    assert measures_of("b", runs["b"], OTHER) is None


def test_the_order_of_runs_changes_nothing() -> None:
    runs = {"a": run(0.5, 0.4, 0.7), "b": run(0.6, 0.45, 0.6), "c": run(0.8, 0.5, 0.65), "d": run(0.9, 0.4, 0.3)}
    forward = [entry.value for entry in across_figures(runs)]
    assert forward == pytest.approx([entry.value for entry in across_figures(dict(reversed(runs.items())))])
