"""A page on several benchmarks as it is met: one screen a chapter, the rest folded, nothing cut off at the edge."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forgetscope.benchmarks import get_benchmark
from forgetscope.cli.demo import DEMO_RUNS
from forgetscope.report.write import write_joint_report
from forgetscope.running.execute import start_run
from forgetscope.running.manifest import Limits, ModelSpec
from tests.browsing import Watched, watch
from tests.report.test_in_browser import VIEW

pytestmark = pytest.mark.browser

RUNS = {
    "in-context": ("perfect-forgetter", {}),
    "prospective": ("fading", {"limit": 12}),
    "visual": ("visual-obedient", {"limit": 32}),
}
"""The demo's benchmarks and settings, a model with something to say in each, and limits that keep the runs short."""

MOST_PIXELS = 15_000
ONE_SCREEN = 1_050
"""Of a chapter's opening at 1,280 pixels: a little more than a window, with the widest of common fonts."""


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Written before the browser is opened, which has a loop of its own."""
    root = tmp_path_factory.mktemp("page")
    runs = []
    for name, (model, options) in RUNS.items():
        benchmark = get_benchmark(name)
        part = next(part for part in DEMO_RUNS if part.benchmark == name)
        settings = benchmark.settings.model_validate({**part.settings, **options})
        spec = ModelSpec(name=f"forgetscope/reference/{model}")
        runs.append(
            start_run(benchmark, settings, benchmark.plan(settings), spec, Limits(), root / name, display="none")
        )
    return write_joint_report(runs, root)[0]


@pytest.fixture
def met(page_file: Path, browser: Any) -> Iterator[Watched]:
    yield from watch(browser, page_file, as_it_comes=True, viewport=VIEW, reduced_motion="reduce")


def test_it_is_a_few_screens_high_and_each_chapter_opens_with_one(met: Watched) -> None:
    page = met.page
    assert page.evaluate("document.documentElement.scrollHeight") < MOST_PIXELS
    heights = page.locator(".opening").evaluate_all("list => list.map((part) => part.offsetHeight)")
    assert len(heights) == len(RUNS)
    assert max(heights) <= ONE_SCREEN
    for chapter in page.locator("article:has(.opening)").all():
        assert chapter.locator(".opening .headlines li").first.is_visible()
        assert chapter.locator(".opening svg.chart:not(.narrow)").count() <= 1
        assert chapter.locator("details.headed[open]").count() == 0


@pytest.mark.parametrize("width", [1280, 1440])
def test_no_table_or_chart_is_cut_off_at_the_edge_of_a_screen(page_file: Path, browser: Any, width: int) -> None:
    for watched in watch(browser, page_file, viewport={"width": width, "height": 900}):
        page = watched.page
        page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
        page.wait_for_function("document.querySelectorAll('.table-frame').length > 30")
        wide = page.locator(".table-frame, .chart-frame").evaluate_all(
            "list => list.filter((frame) => frame.scrollWidth > frame.clientWidth + 2)"
            ".map((frame) => `${frame.ariaLabel} ${frame.scrollWidth}`)"
        )
        assert wide == []
        assert page.locator("[data-more]").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_link_opens_the_part_it_leads_to(met: Watched) -> None:
    page = met.page
    fold = page.locator("#c3-suppression").locator("xpath=ancestor::details")
    assert not fold.evaluate("fold => fold.open")
    page.evaluate("location.hash = '#c3-suppression'")
    page.locator("#c3-suppression").wait_for()
    heading = page.locator("#c3-suppression-h").bounding_box()
    assert 0 <= heading["y"] < 900


def test_without_script_parts_open_by_click_and_by_link(page_file: Path, browser: Any) -> None:
    opened = browser.new_context(java_script_enabled=False, viewport=VIEW)
    page = opened.new_page()
    page.goto(f"{page_file.as_uri()}#c3-suppression")
    page.locator("#c3-suppression > .intro").wait_for()
    assert not page.locator("#c1--outcomes .outcomes").is_visible()
    page.locator("#c1--outcomes-h").click()
    assert page.locator("#c1--outcomes .outcomes").is_visible()
    opened.close()


def test_all_parts_open_and_close_at_once_and_all_are_printed(met: Watched) -> None:
    page = met.page
    closed = "document.querySelectorAll('details.headed:not([open])').length"
    page.get_by_role("button", name="Open all parts").click()
    assert page.evaluate(closed) == 0
    page.get_by_role("button", name="Close all parts").click()
    assert page.evaluate(closed) == page.locator("details.headed").count()
    assert not page.locator("#c3-suppression > .intro").is_visible()
    page.emulate_media(media="print")
    assert page.locator("#c3-suppression > .intro").is_visible()
    assert page.locator("#c1--outcomes .outcomes").is_visible()


def test_no_finding_and_no_table_stands_twice_in_a_chapter(met: Watched) -> None:
    for chapter in met.page.locator("article:has(.opening)").all():
        said = chapter.locator(".finding").all_text_contents()
        assert len(said) == len(set(said))
        tables = chapter.locator("table.data caption").all_text_contents()
        assert len(tables) == len(set(tables))


def test_a_phone_reads_it_without_sideways_scrolling(page_file: Path, browser: Any) -> None:
    for watched in watch(browser, page_file, viewport={"width": 390, "height": 844}):
        watched.page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
        frames = watched.page.locator(".chart-frame")
        assert frames.count() > 3
        assert frames.evaluate_all("list => list.filter((frame) => frame.scrollWidth > frame.clientWidth).length") == 0
        shown = watched.page.locator("svg.chart").evaluate_all(
            "list => list.filter((one) => one.clientWidth > 0).every((one) => one.classList.contains('narrow'))"
        )
        assert shown
        assert watched.page.evaluate("document.documentElement.scrollWidth") == 390
