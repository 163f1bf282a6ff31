"""The shipped target: what is in the package, and that it knows its corpus."""

import json
from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.data.corpora.embedded import embedded_corpus
from forgetscope.benchmarks.unlearning.grid.configuration import settings_of
from forgetscope.benchmarks.unlearning.settings import Role
from forgetscope.benchmarks.unlearning.training import shipped
from forgetscope.benchmarks.unlearning.training.models import load_model, weights_sha256
from forgetscope.benchmarks.unlearning.training.target import load_target, make_target
from forgetscope.core.errors import DataError
from forgetscope.models.weights import sha256_of

PROVENANCES = {
    name: json.loads((folder / shipped.PROVENANCE_NAME).read_text()) for name, folder in shipped.MODEL_FOLDERS.items()
}
NAMES: dict[str, Role] = {"shipped": "target", "shipped-retain-only": "retain_only"}


@pytest.mark.parametrize("name", NAMES)
def test_the_weights_are_those_recorded_small_and_of_todays_corpus_and_recipe(name: str) -> None:
    provenance = PROVENANCES[name]
    weights = shipped.shipped_model(name) / shipped.WEIGHTS_NAME
    assert sha256_of(weights) == shipped.WEIGHTS_SHA256[name] == provenance["model_safetensors_sha256"]
    assert weights.stat().st_size < 2_400_000
    recipe = settings_of({}).experiments[0]
    corpus = embedded_corpus()
    assert provenance["made"]["corpus_sha256"] == corpus.sha256
    identity = recipe.models[NAMES[name]].identity(corpus.sha256, recipe.data.chunk_tokens)
    assert provenance["made"]["identity"] == identity
    assert weights_sha256(load_model(name).network) == provenance["weights_sha256_in_16_bits"]


@pytest.mark.parametrize("name", NAMES)
def test_each_knows_what_its_record_says(name: str, tmp_path: Path) -> None:
    settings = settings_of({"experiments": [{"target": {"model": "shipped", "fit": None}}]}).experiments[0]
    given, chunk_tokens = settings.models[NAMES[name]], settings.data.chunk_tokens
    assert given.model == name
    record = make_target(given, embedded_corpus(), tmp_path, chunk_tokens=chunk_tokens)
    scores = {figure: value for figure, value in record.knows.items() if figure.startswith("score.")}
    assert scores.items() <= PROVENANCES[name]["knows_in_16_bits"].items()
    assert record.path == name, "no path of this machine is recorded"
    assert load_target(tmp_path).parameters == record.parameters == PROVENANCES[name]["made"]["parameters"]


def test_the_target_knows_its_forget_side_word_for_word_and_the_other_model_does_not() -> None:
    knows = {name: PROVENANCES[name]["knows_in_16_bits"] for name in NAMES}
    assert knows["shipped"]["score.verbatim"] == 1.0
    assert knows["shipped-retain-only"]["score.verbatim"] < 0.2
    assert knows["shipped-retain-only"]["score.knowledge_forget"] < 0.1
    assert knows["shipped-retain-only"]["score.knowledge_retain"] > 0.7


def test_damaged_weights_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "MODEL_FOLDERS", {"shipped": tmp_path})
    with pytest.raises(DataError, match=r"the shipped target is damaged; found 'nothing'.*install forgetscope again"):
        load_model("shipped")
    (tmp_path / shipped.WEIGHTS_NAME).write_bytes(b"something else")
    with pytest.raises(DataError, match="the shipped target is damaged"):
        load_model("shipped")
