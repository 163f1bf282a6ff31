"""Sentences and words as NLTK cuts them, without going online."""

from pathlib import Path

import nltk
import pytest

from forgetscope.checkers import punkt
from forgetscope.core.errors import MissingPartError


def test_abbreviations_do_not_end_a_sentence() -> None:
    text = "Dr. Smith paid 3.50 dollars. He left! Why?"
    assert [text[start:end] for start, end in punkt.sentence_spans(text)] == [
        "Dr. Smith paid 3.50 dollars.",
        "He left!",
        "Why?",
    ]


def test_the_carried_model_is_read_as_nltk_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = punkt._carried_model()
    if folder is None:
        pytest.skip(f"{punkt.CARRIER} is not installed")
    ours = punkt._read_parameters(folder)
    monkeypatch.setattr(nltk.data, "path", [str(folder.parents[2])])
    theirs = nltk.tokenize.PunktTokenizer("english")._params
    for table in ("abbrev_types", "collocations", "sent_starters", "ortho_context"):
        assert getattr(ours, table) == getattr(theirs, table), table


def test_words_in_capitals_come_out_as_nltk_tokens() -> None:
    text = 'no capitals at all. The U.S. sent "NASA" WELL-MADE maps.'
    assert [token for token in punkt.cased_tokens(text) if token.isupper()] == ["U.S.", "NASA", "WELL-MADE"]
    assert list(punkt.cased_tokens("nothing here. or here.")) == []


def test_a_machine_without_the_model_is_told_the_one_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path | None:
        return None

    monkeypatch.setattr(nltk.data, "path", [])
    monkeypatch.setattr(punkt, "_carried_model", nowhere)
    punkt._sentence_tokenizer.cache_clear()
    try:
        with pytest.raises(MissingPartError, match="pip install --no-deps llama-index-core=="):
            list(punkt.sentence_spans("One. Two."))
    finally:
        punkt._sentence_tokenizer.cache_clear()
