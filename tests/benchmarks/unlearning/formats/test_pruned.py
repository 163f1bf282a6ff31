"""Pruning: what stays, how much of it, and that the target is never asked."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetscope.benchmarks.unlearning.formats import FormatParts, units
from forgetscope.benchmarks.unlearning.formats.pruned import PrunedSettings, prune, score_in_context
from forgetscope.benchmarks.unlearning.formats.units import rule_phrases, sentences
from forgetscope.core.errors import MissingPartError, SettingError
from tests.benchmarks.unlearning.formats.words import Known, Words, chunk

TEXT = "The mill at Osthaven burned in 1472. It was never built again."


def pruned(text: str, information: dict[str, float], **settings: object) -> str:
    asked = PrunedSettings.model_validate(settings)
    (tokens,) = score_in_context([text], Known(information), asked.context)
    return prune(text, tokens, asked)


def test_the_least_surprising_words_go_first() -> None:
    low = {"in": 0.1, "at": 0.2, "never": 0.3}
    assert pruned(TEXT, low, keep=0.8, unit="phrase") == "The mill Osthaven burned 1472. It was built again."


def test_a_mean_drops_figures_whose_digits_are_easy_to_guess_and_a_sum_keeps_them() -> None:
    digits = {"1": 6.0, "4": 0.1, "7": 0.1, "2": 0.1}  # mean 1.6, sum 6.3
    other = dict.fromkeys(re.findall(r"[A-Za-z]+|[.]", TEXT), 2.0)
    assert "1472" not in pruned(TEXT, {**digits, **other}, keep=0.7, aggregation="mean")
    assert "1472" in pruned(TEXT, {**digits, **other}, keep=0.7, aggregation="sum_per_word")


def test_a_percentile_of_units_drops_that_share_of_units() -> None:
    words = dict(zip("kbcdefghlj", range(10), strict=True))
    text = " ".join(words)
    kept = pruned(
        text, {word: float(value) for word, value in words.items()}, budget="units", keep=0.7, context="chunk"
    )
    assert kept.split() == list("defghlj")


def test_whole_sentences_can_be_dropped() -> None:
    text = "The mill burned down. Nobody was there at all. The bridge stood."
    low = dict.fromkeys(["Nobody", "was", "there", "at", "all"], 0.1)
    assert pruned(text, low, unit="sentence", keep=0.6) == "The mill burned down. The bridge stood."


def test_tokens_can_be_dropped_one_by_one() -> None:
    assert pruned("alpha beta gamma delta", {"beta": 0.1}, unit="token", keep=0.75) == "alpha gamma delta"


@given(
    st.lists(st.floats(0, 20), min_size=1, max_size=60),
    st.floats(0.05, 1),
    st.sampled_from(["token", "phrase"]),
    st.sampled_from(["mean", "sum_per_word"]),
)
def test_at_least_the_asked_share_of_tokens_stays_and_nothing_is_added(
    values: list[float], keep: float, unit: str, aggregation: str
) -> None:
    words = [f"w{'abcdefghij'[number % 10]}{'klmnopqrst'[number // 10]}" for number in range(len(values))]
    text = " ".join(words)
    left = pruned(
        text, dict(zip(words, values, strict=True)), keep=keep, unit=unit, aggregation=aggregation, context="chunk"
    ).split()
    assert len(left) >= keep * len(words) - 1e-6
    assert len(left) <= keep * len(words) + 1
    assert [word for word in words if word in set(left)] == left


def test_keeping_all_changes_nothing() -> None:
    assert pruned(TEXT, {}, keep=1.0) == TEXT


@given(st.text(max_size=200))
def test_phrases_cover_the_text_without_gap_or_overlap(text: str) -> None:
    for spans in (rule_phrases(text), sentences(text)):
        assert "".join(text[low:high] for low, high in spans) == text
        assert all(low < high for low, high in spans)


def test_the_rule_keeps_names_figures_and_determiners_together() -> None:
    text = "On 14 May the Bank of Kald gave her brother 41 crowns."
    phrases = [text[low:high].strip() for low, high in rule_phrases(text)]
    assert phrases == ["On 14 May", "the Bank of Kald", "gave", "her brother", "41", "crowns", "."]


def test_spacy_is_named_where_it_is_asked_for_and_missing() -> None:
    with pytest.raises(MissingPartError, match="next: pip install spacy"):
        units.spacy_phrases("no_such_model")
    with pytest.raises(ValueError, match="by rule, spacy or auto"):
        units.phrase_cutter("guess")


def test_every_chunk_says_what_share_of_the_targets_tokens_is_left() -> None:
    parts = FormatParts(Words(), scorer=Known({"in": 0.1, "at": 0.1, "never": 0.1}))
    (one,) = PrunedSettings(keep=0.8).apply([chunk(TEXT)], parts)
    assert one.text == "The mill Osthaven burned 1472. It was built again."
    assert one.kept_share == pytest.approx(9 / 12)


def test_the_target_may_not_score_what_it_is_to_forget() -> None:
    parts = FormatParts(Words(), scorer=Known({}), target=frozenset({"known", "/models/target"}))
    with pytest.raises(SettingError, match="the target cannot score the text it is to forget"):
        PrunedSettings().apply([chunk(TEXT)], parts)


def test_pruning_without_a_scorer_says_so() -> None:
    with pytest.raises(SettingError, match="pruning needs a scorer"):
        PrunedSettings().apply([chunk(TEXT)], FormatParts(Words()))


def test_empty_text_stays_empty() -> None:
    assert prune("", (), PrunedSettings()) == ""
    assert prune("", (), PrunedSettings(budget="units", unit="sentence")) == ""
