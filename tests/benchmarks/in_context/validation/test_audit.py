"""The audit page, its entries and the tests they name cannot drift apart."""

import re
from pathlib import Path

from forgetscope.benchmarks.in_context.validation.audit import audit_chapter, paper_audit
from forgetscope.benchmarks.in_context.validation.audit.counts import tables_that_fit
from forgetscope.benchmarks.in_context.validation.audit.tables import Measures
from forgetscope.findings.paper_audit import HALF_A_HUNDREDTH, counts_for, rounds_to
from forgetscope.findings.published import published_tables

ROOT = Path(__file__).parents[4]
GOLDEN = Path(__file__).with_name("test_published_tables.py")


def test_the_page_is_what_the_code_computes() -> None:
    page = (ROOT / "docs" / "paper-audit.md").read_text(encoding="utf-8")
    begin = "<!-- in-context: begin, written by python -m forgetscope.benchmarks.in_context.validation.audit -->"
    chapter = page.split(begin)[1].split("<!-- in-context: end -->")[0].strip()
    assert chapter == audit_chapter().strip(), (
        "run python -m forgetscope.benchmarks.in_context.validation.audit and paste it"
    )


def test_every_entry_names_a_golden_test_that_exists() -> None:
    tests = set(re.findall(r"^def (test_\w+)", GOLDEN.read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert {entry.test for entry in paper_audit()} == tests


def test_every_entry_that_disagrees_is_distinct_and_says_what_was_found() -> None:
    entries = paper_audit()
    assert len({entry.claim for entry in entries}) == len(entries)
    assert all(entry.recomputed and entry.published for entry in entries)
    assert {entry.agrees for entry in entries} == {True, False}


def test_every_shipped_table_is_audited() -> None:
    shipped = {int(n) for name in published_tables() for n in re.findall(r"^in_context_tables?(\d+)", name)}
    named = {
        int(number)
        for entry in paper_audit()
        for listed in re.findall(r"Tables? ([\d, ]+)", entry.source)
        for number in re.findall(r"\d+", listed)
    }
    assert shipped == {1, 2, 4, 5, 6, 10, 11, 12, 13, 14}
    assert shipped <= named


def test_two_decimals_leave_few_counts_and_one_table() -> None:
    assert counts_for(83.33, [6], HALF_A_HUNDREDTH) == ((5, 6),)
    assert counts_for(83.33, range(7, 12), HALF_A_HUNDREDTH) == ()
    assert counts_for(50.0, [30_000], HALF_A_HUNDREDTH) == tuple((k, 30_000) for k in range(14_999, 15_002))
    assert rounds_to(1.005, 1.0, HALF_A_HUNDREDTH)
    assert tables_that_fit(Measures(83.33, 50.0, 60.0), 0.0, 6) == ((3, 2, 0, 1),)
    assert tables_that_fit(Measures(83.33, 66.67, 60.0), None, 6) == ((3, 2, 1, 0),)
    assert tables_that_fit(Measures(83.33, 100.0, 60.0), None, 6) == ()
