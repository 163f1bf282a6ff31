"""The audit page, its entries and the tests they name cannot drift apart."""

import re
from pathlib import Path

from forgetscope.benchmarks.visual.validation.audit import audit_chapter, paper_audit

ROOT = Path(__file__).parents[4]
GOLDEN = Path(__file__).with_name("test_published_tables.py")
NOT_ENTRIES = {
    "test_figure_3_has_these_bars",
    "test_the_papers_figures_are_drawn_with_these_values",
    "test_appendix_a_is_97_rows_of_13_models_and_8_datasets",
}


def test_the_page_is_what_the_code_computes() -> None:
    page = (ROOT / "docs" / "paper-audit.md").read_text(encoding="utf-8")
    begin = "<!-- visual: begin, written by python -m forgetscope.benchmarks.visual.validation.audit -->"
    chapter = page.split(begin)[1].split("<!-- visual: end -->")[0].strip()
    assert chapter == audit_chapter().strip(), (
        "run python -m forgetscope.benchmarks.visual.validation.audit and paste it"
    )


def test_every_entry_names_a_golden_test_that_exists() -> None:
    tests = set(re.findall(r"^def (test_\w+)", GOLDEN.read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert {entry.test for entry in paper_audit()} == tests - NOT_ENTRIES


def test_every_entry_is_distinct_and_says_what_was_found() -> None:
    entries = paper_audit()
    assert len({entry.claim for entry in entries}) == len(entries)
    assert all(entry.recomputed and entry.published for entry in entries)
    assert {entry.agrees for entry in entries} == {True, False}
