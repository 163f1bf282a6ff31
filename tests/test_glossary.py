"""The glossary says each word once, and the figures it names are computed somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith("| word")
]


def test_every_row_has_a_word_our_name_and_a_meaning() -> None:
    assert len(ROWS) > 50
    assert all(len(row) == 3 and all(row) for row in ROWS)


def test_each_word_stands_once() -> None:
    words = [word.strip() for row in ROWS for word in row[0].split(",")]
    assert sorted(words) == sorted(set(words))


@pytest.mark.parametrize(
    "name", sorted(set(re.findall(r"`([a-z_]+(?:\.[a-z_]+)*)`", " ".join(row[1] for row in ROWS))))
)
def test_a_name_of_ours_stands_in_the_code(name: str) -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "src").rglob("*.py")))
    parts = name.split(".")
    assert all(re.search(rf"\b{re.escape(part)}\b", sources) for part in parts)
