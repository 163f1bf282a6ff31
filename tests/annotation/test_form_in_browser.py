"""The form in a real browser: filled in by hand, kept, saved, restored, and its agreement computed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from forgetscope.annotation.design import AnnotatorVerdict
from forgetscope.annotation.files import read_annotation
from forgetscope.annotation.handout import write_handout
from forgetscope.annotation.sampling import reply_key
from forgetscope.benchmarks.in_context.settings import InContextSettings
from forgetscope.cli.commands import app
from tests.annotation.invented import DESIGN, drawn
from tests.benchmarks.in_context.answered import answered_table, with_judge, write_run
from tests.browsing import Watched, watch

pytestmark = pytest.mark.browser

HOSTILE = (
    "</script><script>window.hit=1</script><img src=x onerror='window.hit=1'><style>*{display:none}</style>\u202eturned"
)


READY = "body[data-ready]"


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sheets") / "out"
    write_handout(drawn(reply=HOSTILE), DESIGN, 2, folder)
    return folder


@pytest.fixture
def form(browser: Any, sheets: Path) -> Iterator[Watched]:
    yield from watch(browser, sheets / "annotator-1.html", ready=READY, viewport={"width": 1280, "height": 900})


def save(page: Any, path: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save to a file").click()
    download.value.save_as(path)
    assert download.value.suggested_filename == "annotator-1.json"
    return path


def test_a_form_is_filled_in_by_keys_alone_and_saved(form: Watched, tmp_path: Path) -> None:
    page = form.page
    assert page.locator("#count").inner_text() == "0 of 20 judged"
    for place in range(20):
        page.keyboard.press("123"[place % 3])
        if place == 4:
            page.keyboard.press("c")
            page.keyboard.type("1 of these was not easy, n'est-ce pas?")
            page.keyboard.press("Escape")
        page.keyboard.press("n" if place % 2 else "Enter")
    assert page.locator("#count").inner_text() == "20 of 20 judged, not all saved to a file"
    path = save(page, tmp_path / "saved.json")
    assert "all replies are judged" in page.locator("#told").inner_text()
    assert page.locator("#count").inner_text() == "20 of 20 judged"
    given = read_annotation(path, DESIGN.answers)
    assert [entry.judgement for entry in given.judgements] == ([*AnnotatorVerdict] * 7)[:20]
    assert [entry.comment for entry in given.judgements if entry.comment] == ["1 of these was not easy, n'est-ce pas?"]


def test_what_was_entered_is_back_when_the_page_is_opened_again(form: Watched) -> None:
    page = form.page
    page.get_by_role("radio", name="no", exact=True).check()
    page.fill("#comment", "hm")
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("radio", name="yes", exact=True).check()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.locator("#told").inner_text() == "2 judgements are back from this browser."
    assert page.locator("#number").inner_text() == "Reply 3 of 20"
    page.get_by_role("button", name="Previous").click()
    page.get_by_role("button", name="Previous").click()
    assert page.get_by_role("radio", name="no", exact=True).is_checked()
    assert page.input_value("#comment") == "hm"


def test_a_saved_file_is_loaded_on_another_machine(form: Watched, browser: Any, sheets: Path, tmp_path: Path) -> None:
    form.page.keyboard.press("2")
    path = save(form.page, tmp_path / "half.json")
    for other in watch(browser, sheets / "annotator-1.html", ready=READY):
        assert other.page.locator("#count").inner_text() == "0 of 20 judged"
        other.page.set_input_files("#load", path)
        other.page.get_by_text("1 judgements loaded from half.json.").wait_for()
        assert other.page.locator("#count").inner_text().startswith("1 of 20 judged")
        assert other.page.get_by_role("radio", name="no", exact=True).is_checked()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"annotator": 2}, "it is by annotator 2"),
        ({"study": "s00000000000"}, "it is of another study"),
        ({"format": "other"}, "it is not an annotation"),
        (None, "it is not JSON"),
    ],
)
def test_a_file_of_something_else_is_refused(
    form: Watched, tmp_path: Path, change: dict[str, object] | None, said: str
) -> None:
    form.page.keyboard.press("1")
    path = save(form.page, tmp_path / "own.json")
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text("{" if change is None else json.dumps(content | change), encoding="utf-8")
    form.page.set_input_files("#load", path)
    form.page.get_by_text(f"Nothing was loaded from own.json: {said}.").wait_for()
    assert form.page.locator("#count").inner_text().startswith("1 of 20 judged")


def test_a_hostile_reply_is_shown_as_text(form: Watched) -> None:
    page = form.page
    for _ in range(20):
        shown = page.locator("#reply").inner_text()
        assert shown.startswith("</script><script>window.hit=1</script><img src=x")
        assert "[U+202E]turned" in shown
        page.keyboard.press("n")
    assert page.locator("img").count() == 0
    assert page.locator("style").count() == 1


def test_keys_can_be_switched_off_and_do_nothing_while_typing(form: Watched) -> None:
    page = form.page
    page.locator("#comment").click()
    page.keyboard.type("123 nup")
    assert page.locator("#count").inner_text() == "0 of 20 judged, not all saved to a file"
    assert page.locator("#number").inner_text() == "Reply 1 of 20"
    page.keyboard.press("Escape")
    page.get_by_label("Keys are on").uncheck()
    page.locator("#number").focus()
    page.keyboard.press("1")
    page.keyboard.press("n")
    assert page.locator("#number").inner_text() == "Reply 1 of 20"
    assert page.locator("#count").inner_text().startswith("0 of 20")


def test_jumping_goes_to_a_reply_and_to_the_next_that_is_not_judged(form: Watched) -> None:
    page = form.page
    page.fill("#jump", "20")
    page.keyboard.press("Tab")
    assert page.locator("#number").inner_text() == "Reply 20 of 20"
    assert page.get_by_role("button", name="Next", exact=True).is_disabled()
    page.locator("#number").focus()
    page.keyboard.press("1")
    page.get_by_role("button", name="Next not judged").click()
    assert page.locator("#number").inner_text() == "Reply 1 of 20"


def test_the_keyboard_reaches_everything_and_everything_has_a_name(form: Watched) -> None:
    page = form.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the reply"
    names = page.evaluate(
        """[...document.querySelectorAll('button, input, textarea, [tabindex="0"]')]
            .map((element) => element.ariaLabel || element.labels?.[0]?.textContent || element.textContent)"""
    )
    assert all(name and name.strip() for name in names)
    reached = set()
    for _ in range(20):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.className"))
    assert {"save", "load", "keys", "dialogue", "read", "comment", "next", "undone", "jump"} <= reached


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_no_sideways_scrolling_and_answers_in_view(browser: Any, sheets: Path, size: tuple[int, int]) -> None:
    width, height = size
    for watched in watch(
        browser, sheets / "annotator-2.html", ready=READY, viewport={"width": width, "height": height}
    ):
        page = watched.page
        assert page.evaluate("document.documentElement.scrollWidth") == width
        if width > 1000:
            page.locator("summary").click()
            box = page.locator("#next").bounding_box()
            assert box["y"] + box["height"] <= height


def test_the_form_of_a_real_run_is_filled_in_and_its_agreement_computed(browser: Any, tmp_path: Path) -> None:
    """The whole way: a run's table, the drawn sample, a person in the browser, the saved file, the figures."""
    settings = InContextSettings(max_tokens=256)
    table = with_judge(answered_table(settings), sensitivity=0.9, specificity=0.8)
    run = write_run(tmp_path / "run", table, settings)
    out = tmp_path / "sheets"
    arguments = [
        "annotate",
        "sample",
        str(run),
        "--per-cell",
        "6",
        "--seed",
        "3",
        "--annotators",
        "1",
        "--out",
        str(out),
    ]
    assert CliRunner().invoke(app, arguments, catch_exceptions=False).exit_code == 0
    right = {
        reply_key(3, sample_id): passed for sample_id, passed in table.select("sample_id", "rule_pass").iter_rows()
    }
    for watched in watch(browser, out / "annotator-1.html", ready=READY):
        page = watched.page
        keys = [reply["key"] for reply in json.loads(page.locator("#data").text_content())["replies"]]
        assert len(keys) == 36
        for key in keys:
            page.keyboard.press("1" if right[key] else "2")
            page.keyboard.press("n")
        saved = save(page, tmp_path / "annotator-1.json")
    result = CliRunner().invoke(app, ["annotate", "agreement", str(run), str(saved), "--json"], catch_exceptions=False)
    assert result.exit_code == 0
    figures = json.loads(result.output)["figures"]
    agreed = [entry for entry in figures if entry["name"] == "agreement" and entry["factors"]["with"] == "majority"]
    by_rule = [entry for entry in agreed if entry["factors"]["rater"] == "rule"]
    assert len(by_rule) == 6
    assert {entry["value"] for entry in by_rule} == {1.0}
    drawn_rows = table.filter(pl.col("sample_id").is_in([s for s in table["sample_id"] if reply_key(3, s) in keys]))
    for entry in agreed:
        if entry["factors"]["rater"] == "judge":
            cell = drawn_rows.filter(scenario=entry["factors"]["scenario"], form=entry["factors"]["form"])
            expected = (cell["judge_pass"] == cell["rule_pass"]).sum() / cell.height
            assert entry["value"] == pytest.approx(expected)
            assert entry["n"] == 6
