"""A whole benchmark from outside: planned, run, reported, validated, and known to Inspect."""

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from tests.examples.plugins import PLUGINS, forgetscope, installed

SMALL = ["word-list", "--lists", "3", "--length", "4"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return installed(PLUGINS / "benchmark", tmp_path_factory.mktemp("plugin"))


def test_its_options_are_those_it_declares(environment: dict[str, str], tmp_path: Path) -> None:
    assert "plug-in of forgetscope-word-list 0.1" in forgetscope(["run", "--help"], environment, tmp_path)
    said = forgetscope(["run", "word-list", "--help"], environment, tmp_path)
    assert "--lists" in said
    assert "--conditions" not in said
    plan = json.loads(forgetscope(["plan", *SMALL, "--json"], environment, tmp_path))
    assert [(cell["label"], cell["samples"]) for cell in plan["cells"]] == [("whole", 3), ("without", 3)]


def test_it_is_run_and_reported_as_ours_are(environment: dict[str, str], tmp_path: Path) -> None:
    perfect = ["--model", "forgetscope/reference/word-parrot", "--out", "run"]
    said = forgetscope(["run", *SMALL, *perfect], environment, tmp_path)
    assert "Right replies: whole 100%, without 0%." in said
    table = pl.read_parquet(tmp_path / "run" / "samples.parquet")
    assert table.sort("sample_id")["status"].to_list() == ["correct", "incorrect"] * 3
    assert "A word of a list, forgotten" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    checked = json.loads(forgetscope(["validate", "word-list", "--json"], environment, tmp_path))
    assert [(entry["model"], entry["holds"]) for entry in checked] == [("word-perfect", True), ("word-parrot", True)]


def test_inspect_knows_its_task(environment: dict[str, str], tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "inspect_ai",
        "eval",
        "forgetscope/word_list",
        "-T",
        "lists=2",
        "--display",
        "none",
    ]
    command += ["--model", "forgetscope/reference/word-perfect", "--log-dir", str(tmp_path / "logs")]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert list((tmp_path / "logs").glob("*word-list*.eval"))
