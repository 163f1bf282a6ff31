"""An in-context metric from outside: installed, computed in a run, its table in the report."""

import json
from pathlib import Path

from tests.examples.plugins import PLUGINS, forgetscope, installed

RUN = ["run", "in-context", "--model", "forgetscope/reference/perfect-forgetter", "--limit", "1", "--out", "run"]


def test_an_installed_metric_stands_in_summary_and_report(tmp_path: Path) -> None:
    environment = installed(PLUGINS / "in_context_metric", tmp_path)
    forgetscope(RUN, environment, tmp_path)
    summary = json.loads((tmp_path / "run" / "summary.json").read_text(encoding="utf-8"))
    words = [entry for entry in summary["figures"] if entry["name"] == "words"]
    assert {entry["factors"]["form"] for entry in words} == {"forget", "noforget"}
    assert all(entry["n"] == 1 for entry in words)
    assert "Words of a reply" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
