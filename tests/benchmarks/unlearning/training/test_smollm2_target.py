"""SmolLM2-135M as a real target: articles memorised, then unlearned at the paper's learning rate. Minutes of CPU."""

import os
from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.grid.cells import read_result
from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.benchmarks.unlearning.grid.preparing import read_grid
from forgetscope.benchmarks.unlearning.grid.workers import work
from tests.benchmarks.unlearning.small_grid import make_grid

CONFIGURATION: dict[str, object] = {
    "experiments": [
        {
            "data": {
                "corpus": {"source": "embedded", "forget": 2, "retain": 2, "holdout": 0},
                "chunk_tokens": 400,
                "formats": [{"format": "raw"}],
                "retain": {"held_back": 0},
            },
            "target": {
                "model": "smollm2",
                "teaches": "documents",
                "fit": {"epochs": 14, "learning_rate": 1e-4, "warmup_steps": 4, "batch_tokens": 512},
                "gate": {"verbatim": 0.99, "knowledge": 0},
                "precision": "auto",
            },
        }
    ],
    "retain_subsets": ["original"],
    "training": {"epochs": 6, "learning_rate": 2e-5, "batch_size": 2, "precision": "auto"},
    "evaluation": {"measures": ["verbatim", "likelihood"]},
}


@pytest.mark.real_model
@pytest.mark.slow
@pytest.mark.skipif("FORGETSCOPE_LONG_TESTS" not in os.environ, reason="minutes of CPU: set FORGETSCOPE_LONG_TESTS=1")
def test_a_real_model_forgets_what_it_had_memorised_at_the_papers_learning_rate(tmp_path: Path) -> None:
    pytest.importorskip("gguf", reason="unpacking the weights needs the package gguf")
    grid = make_grid(tmp_path / "grid", settings_of(CONFIGURATION))
    done = work(grid.path)
    assert not done.failed
    target, *unlearned = [read_result(grid.cell(config.id)) for config in read_grid(grid).cells]
    known = target.figures["score.verbatim"]
    assert known is not None
    assert known >= 0.99
    assert len(unlearned) == 3
    for result in unlearned:
        left = result.figures["score.verbatim"]
        assert left is not None
        assert known - left >= 0.2, result.config.label
