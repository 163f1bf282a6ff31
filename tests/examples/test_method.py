"""The example of an unlearning method, installed: it trains a cell, its name and settings are in the result."""

import json
from pathlib import Path

from tests.examples.plugins import PLUGINS, forgetscope, installed

GRID = """
experiments:
  - data:
      corpus: {source: embedded, forget: 4, retain: 6, holdout: 2}
      chunk_tokens: 400
      retain: {held_back: 0}
    target: {vocabulary: 400, hidden: 32, layers: 2, fit: {epochs: 2}, gate: {verbatim: 0, knowledge: 0}}
methods: [{kind: blind_guess, temperature: 2.0}]
formats: [raw]
retain_subsets: [original]
training: {epochs: 1, batch_size: 2}
evaluation: {verbatim_max_tokens: 8, knowledge_max_tokens: 4}
"""


def test_a_method_of_an_installed_package_runs_as_a_cell(tmp_path: Path) -> None:
    environment = installed(PLUGINS / "method", tmp_path)
    (tmp_path / "grid.yaml").write_text(GRID, encoding="utf-8")
    printed = forgetscope(["unlearn", "train", "--config", "grid.yaml", "--out", "grid"], environment, tmp_path)
    assert "Blind guess raw original" in printed
    (path,) = (tmp_path / "grid" / "cells").glob("*/result.json")
    cell = json.loads(path.read_text(encoding="utf-8"))
    assert cell["status"] == "complete"
    assert cell["config"]["unlearning"]["method"] == {"kind": "blind_guess", "temperature": 2.0}
    assert cell["training"]["steps"] == 2
