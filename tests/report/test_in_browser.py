"""The report in a real browser: it can be used, and a hostile reply can do nothing."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forgetscope.report.page import render_page
from tests.browsing import Watched, watch
from tests.report.synthetic import make_chapter, make_table
from tests.report.test_write import hostile_chapter

pytestmark = pytest.mark.browser

VIEW = {"width": 1280, "height": 900}

REPLIES = (
    "<script>window.hit=1</script><img src=x onerror='window.hit=1'>",
    "</textarea></script><!--<script>alert(1)</script>",
    "left \u202eright\u202c and zero\u200bwidth \u2066x\u2069",
    "long " * 200_000,
    "first line\nneedle in the reply",
)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render_page((make_chapter(path.parent, make_table(120, replies=REPLIES)),)), encoding="utf-8")
    return path


@pytest.fixture
def opened(browser: Any, report: Path) -> Iterator[Watched]:
    yield from watch(browser, report, viewport=VIEW)


def test_a_table_sorts_by_click_and_by_enter(opened: Watched) -> None:
    page = opened.page
    table = page.locator("table.data", has_text="Compliance by condition and load").first
    head = table.locator("th", has_text="Strict")
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    values = [text.split()[0] for text in table.locator("tbody td:nth-child(4)").all_inner_texts()]
    assert values[-1].startswith("–")
    assert [float(value) for value in values[:-1]] == sorted((float(value) for value in values[:-1]), reverse=True)
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    values = [text.split()[0] for text in table.locator("tbody td:nth-child(4)").all_inner_texts()]
    assert [float(value) for value in values[:-1]] == sorted(float(value) for value in values[:-1])
    assert values[-1].startswith("–")


def test_samples_filter_search_and_page(opened: Watched) -> None:
    page = opened.page
    assert page.locator(".count").inner_text() == "1–50 of 120 samples"
    page.get_by_role("button", name="Next 50").click()
    assert page.locator(".count").inner_text() == "51–100 of 120 samples"
    page.select_option("select[data-filter=load]", label="mmlu")
    assert page.locator(".count").inner_text() == "1–24 of 24 samples"
    page.select_option("select[data-filter=load]", label="all")
    page.fill("input[type=search]", "Needle in the")
    page.get_by_text("1–1 of 1 samples").wait_for()
    page.fill("input[type=search]", "nowhere to be found")
    page.get_by_text("No sample fits.").wait_for()


def test_a_sample_opens_by_keyboard_and_is_exported(opened: Watched, tmp_path: Path) -> None:
    page = opened.page
    page.select_option("select[data-filter=status]", label="incorrect")
    page.locator(".open").nth(3).focus()
    page.keyboard.press("Enter")
    dialog = page.locator("dialog[open]")
    assert "7 bullets, 3 asked" in dialog.inner_text()
    assert "Broke at about token" in dialog.inner_text()
    assert dialog.locator("mark").count() == 1
    name = dialog.locator("h3").inner_text()
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Export").click()
    download.value.save_as(tmp_path / "sample.json")
    exported = json.loads((tmp_path / "sample.json").read_text(encoding="utf-8"))
    assert exported["sample_id"] == name
    assert [message["role"] for message in exported["messages"]] == ["system", "user"]
    assert exported["checker"]["kwargs"] == [{"num_bullets": 3}]
    assert exported["verdict"]["status"] == "incorrect"
    dialog.get_by_role("button", name="Next", exact=True).click()
    assert dialog.locator("h3").inner_text() != name
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0


@pytest.mark.parametrize("number", range(len(REPLIES)))
def test_a_hostile_reply_is_shown_as_text(opened: Watched, number: int) -> None:
    page = opened.page
    page.locator(".open").nth(number).click()
    shown = page.locator("dialog pre[aria-label=Reply]").inner_text()
    if number == 3:
        assert len(shown) <= 20_000
        assert "the first 20,000 of 1,000,000 characters" in page.locator("dialog").inner_text()
    elif number == 2:
        assert "U+202E" in shown
        assert "U+200B" in shown
        assert not set("\u202e\u200b\u2066") & set(shown)
    else:
        assert shown == REPLIES[number]


def test_a_hostile_benchmark_and_model_name_do_nothing(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    path.write_text(render_page((hostile_chapter(),)), encoding="utf-8")
    for watched in watch(browser, path):
        watched.page.locator(".open").first.click()
        assert watched.page.locator("img").count() == 0


def test_injected_markup_would_be_stopped_by_the_policy(browser: Any, report: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.html"
    attack = "<script>window.hit=1</script><img src='http://127.0.0.1:9/x' onerror='window.hit=1'><p style='color:red'>"
    broken.write_text(report.read_text(encoding="utf-8").replace("<main", attack + "<main", 1), encoding="utf-8")
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(broken.as_uri())
    page.wait_for_selector(".browser[data-ready]", state="attached")
    assert page.evaluate("window.hit") is None
    assert sum("Content Security Policy" in text for text in refused) >= 3
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_dark(browser: Any, report: Path, scheme: str) -> None:
    for watched in watch(browser, report, color_scheme=scheme):
        contrast = watched.page.evaluate(
            """() => {
                const light = (text) => {
                  const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map((c) => c / 255)
                    .map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
                  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const back = light(getComputedStyle(document.body).backgroundColor);
                return [...document.querySelectorAll("p, td, th, dt, dd, a, .verdict, svg.chart text:not([fill])")]
                  .filter((element) => element.textContent.trim() && !element.closest(".label, .skip"))
                  .map((element) => {
                    const style = getComputedStyle(element);
                    const front = light(element.tagName === "text" ? style.fill : style.color);
                    return (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
                  });
            }"""
        )
        assert len(contrast) > 100
        assert min(contrast) >= 4.5


def test_a_phone_needs_no_sideways_scrolling(browser: Any, report: Path) -> None:
    for watched in watch(browser, report, viewport={"width": 390, "height": 844}):
        page = watched.page
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        page.locator(".open").nth(4).click()
        box = page.locator("dialog").bounding_box()
        assert box["x"] >= 0
        assert box["width"] <= 390
        assert page.evaluate("document.querySelector('dialog').scrollWidth") <= 390


def test_it_prints_without_the_browser(opened: Watched, tmp_path: Path) -> None:
    page = opened.page
    page.emulate_media(media="print")
    assert not page.locator(".browser").is_visible()
    assert page.locator(".print-only").is_visible()
    page.pdf(path=str(tmp_path / "report.pdf"), format="A4")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")


def test_the_keyboard_reaches_the_report_first(opened: Watched) -> None:
    page = opened.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the report"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    names = page.evaluate(
        """[...document.querySelectorAll('button, select, input')].filter((element) => element.checkVisibility())
            .map((element) => element.ariaLabel || element.textContent || element.labels?.[0]?.textContent)"""
    )
    assert all(name and name.strip() for name in names)
