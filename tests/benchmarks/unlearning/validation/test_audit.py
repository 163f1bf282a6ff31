"""The audit page, its entries and the tests they name cannot drift apart."""

import re
from pathlib import Path

from forgetscope.benchmarks.unlearning.validation.audit import audit_chapter, paper_audit

ROOT = Path(__file__).parents[4]
GOLDEN = Path(__file__).with_name("test_published_tables.py")


def test_the_page_is_what_the_code_computes() -> None:
    page = (ROOT / "docs" / "paper-audit.md").read_text(encoding="utf-8")
    begin, end = (
        "<!-- unlearning: begin, written by python -m forgetscope.benchmarks.unlearning.validation.audit -->",
        "<!-- unlearning: end -->",
    )
    chapter = page.split(begin)[1].split(end)[0].strip()
    assert chapter == audit_chapter().strip(), (
        "run python -m forgetscope.benchmarks.unlearning.validation.audit and paste it"
    )


def test_every_entry_names_a_golden_test_that_exists() -> None:
    tests = set(re.findall(r"^def (test_\w+)", GOLDEN.read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert {entry.test for entry in paper_audit()} <= tests


def test_entries_that_disagree_say_what_a_reader_should_know() -> None:
    entries = paper_audit()
    assert all(entry.note for entry in entries if not entry.agrees)
    assert len({entry.claim for entry in entries}) == len(entries)
    assert {entry.agrees for entry in entries} == {True, False}
