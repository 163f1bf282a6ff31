"""A real browser for pages, where there is one, and a page that is watched for what it should not do."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest

REQUIRED = "FORGETSCOPE_REQUIRE_BROWSER"
"""Where this variable is set, tests that lack a browser fail; they skip otherwise."""

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
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _lacking("playwright is not installed: pip install playwright")
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        _lacking("no browser: apt-get install chromium")
    with sync_playwright() as started:
        launched = started.chromium.launch(executable_path=found, args=FLAGS)
        yield launched
        launched.close()


def _lacking(reason: str) -> NoReturn:
    if os.environ.get(REQUIRED):
        pytest.fail(f"{reason} ({REQUIRED} is set)")
    pytest.skip(reason)


@dataclass
class Watched:
    """A page and everything it did that it should not."""

    page: Any
    trouble: list[str] = field(default_factory=list)


def watch(
    browser: Any, path: Path, *, ready: str = ".browser[data-ready]", as_it_comes: bool = False, **context: Any
) -> Iterator[Watched]:
    """A page opened from a file, once it holds `ready`; it must log, ask for and run nothing it should not.

    What a report folds under its headings is opened, unless it is to be seen `as_it_comes`.
    """
    opened = browser.new_context(accept_downloads=True, **context)
    opened.set_default_timeout(10_000)
    watched = Watched(opened.new_page())
    page, trouble = watched.page, watched.trouble
    page.on("console", lambda message: trouble.append(f"console {message.type}: {message.text}"))
    page.on("pageerror", lambda error: trouble.append(f"error: {error}"))
    page.on("dialog", lambda dialog: trouble.append(f"dialog: {dialog.message}"))
    page.on(
        "request",
        lambda request: None if request.url.startswith(("file:", "data:", "blob:")) else trouble.append(request.url),
    )
    page.goto(path.as_uri())
    page.wait_for_selector(ready, state="attached")
    if not as_it_comes:
        page.evaluate("document.querySelectorAll('.headed').forEach((fold) => { fold.open = true; })")
    yield watched
    assert page.evaluate("window.hit") is None
    assert trouble == []
    opened.close()
