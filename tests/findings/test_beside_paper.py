"""Printed tables with a run in them: the right figure beside each value, and nothing where the run has none."""

import polars as pl
import pytest

from forgetscope.findings.beside_paper import PrintedTable, beside_paper_section
from forgetscope.findings.figures import Column, Figure, Finding, Interval, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.findings.tables import label

FRAME = pl.DataFrame(
    {
        "task": ["math", "math", "trivia", "trivia"],
        "model": ["A", "B", "A", "B"],
        "kept_percent": [86.1, 89.3, 82.2, None],
        "h": [0.1, 0.2, 0.3, 0.4],
    }
)
ACROSS = PrintedTable(
    "Table 1 beside this run",
    "published-1",
    FRAME,
    (Column("kept_percent", "", "percent"), Column("h", "h", "number")),
    lambda row: [("kept", {"load": row["task"]}), ("h", {"load": row["task"]})],
    rows=("task",),
    labels=(label("Task", "task"),),
)
DOWN = PrintedTable(
    "Table 2 beside this run",
    "published-2",
    FRAME.filter(pl.col("task") == "math"),
    (Column("kept_percent", "Kept", "percent"),),
    lambda _: [("kept", {"load": "math"})],
    is_by_model=True,
)
INDEX = FigureIndex(
    [
        Figure("kept", {"load": "math"}, 0.5, 10, low=0.3, high=0.7),
        Figure("h", {"load": "math"}, 1.5, 10, unit="h", note="large"),
    ]
)


def test_the_run_stands_before_the_models_measure_by_measure() -> None:
    found = ACROSS.beside(INDEX)
    assert found is not None
    assert [head.label for head in found.columns] == ["Task", "This run", "A", "B", "h, this run", "h, A", "h, B"]
    math, trivia = (list(row.values()) for row in found.rows)
    assert math == ["math", Interval(0.5, 0.3, 0.7), pytest.approx(0.861), pytest.approx(0.893), 1.5, 0.1, 0.2]
    assert trivia == ["trivia", None, pytest.approx(0.822), None, None, 0.3, 0.4]


def test_models_may_be_the_rows_with_the_run_first() -> None:
    found = DOWN.beside(INDEX)
    assert found is not None
    assert [row["Model"] for row in found.rows] == ["this run", "A", "B"]
    assert [row["Kept"] for row in found.rows] == [Interval(0.5, 0.3, 0.7), pytest.approx(0.861), pytest.approx(0.893)]


def test_a_table_of_which_the_run_has_nothing_is_left_out_and_caveats_come_first() -> None:
    section = beside_paper_section(INDEX, ["other data"], [ACROSS, DOWN], about="One run a cell.")
    first, *tables = section.blocks
    assert first == Finding("Other data.", "warning")
    assert [block.slug for block in tables if isinstance(block, Table)] == ["published-1", "published-2"]
    assert section.intro.endswith("The run's intervals are ours. One run a cell.")
    assert beside_paper_section(FigureIndex([]), [], [ACROSS, DOWN]).blocks == ()


def test_printed_rates_are_figures_to_compare_with_each_once() -> None:
    twice = PrintedTable("T", "t", FRAME, ACROSS.values[:1], lambda _: [("kept", {})], rows=("task",))
    found = list(twice.figures("Table 1"))
    assert [(one.name, one.model) for one in found] == [("kept", "A"), ("kept", "B")]
    assert [one.value for one in found] == pytest.approx([0.861, 0.893])
    assert {(one.factors["load"], one.unit) for one in ACROSS.figures("Table 1")} == {
        ("math", "proportion"),
        ("trivia", "proportion"),
    }
