"""What two runs are compared by: residue item by item."""

import polars as pl
import pytest

from forgetscope.benchmarks.in_context.metrics.residue import in_context_residues
from forgetscope.benchmarks.in_context.metrics.study import InContextStudy
from forgetscope.benchmarks.in_context.report.comparison import COMPARISON
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.comparison.design import UNIT_COLUMNS
from tests.benchmarks.in_context.answered import answered_table

SETTINGS = InContextSettings()
(RESIDUE,) = (measure for measure in COMPARISON.measures if measure.name == "residue")


@pytest.mark.parametrize("name", ["perfect-forgetter", "stubborn", "mixed"])
def test_the_units_of_a_residue_add_up_to_the_residue_of_the_report(name: str) -> None:
    table = answered_table(SETTINGS, name)
    units = RESIDUE.units(table)
    assert units["unit"].is_unique().all()
    assert {*UNIT_COLUMNS, "condition", "probe", "length", "strategy"} <= {*units.columns}
    sums = units.group_by("condition").agg(pl.col("above").sum(), pl.col("below").sum())
    by_hand = {condition: above / below for condition, above, below in sums.iter_rows() if below}
    figures = [entry for entry in in_context_residues(InContextStudy.of(table, SETTINGS)) if entry.name == "residue"]
    shown = {str(entry.factors["condition"]): entry.value for entry in figures if entry.value is not None}
    assert shown.keys() <= by_hand.keys()
    assert shown
    for condition, value in shown.items():
        assert value == pytest.approx(by_hand[condition])


def test_a_run_without_never_told_dialogues_has_no_units() -> None:
    plain = InContextSettings(arms="none")
    units = RESIDUE.units(answered_table(plain, "stubborn"))
    assert units.height == 0
