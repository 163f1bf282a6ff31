"""summary.json: everything in it, nothing that JSON lacks, and it comes back as it went."""

import json
from pathlib import Path

import pytest

from forgetscope.core.errors import RunFolderError
from forgetscope.report.summary import Summary, make_summary, read_summary
from tests.report.synthetic import make_results, make_run, make_table


@pytest.fixture(scope="module")
def summary() -> Summary:
    results = make_results()
    return make_summary(make_run(Path("run"), make_table(30)), "Invented", results.figures, results.headlines)


def test_it_comes_back_as_it_went(summary: Summary, tmp_path: Path) -> None:
    (tmp_path / "summary.json").write_text(summary.as_json(), encoding="utf-8")
    assert read_summary(tmp_path / "summary.json") == summary


def test_every_figure_has_all_its_parts(summary: Summary) -> None:
    stored = json.loads(summary.as_json())
    parts = {"name", "factors", "value", "n", "excluded", "low", "high", "method", "unit", "note"}
    parts |= {"items", "p", "test", "changed", "verdict"}
    assert len(stored["figures"]) == len(make_results().figures)
    assert all(figure.keys() == parts for figure in stored["figures"])


def test_what_is_no_number_is_null_and_the_note_says_so(summary: Summary) -> None:
    assert "NaN" not in summary.as_json()
    undefined = next(figure for figure in json.loads(summary.as_json())["figures"] if figure["name"] == "cost.task")
    assert undefined["value"] is None
    assert undefined["note"] == "no task-only samples; not a finite number"


def test_outcomes_sum_to_the_samples(summary: Summary) -> None:
    assert sum(summary.outcomes.values()) == summary.run.samples == 30


def test_addresses_and_arguments_of_the_provider_are_not_handed_on(tmp_path: Path) -> None:
    run = make_run(tmp_path, make_table(3))
    secret = run.manifest.model.model_copy(update={"args": {"api_key": "s3cret"}, "base_url": "http://inner:1"})
    finished = type(run)(tmp_path, run.manifest.model_copy(update={"model": secret}), run.table)
    text = make_summary(finished, "Invented", (), ()).as_json()
    assert "s3cret" not in text
    assert "inner" not in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not json", "the summary is not one this version reads"),
        ('{"schema_version": "1"}', "schema_version.*'1'.*forgetscope report DIR"),
    ],
)
def test_another_file_is_refused_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "summary.json").write_text(text, encoding="utf-8")
    with pytest.raises(RunFolderError, match=message):
        read_summary(tmp_path / "summary.json")


def test_a_missing_file_names_the_command_that_makes_it(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="next: forgetscope report DIR"):
        read_summary(tmp_path / "summary.json")
