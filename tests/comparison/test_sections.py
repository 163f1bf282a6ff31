"""What a comparison says in words, and that its figures are named and complete."""

import re

import polars as pl
import pytest

from forgetscope.comparison import compare
from forgetscope.comparison.findings import headline_findings, value_name
from forgetscope.comparison.numbers import comparison_figures
from forgetscope.comparison.paper_sections import paper_findings, paper_sections
from forgetscope.comparison.published import beside_paper
from forgetscope.comparison.sections import comparison_sections
from forgetscope.findings.beside_paper import PrintedFigure
from forgetscope.findings.figures import Browser, Cell, Chart, Column, Figure, Finding, Results, Section, Table
from forgetscope.findings.measures import FigureIndex
from forgetscope.report.wording import write_cell
from tests.comparison.invented import DESIGN, make_run, make_table

ONE = make_table({"easy": [True] * 8 + [False] * 2, "hard": [False] * 10})
TWO = make_table({"easy": [True] * 8 + [False] * 2, "hard": [True] * 10}, said="!")


def test_what_is_shown_has_its_numbers_and_what_is_not_says_what_was_missed() -> None:
    shown, open_ = headline_findings(compare(DESIGN, [make_run(ONE), make_run(TWO, "two")]))
    assert shown.verdict == "shown"
    assert shown.text.startswith("Right answers: hard: two (100.0%) is 100.0 points above one (0.0%; 95% interval")
    assert "p 0.004 after Holm, 10 matched pairs)." in shown.text
    assert open_.verdict == "undecided"
    assert re.search(r"easy: two \(80.0%\) is no different from one .*less than 33.0 points would", open_.text)


def test_what_could_be_detected_is_written_in_points_like_every_size() -> None:
    sections = comparison_sections(compare(DESIGN, [make_run(ONE), make_run(TWO, "two")]), None)
    tables = [block for section in sections for block in section.blocks if isinstance(block, Table)]
    shown = [
        write_cell(row["Detectable"], column.kind)
        for table in tables
        for column in table.columns
        if column.key == "Detectable"
        for row in table.rows
    ]
    assert "33.0" in shown
    assert all(re.fullmatch(r"\d+\.\d|–", text) for text in shown)


def test_a_run_and_itself_get_one_sentence() -> None:
    (only,) = headline_findings(compare(DESIGN, [make_run(ONE), make_run(ONE, "two")]))
    assert only.text == "No difference anywhere: every reply is the same in 20 samples."


def test_other_replies_with_the_same_verdicts_are_not_called_the_same() -> None:
    (only,) = headline_findings(compare(DESIGN, [make_run(ONE), make_run(ONE.with_columns(reply=pl.lit("x")), "two")]))
    assert only.verdict == "undecided"
    assert only.text.startswith("Right answers: no difference is shown. In points: easy 0.0; hard 0.0.")


def test_what_keeps_the_runs_apart_stands_first() -> None:
    short = make_run(TWO.head(15), "two", decoding="hot", planned=20)
    texts = [entry.text for entry in headline_findings(compare(DESIGN, [make_run(ONE), short]))]
    assert texts[0] == "two: only 15 of 20 planned samples are in its logs."
    assert texts[1] == "5 samples that some run lacks are left out; the comparison is over the 15 that all hold."
    assert texts[2] == "Not the same in all runs: decoding (one: greedy; two: hot)."


def test_runs_whose_replies_were_cut_off_are_named() -> None:
    cut = TWO.with_columns(status=pl.lit("truncated"))
    texts = [entry.text for entry in headline_findings(compare(DESIGN, [make_run(ONE), make_run(cut, "two")]))]
    assert texts[0] == "two is length-limited: 20 of 20 matched replies were cut off."


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        (Column("problems", "Problems", "integer"), 3, "problems 3"),
        (Column("condition", "Condition"), "task_only", "task only"),
        (Column("seed", "Seed", names={"42": "the paper's"}), 42, "the paper's"),
        (Column("load", "Load"), None, ""),
        (Column("kept", "Kept"), True, "True"),
    ],
)
def test_a_cell_named_by_a_number_says_what_it_counts(column: Column, value: Cell, said: str) -> None:
    assert value_name(column, value) == said


def test_many_runs_are_summed_up() -> None:
    third = make_run(make_table({"easy": [True] * 8 + [False] * 2, "hard": [False] * 10}), "three")
    found = compare(DESIGN, [make_run(ONE), make_run(TWO, "two"), third])
    (only,) = headline_findings(found)
    assert only.text.startswith("Right answers, by condition: 2 differences of 6 comparisons are shown (Holm)")
    tables = [block for section in comparison_sections(found, None) for block in section.blocks]
    sets = next(block for block in tables if isinstance(block, Table) and "not told apart" in block.title)
    assert [row["Sets of runs not told apart"] for row in sets.rows] == ["{one, two, three}", "{one, three}; {two}"]


def test_figures_have_distinct_names_and_factors() -> None:
    figures = tuple(comparison_figures(compare(DESIGN, [make_run(ONE), make_run(TWO, "two")])))
    index = FigureIndex(figures)
    factors = {"table": "by condition", "condition": "hard", "first": "one", "second": "two"}
    assert index.value("right.difference", **factors) == 1.0
    assert index.value("right.p", **factors) == pytest.approx(2 / 2**10)
    assert index.value("right.mcnemar.corrected", **factors) is not None
    assert index.value("answer.samples.gained", first="one", second="two") == 10


def test_the_samples_can_be_filtered_by_what_changed_and_read_side_by_side() -> None:
    browser = Browser((Column("condition", "Condition"),), (Column("sample_id", "Sample"),))
    sections = comparison_sections(compare(DESIGN, [make_run(ONE), make_run(TWO, "two")]), browser)
    (made,) = (block for block in sections[-1].blocks if isinstance(block, Browser))
    assert [column.key for column in made.filters] == ["change_answer", "run", "condition"]
    assert made.together == ("sample_id",)
    assert made.apart is not None
    assert list(made.apart.names) == ["one", "two"]
    assert any(isinstance(block, Chart) for section in sections for block in section.blocks)


def _figure(value: float, low: float | None, high: float | None) -> Figure:
    return Figure("rate", {"condition": "easy"}, value, 10, 0, low, high)


PRINTED = tuple(
    PrintedFigure("rate", {"condition": "easy"}, model, value, "Table 1")
    for model, value in (("low", 0.1), ("within", 0.5), ("high", 0.9))
)


def test_a_printed_figure_lies_inside_above_or_below_the_runs_interval() -> None:
    (row,) = beside_paper(PRINTED, [FigureIndex([_figure(0.5, 0.3, 0.7)]), FigureIndex([])])
    assert [beside.place(0) for beside in row.models] == ["below", "inside", "above"]
    assert [beside.place(1) for beside in row.models] == [None] * 3
    (alone,) = beside_paper(PRINTED, [FigureIndex([_figure(0.5, None, None)])])
    assert alone.models[0].place(0) == "no interval"


def test_printed_figures_no_run_has_are_left_out() -> None:
    assert beside_paper(PRINTED, [FigureIndex([])]) == ()


def test_caveats_come_first_and_say_whose_they_are() -> None:
    own = Section("Beside the paper", (Finding("Other data.", "warning"),), slug="published")
    cut = Section(
        "Beside the paper", (Finding("Other data.", "warning"), Finding("Cut off.", "warning")), slug="published"
    )
    rows = beside_paper(PRINTED, [FigureIndex([_figure(0.5, 0.3, 0.7)])] * 2)
    joint, *full = paper_sections(["a", "b"], [Results((), (own,)), Results((), (cut,))], rows)
    assert [block.text for block in joint.blocks if isinstance(block, Finding)] == ["Other data.", "b: Cut off."]
    assert len(full) == 2
    (first, _) = paper_findings(["a", "b"], rows)
    assert first.text.startswith(
        "a beside the paper: 1 of 3 printed figures lie inside the run's 95% intervals, 1 above"
    )
