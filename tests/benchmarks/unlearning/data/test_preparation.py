"""From a corpus to training sequences, subsets and questions, and to files and back."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.data.built import read_triplets, write_triplets
from forgetscope.benchmarks.unlearning.data.corpora.embedded import EmbeddedSettings, embedded_corpus
from forgetscope.benchmarks.unlearning.data.files import write_prepared
from forgetscope.benchmarks.unlearning.data.preparation import DataSettings, PreparedData, extracted, prepare
from forgetscope.benchmarks.unlearning.data.records import QuestionSet, RetainSubset, Side, Triplet
from forgetscope.benchmarks.unlearning.formats.pruned import PrunedSettings
from forgetscope.benchmarks.unlearning.formats.raw import RawSettings
from forgetscope.benchmarks.unlearning.formats.triplets import TripletsSettings
from forgetscope.core.errors import RunFolderError, SettingError
from tests.benchmarks.unlearning.formats.words import Words


@pytest.fixture(scope="module")
def data() -> PreparedData:
    return prepare(DataSettings(), Words())


def test_the_demo_has_three_formats_and_three_subsets(data: PreparedData) -> None:
    assert set(data.texts) == {"raw", "pruned", "triplets"}
    assert (len(data.forget), len(data.retain), len(data.holdout)) == (16, 24, 8)
    assert {subset: len(names) for subset, names in data.plan.kl.items()} == {
        RetainSubset.LOW: 9,
        RetainSubset.HIGH: 9,
        RetainSubset.ORIGINAL: 18,
    }
    assert len(data.plan.held_back) == 6


def test_training_sequences_are_of_forget_alone_and_not_too_long(data: PreparedData) -> None:
    for texts in data.texts.values():
        assert {text.side for text in texts} == {Side.FORGET}
        assert all(text.tokens <= 256 for text in texts)
        assert {name for text in texts for name in text.chunks} == {chunk.id for chunk in data.forget}


def test_questions_of_every_set_are_there_in_kl_and_held_back(data: PreparedData) -> None:
    kinds = {(question.set, question.used_for_kl) for question in data.questions}
    assert kinds == {
        (QuestionSet.FORGET, False),
        (QuestionSet.LOW, True),
        (QuestionSet.LOW, False),
        (QuestionSet.HIGH, True),
        (QuestionSet.HIGH, False),
    }


def test_pruned_text_keeps_about_three_quarters_and_most_answers(data: PreparedData) -> None:
    formats = data.summary()["formats"]
    assert isinstance(formats, dict)
    assert 0.7 < formats["pruned"]["kept_share"] < 0.85
    assert formats["raw"]["kept_share"] == 1
    texts = {one.chunk: one.text for one in data.formatted["pruned"]}
    asked = [question for question in data.questions if question.set is QuestionSet.FORGET]
    kept = sum(question.answers[0] in texts[question.chunk or ""] for question in asked)
    assert kept > 0.9 * len(asked)


def test_the_same_settings_prepare_the_same(data: PreparedData) -> None:
    again = prepare(DataSettings(), Words())
    assert again.texts == data.texts
    assert again.plan == data.plan
    assert again.questions == data.questions


@pytest.mark.parametrize("measure", ["entities", "relations", "text"])
def test_every_measure_can_split(measure: str) -> None:
    settings = DataSettings.model_validate({"measure": measure, "formats": ({"format": "raw"},)})
    found = prepare(settings, Words())
    assert found.plan.low
    assert found.plan.high


def test_rules_do_where_there_is_no_gold() -> None:
    settings = DataSettings(extractor="rules", formats=(TripletsSettings(extractor="rules"),))
    found = prepare(settings, Words())
    assert found.texts["triplets"]


def test_a_format_twice_is_refused() -> None:
    with pytest.raises(SettingError, match="a format is named twice"):
        prepare(DataSettings(formats=(RawSettings(), RawSettings())), Words())


def test_the_target_may_not_prune() -> None:
    class Target:
        name = "target"
        identities = frozenset({"f" * 64})

        def score(self, _: object) -> list[object]:
            raise AssertionError("never asked")

    with pytest.raises(SettingError, match="memorised"):
        prepare(
            DataSettings(formats=(PrunedSettings(),)),
            Words(),
            target=frozenset({"f" * 64}),
            scorer=Target(),  # type: ignore[arg-type]
        )


def test_triplets_of_a_model_must_be_built_beforehand() -> None:
    corpus = embedded_corpus(EmbeddedSettings(forget=2, retain=2))
    with pytest.raises(SettingError, match=r"data\.extractor: triplets by a language model are built beforehand"):
        extracted("model", corpus, [])


def test_the_extractor_is_the_best_there_is_unless_one_is_named(data: PreparedData) -> None:
    without = replace(embedded_corpus(), gold_triplets={})
    settings = DataSettings(formats=(TripletsSettings(),))
    assert data.extractor == "gold"
    assert prepare(settings, Words(), corpus=without).extractor == "rules"
    assert prepare(settings.model_copy(update={"extractor": "rules"}), Words()).extractor == "rules"


def test_the_share_of_words_is_kept_where_it_was_asked_for() -> None:
    settings = DataSettings(formats=(PrunedSettings(scorer="ngram", budget="words"),))
    formats = prepare(settings, Words()).summary()["formats"]
    assert isinstance(formats, dict)
    assert 0.75 <= formats["pruned"]["kept_words"] < 0.77


def test_triplets_survive_a_file(tmp_path: Path) -> None:
    triplets = {"a#0": (Triplet.parse("Ada | opened | mill"), Triplet.parse("mill | is in | Kald"))}
    write_triplets(tmp_path / "t.jsonl", triplets)
    assert read_triplets(tmp_path / "t.jsonl") == triplets


def test_everything_can_be_looked_at_in_files(data: PreparedData, tmp_path: Path) -> None:
    write_prepared(data, tmp_path)
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["subsets"]["low"]["unique_tokens"] == data.plan.tokens[RetainSubset.LOW]
    assert sum(count for *_, count in summary["entanglement"]["histogram"]) == 24
    rows = [json.loads(line) for line in (tmp_path / "entanglement.jsonl").read_text().splitlines()]
    assert {row["subset"] for row in rows} == {"low", "high"}
    assert sum(row["held_back"] for row in rows) == 6
    assert not list(tmp_path.glob("*.part"))


def test_a_folder_that_cannot_be_written_is_one_clear_line(data: PreparedData, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunFolderError, match="cannot use this folder"):
        write_prepared(data, tmp_path / "file")
