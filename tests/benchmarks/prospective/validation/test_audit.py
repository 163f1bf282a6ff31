"""The audit page, its entries and the tests they name cannot drift apart."""

import re
from pathlib import Path

from forgetscope.benchmarks.prospective.validation.audit import audit_chapter, paper_audit
from forgetscope.benchmarks.prospective.validation.audit.counts import counts_for, net_losses_for, p_is_printed_as
from forgetscope.findings.published import published_tables

ROOT = Path(__file__).parents[4]
GOLDEN = Path(__file__).with_name("test_published_tables.py")


def test_the_page_is_what_the_code_computes() -> None:
    page = (ROOT / "docs" / "paper-audit.md").read_text(encoding="utf-8")
    begin, end = (
        "<!-- prospective: begin, written by python -m forgetscope.benchmarks.prospective.validation.audit -->",
        ("<!-- prospective: end -->"),
    )
    chapter = page.split(begin)[1].split(end)[0].strip()
    assert chapter == audit_chapter().strip(), (
        "run python -m forgetscope.benchmarks.prospective.validation.audit and paste it"
    )


def test_every_entry_names_a_golden_test_that_exists() -> None:
    tests = set(re.findall(r"^def (test_\w+)", GOLDEN.read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert {entry.test for entry in paper_audit()} <= tests


def test_entries_that_disagree_say_what_a_reader_should_know() -> None:
    entries = paper_audit()
    assert all(entry.note for entry in entries if not entry.agrees)
    assert len({entry.claim for entry in entries}) == len(entries)
    assert {entry.agrees for entry in entries} == {True, False}


def test_every_shipped_table_is_audited() -> None:
    shipped = {int(n) for name in published_tables() for n in re.findall(r"^prospective_table(\d+)_", name)}
    named = {
        int(number)
        for entry in paper_audit()
        for listed in re.findall(r"Tables? ([\d, ]+)", entry.source)
        for number in re.findall(r"\d+", listed)
    }
    assert shipped == {1, 3, 4, 8, 9, 10, 12, 13}
    assert shipped <= named


def test_a_printed_rate_leaves_few_counts() -> None:
    assert counts_for(82.4, range(50, 55)) == ((42, 51),)
    assert counts_for(100.0, [10]) == ((10, 10),)
    assert counts_for(99.0, [10]) == ()


def test_printed_p_values_are_read_at_their_own_precision() -> None:
    assert p_is_printed_as(0.0004, "<.001")
    assert not p_is_printed_as(0.0011, "<.001")
    assert p_is_printed_as(0.0634, ".063")
    assert not p_is_printed_as(0.0636, ".063")
    assert p_is_printed_as(0.996, "1.00")
    assert not p_is_printed_as(0.99, "1.00")


def test_net_losses_respect_what_can_be_lost_and_gained() -> None:
    # With 2 failures at most 2 pairs can be lost, too few for a p-value below .05.
    assert net_losses_for("<.001", 88, 90, least=0, most=90) == ()
    assert net_losses_for("1.00", 88, 90, least=-90, most=90) == (-1, 0, 1)
