"""Writes the section "What of the paper is here" into each benchmark's page, from its `paper.toml`.

python tools/write_paper_entries.py
"""

from collections.abc import Sequence
from pathlib import Path

from forgetscope.benchmarks import every_benchmark, package_of
from forgetscope.benchmarks.papers import PaperEntry, entries_table, read_paper

PAGES = Path(__file__).parents[1] / "docs" / "benchmarks"
HEADING = "## What of the paper is here\n"
INTRODUCTION = """
Every entry of the paper with the setting, figure of `summary.json`, chart of the page, printed table or text that it is
here; what is not.
Written by `tools/write_paper_entries.py` from `paper.toml`; a test looks each one up.

"""


def entries_of(benchmark: str) -> Sequence[PaperEntry]:
    """The entries of a benchmark's paper; none where it has none."""
    package = package_of(benchmark)
    return read_paper(package).entries if package else ()


def with_entries(page: str, entries: Sequence[PaperEntry]) -> str:
    """A page with the section at its end, in place of the one it had."""
    rest = page.partition(HEADING)[0].rstrip("\n")
    return f"{rest}\n\n{HEADING}{INTRODUCTION}{entries_table(entries)}"


def main() -> None:
    """Write the pages."""
    for name in every_benchmark():
        path = PAGES / f"{name}.md"
        if path.is_file():
            path.write_text(with_entries(path.read_text(encoding="utf-8"), entries_of(name)), encoding="utf-8")
            print(path)


if __name__ == "__main__":
    main()
