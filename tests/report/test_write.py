"""What `write_report` leaves behind, and what a hostile benchmark or model cannot do to the page."""

import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from forgetscope.benchmarks.base import Benchmark, FigureFacts
from forgetscope.core.errors import RunFolderError
from forgetscope.core.settings import Settings
from forgetscope.findings.figures import Browser, Chart, Column, Finding, Interval, Results, Section, Series, Table
from forgetscope.report import write, write_report
from forgetscope.report.chapters import Chapter
from forgetscope.report.page import render_page
from forgetscope.report.summary import make_summary, read_summary
from forgetscope.report.tables import view_table
from tests.report.synthetic import make_chapter, make_results, make_run, make_table

HOSTILE = "</textarea></script><script>window.hit=1</script><img src=x onerror=window.hit=1>\u202e'\""


class Elements(HTMLParser):
    """Collects every start tag with its attributes, and the text outside scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - the parser's signature
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside not in ("script", "style"):
            self.text += data


@pytest.fixture
def invented(monkeypatch: pytest.MonkeyPatch) -> None:
    """A benchmark named `invented` whose results are the synthetic ones."""

    class InventedSettings(Settings):
        seeds: tuple[int, ...] = ()

    def results(table: pl.DataFrame, facts: FigureFacts) -> Results:
        assert table.height
        assert isinstance(facts.settings, InventedSettings)
        assert facts.settings.data == "embedded"
        assert facts.published is False
        return make_results()

    def unused(*_: object) -> Any:
        raise AssertionError("the report needs the results alone")

    benchmark = Benchmark(
        name="invented",
        title="Invented",
        settings=InventedSettings,
        prompts_version="1",
        plan=unused,
        task_function=unused,
        row=unused,
        columns={},
        results=results,
    )
    monkeypatch.setattr(write, "get_benchmark", {"invented": benchmark}.__getitem__)


@pytest.mark.usefixtures("invented")
class TestWriteReport:
    def test_summary_and_page_lie_in_the_run_folder(self, tmp_path: Path) -> None:
        written = write_report(make_run(tmp_path, make_table(20)))
        assert written.html == tmp_path / "report.html"
        assert written.summary == tmp_path / "summary.json"
        assert written.summary.read_text(encoding="utf-8") == written.summary_json
        assert len(read_summary(written.summary).figures) == len(make_results().figures)

    def test_the_page_goes_where_it_is_asked_to(self, tmp_path: Path) -> None:
        run = make_run(tmp_path, make_table(5))
        assert write_report(run, out=tmp_path / "other.html").html == tmp_path / "other.html"
        (tmp_path / "sub").mkdir()
        assert write_report(run, out=tmp_path / "sub").html == tmp_path / "sub" / "report.html"

    def test_a_folder_that_is_not_there_is_one_clear_line(self, tmp_path: Path) -> None:
        with pytest.raises(RunFolderError, match="cannot write"):
            write_report(make_run(tmp_path, make_table(5)), out=tmp_path / "none" / "report.html")

    def test_headlines_are_plain_lines(self, tmp_path: Path) -> None:
        lines = write_report(make_run(tmp_path, make_table(5))).headlines
        assert lines[0].startswith("Under load, 46.1%")
        assert lines[-1] == "Warning: 11.8% of the replies were cut off at 256 tokens."

    def test_a_run_with_samples_missing_says_so_first(self, tmp_path: Path) -> None:
        whole = make_run(tmp_path, make_table(20))
        assert "planned samples are in the logs" not in write_report(whole).headlines[0]
        stopped = replace(whole, table=whole.table.head(7))
        written = write_report(stopped)
        assert written.headlines[0].startswith("Warning: Only 7 of 20 planned samples are in the logs")
        assert "Only 7 of 20 planned samples" in written.html.read_text(encoding="utf-8")

    def test_the_same_run_gives_the_same_page(self, tmp_path: Path) -> None:
        run = make_run(tmp_path, make_table(20))
        first = write_report(run).html.read_bytes()
        assert write_report(run).html.read_bytes() == first


@cache
def plain_page() -> str:
    """A page with every kind of block."""
    return render_page((make_chapter(Path(), make_table(20)),))


def hostile_chapter() -> Chapter:
    """Every text a hostile one."""
    interval = Interval(0.5, 0.4, 0.6, note=HOSTILE)
    results = Results(
        (),
        (
            Section(
                HOSTILE,
                (
                    Finding(HOSTILE, "warning"),
                    Table(
                        HOSTILE,
                        (Column("a", HOSTILE, help=HOSTILE), Column("b", "b", "percent")),
                        ({"a": HOSTILE, "b": interval},),
                        HOSTILE,
                    ),
                    Chart("bars", HOSTILE, (HOSTILE,), (Series(HOSTILE, (interval,)),), HOSTILE, HOSTILE),
                    Browser((Column("type", HOSTILE),), (Column("reason", HOSTILE),)),
                ),
                HOSTILE,
            ),
        ),
        (Finding(HOSTILE),),
    )
    table = make_table(10, replies=(HOSTILE,)).with_columns(reason=pl.lit(HOSTILE), type=pl.lit(HOSTILE))
    run = make_run(Path(), table)
    model = run.manifest.model.model_copy(update={"name": HOSTILE, "decoding": HOSTILE})
    manifest = run.manifest.model_copy(update={"model": model, "notes": [HOSTILE], "settings": {"data": HOSTILE}})
    return Chapter(make_summary(type(run)(run.folder, manifest, table), HOSTILE, (), results.headlines), results, table)


def test_hostile_text_is_never_markup() -> None:
    page = Elements(render_page((hostile_chapter(),)))
    assert "img" not in {tag for tag, _ in page.tags}
    assert [attributes.get("type") for tag, attributes in page.tags if tag == "script"] == ["application/json", None]
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on") or name == "style"]
    assert "\u202e" not in page.text
    assert page.text.count("<img src=x onerror=window.hit=1>[U+202E]") > 8


def test_nothing_in_the_page_points_outside() -> None:
    page = Elements(plain_page())
    for tag, attributes in page.tags:
        for name in ("href", "src", "action", "srcset", "data"):
            target = attributes.get(name)
            assert target is None or target.startswith(("#", "data:,")), (tag, target)


def test_the_policy_allows_nothing_but_our_own_style_and_script() -> None:
    page = plain_page()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    words = policy[1].replace("&#39;", "'")
    assert words.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in words


def test_embedded_data_and_other_decoding_are_labelled() -> None:
    text = " ".join(Elements(plain_page()).text.split())
    assert "embedded data" in text
    assert "greedy + repetition penalty 1.1, not the paper's" in text


def test_several_runs_share_a_page_without_sharing_ids() -> None:
    chapters = (make_chapter(Path(), make_table(5)), make_chapter(Path(), make_table(7)))
    ids = [attributes["id"] for _, attributes in Elements(render_page(chapters)).tags if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_sections_may_be_named_like_parts_of_the_page_or_like_each_other() -> None:
    results = Results(
        (), tuple(Section("S", (), slug=slug) for slug in ("outcomes", "outcomes", "methods", "", "2", "<"))
    )
    table = make_table(3)
    page = render_page((Chapter(make_summary(make_run(Path(), table), "T", (), ()), results, table),))
    ids = [attributes["id"] for _, attributes in Elements(page).tags if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_no_run_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one run"):
        render_page(())


def test_an_empty_table_and_no_sections_still_make_a_page() -> None:
    table = make_table(0)
    results = Results(())
    page = render_page((Chapter(make_summary(make_run(Path(), table), "Empty", (), ()), results, table),))
    assert "No samples." in page


def test_intervals_of_a_column_stand_under_each_other() -> None:
    rows = ({"x": Interval(0.5, 0.04, 0.9)}, {"x": Interval(0.5, 0.41, 1.0)}, {"x": None})
    cells = [row[0] for row in view_table(Table("t", (Column("x", "x", "percent"),), rows)).rows]
    assert [cell.interval for cell in cells[:2]] == [
        "[\u20074.0,\u2007\u200790.0]".replace(",\u2007", ", "),
        "[41.0, 100.0]",
    ]
    assert cells[2].is_padding


def test_notes_of_cells_become_footnotes_said_once() -> None:
    rows = ({"x": Interval(None, note="no items")}, {"x": Interval(None, note="no items")}, {"x": Interval(0.1)})
    view = view_table(Table("t", (Column("x", "x", "percent"),), rows))
    assert view.footnotes == (("a", "no items"),)
    assert [row[0].mark for row in view.rows] == ["a", "a", ""]


def test_settings_in_the_page_are_json_the_summary_has_too(tmp_path: Path) -> None:
    chapter = make_chapter(tmp_path, make_table(3))
    assert json.loads(chapter.summary.as_json())["run"]["settings"]["seeds"] == [42, 137]
