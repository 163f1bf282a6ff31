"""Failed replies put to people: the paper's choice of them, blind, with its five mechanisms and an open answer."""

import csv
import io
from pathlib import Path

import pytest

from forgetscope.annotation.compared import compare_with_people
from forgetscope.annotation.files import COLUMNS, read_annotations, sheet_text
from forgetscope.annotation.handout import write_handout
from forgetscope.annotation.sampling import draw_sample
from forgetscope.benchmarks.prospective.benchmark import BENCHMARK
from forgetscope.benchmarks.prospective.scoring.annotation import ANNOTATION
from forgetscope.benchmarks.prospective.scoring.mechanisms import Mechanism
from forgetscope.core.errors import DataError, RunFolderError
from tests.benchmarks.prospective.metrics.small_tables import Row, answered, row, table_of

RIGHT = answered(True, True)


def rows() -> list[Row]:
    """Twelve items kept without load, then broken: by the rule six by domain shift, six unsorted."""
    kept = [row(f"i{n}", "baseline", kept=True) for n in range(12)]
    broken = [
        row(
            f"i{n}",
            "natural",
            "mmlu",
            False,
            mechanism="domain_shift" if n % 2 else "",
            reason="2 commas",
            reply=f"one, two, {n}",
            **RIGHT,
        )
        for n in range(12)
    ]
    return kept + broken


def test_what_is_put_to_people_is_the_papers_choice_of_failures() -> None:
    others = [
        row("i0", "natural", "triviaqa", False, **answered(False, True)),  # task wrong
        row("z", "natural", "mmlu", False, **RIGHT),  # never kept
        row("i1", "natural", "triviaqa", False, status="truncated", **RIGHT),
        row("i2", "natural", "triviaqa", True, **RIGHT),
    ]
    assert ANNOTATION.population(table_of(rows() + others)).height == 12
    without_baseline = [one for one in rows() + others if one["condition"] != "baseline"]
    assert ANNOTATION.population(table_of(without_baseline)).height == 14


def test_a_run_without_failures_has_nothing_to_annotate() -> None:
    with pytest.raises(RunFolderError, match="those that broke their format under load"):
        draw_sample(table_of(rows()[:12]), ANNOTATION, per_cell=5, seed=1)


def test_sheets_ask_for_one_of_six_and_answers_come_back_as_agreement(tmp_path: Path) -> None:
    assert len(ANNOTATION.answers) == len(Mechanism)
    assert BENCHMARK.annotation is ANNOTATION
    table = table_of(rows())
    drawn = draw_sample(table, ANNOTATION, per_cell=50, seed=1)
    write_handout(drawn, ANNOTATION, 2, tmp_path / "out")
    page = (tmp_path / "out" / "annotator-1.html").read_text(encoding="utf-8")
    for said in (
        "How did this reply break its format?",
        "2 commas",
        "punctuation:no_comma",
        "<kbd>6</kbd> unclassified",
    ):
        assert said in page, said
    files = []
    for number in (1, 2):
        with (tmp_path / "out" / f"annotator-{number}.csv").open(encoding="utf-8-sig", newline="") as stream:
            sheet = list(csv.DictReader(stream))
        for line in sheet:
            line["judgement"] = "Domain Shift" if number == 1 or line["reply"].endswith("1") else "unclassified"
        files.append(tmp_path / f"filled-{number}.csv")
        files[-1].write_text(sheet_text([line[name] for name in COLUMNS] for line in sheet), encoding="utf-8")
    index, tables, _ = compare_with_people(table, ANNOTATION, read_annotations(files, ANNOTATION.answers), tmp_path)
    assert index.value("agreement", condition="natural", **{"with": "annotator 1"}) == pytest.approx(0.5)
    assert index.value("rule.count", condition="natural", label="unclassified") == 6
    # Both said so of i1 and i11, which the rule calls the same.
    assert index.value("rule.found", condition="natural", label="domain shift") == 1
    assert {found.slug for found in tables} == {"labels-natural", "rule-agreement"}


def test_a_label_nobody_offered_is_refused(tmp_path: Path) -> None:
    drawn = draw_sample(table_of(rows()), ANNOTATION, per_cell=3, seed=1)
    write_handout(drawn, ANNOTATION, 1, tmp_path / "out")
    path = tmp_path / "out" / "annotator-1.csv"
    lines = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    lines[1][9] = "cannot tell"
    out = io.StringIO(newline="")
    csv.writer(out).writerows(lines)
    path.write_text(out.getvalue(), encoding="utf-8")
    with pytest.raises(DataError, match="found 'cannot tell'; allowed: domain shift"):
        read_annotations([path], ANNOTATION.answers)
