"""Check a built site: every link leads to a file and an anchor there is, and no page loads anything from elsewhere.

python tools/check_site.py site
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
"""Elements a browser fetches by itself, and the attribute that says what."""

ASKING = {"source"}
"""Components of the theme whose script asks a host for something."""

NOT_FETCHED = {"canonical", "edit", "prev", "next"}
"""Kinds of `link` that are only said."""


@dataclass
class Page:
    """What a page refers to, and the places in it that can be referred to."""

    links: set[str] = field(default_factory=set)
    loads: set[str] = field(default_factory=set)
    anchors: set[str] = field(default_factory=set)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.page.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.page.links.add(given["href"])
        if given.get("data-md-component") in ASKING and "href" in given:
            self.page.loads.add(given["href"])
        if tag in LOADED and given.get(LOADED[tag]) and given.get("rel") not in NOT_FETCHED:
            self.page.loads.add(given[LOADED[tag]])


def read(path: Path) -> Page:
    """A page of the site."""
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader.page


def faults(site: Path) -> Iterator[str]:
    """What is wrong with the site, a line each."""
    pages = {path: read(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}
    if not pages:
        yield f"{site}: no pages"
    for path, page in pages.items():
        where = path.relative_to(site)
        for target in sorted(page.loads | page.links):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                if target in page.loads and parts.scheme != "data":
                    yield f"{where}: loads {target}"
                continue
            found = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            found = found / "index.html" if found.is_dir() else found
            if not found.is_file():
                yield f"{where}: {target}: no such file"
            elif parts.fragment and found in pages and unquote(parts.fragment) not in pages[found].anchors:
                yield f"{where}: {target}: no such place in it"


if __name__ == "__main__":
    site = Path(sys.argv[1]).resolve()
    wrong = list(faults(site))
    print("\n".join(wrong) or f"{site}: {len(list(site.rglob('*.html')))} pages, every link leads somewhere")
    sys.exit(1 if wrong else 0)
