"""A chapter: one open screen, the rest under headings, and nothing said twice."""

from dataclasses import replace
from pathlib import Path

from forgetscope.findings.figures import Cell, Chart, Column, Finding, Interval, Results, Section, Series, Table
from forgetscope.report.chapters import Chapter, ChapterView, view_chapter
from forgetscope.report.tables import view_table
from tests.report.synthetic import make_chapter, make_table

FOUND = Finding("It fell by 20.0 points.", "shown")
CHART = Chart("bars", "Bars", ("a", "b"), (Series("plain", (Interval(0.4, 0.3, 0.5), Interval(0.6))),), "In words.")
NUMBERS = Table(
    "Numbers", (Column("x", "x", "percent"),), ({"x": Interval(0.4, 0.3, 0.5)}, {"x": Interval(0.6)}), slug="numbers"
)


def chapter(*sections: Section, headlines: tuple[Finding, ...] = ()) -> ChapterView:
    made = make_chapter(Path(), make_table(3))
    return view_chapter(Chapter(made.summary, Results((), sections, headlines), made.table), "c1")


def test_what_the_first_screen_says_is_not_said_below() -> None:
    other = Finding("Something else.", "undecided")
    view = chapter(
        Section("First", (FOUND, other)), Section("Second", (other, FOUND)), headlines=(FOUND, Finding("!", "warning"))
    )
    assert [entry.text for entry in view.answers] == [FOUND.text]
    assert [entry.text for entry in view.warnings] == ["!"]
    (section,) = view.sections
    assert [block.finding for block in section.blocks] == [other]


def test_the_first_chart_that_can_be_drawn_opens_the_chapter_and_leaves_its_section() -> None:
    zeros = replace(CHART, series=(Series("plain", (Interval(0.0), Interval(0.0))),))
    view = chapter(Section("First", (zeros,)), Section("Second", (CHART, NUMBERS)))
    assert view.opening is not None
    assert view.opening.svg
    assert [[block.kind for block in section.blocks] for section in view.sections] == [["chart"], ["table"]]
    assert view.sections[0].blocks[0].remark == "Not drawn: every value is zero."
    assert view.sections[0].holds == "1 table"


def test_numbers_that_a_table_beside_the_chart_has_are_not_printed_again() -> None:
    lonely = replace(CHART, title="Another", series=(Series("plain", (Interval(0.1), Interval(0.2))),))
    view = chapter(Section("First", (lonely,)), Section("Second", (replace(CHART, title="Second"), NUMBERS)))
    assert view.opening is not None
    assert view.opening.table is not None
    assert view.sections[0].blocks[0].table is None
    assert view.sections[0].blocks[0].svg


def test_the_first_sentence_of_an_introduction_stands_under_the_title() -> None:
    intro = "Access is accuracy with the picture less 5.2 points. A model can obey without seeing. So look."
    (section,) = chapter(Section("Evidence", (FOUND,), intro)).sections
    assert section.line == "Access is accuracy with the picture less 5.2 points."
    assert section.intro == "A model can obey without seeing. So look."


def test_a_section_on_outcomes_stands_with_the_account() -> None:
    view = chapter(Section("Outcomes", (NUMBERS,), slug="outcomes"), Section("Rest", (FOUND,)))
    assert view.account is not None
    assert view.account.title == "Outcomes"
    assert [section.title for section in view.sections] == ["Rest"]


def test_a_table_too_wide_for_a_screen_stands_in_parts_with_the_same_labels() -> None:
    cell = Interval(0.5, 0.123, 0.987)
    columns = (Column("type", "type"), *(Column(f"x{number}", "compliance", "percent") for number in range(12)))
    row: dict[str, Cell | Interval] = {"type": "number_bullets", **{f"x{number}": cell for number in range(12)}}
    narrow = view_table(Table("t", columns[:4], (row,)))
    assert not narrow.is_stacked
    assert len(narrow.parts) == 1
    wide = view_table(Table("t", columns, (row,)))
    assert wide.is_stacked
    assert [len(part.heads) for part in wide.parts] == [7, 7]
    assert {part.rows[0][0].text for part in wide.parts} == {"number_bullets"}
