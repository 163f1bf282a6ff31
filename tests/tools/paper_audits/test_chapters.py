"""The data files, the audit page, the entries and the tests they name cannot drift apart."""

import re

import pytest

from forgetscope.benchmarks.methods import AUDIT_ROWS, methods_of
from forgetscope.findings.published import published_tables
from tools.paper_audits import AUDITS
from tools.paper_audits.chapters import PAGE, ROOT, PaperAudit

ANEW = "run python -m tools.paper_audits --write"

NOT_ENTRIES = {
    "test_the_printed_p_values_are_the_corrected_ones_not_the_exact",
    "test_bold_as_the_caption_defines_it",
    "test_every_method_has_its_best_balance_in_the_same_cell",
    "test_table_1_has_every_cell_once",
}
"""Tests of the tables themselves, which no entry names."""

SAID_BY_THE_FIGURES = {"Reminders improve FA and SFRR for all models and scenarios"}

pytestmark = pytest.mark.parametrize("audit", AUDITS.values(), ids=AUDITS)


def test_the_data_file_is_what_the_tables_give_now(audit: PaperAudit) -> None:
    assert AUDIT_ROWS.validate_json(audit.json_path.read_bytes()) == audit.entries(), ANEW


def test_a_report_shows_the_entries_in_the_order_of_the_page(audit: PaperAudit) -> None:
    methods = methods_of(audit.benchmark)
    assert methods is not None
    assert methods.audit == audit.entries()


def test_the_page_is_what_the_tables_give_now(audit: PaperAudit) -> None:
    assert audit.on_page(PAGE.read_text(encoding="utf-8")) == audit.chapter(), ANEW


def test_every_entry_names_a_test_that_exists_and_every_test_shows_an_entry(audit: PaperAudit) -> None:
    tests = re.findall(r"^def (test_\w+)", (ROOT / audit.tests).read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert {entry.test for entry in audit.entries()} == set(tests) - NOT_ENTRIES


def test_every_entry_is_distinct_and_says_what_was_found(audit: PaperAudit) -> None:
    entries = audit.entries()
    assert len({entry.claim for entry in entries}) == len(entries)
    assert all(entry.recomputed and entry.published for entry in entries)
    assert {entry.agrees for entry in entries} == {True, False}
    assert {entry.claim for entry in entries if not entry.agrees and not entry.note} <= SAID_BY_THE_FIGURES


def test_every_shipped_table_is_audited(audit: PaperAudit) -> None:
    folder = audit.benchmark.replace("-", "_")
    shipped = {int(n) for name in published_tables() for n in re.findall(rf"^{folder}_tables?(\d+)", name)}
    named = {
        int(number)
        for entry in audit.entries()
        for listed in re.findall(r"Tables? ([\d, ]+)", entry.source)
        for number in re.findall(r"\d+", listed)
    }
    assert shipped
    assert shipped <= named
