"""`forgetscope reproduce` on a command line: what a dry run prints, and whose options are whose."""

import json
import sys
from pathlib import Path

import pytest

from forgetscope.cli import main

PERFECT = "forgetscope/reference/perfect"


def call(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], place: Path, *arguments: str
) -> tuple[int, str, str]:
    monkeypatch.chdir(place)
    monkeypatch.setattr(sys, "argv", ["forgetscope", "reproduce", *arguments])
    capfd.readouterr()
    try:
        main()
        code = 0
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    return (code, *capfd.readouterr())


def test_a_dry_run_prints_the_plan_and_sends_nothing(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    common = ("prospective", "--model", PERFECT, "--data", "embedded", "--limit", "1", "--dry-run")
    code, out, _ = call(monkeypatch, capfd, tmp_path, *common)
    assert code == 0
    assert "its settings alone" in " ".join(out.split())
    code, out, _ = call(monkeypatch, capfd, tmp_path, *common, "--json")
    assert code == 0
    assert json.loads(out)["samples"] > 0
    assert not list(tmp_path.iterdir())


def test_a_grids_dry_run_lists_its_cells_and_the_targets(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    common = ("unlearning", "--model", "shipped", "--data", "embedded", "--dry-run")
    code, out, _ = call(monkeypatch, capfd, tmp_path, *common, "--json")
    assert code == 0
    assert len(json.loads(out)) == 29, "27 cells, the target, the retain-only model"
    code, _, said = call(monkeypatch, capfd, tmp_path, *common, "--limit", "2")
    assert (code, "--limit" in said) == (2, True)
    code, _, said = call(monkeypatch, capfd, tmp_path, *common, "--corpus", "wiki")
    assert (code, "news, books" in said) == (2, True)
