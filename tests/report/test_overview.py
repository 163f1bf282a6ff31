"""The first page of a report on several runs."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from forgetscope.findings.figures import Figure, Profile, ProfileLine
from forgetscope.report.chapters import Chapter
from forgetscope.report.overview import OverviewRun, draw_interval, view_overview
from forgetscope.report.page import render_page
from tests.report.synthetic import make_chapter, make_table

SHARE = Figure("kept", {}, 0.4, 10, low=0.2, high=0.6)
LOSS = Figure("lost", {}, -0.1, 10, low=-0.3, high=0.1, unit="points")
NOTHING = Figure("kept", {}, None, 0, note="no scored samples; and more")


def profile(*lines: ProfileLine, about: str = "Kept: the share that is still there.") -> Profile:
    return Profile("Does it keep what it should?", about, lines)


def chapter(folder: Path, model: str, found: Profile | None, rows: int = 6) -> Chapter:
    made = make_chapter(folder, make_table(rows))
    run = made.summary.run.model_copy(update={"model": model})
    return Chapter(
        made.summary.model_copy(update={"run": run}), replace(made.results, profile=found, sections=()), made.table
    )


def overview_of(*chapters: Chapter) -> list[OverviewRun]:
    return [OverviewRun(f"c{number}", each.summary, each.results) for number, each in enumerate(chapters, start=1)]


def test_runs_of_one_benchmark_stand_side_by_side(tmp_path: Path) -> None:
    first = chapter(tmp_path / "a", "one", profile(ProfileLine("kept", SHARE, "higher"), ProfileLine("lost", LOSS)))
    second = chapter(tmp_path / "b", "two", profile(ProfileLine("kept", NOTHING, "higher")))
    page = view_overview(overview_of(first, second))
    (question,) = page.questions
    assert [run.model for run in question.runs] == ["one", "two"]
    kept, lost = question.lines
    assert (kept.label, kept.unit, kept.better) == ("kept", "%", "higher")
    assert [figure.number if figure else None for figure in kept.figures] == ["40.0", "–"]
    assert kept.figures[0] is not None
    assert kept.figures[0].interval == "20.0 to 60.0"
    assert kept.figures[1] is not None
    assert (kept.figures[1].why, kept.figures[1].drawing) == ("no scored samples", "")
    assert lost.figures[1] is None


def test_the_account_is_the_sum_of_the_runs(tmp_path: Path) -> None:
    runs = overview_of(chapter(tmp_path / "a", "one", profile(), rows=6), chapter(tmp_path / "b", "two", None, rows=9))
    page = view_overview(runs)
    assert (page.runs, page.samples) == (2, 15)
    assert sum(row.count for row in page.outcomes) == 15


def test_a_run_without_a_profile_is_in_the_account_alone(tmp_path: Path) -> None:
    page = view_overview(overview_of(chapter(tmp_path / "a", "one", None), chapter(tmp_path / "b", "two", None)))
    assert page.questions == ()
    assert page.samples == 12


@pytest.mark.parametrize(
    ("figure", "dot", "zero"),
    [
        (Figure("share", {}, 0.5, 9, low=0.4, high=0.6), 100.0, 5.0),
        (Figure("loss", {}, 0.5, 9, low=0.4, high=0.6, unit="points"), 147.5, 100.0),
        (Figure("worse than nothing", {}, -0.5, 9), 52.5, 100.0),
        (Figure("beyond the axis", {}, -7.0, 9, unit="points"), 5.0, 100.0),
    ],
)
def test_a_dot_lies_where_its_value_is_on_the_axis(figure: Figure, dot: float, zero: float) -> None:
    drawing = ET.fromstring(draw_interval(figure))  # noqa: S314 - our own drawing
    circle = drawing.find("circle")
    marks = {line.get("class"): line for line in drawing.findall("line")}
    assert circle is not None
    assert float(circle.get("cx", "nan")) == pytest.approx(dot)
    assert float(marks["zero"].get("x1", "nan")) == pytest.approx(zero)
    assert ("whisker" in marks) == (figure.low is not None)


def test_the_first_page_stands_before_several_chapters_alone_and_escapes_what_it_is_given(tmp_path: Path) -> None:
    bad = profile(ProfileLine("<i>kept</i>", SHARE), about="<script>alert(1)</script>")
    one, two = chapter(tmp_path / "a", "<b>one</b>", bad), chapter(tmp_path / "b", "two", None)
    both = render_page((one, two))
    assert both.index('id="overview"') < both.index('id="c1"')
    assert "&lt;script&gt;alert(1)" in both
    assert "<script>alert(1)" not in both
    assert "<b>one</b>" not in both
    assert "<i>kept</i>" not in both
    assert 'id="overview"' not in render_page((one,))


def test_what_a_chapter_opens_with_is_not_said_on_the_first_page_too(tmp_path: Path) -> None:
    chapters = tuple(chapter(tmp_path / name, name, profile(ProfileLine("kept", SHARE))) for name in ("a", "b"))
    said = [entry.text for entry in chapters[0].results.headlines if entry.verdict != "warning"]
    first_page = render_page(chapters).partition('id="c1"')[0]
    assert said
    assert "Kept: the share that is still there." in first_page
    assert not [text for text in said if text in first_page]


def test_runs_of_one_model_are_counted(tmp_path: Path) -> None:
    kept = profile(ProfileLine("kept", SHARE), ProfileLine("lost", LOSS))
    runs = [chapter(tmp_path / f"{number}", model, kept) for number, model in enumerate(("one", "two", "one"))]
    (question,) = view_overview(overview_of(*runs)).questions
    assert [run.model for run in question.runs] == ["one", "two", "one, run 2"]
    assert [len(line.figures) for line in question.lines] == [3, 3]


def test_an_answer_says_how_many_warnings_its_chapter_has(tmp_path: Path) -> None:
    (question,) = view_overview(overview_of(chapter(tmp_path, "one", profile()))).questions
    assert question.runs[0].warnings == sum(
        entry.verdict == "warning" for entry in make_chapter(tmp_path / "b", make_table(6)).results.headlines
    )
