"""The shipped target: what is in the package, and that it knows its corpus."""

import json
from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.data.corpora.embedded import embedded_corpus
from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.benchmarks.unlearning.settings import TargetSettings
from forgetscope.benchmarks.unlearning.training import shipped
from forgetscope.benchmarks.unlearning.training.models import load_model, weights_sha256
from forgetscope.benchmarks.unlearning.training.target import load_target, make_target
from forgetscope.core.errors import DataError
from forgetscope.models.weights import sha256_of

PROVENANCE = json.loads((shipped.MODEL_FOLDER / shipped.PROVENANCE_NAME).read_text())


def test_the_weights_are_those_recorded_small_and_of_todays_corpus_and_recipe() -> None:
    weights = shipped.shipped_target() / shipped.WEIGHTS_NAME
    assert sha256_of(weights) == shipped.WEIGHTS_SHA256 == PROVENANCE["model_safetensors_sha256"]
    assert weights.stat().st_size < 2_400_000
    recipe = settings_of({}).experiments[0]
    corpus = embedded_corpus()
    assert PROVENANCE["made"]["corpus_sha256"] == corpus.sha256
    assert PROVENANCE["made"]["identity"] == recipe.target.identity(corpus.sha256, recipe.data.chunk_tokens)
    assert weights_sha256(load_model("shipped").network) == PROVENANCE["weights_sha256_in_16_bits"]


def test_it_knows_what_its_record_says(tmp_path: Path) -> None:
    chunk_tokens = settings_of({}).experiments[0].data.chunk_tokens
    given = TargetSettings(model="shipped", fit=None, precision="float32")
    record = make_target(given, embedded_corpus(), tmp_path, chunk_tokens=chunk_tokens)
    assert record.knows == PROVENANCE["knows_in_16_bits"]
    assert record.knows["score.verbatim"] == 1.0
    assert record.path == "shipped", "no path of this machine is recorded"
    assert load_target(tmp_path).parameters == record.parameters == PROVENANCE["made"]["parameters"]


def test_damaged_weights_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "MODEL_FOLDER", tmp_path)
    with pytest.raises(DataError, match=r"the shipped target is damaged; found 'nothing'.*install forgetscope again"):
        load_model("shipped")
    (tmp_path / shipped.WEIGHTS_NAME).write_bytes(b"something else")
    with pytest.raises(DataError, match="the shipped target is damaged"):
        load_model("shipped")
