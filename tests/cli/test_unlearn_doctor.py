"""`forgetscope unlearn doctor`: read by a person, read by a program, and its exit code."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from forgetscope.cli import main

Command = Callable[..., tuple[int, str, str]]

GRID = """
experiments:
  - data:
      corpus: {source: embedded, forget: 4, retain: 6, holdout: 2}
      chunk_tokens: 400
      retain: {held_back: 0}
    target: {vocabulary: 400, hidden: 32, layers: 2, fit: {epochs: 2}, gate: {verbatim: 0, knowledge: 0}}
methods: [METHODS]
formats: [raw]
retain_subsets: [original]
training: {epochs: 8, batch_size: 2}
evaluation: {verbatim_max_tokens: 8, knowledge_max_tokens: 4}
"""


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The real entry point: exit code and both streams."""

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["forgetscope", "unlearn", "doctor", *arguments])
        capfd.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main()
        return (int(stopped.value.code or 0), *capfd.readouterr())

    return call


def test_it_foresees_a_vanished_gradient_says_the_cure_and_exits_1(command: Command, tmp_path: Path) -> None:
    (tmp_path / "grid.yaml").write_text(GRID.replace("METHODS", "simnpo"), encoding="utf-8")
    code, out, _ = command("grid.yaml")
    assert code == 1
    assert "stop embedded SimNPO on raw: 100% of the sequences have no gradient before the first step" in out
    assert "lets a tenth of the gradient through" in out
    assert "3 of 3 cells to run: 16 steps" in out
    assert [path.name for path in tmp_path.iterdir()] == ["grid.yaml"], "without --out nothing is left behind"


def test_a_program_reads_the_same_and_what_was_made_is_kept_for_the_grid(command: Command, tmp_path: Path) -> None:
    (tmp_path / "grid.yaml").write_text(GRID.replace("METHODS", "npo"), encoding="utf-8")
    code, out, _ = command("grid.yaml", "--out", "grid", "--json")
    found = json.loads(out)
    assert code == 0
    assert [trial["method"] for trial in found["trials"]] == ["NPO"]
    assert "stop" not in {advice["level"] for advice in found["advice"]}
    assert len(list((tmp_path / "grid" / "targets").iterdir())) == 1
    assert not (tmp_path / "grid" / "cells").exists()


def test_a_mistake_is_one_line(command: Command, tmp_path: Path) -> None:
    (tmp_path / "grid.yaml").write_text("methdos: [ga]\n", encoding="utf-8")
    code, out, err = command("grid.yaml")
    assert (code, out) == (2, "")
    assert "grid.yaml: methdos: unknown key" in err
    assert len(err.splitlines()) == 1
