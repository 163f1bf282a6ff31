"""A real browser for the report, where there is one."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium through Playwright; skips with the reason where either is missing.

    Of a module, not of the session: while Playwright is open its event loop counts as running in this thread, and
    nothing that starts a loop of its own (a run of ours) could be tested beside it.
    """
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install playwright"
    )
    found = next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )
    if found is None:
        pytest.skip("no browser: apt-get install chromium")
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=found, args=FLAGS)
        yield launched
        launched.close()
