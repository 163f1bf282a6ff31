"""`compare` as a user types it, on real runs of reference models."""

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from forgetscope.cli.commands import app
from forgetscope.core.errors import SettingError

SMALL = ("prospective", "--limit", "12", "--loads", "mmlu", "--seed", "42", "--experiments", "load")


def invoke(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("runs")
    for name in ("perfect", "fading", "careless"):
        invoke("run", *SMALL, "--model", f"forgetscope/reference/{name}", "--out", str(folder / name))
    return {name: folder / name for name in ("perfect", "fading", "careless")}


def test_two_runs_leave_a_page_a_table_and_json(runs: dict[str, Path], tmp_path: Path) -> None:
    output = invoke("compare", str(runs["perfect"]), str(runs["fading"]), "--out", str(tmp_path))
    assert "Strict compliance: natural: fading (0.0%) is 100.0 points below perfect (100.0%;" in " ".join(
        output.split()
    )
    assert {path.name for path in tmp_path.iterdir()} == {"comparison.html", "comparison.json", "comparison.csv"}
    stored = json.loads((tmp_path / "comparison.json").read_text(encoding="utf-8"))
    assert [run["label"] for run in stored["runs"]] == ["perfect", "fading"]
    lost = [entry for entry in stored["changed"] if entry["outcome"] == "format"]
    assert len(lost) == 2 * 12
    assert all(entry["change"] == "lost" and "/load=mmlu" in entry["sample"] for entry in lost)
    rows = pl.read_csv(tmp_path / "comparison.csv")
    differences = rows.filter((pl.col("figure") == "format.strict.difference") & (pl.col("table") == "by condition"))
    assert dict(differences.select("condition", "value").iter_rows()) == {
        "baseline": 0.0,
        "constraint_only": 0.0,
        "natural": -1.0,
        "reminder": -1.0,
    }


def test_a_run_and_itself_differ_nowhere(runs: dict[str, Path], tmp_path: Path) -> None:
    output = invoke("compare", str(runs["perfect"]), str(runs["perfect"]), "--out", str(tmp_path))
    assert "No difference anywhere: every reply is the same" in output


def test_three_runs_have_sets_that_are_not_told_apart(runs: dict[str, Path], tmp_path: Path) -> None:
    stored = json.loads(invoke("compare", *map(str, runs.values()), "--out", str(tmp_path), "--json"))
    assert len(stored["runs"]) == 3
    assert "not told apart" in (tmp_path / "comparison.html").read_text(encoding="utf-8")


def test_one_run_stands_beside_the_paper(runs: dict[str, Path], tmp_path: Path) -> None:
    output = invoke("compare", str(runs["perfect"]), "--published", "--out", str(tmp_path))
    assert "beside the paper" in output
    page = (tmp_path / "comparison.html").read_text(encoding="utf-8")
    assert "o4-mini" in page
    assert "compare shapes, not levels" in page


def test_one_run_alone_is_refused_with_what_to_do(runs: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"two runs or more.*--published"):
        invoke("compare", str(runs["perfect"]), "--out", str(tmp_path))


def test_runs_over_other_items_are_named(runs: dict[str, Path], tmp_path: Path) -> None:
    more = ("prospective", "--limit", "13", "--loads", "mmlu", "--seed", "42", "--experiments", "load")
    invoke("run", *more, "--model", "forgetscope/reference/perfect", "--out", str(tmp_path / "more"))
    output = " ".join(
        invoke("compare", str(runs["perfect"]), str(tmp_path / "more"), "--out", str(tmp_path / "c")).split()
    )
    assert "5 samples that some run lacks are left out" in output
    assert "Not the same in all runs: limit (perfect: 12; more: 13)." in output
