"""The programs behind the two tables of docs/concepts.md, on few draws."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def program(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    for known in ("interval_coverage", "false_shown"):
        monkeypatch.delitem(sys.modules, known, raising=False)
    return importlib.import_module(name)


def test_every_design_draws_intervals_that_mostly_hold_their_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    coverage = program("interval_coverage", monkeypatch)
    for name, (_, repeats) in coverage.DESIGNS.items():
        found = coverage.coverage(name, repeats[-1], 30, 60)
        assert found is not None, name
        assert found[0] >= 0.75, name


@pytest.mark.parametrize(("name", "runs"), [("rate", 3), ("change on the same items", 1), ("mean tokens", 1)])
def test_intervals_hold_the_truth_about_as_often_as_they_say(
    name: str, runs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = program("interval_coverage", monkeypatch).coverage(name, runs, 10, 1_000)
    assert found[0] >= 0.92
    assert found[1] >= 0.86


def test_hardly_anything_is_shown_where_there_is_nothing_to_show(monkeypatch: pytest.MonkeyPatch) -> None:
    simulated = program("false_shown", monkeypatch)
    for name in simulated.TEMPLATES:
        assert simulated.false_shown(name, 12, 60)[0] <= 0.15, name
    assert simulated.false_shown("same items, one run (exact McNemar)", 6, 20) == (0, 0), "too few items"


def test_the_tables_of_the_page_are_of_these_designs(monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "concepts.md").read_text(encoding="utf-8")
    coverage, simulated = program("interval_coverage", monkeypatch), program("false_shown", monkeypatch)
    for name, (_, repeats) in coverage.DESIGNS.items():
        for runs in repeats:
            assert f"\n| {name} | {runs} | " in page
    for name in simulated.TEMPLATES:
        assert f"\n| {name} | " in page


def test_a_table_is_written_between_its_own_marks_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, rest = tmp_path / "page.md", "<!-- one: end -->\n<!-- two: begin -->\nkept\n<!-- two: end -->\n"
    page.write_text("before\n<!-- one: begin, by hand -->\nold\n" + rest)
    program("interval_coverage", monkeypatch).write_between(page, "one", ["| new \\1 |"])
    assert page.read_text() == "before\n<!-- one: begin, by hand -->\n| new \\1 |\n" + rest
