"""`forgetscope unlearn train`: one cell, and the model it leaves."""

import json
import sys
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from forgetscope.cli import main
from tests.benchmarks.unlearning.small_grid import SMALL


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> int:
    monkeypatch.setattr(sys, "argv", ["forgetscope", "unlearn", "train", *map(str, arguments)])
    try:
        main()
    except SystemExit as stopped:
        return int(stopped.code or 0)
    return 0


def test_the_unlearned_model_is_kept_beside_its_figures_and_says_what_they_say(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from forgetscope.benchmarks.unlearning.training.models import load_model

    (tmp_path / "grid.yaml").write_text(yaml.safe_dump({**SMALL, "methods": ["ga"]}), encoding="utf-8")
    arguments = ("--config", tmp_path / "grid.yaml", "--out", tmp_path / "out", "--json")
    assert call(monkeypatch, *arguments) == 0
    result = json.loads(capfd.readouterr().out.splitlines()[-1])
    assert result["status"] == "complete"
    assert result["config"]["unlearning"]["method"]["kind"] == "ga"
    assert (tmp_path / "out" / "cells" / result["id"] / "result.json").is_file()
    model = load_model(str(tmp_path / "out" / "model"))
    targets = list((tmp_path / "out" / "targets").iterdir())
    target = load_model(str(targets[0]))
    changed = [
        not bool((after == before).all())
        for after, before in zip(model.network.parameters(), target.network.parameters(), strict=True)
    ]
    assert any(changed)
    assert not list((tmp_path / "out").glob(".model*"))


def test_of_several_cells_one_is_to_be_named(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "grid.yaml").write_text(yaml.safe_dump(SMALL), encoding="utf-8")
    assert call(monkeypatch, "--config", tmp_path / "grid.yaml", "--out", tmp_path / "out") == 2
    said = capfd.readouterr().err
    assert "--cell: one cell is to be trained; found '2 cells'; allowed:" in said
    assert "(embedded NPO raw original lr 0.0007 seed 0)" in said
    assert not (tmp_path / "out" / "targets").exists()
