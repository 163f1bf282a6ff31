"""Pictures in the report: each once, small pictures alone, harmless texts, and a click that opens the sample."""

import base64
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from PIL import Image

from forgetscope.findings.figures import (
    Browser,
    Case,
    CaseAnswer,
    CasePoint,
    CaseRow,
    Choice,
    Column,
    Gallery,
    Results,
    Section,
)
from forgetscope.report.chapters import Chapter
from forgetscope.report.page import render_page
from forgetscope.report.samples import embed_pictures
from forgetscope.report.summary import make_summary
from tests.browsing import Watched, watch
from tests.report.synthetic import make_run, make_table
from tests.report.test_write import HOSTILE


def small(colour: str) -> str:
    """A picture of one colour as a data URI."""
    written = io.BytesIO()
    Image.new("RGB", (40, 30), colour).save(written, "WEBP")
    return f"data:image/webp;base64,{base64.b64encode(written.getvalue()).decode()}"


PICTURES = {"animals/fox.png": small("orange"), "animals/owl.png": small("brown")}


def pictured(rows: int = 4) -> pl.DataFrame:
    """The first sample shows the fox, the second the owl, the others nothing."""
    table = make_table(rows)
    shown = ["fox.png", "owl.png", *[""] * (rows - 2)]
    return table.with_columns(
        split=pl.lit("animals"),
        image=pl.Series(shown),
        item=pl.lit("one"),
        choices=pl.Series([["a fox", "an owl"]] * rows),
        predicted=pl.Series([0] * rows),
        answer=pl.Series([1] * rows),
    )


def results(table: pl.DataFrame, words: str = "told to forget") -> Results:
    ids = table["sample_id"].to_list()
    own = CaseAnswer(words, "correct", ids[0])
    other = CaseAnswer("owl", "incorrect", ids[1], asked="another's picture", picture="animals/owl.png")
    case = Case(
        f"fox {words}",
        "suppressed",
        "animals/fox.png",
        f"What is it? {words}",
        ("a fox", "an owl"),
        1,
        (CaseRow("baseline", words, ((own,), (), (other,))),),
        (CasePoint(f"evidence {words}", words, own),),
    )
    gallery = Gallery("Cases", ("with", "without", "otherwise"), (case,), note=words)
    browser = Browser(
        (Column("condition", "Condition"),),
        together=("item",),
        apart=Column("sample_id", "Sample"),
        picture=("split", "image"),
        choices=(Choice("Options", "choices", "predicted", (Column("answer", "right"),), is_counted=True),),
    )
    blocks = (gallery, replace(gallery, folded=True), browser)
    return Results((), (Section("Pictures", blocks, slug="pictures"),), pictures=PICTURES)


def page(folder: Path, words: str = "told to forget") -> str:
    table = pictured()
    found = results(table, words)
    return render_page((Chapter(make_summary(make_run(folder, table), "Invented", (), ()), found, table),))


def test_a_picture_stands_once_in_a_page_however_often_it_is_shown(tmp_path: Path) -> None:
    made = page(tmp_path)
    stored = re.search(r'<script type="application/json" id="c1--pictures">(.*?)</script>', made)
    assert stored is not None
    assert json.loads(stored.group(1)) == PICTURES
    assert [made.count(uri.split(",")[1]) for uri in PICTURES.values()] == [1, 1]


def test_every_text_of_a_case_is_text_whatever_it_says(tmp_path: Path) -> None:
    made = page(tmp_path, HOSTILE)
    assert "<img" not in made.split("<main")[1].split("<script")[0]
    assert "window.hit=1</script>" not in made


@pytest.mark.parametrize(
    "uri",
    [
        "https://example.org/a.png",
        "data:image/svg+xml;base64,AAAA",
        "data:text/html;base64,AAAA",
        'data:image/png;base64,AA"onerror=',
    ],
)
def test_what_is_no_small_picture_does_not_enter_a_page(uri: str) -> None:
    with pytest.raises(ValueError, match="is no small picture"):
        embed_pictures({"animals/fox.png": uri})


@pytest.fixture(scope="module")
def shown(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    path = tmp_path_factory.mktemp("gallery") / "report.html"
    path.write_text(page(path.parent, HOSTILE), encoding="utf-8")
    yield from watch(browser, path)


@pytest.mark.browser
def test_an_answer_opens_its_sample_with_the_picture_that_was_shown(shown: Watched) -> None:
    inside = shown.page
    assert inside.locator(".case .shot.large img").first.evaluate("image => image.naturalWidth") == 40
    inside.locator("button[data-sample]").first.click()
    assert inside.locator("dialog[open] .path").inner_text() == "animals/fox.png"
    assert inside.locator("dialog[open] .shot img").evaluate("image => image.src") == PICTURES["animals/fox.png"]
    options = inside.locator("dialog[open] .options")
    assert (options.get_attribute("start"), options.inner_text().split()[-1]) == ("0", "right")
    inside.keyboard.press("Escape")


@pytest.mark.browser
def test_side_by_side_every_column_has_the_picture_it_showed_and_none_where_none_was(shown: Watched) -> None:
    inside = shown.page
    inside.locator("button[data-sample]").first.click()
    inside.locator("dialog .both").click()
    assert inside.locator("dialog[open] .column").count() == 4
    assert inside.locator("dialog[open] .column .shot img").count() == 2
    inside.locator("dialog .both").click()
    inside.keyboard.press("Escape")
