"""The written pages of the reference are those that come out, and leave nothing out."""

import pytest

import forgetscope as fs
from forgetscope.benchmarks import BENCHMARK_NAMES, settings_class
from forgetscope.core.settings import declarations
from tools.reference.commands import page
from tools.reference.members import markdown
from tools.reference.pages import DOCS, PAGES


def test_every_setting_of_every_benchmark_stands_on_the_page() -> None:
    text = page()
    for name in BENCHMARK_NAMES:
        assert f"## run {name}\n" in text
        rows = text.partition(f"### {name}\n")[2].partition("\n### ")[0]
        assert all(f"| `{setting}` |" in rows for setting in declarations(settings_class(name)))
    assert "| `--judge-what` | `judged` | `none` |" in text


@pytest.mark.parametrize("name", PAGES)
def test_a_written_page_is_what_comes_out(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "python -m tools.reference"


def test_the_page_of_python_has_every_public_name() -> None:
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    assert not [name for name in fs.__all__ if f"### {name}\n" not in text and f"fs.{name}`" not in text]


def test_every_column_says_what_stands_in_it() -> None:
    text = (DOCS / "sample-table.md").read_text(encoding="utf-8")
    assert "| `broke_to` | integer | where that ends |" in text
    assert "|  |" not in text


def test_a_docstring_becomes_lists_and_code() -> None:
    said = list(markdown("What.\n\nArgs:\n    one: First,\n        going on.\n\nExample:\n    >>> f(1)\n    2"))
    assert "- `one`: First, going on." in said
    assert ">>> f(1)\n2" in said
