"""`report.html`: one file, no network, nothing a reply says is ever markup.

What a benchmark hands over becomes plain views here; the template writes them with autoescape on. Style and script
stand in the page and are allowed by their hash alone (Content-Security-Policy), so injected markup could do nothing.
"""

import base64
import hashlib
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from forgetscope.report.chapters import Chapter, ChapterView, view_chapter
from forgetscope.report.methods import view_methods
from forgetscope.report.overview import Overview, OverviewRun, view_overview
from forgetscope.report.wording import setting_words, visible

SCRIPTS = ("elements.js", "tables.js", "store.js", "pictures.js", "reading.js", "browser.js")
"""In this order: what a later one uses, an earlier one defines."""


def render_page(chapters: tuple[Chapter, ...]) -> str:
    """The whole page.

    Raises:
        ValueError: no chapter.
    """
    if not chapters:
        raise ValueError("a report has at least one run")
    is_alone = len(chapters) == 1
    views = tuple(
        view_chapter(chapter, f"c{number}", is_alone=is_alone) for number, chapter in enumerate(chapters, start=1)
    )
    style, script = _part("report.css"), _script()
    runs = [chapter.summary.run for chapter in chapters]
    return (
        _environment()
        .get_template("report.html")
        .render(
            chapters=views,
            first_page=None if is_alone else _first_page(chapters, views),
            methods=view_methods(runs),
            repeated_titles=len({run.title for run in runs}) < len(runs),
            style=Markup(style),  # noqa: S704
            script=Markup(script),  # noqa: S704
            policy=content_policy(style, script),
        )
    )


def _first_page(chapters: tuple[Chapter, ...], views: tuple[ChapterView, ...]) -> Overview:
    return view_overview(
        [OverviewRun(view.id, chapter.summary, chapter.results) for chapter, view in zip(chapters, views, strict=True)]
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("forgetscope.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["visible"] = visible
    environment.filters["setting"] = setting_words
    environment.filters["broken"] = _broken
    environment.filters["trusted"] = Markup
    return environment


def _broken(name: str) -> Markup:
    """A model's name that may break behind its slashes rather than within a word."""
    return Markup("/<wbr>").join(visible(name).split("/"))


@cache
def _part(name: str) -> str:
    """Style or script as it will stand between its tags; the hash is over exactly this."""
    return (files("forgetscope.report") / "templates" / name).read_text(encoding="utf-8").replace("\r\n", "\n")


@cache
def _script() -> str:
    """All scripts as one, with a scope of their own."""
    return '"use strict";\n(() => {\n' + "\n".join(_part(name) for name in SCRIPTS) + "})();\n"


def content_policy(style: str, script: str) -> str:
    """Nothing may load, and only our own style and script may act."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_hash(style)}'",
            f"script-src '{_hash(script)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
