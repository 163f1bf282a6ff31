"""A comparison in a real browser: what changed can be filtered, and both replies are read side by side."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forgetscope.benchmarks.prospective.benchmark import BENCHMARK
from forgetscope.core.settings import Settings
from forgetscope.report.comparing import PAGE_NAME, write_comparison
from forgetscope.running.execute import start_run
from forgetscope.running.manifest import Limits, ModelSpec
from tests.browsing import Watched, watch

pytestmark = pytest.mark.browser


def _settings() -> Settings:
    return BENCHMARK.settings.model_validate({"limit": 3, "experiments": "load", "loads": "mmlu", "seeds": (42,)})


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page over runs of two reference models; written before the browser is opened, which has a loop of its own."""
    root = tmp_path_factory.mktemp("comparison")
    settings = _settings()
    plan, design = BENCHMARK.plan(settings), BENCHMARK.comparison
    assert design is not None
    specs = [ModelSpec(name=f"forgetscope/reference/{name}") for name in ("perfect", "fading")]
    runs = [
        start_run(BENCHMARK, settings, plan, spec, Limits(), root / spec.name.rpartition("/")[2], display="none")
        for spec in specs
    ]
    write_comparison(runs, design, root)
    return root / PAGE_NAME


@pytest.fixture
def opened(page_file: Path, browser: Any) -> Iterator[Watched]:
    yield from watch(browser, page_file, viewport={"width": 1280, "height": 900})


@pytest.fixture
def phone(page_file: Path, browser: Any) -> Iterator[Watched]:
    yield from watch(browser, page_file, viewport={"width": 390, "height": 844})


def test_what_changed_can_be_filtered_and_read_side_by_side(opened: Watched) -> None:
    page = opened.page
    change = page.locator(".browser").get_by_label("Format, since perfect")
    options = change.locator("option").all_inner_texts()
    (lost,) = [text for text in options if text.startswith("right, now wrong")]
    change.select_option(label=lost)
    rows = page.locator(".browser tbody tr")
    assert rows.count() == 2 * 3, "two conditions under load, three items"
    rows.first.get_by_role("button").first.click()
    page.get_by_role("button", name="Side by side").click()
    columns = page.locator("dialog .column")
    assert columns.locator(".column-head span:first-child").all_inner_texts() == ["perfect", "fading"]
    assert columns.nth(0).get_by_label("Reply").inner_text() != columns.nth(1).get_by_label("Reply").inner_text()


def test_the_page_fits_a_phone(phone: Watched) -> None:
    assert phone.page.evaluate("document.documentElement.scrollWidth") == 390
    assert phone.page.get_by_role("heading", name="What changed, sample by sample").is_visible()
