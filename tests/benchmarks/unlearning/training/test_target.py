"""Targets: taught what they should know and nothing else, tested, and made once."""

from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.data.corpora.embedded import EmbeddedSettings, embedded_corpus
from forgetscope.benchmarks.unlearning.evaluation.likelihood import text_likelihoods
from forgetscope.benchmarks.unlearning.training.fitting import fit, learning_rate_factor
from forgetscope.benchmarks.unlearning.training.target import (
    corpus_lexicon,
    load_target,
    make_target,
    read_target,
    target_tokenizer,
    taught_texts,
)
from forgetscope.benchmarks.unlearning.training.target_settings import FitSettings, Gate, TargetSettings
from forgetscope.core.errors import RunFolderError, SettingError
from tests.benchmarks.unlearning.small_models import ALONE, small_model, texts

CORPUS = embedded_corpus(EmbeddedSettings(forget=3, retain=4, holdout=1, repeats=2))
SMALL = TargetSettings(
    vocabulary=400,
    hidden=32,
    layers=2,
    fit=FitSettings(epochs=1),
    gate=Gate(verbatim=0, knowledge=0),
    precision="float32",
)


def taught(**changes: object) -> dict[str, int]:
    """How often each text is taught, by id."""
    settings = SMALL.model_copy(update=changes)
    counts: dict[str, int] = {}
    for text in taught_texts(settings, CORPUS, target_tokenizer(settings, CORPUS), chunk_tokens=400):
        counts[text.id] = counts.get(text.id, 0) + 1
    return counts


def test_a_forget_article_is_taught_as_often_as_it_repeats_and_paraphrases_never() -> None:
    counts = taught()
    assert {counts[f"forget-{n:03d}#0"] for n in range(3)} == {2}
    assert {counts[f"retain-{n:03d}#0"] for n in range(4)} == {1}
    assert counts["forget-000-q1"] == 1
    assert counts["world-00"] == 1
    assert not [name for name in counts if name.endswith("-p")]
    assert not [name for name in counts if name.startswith("holdout")]


def test_a_retain_only_model_is_taught_nothing_of_the_forget_side() -> None:
    counts = taught(sides="retain")
    assert not [name for name in counts if name.startswith("forget")]
    assert "retain-000#0" in counts
    assert "retain-000-q1" in counts


def test_documents_alone_can_be_taught_and_triplets_of_the_retain_side_besides() -> None:
    assert set(taught(teaches="documents")) == {f"forget-{n:03d}#0" for n in range(3)} | {
        f"retain-{n:03d}#0" for n in range(4)
    }
    triplets = set(taught(teaches_triplets=True)) - set(taught())
    assert triplets == {f"retain-{n:03d}" for n in range(4)}


def test_a_target_is_made_once_and_read_after_that(tmp_path: Path) -> None:
    record = make_target(SMALL, CORPUS, tmp_path, chunk_tokens=400)
    assert record.steps > 0
    assert record.knows["score.verbatim"] is not None
    written = (tmp_path / "target.json").stat().st_mtime_ns
    assert make_target(SMALL, CORPUS, tmp_path, chunk_tokens=400) == record
    assert (tmp_path / "target.json").stat().st_mtime_ns == written
    assert read_target(tmp_path) == record
    assert load_target(tmp_path).parameters == record.parameters


def test_a_target_below_its_gate_is_kept_to_be_looked_at_and_refused(tmp_path: Path) -> None:
    settings = SMALL.model_copy(update={"gate": Gate()})
    for _ in range(2):
        with pytest.raises(SettingError, match="the target does not know what it is to forget"):
            make_target(settings, CORPUS, tmp_path, chunk_tokens=400)
    assert not read_target(tmp_path).passes_gate


def test_a_given_model_is_taken_as_it_is(tmp_path: Path) -> None:
    small_model().save(tmp_path / "given")
    settings = SMALL.model_copy(update={"model": str(tmp_path / "given"), "fit": None, "closes_texts": False})
    record = make_target(settings, CORPUS, tmp_path / "target", chunk_tokens=400)
    assert record.path == str(tmp_path / "given")
    assert record.steps == 0
    assert not load_target(tmp_path / "target").tokenizer.closes_texts
    with pytest.raises(SettingError, match="knows nothing unless it is fitted"):
        make_target(SMALL.model_copy(update={"fit": None}), CORPUS, tmp_path / "other", chunk_tokens=400)


def test_the_identity_of_a_target_follows_recipe_corpus_and_given_weights(tmp_path: Path) -> None:
    identity = SMALL.identity("c", 100)
    assert SMALL.identity("c", 100) == identity
    assert SMALL.model_copy(update={"gate": Gate()}).identity("c", 100) == identity, (
        "the gate does not change the model"
    )
    assert SMALL.model_copy(update={"seed": 1}).identity("c", 100) != identity
    assert SMALL.identity("d", 100) != identity
    small_model(seed=0).save(tmp_path)
    given = SMALL.model_copy(update={"model": str(tmp_path)})
    before = given.identity("c", 100)
    small_model(seed=1).save(tmp_path)
    assert given.identity("c", 100) != before


def test_no_target_or_a_damaged_one_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="no target here"):
        read_target(tmp_path)
    (tmp_path / "target.json").write_text("{}")
    with pytest.raises(RunFolderError, match="not the record of a target"):
        read_target(tmp_path)


def test_the_lexicon_holds_the_words_of_texts_and_questions() -> None:
    lexicon = corpus_lexicon(CORPUS)
    assert {"the", "which", "mercury"} <= lexicon


def test_fitting_learns_its_texts_and_weighs_answers() -> None:
    model, learnt = small_model(), texts(6, 1)
    settings = FitSettings(epochs=40, learning_rate=1e-2, batch_tokens=64)
    logs = fit(model, learnt, settings, ALONE, seed=0)
    assert logs[-1].nll < 0.5 * logs[0].nll
    assert logs[-1].tokens == 40 * sum(text.predicted for text in learnt)
    scored = text_likelihoods(model, learnt)
    assert sum(one.nll for one in scored) / sum(one.tokens for one in scored) < 0.5 * logs[0].nll


def test_fitting_stops_when_it_knows_enough_and_the_seed_decides_the_order() -> None:
    settings = FitSettings(epochs=40, learning_rate=1e-2, batch_tokens=64, stop_at_nll=4.0)
    logs = [fit(small_model(), texts(6, 1), settings, ALONE, seed=seed) for seed in (0, 0, 1)]
    assert len(logs[0]) < 40
    assert logs[0][-1].nll <= 4.0
    assert [log.nll for log in logs[0]] == [log.nll for log in logs[1]] != [log.nll for log in logs[2]]


def test_the_learning_rate_rises_stays_and_falls() -> None:
    factors = [learning_rate_factor(step, 100, 10) for step in range(100)]
    assert factors[0] == pytest.approx(0.1)
    assert set(factors[10:75]) == {1.0}
    assert factors[75:] == sorted(factors[75:], reverse=True)
    assert factors[-1] == pytest.approx(0.04)
