"""Puts the README of a benchmark into its page of the site, with links that still lead where they led.

A line that is only a link to a `README.md` of the source stands for that file: a code host shows the link, the site the
text. What it links to inside `docs/` becomes a page of the site, what it links to elsewhere a file of the repository.
"""

import os
import re
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
INCLUDED = re.compile(r"^\[[^]]+\]\((?P<path>(?:\.\./)+src/[^)]+/README\.md)\)$", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|mailto:|#)(?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?")


class SourceFile(Protocol):
    """What is used of MkDocs' file."""

    src_uri: str


class Page(Protocol):
    """What is used of MkDocs' page."""

    file: SourceFile


class Config(Protocol):
    """What is used of MkDocs' configuration."""

    repo_url: str


def on_page_markdown(markdown: str, *, page: Page, config: Config, **_: object) -> str:
    """MkDocs calls this with each page's text before it is rendered."""
    place = (DOCS / page.file.src_uri).parent
    return INCLUDED.sub(lambda found: included((place / found["path"]).resolve(), place, config.repo_url), markdown)


def on_post_page(output: str, **_: object) -> str:
    """MkDocs calls this with each finished page: the theme would ask the repository's host for its stars."""
    return output.replace(' data-md-component="source"', "")


def included(path: Path, place: Path, repository: str) -> str:
    """A file's text for a page in the folder `place`.

    Raises:
        FileNotFoundError: no such file, or it links to one there is not.
    """

    def led(found: re.Match[str]) -> str:
        target = (path.parent / found["target"]).resolve()
        if not target.exists():
            raise FileNotFoundError(f"{path} links to {found['target']}, which is not there")
        if target.is_relative_to(DOCS):
            return f"]({Path(os.path.relpath(target, place)).as_posix()}{found['anchor'] or ''}"
        return f"]({repository}/blob/main/{target.relative_to(ROOT).as_posix()}{found['anchor'] or ''}"

    return LINK.sub(led, path.read_text(encoding="utf-8").rstrip())
